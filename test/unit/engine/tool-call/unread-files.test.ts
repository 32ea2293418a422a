import { describe, expect, test } from 'vitest';
import type { PermissionMode } from '../../../../src/domain/tool/permission.js';
import { allTools } from '../../../support/all-tools.js';
import { ALL_RUNS, sampled } from '../../../support/runs.js';
import { textOf } from '../../tool/rig.js';
import { says } from '../../../support/wording.js';
import { type Canary, type Outcome, type World, callIn } from './canary-rig.js';

const TEXT = 'TOKEN=one\nLAST=2\n';

/** Files that may not be read without a question, and every way to write the path of each. */
const CANARIES: Readonly<Record<string, { readonly canary: Canary; readonly spellings: readonly string[] }>> = {
  'a file of secrets': {
    canary: { path: '/ws/.env', links: { '/ws/link': '/ws/.env', '/ws/here': '/ws' } },
    spellings: ['.env', './.env', '/ws/.env', 'src/../.env', '../ws/.env', './/.env', '.env/', 'link', './link', 'here/.env', '/ws/here/.env', 'here/link'],
  },
  'a file of secrets in a folder': {
    canary: { path: '/ws/config/credentials.json' },
    spellings: ['config/credentials.json', '/ws/config/../config/credentials.json', 'config//credentials.json'],
  },
  'a private key in the home folder': {
    canary: { path: '/home/user/.ssh/id_rsa' },
    spellings: ['~/.ssh/id_rsa', '/home/user/.ssh/id_rsa', '../home/user/.ssh/id_rsa', '~/./.ssh/id_rsa'],
  },
  'a file outside the workspace': {
    canary: { path: '/elsewhere/notes.txt', rules: [], links: { '/ws/out': '/elsewhere' } },
    spellings: ['/elsewhere/notes.txt', '../elsewhere/notes.txt', 'out/notes.txt', '/ws/out/./notes.txt'],
  },
  'a file that a rule denies': {
    canary: { path: '/ws/private/plan.md', rules: ['deny Read(private/**)'] },
    spellings: ['private/plan.md', './private/plan.md', '/ws/private/plan.md'],
  },
  'a file that a rule asks about': {
    canary: { path: '/ws/private/plan.md', rules: ['ask Read(private/**)'] },
    spellings: ['private/plan.md', '/ws/private/plan.md'],
  },
};

type Call = readonly [string, unknown];

