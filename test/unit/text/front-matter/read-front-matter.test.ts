import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FrontMatter, readFrontMatter } from '../../../../src/text/front-matter/read-front-matter.js';
import { runs } from '../../../support/runs.js';
import { processorMs } from '../../../support/processor-time.js';

const FILE = '/ws/.claude/agents/a.md';
const read = (text: string): FrontMatter => readFrontMatter(text, { file: FILE });
const fields = (yaml: string): FrontMatter => read(`---\n${yaml}\n---\nBody`);
const values = (yaml: string): Record<string, unknown> => {
  const { broken, fields: found } = fields(yaml);
  expect(broken).toBeUndefined();
  return Object.fromEntries([...found].map(([name, { value }]) => [name, value]));
};

describe('front matter', () => {
  it('has values of every kind with their lines, and the text behind it', () => {
    const {
      fields: found,
      body,
      bodyLine,
      problems,
      lineAt,
    } = read(
      '---\nname: a\ntools:\n  - Read\n  - Write\nhooks:\n  Stop:\n    - command: x\n      timeout: 2.5\non: true\nno: ~\nlong: >\n  one\n  two\n---\n\nYou are…\n',
    );
    expect([...found]).toEqual([
      ['name', { value: 'a', source: 'a', line: 2 }],
      ['tools', { value: ['Read', 'Write'], line: 3 }],
      ['hooks', { value: { Stop: [{ command: 'x', timeout: 2.5 }] }, line: 6 }],
      ['on', { value: true, source: 'true', line: 10 }],
      ['no', { value: null, source: '~', line: 11 }],
      ['long', { value: 'one two\n', line: 12 }],
    ]);
    expect([body, bodyLine, problems]).toEqual(['\nYou are…\n', 16, []]);
    expect([['hooks', 'Stop'], ['hooks', 'Stop', 0, 'timeout'], ['tools', 1], ['absent'], []].map(lineAt)).toEqual([7, 9, 5, undefined, 2]);
  });

  it('may begin with a byte order mark and end its lines in any way', () => {
    for (const [ending, mark] of [
      ['\r\n', ''],
      ['\n', '\uFEFF'],
      ['\r', ''],
      ['\r\n', '\uFEFF'],
    ] as const) {
      const { fields: found, body, bodyLine } = read(`${mark}${['---', 'name: a', 'description: b  ', '---  ', 'One', 'Two', ''].join(ending)}`);
      expect([...found].map(([name, { value, line }]) => [name, value, line])).toEqual([
        ['name', 'a', 2],
        ['description', 'b', 3],
      ]);
      expect([body, bodyLine]).toEqual(['One\nTwo\n', 5]);
    }
  });

  it.each(['', 'Text', '----\nname: a\n---\n', '--- x\n---', 'x\n---\nname: a\n---\n'])('is not in %j, which is all body', (text) => {
    expect(read(text)).toMatchObject({ exists: false, body: text, bodyLine: 1, problems: [] });
    expect(read(text).broken).toBeUndefined();
  });

  it('that begins late is text, with a note', () => {
    expect(read('\n\n---\nname: a\n---\nBody')).toMatchObject({ exists: false, body: '\n\n---\nname: a\n---\nBody', problems: [{ line: 3, harmless: true }] });
  });

  it('may be empty', () => {
    for (const text of ['---\n---\nBody', '---\n\n---\nBody', '---\n# a\n---\nBody'])
      expect(read(text)).toMatchObject({ exists: true, fields: new Map(), body: 'Body', problems: [] });
  });

  it('has any names as its own, and harms no prototype', () => {
    const { fields: found } = fields('__proto__: 1\nconstructor: 2\na: { __proto__: { b: 1 } }\n1: x');
    expect([...found.keys()]).toEqual(expect.arrayContaining(['__proto__', 'constructor', 'a', '1']));
    expect(({} as Record<string, unknown>)['b']).toBeUndefined();
  });

  it('has numbers that JSON does not have as they are written', () => {
    expect(values('a: .nan\nb: -.inf\nc: 0x1F\nd: 007\ne: 2026-01-01\nf: yes')).toEqual({ a: '.nan', b: '-.inf', c: 31, d: 7, e: '2026-01-01', f: 'yes' });
  });
});

