import { describe, expect, test, vi } from 'vitest';
import { ProviderError } from '../../../src/domain/errors.js';
import type { SessionEvent } from '../../../src/engine/events.js';
import type { Wait } from '../../../src/engine/turn/pauses.js';
import { type Script, answers, calls, says, ScriptedProvider, stops, TEST_MODEL, thinks } from '../../support/scripted-provider/index.js';
import { type Rig, type RigOptions, ok, outline, rig, testTool } from './rig.js';
import { says as sentence } from '../../support/wording.js';

const hello = [{ type: 'text' as const, text: 'hello' }];
const busy = new ProviderError('overloaded', 'Busy.', { status: 529 });
const broken = new ProviderError('interrupted', 'The connection broke.');
const silent = new ProviderError('stalled', 'Nothing came.');

/** A session that tries again and whose waits are over at once; it keeps how long they would have been. */
function eager(options: RigOptions): Rig & { readonly waits: number[] } {
  const waits: number[] = [];
  const wait: Wait = (ms) => {
    waits.push(ms);
    return Promise.resolve();
  };
  return { ...rig({ maxRetries: 8, wait, ...options }), waits };
}

/** Waits that last until they are skipped or stopped. */
const untilAborted: Wait = (_ms, signal) =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

function ofType<T extends SessionEvent['type']>(events: readonly SessionEvent[], type: T): readonly Extract<SessionEvent, { type: T }>[] {
  return events.filter((event): event is Extract<SessionEvent, { type: T }> => event.type === type);
}

function scheduled({ session }: Rig): Promise<SessionEvent> {
  return new Promise((resolve) => {
    session.onEvent((event) => {
      if (event.type === 'retry_scheduled') resolve(event);
    });
  });
}