/** The calls that name a file, in every form of argument, with texts that are in it and texts that are not. */
function callsOn(path: string): readonly Call[] {
  const hunks = ['-TOKEN=one\n+TOKEN=two', '@@ TOKEN=one\n-LAST=2\n+LAST=3', '@@ NOT=there\n-LAST=2\n+LAST=3', '+MORE=1', '-NOT=there\n+x'];
  const removals = [
    `*** Delete File: ${path}`,
    `*** Update File: ${path}\n*** Move to: new.txt`,
    `*** Update File: ${path}\n*** Move to: new.txt\n-TOKEN=one\n+TOKEN=two`,
    `*** Update File: README.md\n*** Move to: ${path}`,
    `*** Update File: README.md\n*** Move to: ${path}\n-Read me.\n+TOKEN=two`,
  ];
  return [
    ...['TOKEN=one', 'TOKEN=', 'O', 'NOT=there', 'TOKEN=one\nLAST=2\n'].flatMap((old): readonly Call[] => [
      ['edit', { file_path: path, old_string: old, new_string: 'x' }],
      ['edit', { file_path: path, old_string: old, new_string: old }],
      [
        'edit',
        {
          file_path: path,
          edits: [
            { old_string: old, new_string: 'x', replace_all: true },
            { old_string: 'LAST', new_string: 'y' },
          ],
        },
      ],
      ['replace', { file_path: path, old_string: old, new_string: 'x', expected_replacements: 2 }],
    ]),
    ['str_replace', { path, old_str: 'TOKEN', new_str: 'x' }],
    ['edit', { file_path: path, diff: '<<<<<<< SEARCH\nTOKEN=one\n=======\n2\n>>>>>>> REPLACE' }],
    ['edit', { file_path: path, old_string: '', new_string: 'x\n' }],
    [
      'edit',
      {
        file_path: path,
        edits: [
          { old_string: '', new_string: 'x' },
          { old_string: 'LAST', new_string: 'y' },
        ],
      },
    ],
    ...[TEXT, 'TOKEN=two\n', '// ... existing code ...\n', ''].map((content): Call => ['write', { file_path: path, content }]),
    ['create_file', { filePath: path, content: 'x' }],
    ...hunks.map((hunk): Call => ['apply_patch', { patch: `*** Begin Patch\n*** Update File: ${path}\n${hunk}\n*** End Patch` }]),
    ['apply_patch', { patch: `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch` }],
    ...removals.map((patch): Call => ['apply_patch', { patch }]),
    ['read', { file_path: path }],
    ['read', { file_path: path, offset: 2, limit: 1 }],
    ['read', { file_path: path, offset: 900 }],
    ['list', { path }],
    ['glob', { pattern: '*', path }],
    ...['content', 'files_with_matches', 'count'].map((mode): Call => ['grep', { pattern: 'TOKEN', path, output_mode: mode }]),
    ['diagnostics', { path }],
    ['symbols', { action: 'outline', path }],
    ['symbols', { action: 'definition', path, line: 1, name: 'TOKEN' }],
    ['symbols', { action: 'references', path, line: 900, name: 'TOKEN' }],
    ['report_finding', { path, line: 3, severity: 'low', title: 'x', explanation: 'y' }],
    ['bash', { command: 'pwd', cwd: path }],
  ];
}

/** The calls that come across a file without naming it. @param near a name that is nearly its own, in its folder */
function callsAround({ path }: Canary): readonly Call[] {
  const [folder, name] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)];
  const near = `${folder}/${name}x`;
  return [
    ['read', { file_path: near }],
    ['list', { path: near }],
    ['edit', { file_path: near, old_string: 'a', new_string: 'b' }],
    ['list', {}],
    ['list', { path: 'config' }],
    ['list', { path: '/ws', offset: 2 }],
    ['read', { file_path: '.' }],
    ...['**', '*', name, `**/${name}`, `${name.slice(0, -1)}*`, '{.env,README.md}'].map((pattern): Call => ['glob', { pattern }]),
    ...['content', 'files_with_matches', 'count'].flatMap((mode): readonly Call[] => [
      ['grep', { pattern: 'TOKEN|Read', output_mode: mode, no_ignore: true }],
      ['grep', { pattern: '.', glob: name, output_mode: mode }],
      ['grep', { pattern: '^', output_mode: mode, head_limit: 1 }],
    ]),
    ['diagnostics', {}],
    ['symbols', { action: 'search', name: 'TOKEN' }],
    ['symbols', { action: 'definition', path: 'src/use.ts', line: 2, name: 'password' }],
    ['symbols', { action: 'references', path: 'src/use.ts', line: 2, name: 'password' }],
    ['symbols', { action: 'outline', path: 'src/use.ts' }],
  ];
}

/**
 * How every tool comes by what is in files. "named": it shows or changes what a call names, which is judged. "guarded": it also shows files that no
 * call has named, and asks the guard about each. "held": commands, which the analysis of their text and the sandbox hold. "none": no files.
 */
const TOOLS: Readonly<Record<string, 'named' | 'guarded' | 'held' | 'none'>> = {
  read: 'guarded',
  write: 'named',
  edit: 'guarded',
  apply_patch: 'named',
  grep: 'guarded',
  glob: 'guarded',
  list: 'guarded',
  diagnostics: 'guarded',
  symbols: 'guarded',
  report_finding: 'named',
  bash: 'held',
  jobs: 'held',
  todo: 'none',
  ask: 'none',
  fetch: 'none',
  web_search: 'none',
};

