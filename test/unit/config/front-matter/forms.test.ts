import { describe, expect, it } from 'vitest';
import { FrontMatterFields } from '../../../../src/config/front-matter/front-matter-fields.js';
import { readFrontMatter } from '../../../../src/text/front-matter/read-front-matter.js';
import { readOutputStyle } from '../../../../src/config/output-styles/read-output-style.js';
import { readSkill } from '../../../../src/config/skills/read-skill.js';
import { read as readAgent } from '../agents/rig.js';
import { read as readCommand } from '../commands/rig.js';

/**
 * Values that people write and that are no YAML; each is a text as it is written. Those with brackets are what code.claude.com/docs/en/slash-commands shows for
 * `argument-hint`, and variants of it in public repositories; the rest begins with the indicators of YAML 1.2.2, 5.3.
 */
const NO_YAML = [
  ...[
    '[version] | [entry-type]',
    '{a} | {b}',
    '[file] > [out]',
    '[PR #123]',
    '[a',
    '{a',
    '[a] [b]',
    '[a|b] [c]',
    '[optional: a value] [b]',
    '[a]: b',
    '[a] (or nothing)',
    '[--x] [--y N]',
    '["a"] [--b]',
    "['a'] | x",
    '{{name}} x',
    '[a], [b]',
  ],
  ...[
    '"quoted" then more',
    "'quoted' then more",
    '"a" "b"',
    '“Note: this”',
    '`x` and `y`',
    '@file',
    '*',
    '*.ts',
    '%x',
    '!x',
    '!important: y',
    '&x',
    '&a b',
    '- x',
    '? x',
    ', x',
    '] x',
    '} x',
    '| x',
    '> x',
    '>> x',
  ],
  ...['key: value: more', 'Use it for: examples', 'Modes:', 'a:\tb', '<optional: platform>', 'C:\\dir: x', 'a. Examples: <example>user: "Hi"</example>'],
];
/** All forms, with those that are YAML. */
const FORMS: readonly (readonly [written: string, text: string])[] = [
  ...NO_YAML.map((text): readonly [string, string] => [text, text]),
  ['"C:\\dir\\sub"', 'C:\\dir\\sub'],
  ['[a]', '[a]'],
  ['[a, b]', '[a, b]'],
  ['{a: b}', '{a: b}'],
  ['"a: b"', 'a: b'],
  ["'it''s: x'", "it's: x"],
  ['2026', '2026'],
  ['true', 'true'],
  ['a # comment', 'a'],
  ['\tx', 'x'],
];
/** Values on several lines. */
const LONG_FORMS: readonly (readonly [written: string, text: string])[] = [
  ['Use it when\n  the user asks', 'Use it when the user asks'],
  ['Use it when: a\n  or when: b', 'Use it when: a\nor when: b'],
  ['[a] | [b]\n  [c]', '[a] | [b]\n[c]'],
  ['\n  Use it: now: again', 'Use it: now: again'],
  ['|\n  a: b\n  - c', 'a: b\n- c'],
  ['>-\n  a\n  b', 'a b'],
  ['|\n    a\n  b: c', 'a\nb: c'],
];
const ENDINGS = ['\n', '\r\n', '\r'];
const MARKS = ['', '\uFEFF'];

/** What a reader makes of a field, by program, kind, and name of the field. */
const FIELDS: Readonly<Record<string, (value: string, wrap: (yaml: string) => string) => string | undefined>> = {
  'description of a command': (value, wrap) => readCommand(wrap(`description: ${value}\nmodel: opus`)).command?.description,
  'argument-hint of a command': (value, wrap) => readCommand(wrap(`argument-hint: ${value}\nmodel: opus`)).command?.argumentHint,
  'description of a prompt': (value, wrap) => readCommand(wrap(`agent: x\ndescription: ${value}`), 'a.prompt.md', { dialect: 'vscode' }).command?.description,
  'description of an agent': (value, wrap) => readAgent(wrap(`name: a\ndescription: ${value}\ntools: Read`)).agents[0]?.description,
  'description of a skill': (value, wrap) => readSkill(wrap(`name: s\ndescription: ${value}`), SKILL).skill?.description,
  'argument-hint of a skill': (value, wrap) => readSkill(wrap(`name: s\nargument-hint: ${value}\ndescription: d`), SKILL).skill?.argumentHint,
  'description of an output style': (value, wrap) => readOutputStyle(wrap(`name: s\ndescription: ${value}`), SKILL).style?.description,
};
const PATH = '.claude/skills/s/SKILL.md';
const SKILL = { origin: { layer: 'project', file: `/ws/${PATH}`, display: PATH, folder: '/ws' }, folder: '/ws/.claude/skills/s' } as const;
/** Names of fields that limit or grant something, of several programs, and siblings that no program has yet. */
const LIMITS = [
  'allowed-tools',
  'allowedTools',
  'Allowed_Tools',
  'tools',
  'disallowed-tools',
  'disallowedTools',
  'excludeTools',
  'coreTools',
  'permissionMode',
  'permissions',
  'hooks',
  'mcpServers',
  'mcp-servers',
  'deniedCommands',
  'readonly',
  'disable-model-invocation',
  'user-invocable',
  'sandbox',
  'autoAllow',
];

