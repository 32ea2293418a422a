import { describe, expect, test } from 'vitest';
import type { ApprovalAnswer, PermissionUpdate, RuleUpdate } from '../../../../src/domain/tool/permission.js';
import { says } from '../../../support/wording.js';
import type { Rig } from '../rig.js';
import { type Call, type Workbench, idOf, prompt, workbench } from './rig.js';

const go = [{ type: 'text' as const, text: 'go' }];
const touch = (name: string): Call => ['bash', { command: `touch ${name}` }];
const session = (type: RuleUpdate['type'], effect: RuleUpdate['effect'], ...rules: readonly string[]): RuleUpdate => ({
  type,
  effect,
  rules,
  scope: 'session',
});
const allow = (...updates: readonly PermissionUpdate[]): ApprovalAnswer => ({ type: 'allow', updates });

/** A session whose model makes calls of which the first waits. */
async function asked(
  bench: Workbench,
  calls: readonly Call[],
  options: Parameters<Workbench['session']>[1] = {},
): Promise<{ readonly all: Rig; readonly turn: Promise<unknown> }> {
  const all = bench.session(calls, options);
  const { turn } = all.session.send(go);
  await prompt(all, 'a');
  return { all, turn };
}

const commands = ({ ran }: Workbench): readonly unknown[] => ran.map(({ subject }) => subject);

describe('an answer that changes rules for the session', () => {
  test('allows, denies, and asks from the next call on', async () => {
    const bench = await workbench();
    const { all, turn } = await asked(bench, [touch('a'), touch('b'), ['bash', { command: 'mkdir c' }], ['bash', { command: 'mv a.txt d.txt' }]]);
    all.session.answer(
      'a',
      allow(
        session('addRules', 'allow', 'Bash(touch:*)', 'Bash(mv:*)'),
        session('addRules', 'deny', 'Bash(mkdir:*)'),
        session('addRules', 'ask', 'Bash(mv:*)'),
      ),
    );
    expect((await prompt(all, idOf(3))).judgment).toMatchObject({ strict: true });
    all.session.answer(idOf(3), { type: 'deny' });
    await turn;
    expect(commands(bench)).toEqual(['touch a', 'touch b']);
  });

  test('takes rules back, and puts others in the place of all', async () => {
    const bench = await workbench();
    const { all, turn } = await asked(bench, [touch('a'), ['bash', { command: 'mkdir b' }], ['bash', { command: 'mv a.txt c.txt' }]]);
    all.session.answer(
      'a',
      allow(session('addRules', 'allow', 'Bash(mkdir:*)', 'Bash(mv:*)'), session('removeRules', 'allow', 'Bash(mkdir:*)', 'Bash(is not there)')),
    );
    await prompt(all, idOf(1));
    all.session.answer(idOf(1), allow(session('replaceRules', 'allow', 'Bash(touch:*)')));
    await prompt(all, idOf(2));
    all.session.answer(idOf(2), { type: 'deny' });
    await turn;
    expect(commands(bench)).toEqual(['touch a', 'mkdir b']);
  });

  test('is not run where it denies the call itself', async () => {
    const bench = await workbench();
    const { all, turn } = await asked(bench, [touch('a')]);
    all.session.answer('a', allow(session('addRules', 'deny', 'Bash(touch:*)')));
    await turn;
    expect(bench.ran).toEqual([]);
  });

  test('keeps files that it denies out of searches, too', async () => {
    const bench = await workbench();
    const { all, turn } = await asked(bench, [touch('a'), ['grep', { pattern: 'one' }], ['glob', { pattern: '**/*.txt' }]]);
    all.session.answer('a', allow(session('addRules', 'deny', 'Read(b.txt)'), session('addRules', 'ask', 'Read(locked/**)')));
    await turn;
    const told = all.session.messages.slice(-3).map((message) => JSON.stringify(message.content));
    expect([told[0], told[1]].map((words) => [words?.includes('a.txt'), words?.includes('b.txt'), words?.includes('locked')])).toEqual([
      [true, false, false],
      [true, false, false],
    ]);
  });
});