/** What is there: nothing, what the calls look for, and something else. */
const WORLDS: readonly World[] = [{}, { text: TEXT }, { text: 'OTHER=1\n' }];

function seen({ results, prompts }: Outcome): unknown {
  return { results: results.map((result) => [textOf(result), result.isError]), prompts: prompts.map(({ plan, judgment }) => [plan.preview, judgment.reasons]) };
}

/** Of many calls of each tool, the first. */
function onePerTool(calls: readonly Call[]): readonly Call[] {
  return calls.filter(([name], index) => calls.findIndex(([other]) => other === name) === index);
}

/** All calls, or where not all runs are wanted one of each tool and every third: another third with each number. */
function share(calls: readonly Call[], number: number): readonly Call[] {
  const first = onePerTool(calls);
  return calls.filter((call, index) => ALL_RUNS || index % 3 === number % 3 || first.includes(call));
}

/** What a call gives that is the same in all worlds. */
async function oneAnswer(canary: Canary, call: Call, mode: PermissionMode, trusted = true): Promise<void> {
  const outcomes = await Promise.all(WORLDS.map((world) => callIn(canary, { ...world, mode, trusted }, call)));
  const label = JSON.stringify(call);
  for (const outcome of outcomes) {
    expect(outcome.touched, label).toEqual([]);
    expect(seen(outcome), label).toEqual(seen(outcomes[0] as Outcome));
  }
}

describe('no call tells anything of a file that the session has not read and may not read without a question', () => {
  test.each(Object.entries(CANARIES))('%s, by every name and form of argument', async (name, { canary, spellings }) => {
    const [plain = '', ...others] = spellings;
    for (const call of [...share(callsOn(plain), Object.keys(CANARIES).indexOf(name)), ...sampled(others.flatMap((path) => onePerTool(callsOn(path))))])
      await oneAnswer(canary, call, 'default');
  });

  const inside = Object.entries(CANARIES).filter(([name]) => name !== 'a file outside the workspace');

  test.each(inside)('%s, by calls that do not name it', async (_name, { canary }) => {
    for (const call of callsAround(canary)) await oneAnswer(canary, call, 'default');
  });

  const modes: readonly [PermissionMode, boolean][] = [
    ['acceptEdits', true],
    ['plan', true],
    ['ask', true],
    ['bypassPermissions', true],
    ['default', false],
  ];

  test.each(modes)('in the mode %s, trusted: %s', async (mode, trusted) => {
    const calls = Object.values(CANARIES).flatMap(({ canary, spellings }) => onePerTool(callsOn(spellings.at(-1) ?? '')).map((call) => ({ canary, call })));
    for (const { canary, call } of sampled(calls)) await oneAnswer(canary, call, mode, trusted);
  });

  test('with every tool that there is', () => {
    expect([...allTools().map(({ spec }) => spec.name), 'report_finding'].sort()).toEqual(Object.keys(TOOLS).sort());
    const called = new Set(callsOn('a').map(([name]) => name));
    expect(Object.entries(TOOLS).filter(([name, how]) => (how === 'named' || how === 'guarded') && !called.has(name))).toEqual([]);
  });

  test.each(Object.entries(TOOLS).filter(([, how]) => how === 'guarded'))('%s would show the file if the guard let it', async (name) => {
    const canary: Canary = { path: '/ws/.env', rules: ['allow Read(.env)'] };
    const calls = callsAround(canary).filter(([tool]) => tool === name);
    const answers: Set<string>[] = [];
    for (const call of calls) {
      const outcomes = await Promise.all(WORLDS.map((world) => callIn(canary, { ...world, permitted: true }, call)));
      answers.push(new Set(outcomes.map(({ results }) => results.map(textOf).join())));
    }
    expect(answers.some(({ size }) => size > 1)).toBe(true);
  });
});

