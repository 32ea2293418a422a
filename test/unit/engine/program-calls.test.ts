import { describe, expect, it } from 'vitest';
import type { ToolResult } from '../../../src/domain/tool/tool.js';
import type { RecordedCall } from '../../../src/domain/workspace/changes.js';
import { eventually } from '../../support/eventually.js';
import { hooksOf } from '../../support/hook-rig.js';
import { asked, ok, outline, type Rig, rig, statesOf, subjectOf, testTool } from './rig.js';

const never = (): AbortSignal => new AbortController().signal;
const block = (name: string, id: string, args: object = { on: id }): { type: 'tool_call'; id: string; name: string; arguments: string } => ({
  type: 'tool_call',
  id,
  name,
  arguments: JSON.stringify(args),
});

/** Tools whose calls wait until they are let go, and what runs. */
function workshop(
  options: Parameters<typeof rig>[0] = {},
): Rig & {
  readonly running: Set<string>;
  readonly finish: (on: string) => void;
  readonly make: (name: string, id: string, signal?: AbortSignal) => Promise<ToolResult>;
} {
  const running = new Set<string>();
  const waiting = new Map<string, () => void>();
  const wait = (args: unknown, { signal }: { readonly signal: AbortSignal }): Promise<ToolResult> =>
    new Promise((resolve) => {
      const on = subjectOf(args);
      running.add(on);
      const end = (): void => {
        running.delete(on);
        resolve(ok(`${on} is done`));
      };
      waiting.set(on, end);
      signal.addEventListener('abort', end, { once: true });
    });
  const made = rig({ tools: [testTool('look', { execute: wait }), testTool('run', { kind: 'execute', execute: wait })], ...options });
  made.gate.judgment = () => ({ type: 'allow', reason: 'It may.' });
  return {
    ...made,
    running,
    finish: (on) => waiting.get(on)?.(),
    make: (name, id, signal = never()) => made.session.call({ block: block(name, id), words: `${name} by a program`, signal }),
  };
}

