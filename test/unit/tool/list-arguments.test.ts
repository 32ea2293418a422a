import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToolInputError } from '../../../src/domain/errors.js';
import { findTool } from '../../../src/engine/tool-call/find-tool.js';
import { parseArguments } from '../../../src/engine/tool-call/arguments.js';
import { allTools } from '../../support/all-tools.js';
import { toolContext } from '../../support/memory-workspace/index.js';
import { settledPlan } from '../../support/settled-plan.js';
import { runs } from '../../support/runs.js';

const FILES = { '/ws/a.ts': 'one\ntwo\nthree\n', '/ws/b.ts': 'x\n', '/ws/src/c.ts': 'c\n' };

/** What raw arguments become in the plan, or what their refusal says. */
async function planned(name: string, raw: string): Promise<unknown> {
  const tool = findTool(allTools({ files: FILES }), name);
  if (tool === undefined) throw new Error(name);
  const parsed = parseArguments(raw);
  const args = parsed.ok ? parsed.value : parsed.bare;
  if (!parsed.ok && args === undefined) return parsed.problem;
  try {
    const plan = await settledPlan(tool, args, toolContext());
    return { args: plan.args, accesses: plan.accesses };
  } catch (error) {
    if (error instanceof ToolInputError) return error.message;
    throw error;
  }
}

/** Fields with one value, and a value for each. */
const SINGLE = [
  ['read', 'file_path', 'a.ts', {}],
  ['write', 'file_path', 'new.ts', { content: 'x' }],
  ['edit', 'file_path', 'a.ts', { edits: [{ old_string: 'two', new_string: '2' }] }],
  ['list', 'path', 'src', {}],
  ['glob', 'pattern', '*.ts', {}],
  ['grep', 'pattern', 'x', {}],
  ['grep', 'path', 'src', { pattern: 'x' }],
  ['bash', 'command', 'npm test', {}],
  ['bash', 'cwd', 'src', { command: 'ls' }],
  ['diagnostics', 'path', 'a.ts', {}],
  ['fetch', 'url', 'https://x.example/', {}],
  ['web_search', 'query', 'a b', {}],
  ['symbols', 'path', 'a.ts', { action: 'outline' }],
] as const;

describe('one value in a list', () => {
  it.each(SINGLE)('is that value: %s with %s', async (tool, field, value, others) => {
    const plain = await planned(tool, JSON.stringify({ [field]: value, ...others }));
    expect(plain).toBeTypeOf('object');
    expect(await planned(tool, JSON.stringify({ [field]: [value], ...others }))).toEqual(plain);
    expect(await planned(tool, JSON.stringify({ [field]: [{ [field]: value }], ...others }))).toEqual(plain);
    expect(await planned(tool, JSON.stringify([{ [field]: value, ...others }]))).toEqual(plain);
  });

  it.each([
    ['read', '["a.ts"]', { file_path: 'a.ts' }],
    ['read', '{"paths":["a.ts"]}', { file_path: 'a.ts' }],
    ['read', '{"files":[{"path":"a.ts"}]}', { file_path: 'a.ts' }],
    ['read', '{"files":[{"path":"a.ts","limit":2}]}', { file_path: 'a.ts', limit: 2 }],
    ['list', '["src"]', { path: 'src' }],
    ['glob', '["*.ts"]', { pattern: '*.ts' }],
    ['bash', '["npm test"]', { command: 'npm test' }],
    ['bash', '["bash","-lc","npm test"]', { command: 'npm test' }],
    ['grep', '{"pattern":"x","paths":["src"]}', { pattern: 'x', path: 'src' }],
    [
      'todo',
      '[{"content":"One","status":"pending"},{"content":"Two","status":"completed"}]',
      {
        todos: [
          { text: 'One', status: 'pending' },
          { text: 'Two', status: 'done' },
        ],
      },
    ],
  ])('%s %s', async (tool, raw, args) => {
    expect(await planned(tool, raw)).toMatchObject({ args });
  });
});

describe('several values where a call has one', () => {
  it('make no call, and the model is told to make one for each', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...SINGLE), fc.integer({ min: 2, max: 5 }), async ([tool, field, value, others], count) => {
        const list = Array.from({ length: count }, (_, place) => `${value}${place}`);
        // A command in words is one command.
        if (field !== 'command') expect(await planned(tool, JSON.stringify({ [field]: list, ...others }))).toMatch(/one (?:value|path|page).*call/s);
        if (tool !== 'bash')
          expect(await planned(tool, JSON.stringify(list.map((each) => ({ [field]: each, ...others }))))).toMatch(
            /one call are an object, not a list of \d.*one call for each/,
          );
      }),
      { numRuns: runs(60) },
    );
    expect(await planned('read', '["a.ts","b.ts"]')).toMatch(/one call for each/);
  });

  it('contradict the others', async () => {
    expect(await planned('read', '{"files":[{"path":"a.ts"}],"file_path":"b.ts"}')).toMatch(/different values/);
    expect(await planned('read', '{"files":[{"path":"a.ts","limit":2}],"limit":3}')).toMatch(/different values/);
  });
});