describe('once the user has allowed it, the call works', () => {
  const secret = CANARIES['a file of secrets']?.canary ?? { path: '' };
  const outside = CANARIES['a file outside the workspace']?.canary ?? { path: '' };
  const edit: Call = ['edit', { file_path: '.env', old_string: 'one', new_string: 'two' }];
  const patch: Call = ['apply_patch', { patch: '*** Begin Patch\n*** Update File: .env\n-TOKEN=one\n+TOKEN=two\n*** End Patch' }];
  const write: Call = ['write', { file_path: '.env', content: 'TOKEN=two\n' }];

  test.each<[string, PermissionMode, Call, readonly string[]]>([
    ['is read, and shown before it is changed', 'default', edit, ['none', 'diff']],
    ['is read, and shown before it is patched', 'default', patch, ['none', 'diff']],
    ['is read, and shown before it is changed, in the mode that accepts other edits', 'acceptEdits', edit, ['none', 'diff']],
    ['is read, in the mode that asks for nothing else', 'bypassPermissions', patch, ['none']],
    ['is read, in the mode that asks for everything', 'ask', edit, ['none', 'diff']],
  ])('a file of secrets %s (%s)', async (_name, mode, call, kinds) => {
    const { results, prompts, memory, touched } = await callIn(secret, { text: TEXT, mode, answer: 'allow' }, call);
    expect(results.map((result) => [result.isError, textOf(result)])).toEqual([[false, expect.stringContaining('Edited .env: 1 replacement')]]);
    expect(memory.documents.text('/ws/.env')).toBe('TOKEN=two\nLAST=2\n');
    expect(prompts.map(({ plan, changed }) => [plan.preview.kind, changed])).toEqual(kinds.map((kind) => [kind, undefined]));
    expect(prompts[0]?.judgment.reasons).toEqual(expect.arrayContaining([says('fileReadBeforeChange'), says('mayContainSecrets', '.env')]));
    expect(touched).toEqual([]);
  });

  test('a problem of the edit is told only then', async () => {
    const { results, prompts } = await callIn(secret, { text: TEXT, answer: 'allow' }, ['edit', { file_path: '.env', old_string: 'nowhere', new_string: 'x' }]);
    expect([results.map(textOf), prompts.length]).toEqual([['old_string was not found in .env; nothing was changed. Read the file first.'], 1]);
  });

  test('a new file of secrets is made with one prompt, which shows the whole of it', async () => {
    for (const mode of ['default', 'acceptEdits', 'ask', 'bypassPermissions'] as const) {
      const { results, prompts, memory } = await callIn(secret, { mode, answer: 'allow' }, write);
      expect(results.map(textOf)).toEqual(['Created .env: 1 line.']);
      expect(memory.documents.text('/ws/.env')).toBe('TOKEN=two\n');
      expect(prompts.map(({ plan }) => plan.preview)).toMatchObject([{ kind: 'diff', created: true, diff: expect.stringContaining('+TOKEN=two') as unknown }]);
    }
  });

  test('a file that is there is never replaced by one that was thought to be new', async () => {
    const others: readonly Call[] = [
      ['edit', { file_path: '.env', old_string: '', new_string: 'x' }],
      ['apply_patch', { patch: '*** Add File: .env\n+x' }],
    ];
    for (const call of [write, ...others]) {
      const { results, prompts, memory } = await callIn(secret, { text: TEXT, answer: 'allow' }, call);
      expect([results.map(textOf), prompts.length]).toEqual([['.env exists and has not been read. Read it first, or choose another name.'], 1]);
      expect(memory.documents.text('/ws/.env')).toBe(TEXT);
    }
  });

  test('a file of secrets is deleted and moved after both questions, and nothing is moved over one that is there', async () => {
    const deletion: Call = ['apply_patch', { patch: '*** Delete File: .env' }];
    const deleted = await callIn(secret, { text: TEXT, answer: 'allow' }, deletion);
    expect([deleted.results.map(textOf), deleted.prompts.map(({ plan }) => plan.preview)]).toMatchObject([
      ['Deleted .env.'],
      [{ kind: 'none' }, { kind: 'diff', deleted: true, diff: expect.stringContaining('-TOKEN=one') as unknown }],
    ]);
    const moved = await callIn(secret, { text: TEXT, answer: 'allow', mode: 'bypassPermissions' }, [
      'apply_patch',
      { patch: '*** Update File: .env\n*** Move to: a.txt' },
    ]);
    expect([moved.results.map(textOf), moved.prompts.length]).toEqual([['Moved .env to a.txt.'], 2]);
    const onto: Call = ['apply_patch', { patch: '*** Update File: README.md\n*** Move to: .env' }];
    const refused = await callIn(secret, { text: TEXT, answer: 'allow', mode: 'bypassPermissions' }, onto);
    expect([refused.results.map(textOf), refused.prompts.length]).toEqual([
      ['.env exists, so README.md was not moved; nothing was changed. Choose another name, or delete that file first.'],
      1,
    ]);
    expect([refused.memory.documents.text('/ws/.env'), refused.memory.documents.text('/ws/README.md')]).toEqual([TEXT, 'Read me.\n']);
  });

  test('what was read is changed with one prompt', async () => {
    const { prompts, memory } = await callIn(secret, { text: TEXT, answer: 'allow' }, ['read', { file_path: '.env' }], edit, write);
    expect(prompts.map(({ plan }) => [plan.tool, plan.preview.kind])).toEqual([
      ['read', 'none'],
      ['edit', 'diff'],
      ['write', 'diff'],
    ]);
    expect(memory.documents.text('/ws/.env')).toBe('TOKEN=two\n');
  });

  test.each<[string, readonly string[], PermissionMode, Call, readonly string[]]>([
    ['a rule that lets it be read', ['allow Read(.env)'], 'default', edit, ['diff']],
    ['a rule that lets it be written', ['allow Edit(.env)'], 'default', write, []],
    ['a rule that lets it be written, but not be read', ['allow Edit(.env)'], 'default', edit, ['none']],
    ['a rule that lets everything be written', ['allow Edit(**)'], 'default', write, ['diff']],
  ])('%s (%j) counts', async (_name, rules, mode, call, kinds) => {
    const world: World = { ...(call === write ? {} : { text: TEXT }), mode, answer: 'allow', permitted: true };
    const { prompts, results } = await callIn({ ...secret, rules }, world, call);
    expect([results.map(({ isError }) => isError), prompts.map(({ plan }) => plan.preview.kind)]).toEqual([[false], kinds]);
  });

  test('outside the workspace, a new file is made with one prompt, and with none where a rule lets it be written', async () => {
    const call: Call = ['write', { file_path: '/elsewhere/notes.txt', content: 'x' }];
    for (const [rules, asked] of [
      [[], 1],
      [['allow Edit(//elsewhere/**)'], 0],
    ] as const) {
      const { prompts, results } = await callIn({ ...outside, rules }, { answer: 'allow', permitted: true }, call);
      expect([prompts.length, results.map(textOf)]).toEqual([asked, ['Created /elsewhere/notes.txt: 1 line.']]);
    }
  });

  test('a rule that forbids reading forbids the change, with one answer', async () => {
    for (const call of [edit, patch, write]) {
      const { results, prompts } = await callIn({ ...secret, rules: ['deny Read(.env)'] }, { text: TEXT, answer: 'allow' }, call);
      const told = 'Permission denied. The deny rule Read(.env) in the user settings forbids `.env`. Nothing was done.';
      expect([results.map(textOf), prompts]).toEqual([[told], []]);
    }
  });
});