function wrapIn(ending: string, mark: string): (yaml: string) => string {
  return (yaml) => `${mark}${`---\n${yaml}\n---\nDo it.\n`.replaceAll('\n', ending)}`;
}

describe.each(Object.entries(FIELDS))('the %s', (_field, read) => {
  it.each([...FORMS, ...LONG_FORMS])('%j is the text %j, with every kind of line ending', (written, text) => {
    for (const ending of ENDINGS) for (const mark of MARKS) expect(read(written, wrapIn(ending, mark))?.trim(), JSON.stringify([ending, mark])).toBe(text);
  });
});

describe('a field that limits or grants something', () => {
  it.each(LIMITS)('%s is YAML, or the file cannot be used and says so', (name) => {
    for (const written of NO_YAML.filter((each) => name !== 'tools' || each !== '*')) {
      for (const ending of ENDINGS) {
        const { broken, fields, problems } = readFrontMatter(wrapIn(ending, '')(`description: a: b\n${name}: ${written}`), { file: 'a.md' });
        expect([broken === undefined, fields.size, problems[0]?.message, problems[0]?.harmless], written).toEqual([false, 0, broken, undefined]);
      }
    }
  });

  it.each(LIMITS)('%s below a text that is no YAML was meant as a field', (name) => {
    for (const indented of [`  ${name}: Read`, `  - ${name}: Read`, `\t${name}: Read`, `  "${name}": Read`]) {
      expect(readFrontMatter(`---\nname: a\ndescription: Use it: for x\n${indented}\n---\n`, { file: 'a.md' }).broken, indented).toBeDefined();
    }
  });

  it.each(LIMITS)('%s is there once, in one spelling', (name) => {
    for (const other of [name, name.toUpperCase(), name.replaceAll('-', '_')].filter((each, index, all) => index === 0 || each !== all[0])) {
      expect(readFrontMatter(`---\n${name}: a\n${other}: b\n---\n`, { file: 'a.md' }).broken, other).toMatch(/twice|same field/);
    }
  });

  it.each(LIMITS.filter((name) => !/^allowed/i.test(name)))('%s behind spaces or an empty line is not lost in silence', (name) => {
    for (const before of [' ', '\n', '\n\n', '\t', ' \n']) {
      const { broken, problems } = readFrontMatter(`${before}---\ndescription: x\n${name}: y\n---\nBody`, { file: 'a.md' });
      expect([broken, problems[0]?.harmless]).toEqual([expect.stringContaining(name), undefined]);
    }
  });

  it.each(LIMITS)('%s behind dots is part of the front matter where other programs end it there', (name) => {
    expect(readFrontMatter(`---\ndescription: x\n...\n${name}: y\n\nWords.\n---\nBody`, { file: 'a.md' }).broken).toContain('more than one');
  });
});