describe('values that need quotation marks', () => {
  it.each([
    ['a colon', 'description: Use it: for example', 'description', 'Use it: for example'],
    [
      'examples',
      'description: Use it. <example>user: "Hi" assistant: "Ho #1"</example>\nmodel: opus',
      'description',
      'Use it. <example>user: "Hi" assistant: "Ho #1"</example>',
    ],
    ['a colon at the end', 'description: Modes:', 'description', 'Modes:'],
    ['a star', 'tools: *', 'tools', '*'],
    ['a pattern', 'globs: *.ts', 'globs', '*.ts'],
    ['stars', 'tools: *, mcp__a__*', 'tools', '*, mcp__a__*'],
    ['an at sign', 'author: @someone', 'author', '@someone'],
    ['a backtick', 'hint: `x` and `y`', 'hint', '`x` and `y`'],
    ['a percent sign', 'a: %s', 'a', '%s'],
    ['several brackets', 'argument-hint: [file] [mode]', 'argument-hint', '[file] [mode]'],
    ['a dash', 'a: - b', 'a', '- b'],
    ['a tab in front', 'a:\tb: c', 'a', 'b: c'],
  ])('are texts with a note: %s', (_what, yaml, name, value) => {
    const { fields: found, problems, broken } = fields(yaml);
    expect([broken, found.get(name)]).toEqual([undefined, { value, source: value, line: 2 }]);
    expect(problems).toEqual([
      { file: FILE, key: name, line: 2, message: `The value of “${name}” needs quotation marks to be valid YAML. It is read as a text.`, harmless: true },
    ]);
  });

  it('leave alone what is YAML', () => {
    const yaml = 'a: [x, y]\nb: "x: y"\nc: \'it: s\'\nd: { x: y }\ne: http://x.y/z\nf: a:b\ng: |\n  x: y\nh: -1\ni: x # y: z';
    expect(values(yaml)).toEqual({ a: ['x', 'y'], b: 'x: y', c: 'it: s', d: { x: 'y' }, e: 'http://x.y/z', f: 'a:b', g: 'x: y\n', h: -1, i: 'x' });
    expect(fields(yaml).problems).toEqual([]);
  });

  it('keep how a list looks, for fields that are texts', () => {
    expect(fields('argument-hint: [file]').fields.get('argument-hint')).toEqual({ value: ['file'], source: '[file]', line: 2 });
  });
});

describe('S-22: front matter that cannot be used is broken, with its line', () => {
  it.each([
    ['a tab', 'name: a\nx:\n\t- b', 4, 'tab'],
    ['a name twice', 'name: a\ntools: Read\nname: b', 4, '“name” is there twice, in lines 2 and 4'],
    ['a name twice within', 'a:\n  b: 1\n  b: 2', 4, '“b” is there twice, in lines 3 and 4'],
    ['a list', '- a\n- b', 2, 'name: value'],
    ['a text', 'name', 2, 'name: value'],
    ['no space behind the colon', 'name:a\nmodel: x', 2, 'colon'],
    ['a list without an end', 'tools: [Read, Bash\nname: a', 3, 'bracket'],
    ['a text without an end', 'name: "a', 3, 'quotation mark'],
    ['a text that goes on without indentation', 'description: Use it\n<example>\nuser: x', 3, 'indented'],
    ['a backslash', 'path: "C:\\dir"', 2, 'backslash'],
    ['two documents', 'a: 1\n--- x\nb: 2', 3, 'more than one'],
    ['a second document', 'a: 1\n...\nb: 2', 4, 'more than one'],
    ['a name that is a list', '? [a]\n: b', 2, 'must be a text'],
  ])('%s', (_what, yaml, line, words) => {
    const { broken, fields: found, problems, body } = fields(yaml);
    expect([found.size, body]).toEqual([0, 'Body']);
    expect(broken).toContain(words);
    expect(problems[0]).toEqual({ file: FILE, key: '', line, message: broken });
  });

  it('without an end', () => {
    expect(read('---\nname: a\n\nBody\n')).toMatchObject({
      broken: expect.stringContaining('no end') as string,
      body: '---\nname: a\n\nBody\n',
      problems: [{ line: 1 }],
    });
  });

  it('too long, or a file of 1 MB', () => {
    expect(fields(`a: ${'x'.repeat(64 * 1024)}`)).toMatchObject({ broken: expect.stringContaining('65,536') as string, body: 'Body' });
    expect(read(`---\nname: a\n---\n${'x'.repeat(1024 * 1024)}`).broken).toContain('1,048,576');
  });
});