test('an answer changes the rules of settings as well', async () => {
  const bench = await workbench();
  const { all, turn } = await asked(bench, [touch('a'), touch('b')]);
  const local = { scope: 'local', effect: 'deny' } as const;
  all.session.answer('a', allow({ type: 'addRules', ...local, rules: ['Bash(touch b)', 'Bash(x)'] }, { type: 'removeRules', ...local, rules: ['Bash(x)'] }));
  await turn;
  expect(commands(bench)).toEqual(['touch a']);
  expect(JSON.parse(bench.text('.gnomon/settings.local.json') ?? '')).toEqual({ permissions: { deny: ['Bash(touch b)'] } });
});

describe('an answer with a change that cannot be made', () => {
  test.each<[string, readonly PermissionUpdate[], string]>([
    ['folders', [{ type: 'addDirectories', directories: ['/elsewhere'] }], says('foldersFixed')],
    ['folders that go', [{ type: 'removeDirectories', directories: ['/elsewhere'] }], says('foldersFixed')],
    ['a mode that the user has to confirm', [{ type: 'setMode', mode: 'bypassPermissions' }], says('modeNotByAnswer', 'bypassPermissions')],
    ['a mode that does not exist', [{ type: 'setMode', mode: 'all' as never }], says('unknownMode', 'all')],
    ['a rule that cannot be read', [session('addRules', 'deny', 'Bash(touch')], 'Bash(touch'],
    ['a rule for the tools of all servers', [session('replaceRules', 'allow', 'mcp__*')], 'mcp__*'],
    ['settings that cannot be written', [{ type: 'addRules', effect: 'deny', rules: ['Bash(x)'], scope: 'user' }], ''],
  ])('changes nothing and runs nothing: %s', async (_name, updates, problem) => {
    const bench = await workbench();
    const { all, turn } = await asked(bench, [touch('a'), touch('b')]);
    const good: readonly PermissionUpdate[] = [session('addRules', 'allow', 'Bash(touch:*)'), { type: 'setMode', mode: 'acceptEdits' }];
    all.session.answer('a', allow(...good, ...updates));
    const again = await prompt(all, 'a', 2);
    expect(again.problem).toContain(problem);
    expect([again.problem === '', bench.ran, all.session.mode]).toEqual([false, [], 'default']);
    all.session.answer('a', { type: 'allow' });
    await prompt(all, idOf(1));
    all.session.answer(idOf(1), { type: 'deny' });
    await turn;
    expect(commands(bench)).toEqual(['touch a']);
  });
});

describe('an answer that sets the mode', () => {
  test('sets it for the session, and later calls are judged in it', async () => {
    const bench = await workbench();
    const write = (file_path: string): Call => ['write', { file_path, content: 'x' }];
    const { all, turn } = await asked(bench, [touch('a'), write('new.txt')]);
    all.session.answer('a', allow({ type: 'setMode', mode: 'acceptEdits' }));
    await turn;
    expect([all.session.mode, bench.text('new.txt'), all.recorder.meta['mode']]).toEqual(['acceptEdits', 'x', 'acceptEdits']);
  });

  test('to one in which the call may not run denies it', async () => {
    const bench = await workbench();
    const { all, turn } = await asked(bench, [touch('a')]);
    all.session.answer('a', allow({ type: 'setMode', mode: 'plan' }));
    await turn;
    expect([all.session.mode, bench.ran]).toEqual(['plan', []]);
  });

  test('bypasses permissions where the user has confirmed that', async () => {
    const bench = await workbench();
    const { all, turn } = await asked(bench, [touch('a'), touch('b')], { mayUseMode: () => true });
    all.session.answer('a', allow({ type: 'setMode', mode: 'bypassPermissions' }));
    await turn;
    expect(commands(bench)).toEqual(['touch a', 'touch b']);
  });

  test('comes with other arguments, and counts as soon as these are allowed', async () => {
    const bench = await workbench();
    const { all, turn } = await asked(bench, [touch('a')]);
    const amendment = { type: 'input' as const, input: { command: 'git init -q .' } };
    const updates: readonly PermissionUpdate[] = [{ type: 'setMode', mode: 'acceptEdits' }];
    all.session.answer('a', { type: 'allow', amendment, updates });
    await prompt(all, 'a', 2);
    expect(all.session.mode).toBe('default');
    all.session.answer('a', { type: 'allow', amendment, updates });
    await turn;
    expect([all.session.mode, commands(bench)]).toEqual(['acceptEdits', ['git init -q .']]);
  });
});