describe('names of fields', () => {
  const spellings = (name: string): readonly string[] => {
    const capital = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    return [name.toUpperCase(), name.replaceAll('-', '_'), name.replaceAll('-', ''), capital].filter((each) => each !== name);
  };

  const GIVING = ['description', 'argument-hint', 'allowed-tools', 'model', 'when_to_use', 'license'];
  it.each(GIVING)('%s counts as documented alone; other spellings have no effect, and are told', (name) => {
    for (const other of spellings(name)) {
      const { command, problems } = readCommand(`---\n${other}: Read\n---\nDo it.`);
      expect([command?.description, command?.argumentHint, command?.allowedTools, command?.model], other).toEqual(['Do it.', undefined, [], undefined]);
      expect(
        [readSkill(`---\nname: s\ndescription: d\n${other}: Read\n---\n`, SKILL).skill?.allowedTools, command?.fields[0]?.state === 'used'],
        other,
      ).toEqual([[], false]);
      if (GIVING.indexOf(name) < 4) expect(problems[0]?.message, other).toContain(`Did you mean “${name}”?`);
    }
  });

  it.each([
    ['tools', 'Read'],
    ['disallowedTools', 'Bash'],
    ['permissionMode', 'plan'],
    ['maxTurns', '3'],
    ['mcpServers', 'a'],
    ['readonly', 'true'],
    ['user-invocable', 'false'],
  ])('%s limits an agent in any spelling', (name, value) => {
    const limited = (field: string): unknown => {
      const {
        agents: [agent],
      } = readAgent(`---\nname: a\ndescription: d\n${field}: ${value}\n---\nx`);
      return { ...agent, fields: [] };
    };
    for (const other of [...spellings(name), name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)])
      expect(limited(other), other).toEqual(limited(name));
  });
});

describe('limits speak', () => {
  it('of the problems of a file', () => {
    const fields = new FrontMatterFields(new Map(), 'a.md');
    for (let index = 0; index < 1_234; index += 1) fields.problem({ name: '', line: index + 1 }, 'x');
    expect([fields.problems.length, fields.problems.at(-1)?.message]).toEqual([201, 'There are 1,034 more problems in this file.']);
  });

  it('of a description for models', () => {
    const { skill, problems } = readSkill(`---\nname: s\ndescription: d\nwhen_to_use: ${'w'.repeat(3_000)}\n---\n`, SKILL);
    expect([skill?.description.length, problems.map(({ message }) => message)]).toEqual([
      2_048,
      ['Models get the first 2,048 characters of “description” and “when_to_use”.'],
    ]);
  });

  it('of the front matter, of its lists, and of values that are made texts', () => {
    const many = (amount: number, each: (index: number) => string): string => Array.from({ length: amount }, (_, index) => each(index)).join('\n');
    expect(readFrontMatter(`---\nx: ${'x'.repeat(70_000)}\n---\n`, { file: 'a.md' }).broken).toContain('65,536');
    expect(readFrontMatter(`---\n${many(60, (index) => `k${index}: a: b`)}\n---\n`, { file: 'a.md' }).broken).toBeDefined();
    expect(readCommand(`---\nallowed-tools:\n${many(201, () => '  - Read')}\n---\nx`).problems[0]?.message).toContain('200');
  });
});

describe('front matter', () => {
  it.each([' ', '\n', '\t', '\uFEFF\n'])('behind %j is text, which is said', (before) => {
    const { exists, problems, broken } = readFrontMatter(`${before}---\ndescription: x\nallowed-tools: Bash\n---\nBody`, { file: 'a.md' });
    expect([exists, broken]).toEqual([false, undefined]);
    expect(problems[0]?.message).toBe('Front matter must begin in the first line of the file, without spaces before it. This is read as text.');
  });

  it.each(['\n---\n\nA line, and one more.\n\n---\n', '   ---\n\n    x\n'])('is not what only looks like it: %j', (text) => {
    expect(readFrontMatter(text, { file: 'a.md' })).toMatchObject({ exists: false, problems: [] });
  });

  it.each(['---', '--- ', '...', '…', '---\t'])('ends with %j', (end) => {
    for (const ending of ENDINGS) {
      const { body, bodyLine, fields } = readFrontMatter(['---', 'description: x', end, 'Words.', '', '---', 'More.'].join(ending), { file: 'a.md' });
      expect([body, bodyLine, fields.get('description')?.value]).toEqual(['Words.\n\n---\nMore.', 4, 'x']);
    }
  });

  it('has the first of two texts of one name, which is said', () => {
    const { fields, problems } = readFrontMatter('---\ndescription: a\nmodel: x\ndescription: b\n  c\nname: n\n---\n', { file: 'a.md' });
    expect([...fields].map(([name, { value, line }]) => [name, value, line])).toEqual([
      ['description', 'a', 2],
      ['model', 'x', 3],
      ['name', 'n', 6],
    ]);
    const place = { file: 'a.md', key: 'description', line: 4 };
    expect(problems).toEqual([{ ...place, message: '“description” is there twice, in lines 2 and 4. The first one is used.' }]);
  });
});