it('a text that is content stays a list for the schema to refuse', async () => {
  expect(await planned('write', '{"file_path":"new.ts","content":["x"]}')).toMatch(/content: must be a string/);
  expect(await planned('apply_patch', '{"patch":["x"]}')).toMatch(/patch: must be a string/);
});

describe('a path', () => {
  it.each([
    ['a.ts:2-3', { file_path: 'a.ts', offset: 2, limit: 2 }],
    ['a.ts:2', { file_path: 'a.ts', offset: 2 }],
    ['a.ts:2:5', { file_path: 'a.ts', offset: 2 }],
    ['a.ts#L2', { file_path: 'a.ts', offset: 2 }],
    ['a.ts#L2-L3', { file_path: 'a.ts', offset: 2, limit: 2 }],
    ['/ws/a.ts:2-3\n', { file_path: '/ws/a.ts', offset: 2, limit: 2 }],
    ['a.ts\n', { file_path: 'a.ts' }],
    ['\n  a.ts\r\n', { file_path: 'a.ts' }],
    ['@a.ts', { file_path: 'a.ts' }],
    ['@a.ts:2-3', { file_path: 'a.ts', offset: 2, limit: 2 }],
    ['@/ws/a.ts', { file_path: '/ws/a.ts' }],
    ['@./src/c.ts', { file_path: './src/c.ts' }],
    // These could be names.
    ['@types/node', { file_path: '@types/node' }],
    ['./@a.ts', { file_path: './@a.ts' }],
    ['a b .ts ', { file_path: 'a b .ts ' }],
    ['a:b.ts', { file_path: 'a:b.ts' }],
  ])('of read is understood: %j', async (file_path, args) => {
    expect(await planned('read', JSON.stringify({ file_path }))).toMatchObject({ args });
    expect(await planned('read', JSON.stringify([{ paths: [file_path] }]))).toMatchObject({ args });
  });

  it('with lines contradicts others', async () => {
    expect(await planned('read', '{"file_path":"a.ts:2-3","offset":7}')).toMatch(/different values/);
    expect(await planned('read', '{"file_path":"a.ts:2-3","offset":2}')).toMatchObject({ args: { offset: 2, limit: 2 } });
  });

  it('has no line ends around it in any tool', async () => {
    for (const [tool, field, value, others] of SINGLE.filter(([, field]) => /path|cwd/.test(field))) {
      const plain = await planned(tool, JSON.stringify({ [field]: value, ...others }));
      for (const name of [`${value}\n`, `\r\n${value}`, `\n ${value} \n`])
        expect(await planned(tool, JSON.stringify({ [field]: name, ...others }))).toEqual(plain);
    }
  });
});

describe('switches', () => {
  it('of grep that are written together are each for itself, and unknown ones are refused', async () => {
    const meaning: Readonly<Record<string, object>> = {
      i: { '-i': true },
      w: { '-w': true },
      F: { '-F': true },
      l: { output_mode: 'files_with_matches' },
      n: {},
      r: {},
      R: {},
      E: {},
      H: {},
    };
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.constantFrom(...Object.keys(meaning)), { minLength: 2, maxLength: 5 }), async (letters) => {
        const args = letters.reduce<object>((all, letter) => ({ ...all, ...meaning[letter] }), { pattern: 'x' });
        expect(await planned('grep', JSON.stringify({ pattern: 'x', [`-${letters.join('')}`]: true }))).toMatchObject({ args });
        expect(await planned('grep', JSON.stringify({ pattern: 'x', [`-${letters.join('')}v`]: true }))).toMatch(/unknown/);
      }),
      { numRuns: runs(40) },
    );
  });

  it('restart of bash says nothing unless it is on', async () => {
    expect(await planned('bash', '{"command":"ls","restart":false}')).toMatchObject({ args: { command: 'ls' } });
    expect(await planned('bash', '{"command":"ls","restart":true}')).toMatch(/unknown: restart/);
  });
});

describe('a patch without JSON around it', () => {
  const patch = '*** Begin Patch\n*** Update File: a.ts\n@@\n-two\n+"2" \\d\n*** End Patch';

  it.each([patch, `\n${patch}\n`, `\`\`\`patch\n${patch}\n\`\`\``, patch.replaceAll('\n', '\r\n')])('is the patch: %j', async (raw) => {
    expect(await planned('apply_patch', raw)).toMatchObject({
      args: { patch: expect.stringContaining('*** Update File: a.ts') as string },
      accesses: [{ kind: 'write', target: '/ws/a.ts' }],
    });
  });

  it('is one of no other tool, and nothing when it is cut off', async () => {
    expect(await planned('bash', patch)).toMatch(/must be an object, not a string/);
    expect(await planned('write', patch)).toMatch(/must be an object, not a string/);
    expect(await planned('apply_patch', patch.replace('*** End Patch', ''))).toMatch(/not valid JSON/);
  });
});