describe('a failure that passes', () => {
  test('stream-03: before the first byte, is tried again without a trace in the conversation', async () => {
    const reset = new ProviderError('network', 'Reset.');
    const { session, provider, events, waits } = eager({ scripts: [[reset], [reset], answers('Hello.')] });

    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn', rounds: 1 });

    expect(outline(session.messages)).toEqual(['user: hello', 'assistant(end_turn): Hello.']);
    expect(provider.requests).toHaveLength(3);
    expect(provider.requests[2]).toEqual(provider.requests[0]);
    expect(ofType(events, 'retry_scheduled').map(({ attempt, maxAttempts, delayMs, error }) => ({ attempt, maxAttempts, delayMs, error }))).toEqual([
      { attempt: 1, maxAttempts: 8, delayMs: waits[0], error: reset },
      { attempt: 2, maxAttempts: 8, delayMs: waits[1], error: reset },
    ]);
    expect(ofType(events, 'retry_ended')).toHaveLength(2);
    expect(events.map(({ type }) => type).filter((type) => /^(round|retry)/.test(type))).toEqual([
      'round_started',
      'retry_scheduled',
      'retry_ended',
      'round_started',
      'retry_scheduled',
      'retry_ended',
      'round_started',
    ]);
  });

  test('stream-03, stream-06: behind half an answer, keeps the half, flagged, and does not send it', async () => {
    const half: Script = [
      ...thinks(0, 'hm'),
      ...says(1, 'Half an'),
      { type: 'tool_call_begin', index: 2, id: 'a', name: 'read' },
      { type: 'tool_call_delta', index: 2, delta: '{"o' },
      busy,
    ];
    const { session, provider } = eager({ tools: [testTool('read')], scripts: [half, [...says(0, 'Half an'), broken], answers('Half an answer.')] });

    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn' });

    expect(outline(session.messages)).toEqual([
      'user: hello',
      'assistant(error): (hm) Half an read#a',
      'result#a!: Not executed: the answer broke off.',
      'assistant(error): Half an',
      'assistant(end_turn): Half an answer.',
    ]);
    expect(provider.requests[1]?.messages).toEqual(provider.requests[0]?.messages);
    expect(provider.requests[2]?.messages).toEqual(provider.requests[0]?.messages);
    await session.send(hello).turn.catch(() => undefined);
    expect(outline(provider.requests[3]?.messages ?? [])).toEqual(['user: hello', 'assistant(end_turn): Half an answer.', 'user: hello']);
    expect(provider.broken).toEqual([]);
  });

  test('stream-06: an error is never part of the text that is kept', async () => {
    const { session } = eager({ scripts: [[...says(0, 'Half'), busy], answers('Whole.')] });
    await session.send(hello).turn;
    expect(JSON.stringify(session.messages)).not.toContain('Busy');
  });

  test('stream-08: ends the turn with its cause after as many attempts as the setting says', async () => {
    const { session, provider, waits } = eager({ maxRetries: 2, scripts: [[busy], [busy], [busy], answers('Too late.')] });

    expect(await session.send(hello).turn).toMatchObject({ end: 'error', error: busy });
    expect(provider.requests).toHaveLength(3);
    expect(waits).toHaveLength(2);
    expect(await session.retry().turn).toMatchObject({ end: 'end_turn' });
  });

  test('stream-08: counts anew after an answer', async () => {
    const { session, waits } = eager({
      maxRetries: 1,
      tools: [testTool('read')],
      scripts: [[busy], [...calls(0, 'a', { name: 'read', args: { on: 'x' } }), ...stops('tool_use')], [busy], answers('Done.')],
    });

    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn', rounds: 2 });
    for (const wait of waits) expect(wait).toBeLessThanOrEqual(1_000);
  });

  test('stream-07: the server’s wish is waited for and told; a wish for an hour ends the turn', async () => {
    const soon = new ProviderError('rate_limit', 'Slow down.', { status: 429, retryAfterMs: 45_000 });
    const late = new ProviderError('rate_limit', sentence('retryInMinutes', 60), { status: 429, retryAfterMs: 3_600_000 });
    const { session, events, provider } = eager({ scripts: [[soon], [late]] });

    expect(await session.send(hello).turn).toMatchObject({ end: 'error', error: late });
    const [wait] = ofType(events, 'retry_scheduled');
    expect(wait?.delayMs).toBeGreaterThanOrEqual(45_000);
    expect(provider.requests).toHaveLength(2);
  });

  test('stream-11: silence is tried again once, other failures in between or not', async () => {
    const { session, provider, events } = eager({ scripts: [[...says(0, 'Half'), silent], [busy], [silent], answers('Too late.')] });

    expect(await session.send(hello).turn).toMatchObject({ end: 'error', error: silent });
    expect(provider.requests).toHaveLength(3);
    expect(ofType(events, 'retry_scheduled')[0]).toMatchObject({ attempt: 1, maxAttempts: 1 });
  });

  test.each(['invalid_request', 'authentication', 'quota', 'context_length', 'not_a_stream'] as const)('stream-08: %s is not tried again', async (kind) => {
    const { session, provider, events } = eager({ scripts: [[new ProviderError(kind, 'No.')], answers('Too late.')] });
    expect(await session.send(hello).turn).toMatchObject({ end: 'error', error: { kind } });
    expect(provider.requests).toHaveLength(1);
    expect(ofType(events, 'retry_scheduled')).toEqual([]);
  });

  test('stream-25: what each attempt used counts once', async () => {
    const used = { type: 'usage' as const, usage: { inputTokens: 100, outputTokens: 1 } };
    const { session } = eager({
      scripts: [[used, { ...used, usage: { inputTokens: 100, outputTokens: 5 } }, ...says(0, 'Half'), broken], [used, broken], [busy], answers('Whole.')],
    });

    const turn = await session.send(hello).turn;

    expect(turn.usage).toMatchObject({ inputTokens: 300, outputTokens: 16 });
    expect(session.usage).toEqual(turn.usage);
    expect(turn.costUsd).toBeCloseTo((300 + 2 * 16) / 1e6, 12);
  });
});

describe('while it waits', () => {
  test('the session runs; Stop ends the turn at once, and the next message works', async () => {
    const it = rig({ maxRetries: 8, wait: untilAborted, scripts: [[...says(0, 'Half'), busy], answers('Ok.')] });
    const waiting = scheduled(it);
    const turn = it.session.send(hello).turn;
    await waiting;
    expect(it.session.state).toBe('running');

    it.session.cancel();

    expect(await turn).toMatchObject({ end: 'aborted' });
    expect(ofType(it.events, 'retry_ended')).toHaveLength(1);
    expect(it.provider.requests).toHaveLength(1);
    expect(it.session.retryNow()).toBe(false);
    expect(await it.session.send(hello).turn).toMatchObject({ end: 'end_turn' });
  });

  test('retryNow ends the wait, and does nothing at any other time', async () => {
    const it = rig({ maxRetries: 8, wait: untilAborted, scripts: [[busy], answers('Ok.')] });
    expect(it.session.retryNow()).toBe(false);
    const waiting = scheduled(it);
    const turn = it.session.send(hello).turn;
    await waiting;

    expect(it.session.retryNow()).toBe(true);
    expect(it.session.retryNow()).toBe(false);
    expect(await turn).toMatchObject({ end: 'end_turn' });
    expect(it.session.retryNow()).toBe(false);
  });

  test('another model that was chosen meanwhile is asked', async () => {
    const it = rig({ maxRetries: 8, wait: untilAborted, scripts: [[busy]] });
    const other = new ScriptedProvider([answers('Hello from the other.')], { name: 'other' });
    const waiting = scheduled(it);
    const turn = it.session.send(hello).turn;
    await waiting;

    it.session.setModel(other, { ...TEST_MODEL, provider: 'other', id: 'model-2' });
    it.session.retryNow();

    expect(await turn).toMatchObject({ end: 'end_turn' });
    expect(other.requests).toHaveLength(1);
  });

  test('closing the session ends the wait', async () => {
    const it = rig({ maxRetries: 8, wait: untilAborted, scripts: [[busy]] });
    const waiting = scheduled(it);
    const turn = it.session.send(hello).turn;
    await waiting;
    await it.session.close();
    expect(await turn).toMatchObject({ end: 'aborted' });
  });
});

