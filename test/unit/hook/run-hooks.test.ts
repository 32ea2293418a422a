import { describe, expect, it, vi } from 'vitest';
import { handlerLine, type HookDefinition } from '../../../src/domain/hook/definition.js';
import type { HookContext, HookEvent } from '../../../src/domain/hook/event.js';
import type { HookAnswer, HookRunner, HookStart } from '../../../src/domain/hook/runner.js';
import { createHooks } from '../../../src/hook/run-hooks.js';
import type { HooksDeps } from '../../../src/hook/running-hooks.js';
import { exited, hookOf } from './rig.js';

const context: HookContext = { session_id: 's1', transcript_path: '/s/1.json', cwd: '/ws', permission_mode: 'default' };
const call: HookEvent = { hook_event_name: 'PreToolUse', tool_name: 'bash', tool_input: { command: 'ls' }, tool_use_id: 'c1' };
const live = new AbortController().signal;

function commandOf({ handler }: HookStart): string {
  return handlerLine(handler);
}

function rig(
  hooks: readonly HookDefinition[],
  answer: (start: HookStart, signal: AbortSignal) => HookAnswer | Promise<HookAnswer> = () => exited(0),
  deps: Partial<HooksDeps> = {},
) {
  const started: HookStart[] = [];
  const runner: HookRunner = {
    run: (start, signal) => {
      started.push(start);
      return Promise.resolve(answer(start, signal));
    },
    dispose: () => undefined,
  };
  return {
    started,
    hooks: createHooks({
      definitionsFor: (event) => Promise.resolve(hooks.filter((hook) => hook.event === event)),
      runner,
      matchesRule: () => undefined,
      ...deps,
    }),
  };
}

const command = (name: string): Pick<HookDefinition, 'handler'> => ({ handler: { type: 'command', command: name } });
const until = (signal: AbortSignal): Promise<HookAnswer> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve({ type: 'aborted', durationMs: 1 })));

