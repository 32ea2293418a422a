import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Message, toolCalls } from '../../../src/domain/model/message.js';
import { validateMessage } from '../../../src/domain/model/validate.js';
import { answers, calls, says, type Script, stops, thinks } from '../../support/scripted-provider/index.js';
import { ok, type Rig, rig, type RigOptions, testTool } from './rig.js';
import { runs } from '../../support/runs.js';

const go = [{ type: 'text' as const, text: 'go' }];

/** Everything a turn can do: thinking, text, reads side by side, calls that ask, calls that fail, a second round. */
const EVERYTHING: readonly Script[] = [
  [
    ...thinks(0, 'hm'),
    ...says(1, 'Let me', ' look.'),
    ...calls(2, 'a', { name: 'read', args: { on: 'one' } }),
    ...calls(3, 'b', { name: 'read', args: { on: 'two' } }),
    ...calls(4, 'c', { name: 'edit', args: { on: 'three' } }),
    ...calls(5, 'd', { name: 'read', args: '{"bad' }),
    ...calls(6, 'e', { name: 'bash', args: { on: 'four' } }),
    ...stops('tool_use'),
  ],
  [...says(0, 'Once more.'), ...calls(1, 'f', { name: 'bash', args: { on: 'five' } }), ...stops('tool_use')],
  answers('Done.'),
];

/** A run of a session in which something can be done at the n-th point where the engine waits or tells something. */
class Run {
  readonly points: string[] = [];
  readonly rig: Rig;

  constructor(
    scripts: readonly Script[],
    private at: number | undefined,
    options: RigOptions = {},
  ) {
    const wait = async (point: string): Promise<void> => {
      this.point(point);
      await Promise.resolve();
      this.point(`${point} (after)`);
    };
    const tools = (['read', 'edit', 'bash'] as const).map((name) =>
      testTool(name, {
        kind: name === 'read' ? 'read' : name === 'edit' ? 'write' : 'execute',
        plan: () => wait(`plan ${name}`),
        execute: async () => {
          await wait(`execute ${name}`);
          return ok(name);
        },
      }),
    );
    this.rig = rig({ ...options, scripts, tools, hook: wait });
    this.rig.session.onEvent((event) => {
      this.point(`event ${event.type}`);
      if (event.type !== 'tool_call' || event.state.status !== 'awaiting_approval') return;
      const { callId } = event;
      queueMicrotask(() => {
        this.point(`waiting for ${callId}`);
        this.rig.session.answer(callId, { type: 'allow' });
        this.point(`allowed ${callId}`);
      });
    });
  }

  /** Does nothing more at any point. */
  disarm(): void {
    this.at = undefined;
  }

  private point(name: string): void {
    if (this.points.push(name) - 1 === this.at) this.rig.session.cancel();
  }
}

function expectWhole(messages: readonly Message[]): void {
  for (const message of messages) validateMessage(message);
  const asked = messages.flatMap((message) => (message.role === 'assistant' ? toolCalls(message) : [])).map((call) => call.id);
  const answered = messages.flatMap((message) => (message.role === 'tool_result' ? [message.toolCallId] : []));
  expect(answered).toEqual(asked);
}

async function stopAt(scripts: readonly Script[], point: number): Promise<void> {
  const run = new Run(scripts, point);
  const { session, provider, recorder, events, log } = run.rig;
  const where = (): string => `stopped at point ${point}: ${run.points[point] ?? 'none'}`;

  const turn = await session.send(go).turn;

  expectWhole(session.messages);
  expect(recorder.appended, where()).toEqual(session.messages);
  expect(session.state).toBe('idle');
  const ended = events.flatMap((event) => (event.type === 'tool_result' ? [event.message.toolCallId] : []));
  expect(new Set(ended).size, where()).toBe(ended.length);
  provider.replace(answers('And on.'));
  expect(await session.send(go).turn, where()).toMatchObject({ end: 'end_turn' });
  expect(provider.broken, where()).toEqual([]);
  expect(log.lines, where()).toEqual([]);
  expect(turn.end, where()).toMatch(/^(aborted|end_turn)$/);
}

describe('stream-19: Stop at every point', () => {
  test('of a turn with everything in it', async () => {
    const whole = new Run(EVERYTHING, undefined);
    expect(await whole.rig.session.send(go).turn).toMatchObject({ end: 'end_turn', rounds: 3 });
    expectWhole(whole.rig.session.messages);
    expect(whole.points.length).toBeGreaterThan(100);
    for (const kind of ['provider thinking', 'provider tool_call_delta', 'recorder append user', 'waiting for c', 'execute read', 'judge four']) {
      expect(whole.points).toContain(kind);
    }

    for (let point = 0; point < whole.points.length; point += 1) await stopAt(EVERYTHING, point);
  });

  test('of turns made up at random', async () => {
    const call = fc.record({ name: fc.constantFrom('read', 'edit', 'bash', 'unknown'), args: fc.constantFrom<unknown>({ on: 'x' }, '{', '[]', '') });
    const round = fc.record({ thinks: fc.boolean(), says: fc.constantFrom('', ' ', 'text'), calls: fc.array(call, { maxLength: 4 }) });
    const rounds = fc.array(round, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(rounds, fc.nat(150), async (plan, point) => {
        const scripts = plan.map((one, at): Script => [
          ...(one.thinks ? thinks(0, 'hm') : []),
          ...(one.says === '' ? [] : says(1, one.says)),
          ...one.calls.flatMap((wanted, index) => calls(index + 2, `r${at}c${index}`, wanted)),
          ...stops(one.calls.length > 0 ? 'tool_use' : 'end_turn'),
        ]);
        const run = new Run([...scripts, answers('Done.')], point);
        const turn = await run.rig.session.send(go).turn;
        expectWhole(run.rig.session.messages);
        expect(run.rig.recorder.appended).toEqual(run.rig.session.messages);
        expect(['aborted', 'end_turn', 'error']).toContain(turn.end);
        run.disarm();
        run.rig.provider.replace(answers('And on.'));
        expect(await run.rig.session.send(go).turn).toMatchObject({ end: 'end_turn' });
        expect(run.rig.provider.broken).toEqual([]);
      }),
      { numRuns: runs(200) },
    );
  });

  test('also where the disk fails at every write', async () => {
    const whole = new Run(EVERYTHING, undefined);
    whole.rig.recorder.failure = new Error('ENOSPC');
    expect(await whole.rig.session.send(go).turn).toMatchObject({ end: 'end_turn', rounds: 3 });
    expectWhole(whole.rig.session.messages);
  });

  test('Stop twice, Stop while idle, and Stop after the end do no harm', async () => {
    const { session } = rig({ scripts: [answers('One.'), answers('Two.')] });
    session.cancel();
    await session.send(go).turn;
    session.cancel();
    session.cancel();
    expect(await session.send(go).turn).toMatchObject({ end: 'end_turn' });
  });
});