describe('calls of programs', () => {
  it('read side by side, also beside one that runs alone; those run one after the other, in the order in which they came', async () => {
    const { make, running, finish } = workshop();
    const calls = [make('run', 'a'), make('look', 'b'), make('run', 'c'), make('look', 'd')];
    await eventually(() => expect([...running].sort()).toEqual(['a', 'b', 'd']));
    finish('a');
    await eventually(() => expect(running).toContain('c'));
    for (const on of ['b', 'c', 'd']) finish(on);
    expect((await Promise.all(calls)).map(({ content }) => content)).toEqual(['a', 'b', 'c', 'd'].map((on) => ok(`${on} is done`).content));
  });

  it('that can change something are turns of the conversation, recorded before they run; the others leave no trace', async () => {
    const begun: RecordedCall[] = [];
    const { make, running, finish, session, recorder } = workshop({
      changes: { begin: (call) => (begun.push(call), Promise.resolve({ end: () => Promise.resolve() })) },
    });
    const calls = [make('look', 'a'), make('run', 'b'), make('run', 'c')];
    await eventually(() => expect(running).toContain('b'));
    expect(outline(recorder.appended)).toEqual(['user: run by a program', 'assistant(tool_use): run#b']);
    finish('b');
    await eventually(() => expect(running).toContain('c'));
    for (const on of ['a', 'c']) finish(on);
    await Promise.all(calls);
    const turn = (id: string): readonly string[] => ['user: run by a program', `assistant(tool_use): run#${id}`, `result#${id}: ${id} is done`];
    expect(outline(session.messages)).toEqual([...turn('b'), ...turn('c')]);
    expect(outline(recorder.appended)).toEqual(outline(session.messages));
    expect(begun.map(({ callId, messageIndex }) => [callId, messageIndex])).toEqual([
      ['b', 0],
      ['c', 3],
    ]);
  });

  it('are stopped alone: one that runs, and one that waits for its turn', async () => {
    const { make, running, finish, events } = workshop();
    const [first, second] = [new AbortController(), new AbortController()];
    const calls = [make('run', 'a', first.signal), make('run', 'b', second.signal), make('run', 'c')];
    await eventually(() => expect(running).toContain('a'));
    second.abort();
    expect(await calls[1]).toMatchObject({ isError: true, outcome: { kind: 'cancelled' } });
    first.abort();
    expect(await calls[0]).toMatchObject({ content: ok('a is done').content });
    await eventually(() => expect(running).toContain('c'));
    finish('c');
    expect(await calls[2]).toEqual(ok('c is done'));
    expect(statesOf(events, 'b')).toEqual(['pending', 'cancelled']);
    const over = new AbortController();
    over.abort();
    expect(await make('run', 'd', over.signal)).toMatchObject({ outcome: { kind: 'cancelled' } });
    expect(running.size).toBe(0);
  });

  it('are asked about, and answered for that call alone; what was answered leaves nothing behind', async () => {
    const { make, running, finish, session, gate } = workshop();
    gate.judgment = () => ({ type: 'ask', reasons: ['It changes something.'] });
    const denied = make('run', 'a');
    await asked(session, 'a');
    expect(session.asks.waiting.map(({ callId }) => callId)).toEqual(['a']);
    expect(session.answer('b', { type: 'allow' }, 1)).toBe(false);
    expect(session.answer('a', { type: 'deny' }, 1)).toBe(true);
    expect(await denied).toMatchObject({ isError: true, outcome: { kind: 'denied' } });
    const allowed = make('run', 'b');
    await asked(session, 'b');
    session.answer('b', { type: 'allow' }, 1);
    await eventually(() => expect(running).toContain('b'));
    finish('b');
    expect((await allowed).isError).toBe(false);
    expect(session.asks.waiting).toEqual([]);
    expect(outline(session.messages)).toEqual(['user: run by a program', 'assistant(tool_use): run#b', 'result#b: b is done']);
  });

  it('are judged again at their turn, by what has run meanwhile', async () => {
    const { make, running, finish, gate } = workshop();
    const calls = [make('run', 'a'), make('run', 'b')];
    await eventually(() => expect(running).toContain('a'));
    gate.judgment = () => ({ type: 'deny', denial: { kind: 'plan_mode' } });
    finish('a');
    expect((await Promise.all(calls)).map(({ isError }) => isError)).toEqual([false, true]);
    expect(running.size).toBe(0);
  });

  it('pass hooks: those for the start of the session once and before, and one that stops the turn ends that call', async () => {
    const { options, told } = hooksOf([
      { event: 'SessionStart', name: 'start', answer: () => '' },
      {
        event: 'PreToolUse',
        name: 'guard',
        answer: (input) => ('tool_name' in input && input.tool_name === 'run' ? { continue: false, stopReason: 'Enough.' } : ''),
      },
      { event: 'SessionEnd', name: 'end', answer: () => '' },
    ]);
    const { make, running, finish, session } = workshop({ hooks: options });
    const looks = [make('look', 'a'), make('look', 'b')];
    expect(await make('run', 'c')).toMatchObject({ isError: true });
    await eventually(() => expect(running.size).toBe(2));
    for (const on of ['a', 'b']) finish(on);
    await Promise.all(looks);
    await session.close();
    const names = told.map(({ name }) => name);
    expect([names[0], names.filter((name) => name === 'start').length, names.at(-1)]).toEqual(['start', 1, 'end']);
    expect(session.messages).toEqual([]);
  });

  it('end with the session, and none begins then, or while a turn runs', async () => {
    const { make, running, session } = workshop({ scripts: [] });
    const calls = [make('run', 'a'), make('run', 'b'), make('look', 'c')];
    await eventually(() => expect(running.size).toBe(2));
    expect(() => session.send([{ type: 'text', text: 'Hi' }])).toThrow('still working');
    await session.close();
    await Promise.all(calls);
    expect(running.size).toBe(0);
    expect(() => make('look', 'd')).toThrow('closed');
  });
});