describe('running hooks', () => {
  it('H-20: runs them side by side, and keeps the order of registration', async () => {
    const waiting: (() => void)[] = [];
    const names = ['a', 'b', 'c', 'd', 'e'];
    const { hooks, started } = rig(
      names.map((name) => hookOf('PreToolUse', command(name))),
      () => new Promise((resolve) => waiting.push(() => resolve(exited(0)))),
    );
    const outcome = hooks.run(call, context, live);
    await vi.waitFor(() => expect(started).toHaveLength(5));
    for (const end of waiting.reverse()) {
      end();
      await Promise.resolve();
    }
    expect((await outcome).runs.map(({ hook }) => (hook.handler.type === 'command' ? hook.handler.command : ''))).toEqual(names);
  });

  it('runs no more than 16 at a time, and the others afterwards', async () => {
    let now = 0;
    let most = 0;
    const { hooks } = rig(
      Array.from({ length: 40 }, (_, index) => hookOf('PreToolUse', command(`h${index}`))),
      async () => {
        most = Math.max(most, (now += 1));
        await new Promise((resolve) => setImmediate(resolve));
        now -= 1;
        return exited(0);
      },
    );
    expect((await hooks.run(call, context, live)).runs).toHaveLength(40);
    expect(most).toBe(16);
  });

  it('tells a hook what it is for, and where it is', async () => {
    const { hooks, started } = rig([
      hookOf('PreToolUse', {
        matcher: 'Bash',
        handler: { type: 'command', command: 'x', cwd: 'tools' },
        origin: { layer: 'project', file: '/other/.claude/settings.json', display: 'x', folder: '/other' },
      }),
    ]);
    await hooks.run(call, context, live);
    expect(started).toMatchObject([{ cwd: '/other', handler: { cwd: '/other/tools' }, timeoutMs: 60_000, variables: { CLAUDE_PROJECT_DIR: '/other' } }]);
    expect(started[0]?.input).not.toContain('\n');
    expect(JSON.parse(started[0]?.input ?? '')).toEqual({ ...context, ...call, tool_name: 'Bash' });
  });

  it('H-32: a hook for Bash that changes the command changes that of the tool', async () => {
    const { hooks } = rig([hookOf('PreToolUse', { matcher: 'Bash' })], () =>
      exited(0, '{"hookSpecificOutput":{"updatedInput":{"command":"ls -a","timeout":7}}}'),
    );
    expect((await hooks.run(call, context, live)).rewritten).toMatchObject({ input: { command: 'ls -a', timeout_ms: 7 } });
  });

  it('H-13: a guard is not passed over when it cannot be found out which hooks there are', async () => {
    const { hooks } = rig([], undefined, { definitionsFor: () => Promise.reject(new Error('no disk')) });
    expect(await hooks.run(call, context, live)).toMatchObject({ block: { kind: 'unanswered', reason: 'no disk' } });
    expect(await hooks.run({ hook_event_name: 'UserPromptSubmit', prompt: 'x' }, context, live)).toMatchObject({ block: { kind: 'unanswered' } });
    const after = await hooks.run({ hook_event_name: 'SessionStart', source: 'startup' }, context, live);
    expect([after.block, after.messages[0]?.text]).toEqual([undefined, 'no disk']);
  });

  it('H-42: the same handler in several files runs once, and fails as the stricter of them says', async () => {
    const project = { layer: 'project' as const, file: '/ws/.claude/settings.json', display: '.claude/settings.json', folder: '/ws' };
    const { hooks, started } = rig(
      [
        hookOf('PreToolUse', { onFailure: 'continue' }),
        hookOf('PreToolUse', { matcher: 'Bash', origin: project }),
        hookOf('PreToolUse', command('./other.sh')),
      ],
      () => exited(3),
    );
    const outcome = await hooks.run(call, context, live);
    expect(started.map(commandOf)).toEqual(['./check.sh', './other.sh']);
    expect(outcome.block).toMatchObject({ kind: 'unanswered', by: 'PreToolUse (~/.claude/settings.json:3)' });
  });

  it('a hook for once runs once in each session', async () => {
    const { hooks, started } = rig([hookOf('SessionStart', { once: true })]);
    const start: HookEvent = { hook_event_name: 'SessionStart', source: 'startup' };
    for (const session_id of ['1', '1', '2']) await hooks.run(start, { ...context, session_id }, live);
    expect(started).toHaveLength(2);
  });

  it.each([
    ['a file', 'a skill', [true, undefined]],
    ['a skill', 'a file', [undefined, true]],
  ] as const)('S-34: the same handler for once in %s, and for always in %s, runs always', async (_first, _second, [first, second]) => {
    const other = { onFailure: 'block' as const, origin: { layer: 'project' as const, file: '/ws/.claude/skills/a/SKILL.md', display: 'a', folder: '/ws' } };
    const { hooks, started } = rig([
      hookOf('SessionStart', first === undefined ? {} : { once: first }),
      hookOf('SessionStart', { ...other, ...(second === undefined ? {} : { once: second }) }),
    ]);
    const at = { ...context, cwd: '/ws' };
    for (let times = 0; times < 2; times++) await hooks.run({ hook_event_name: 'SessionStart', source: 'startup' }, at, live);
    expect(started).toHaveLength(2);
  });

  it('a hook with a mistake in its file counts as one that could not be started', async () => {
    const { hooks, started } = rig([hookOf('PreToolUse', { broken: 'The hook has no “command”.' })]);
    expect(await hooks.run(call, context, live)).toMatchObject({
      block: { kind: 'unanswered', reason: 'The hook has no “command”.' },
      runs: [{ end: 'not_started' }],
    });
    expect(started).toEqual([]);
  });

  it('H-31: a matcher that cannot be used is for all where it guards something, and says so', async () => {
    const { hooks, started } = rig([hookOf('PreToolUse', { matcher: '(' }), hookOf('PostToolUse', { matcher: '(' })]);
    expect((await hooks.run(call, context, live)).messages[0]?.text).toContain('“(” cannot be used, so the hook runs for everything.');
    expect((await hooks.run({ ...call, hook_event_name: 'PostToolUse', tool_response: '' }, context, live)).messages[0]?.text).toContain('does not run');
    expect(started).toHaveLength(1);
  });

  it.each([
    [true, 1],
    [false, 0],
    [undefined, 1],
  ] as const)('a condition that is %j', async (matches, runs) => {
    const matchesRule = vi.fn(() => matches);
    const { hooks, started } = rig([hookOf('PreToolUse', { condition: 'Bash(git push:*)' })], undefined, { matchesRule });
    await hooks.run(call, context, live);
    expect(started).toHaveLength(runs);
    expect(matchesRule).toHaveBeenCalledWith('Bash(git push:*)', { tool: 'bash', args: { command: 'ls' } });
  });

  it('H-14: a turn that is stopped stops those that run and those that wait, and blocks the call', async () => {
    const stop = new AbortController();
    const { hooks, started } = rig(
      Array.from({ length: 20 }, (_, index) => hookOf('PreToolUse', command(`h${index}`))),
      (_start, signal) => until(signal),
    );
    const outcome = hooks.run(call, context, stop.signal);
    await vi.waitFor(() => expect(started).toHaveLength(16));
    stop.abort();
    const { block, runs } = await outcome;
    expect(block).toMatchObject({ kind: 'unanswered' });
    expect(runs.map(({ end }) => end)).toEqual(Array.from({ length: 20 }, () => 'killed'));
    expect(started).toHaveLength(16);
  });

  it('those of SessionEnd have a time for all of them together', async () => {
    const { hooks } = rig(
      [hookOf('SessionEnd', { ...command('a'), timeoutMs: 1_500 }), hookOf('SessionEnd', { ...command('b'), timeoutMs: 100 })],
      (_start, signal) => until(signal),
    );
    const started = performance.now();
    expect((await hooks.run({ hook_event_name: 'SessionEnd', reason: 'other' }, context, live)).runs.map(({ end }) => end)).toEqual(['timed_out', 'timed_out']);
    expect(performance.now() - started).toBeGreaterThan(1_400);
  });

  it('a runner that fails is a hook that could not be started', async () => {
    const { hooks } = rig([hookOf('PreToolUse')], () => Promise.reject(new Error('no processes left')));
    expect((await hooks.run(call, context, live)).block).toMatchObject({ kind: 'unanswered', reason: 'no processes left' });
  });

  it('without hooks for an event, nothing is done', async () => {
    const matchesRule = vi.fn();
    const { hooks, started } = rig([hookOf('Stop')], undefined, { matchesRule });
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    expect(await hooks.run({ ...call, tool_input: circular }, context, live)).toEqual({ event: 'PreToolUse', runs: [], context: [], messages: [] });
    expect([started.length, matchesRule.mock.calls.length]).toEqual([0, 0]);
  });
});