describe('answers that say nothing', () => {
  test.each<[string, Script]>([
    ['no blocks', stops('end_turn')],
    ['thinking only', [...thinks(0, 'hm'), ...stops('end_turn')]],
    ['blank text', [...says(0, ' \n'), ...stops('end_turn')]],
    ['a stop for tools without a call', stops('tool_use')],
  ])('stream-13: %s is asked for once more by itself', async (_name, nothing) => {
    const { session, provider, events } = eager({ scripts: [nothing, answers('Hello.')] });
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn', rounds: 1 });
    expect(ofType(events, 'retry_scheduled')).toMatchObject([{ error: { fact: sentence('emptyResponse') } }]);
    expect(provider.requests).toHaveLength(2);
    expect(provider.requests[1]?.messages).toEqual(provider.requests[0]?.messages);
  });

  test('stream-13: the second time it is an error that says so', async () => {
    const { session, provider } = eager({ scripts: [stops('end_turn'), stops('end_turn'), answers('Too late.')] });
    expect(await session.send(hello).turn).toMatchObject({ end: 'error', error: { message: expect.stringContaining('empty response') as string } });
    expect(provider.requests).toHaveLength(2);
  });
});

test('an answer that cannot be stored is asked for once more, and only said to be malformed meanwhile', async () => {
  const damaged: Script = [...answers('Hello.'), { type: 'usage', usage: { inputTokens: -1 } }];
  const { session, events } = eager({ scripts: [damaged, answers('Hello.')] });
  expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn' });
  expect(ofType(events, 'retry_scheduled')).toMatchObject([{ error: { kind: 'protocol', fact: sentence('responseMalformed') } }]);
});

describe('stream-12: other reasons to stop', () => {
  const stopped = (raw: string): Script => [
    ...says(0, 'So far.'),
    { type: 'usage', usage: { inputTokens: 1 } },
    { type: 'stop', stopReason: 'unknown', rawStopReason: raw },
  ];

  test('a pause is gone on from, with what was said', async () => {
    const { session, provider } = eager({ scripts: [stopped('pause_turn'), answers('And more.')] });
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn', rounds: 2 });
    expect(outline(provider.requests[1]?.messages ?? [])).toEqual(['user: hello', 'assistant(unknown): So far.', 'user: Continue.']);
    expect(outline(session.messages)).toEqual(['user: hello', 'assistant(unknown): So far.', 'assistant(end_turn): And more.']);
  });

  test('a model that pauses 50 times is stopped after ten', async () => {
    const { session, provider } = eager({ maxRounds: 100, scripts: Array.from({ length: 50 }, () => stopped('pause_turn')) });
    expect(await session.send(hello).turn).toMatchObject({ end: 'loop', error: { message: expect.stringContaining('paused') as string } });
    expect(provider.requests).toHaveLength(11);
  });

  test('calls beside a pause are answered, not run, and can be made again', async () => {
    const execute = vi.fn(() => ok('ran'));
    const { session, provider } = eager({
      tools: [testTool('read', { execute })],
      scripts: [[...calls(0, 'a', { name: 'read', args: { on: 'x' } }), { type: 'stop', stopReason: 'unknown', rawStopReason: 'pause_turn' }], answers('Ok.')],
    });
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn' });
    expect(execute).not.toHaveBeenCalled();
    expect(provider.broken).toEqual([]);
  });

  test.each([
    ['refusal', 'error', 'refused_content', /refused to respond/],
    ['content_filter', 'error', 'refused_content', /refused to respond/],
  ])('%s has its own words', async (raw, end, kind, words) => {
    const { session, provider } = eager({ scripts: [stopped(raw)] });
    expect(await session.send(hello).turn).toMatchObject({ end, error: { kind, message: expect.stringMatching(words) as string } });
    expect(provider.requests).toHaveLength(1);
    expect(outline(session.messages).at(-1)).toBe('assistant(unknown): So far.');
  });

  test('a reason that nobody knows ends the turn as unknown', async () => {
    const { session } = eager({ scripts: [stopped('something_new')] });
    expect(await session.send(hello).turn).toMatchObject({ end: 'unknown' });
  });
});