describe('S-26: what can grow or run is refused', () => {
  it.each([
    ['an anchor', 'a: &x [1]\nb: 2', 2],
    ['a bomb', 'a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]', 2],
    ['an alias in a list', 'a: [*x]', 2],
    ['an alias of more lines', 'a:\n  *x', 3],
    ['a function', 'a: !!js/function "function () {}"', 2],
    ['a tag', 'a: 1\nb: !custom x', 3],
    ['a tag of a list', 'a: !!set { x, y }', 2],
    ['a tag of YAML itself', 'a: !!str 5', 2],
    ['an anchor on a name', '&x a: 1', 2],
    ['everything', '&x\na: 1', 3],
  ])('%s', (_what, yaml, line) => {
    const { broken, problems, fields: found } = fields(yaml);
    expect([found.size, problems[0]?.line]).toEqual([0, line]);
    expect(broken).toMatch(/not allowed|not valid/);
  });

  it.each([
    '['.repeat(60_000),
    '- '.repeat(30_000),
    `a: ${'['.repeat(30_000)}${']'.repeat(30_000)}`,
    '{a: '.repeat(15_000),
    '? '.repeat(30_000),
    `a: ${'['.repeat(22)}${']'.repeat(22)}`,
  ])('nesting: %.20s', (yaml) => {
    expect(fields(yaml).broken).toBeDefined();
  });

  it('in little time, whatever there is', async () => {
    const many = (line: (index: number) => string, amount: number): string => Array.from({ length: amount }, (_, index) => line(index)).join('\n');
    const texts = [
      many((index) => `k${index}: 1`, 7_000),
      many((index) => `k${index}: a: b`, 6_000),
      many(() => 'k: a: b', 7_000),
      'x: '.repeat(20_000),
      ' '.repeat(60_000),
      `a: b\n${' \n'.repeat(30_000)}c`,
      '"'.repeat(60_000),
      '!'.repeat(60_000),
    ];
    expect(await processorMs(() => texts.forEach((text) => fields(text)))).toBeLessThan(10_000);
  });

  it('never throws', () => {
    const part = fc.constantFrom(
      '---',
      '\n',
      '\r',
      'a',
      ': ',
      '- ',
      '[',
      ']',
      '{',
      '}',
      '"',
      "'",
      '&a',
      '*a',
      '!t',
      '!!',
      '|',
      '>',
      '#',
      '\t',
      '  ',
      '%',
      '@',
      '`',
      '?',
      '...',
      '\uFEFF',
      '\0',
      '\uD800',
      ',',
      '1',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const result = read(`---\n${parts.join('')}\n---\n`);
        expect(result.broken === undefined || result.fields.size === 0).toBe(true);
        JSON.stringify([...result.fields]);
      }),
      { numRuns: runs(500) },
    );
  });
});

it.each(['# Title', '\n# Title\n\n- one\n- two\n', 'Prose without a field.', '- [ ] to do', '> quoted', '```\ncode\n```'])(
  'of instructions, what stands between two rules across the page is text where nothing in it looks like a field: %j',
  (between) => {
    const text = `---\n${between}\n---\n\nMore.`;
    expect(readFrontMatter(text, { file: 'a.md', isLenient: true })).toMatchObject({ exists: false, body: text, problems: [] });
    for (const field of ['description: x', 'description:x', '"description": x', '{"description": "x"}', '  globs: *.ts'])
      expect(readFrontMatter(`---\n${between}\n${field}\n---\nMore.`, { file: 'a.md', isLenient: true }).exists, field).toBe(true);
  },
);
