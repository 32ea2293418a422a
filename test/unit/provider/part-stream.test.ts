import { describe, expect, it } from 'vitest';
import { isAbortError, ProviderError } from '../../../src/domain/errors.js';
import { textContent } from '../../../src/domain/model/message.js';
import type { StreamPart } from '../../../src/domain/model/event-stream.js';
import { type PartBatch, type PartSource, PartStream } from '../../../src/provider/part-stream.js';
import { type Act, type Delta, type Harness, describeStreamConformance, drain, failure } from '../../support/stream-conformance.js';
import { deferred } from '../../support/model-server/gate.js';

const END: StreamPart = { type: 'stop', stopReason: 'end_turn', rawStopReason: 'end_turn' };
const never = (): AbortSignal => new AbortController().signal;
const text = (delta: string): StreamPart => ({ type: 'text', index: 0, delta });

describeStreamConformance('PartStream over a generator', () => Promise.resolve(generatorHarness()));

describe('PartStream', () => {
  it('gives the events of a batch one at a time and skips empty batches', async () => {
    const stream = new PartStream(source([text('a'), text('b')], [], text('c'), [], [END]), never());
    expect(await stream.next()).toMatchObject({ delta: 'a' });
    expect(textContent(stream.message())).toBe('a');
    expect(await stream.next()).toMatchObject({ delta: 'b' });
    expect(await stream.next()).toMatchObject({ delta: 'c' });
    expect(await stream.next()).toBeUndefined();
  });

  it('P24 close() and cancellation end a pull whose source ignores the signal', async () => {
    const deaf: PartSource = () => ({
      [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined), return: () => new Promise<never>(() => undefined) }),
    });
    const closed = new PartStream(deaf, never());
    const pending = failure(closed.next());
    await closed.close();
    expect(isAbortError(await pending)).toBe(true);

    const controller = new AbortController();
    const cancelled = new PartStream(deaf, controller.signal);
    const waiting = failure(cancelled.next());
    controller.abort();
    expect(isAbortError(await waiting)).toBe(true);
    await cancelled.close();
  });

  it('ignores what a source delivers after the stream was closed', async () => {
    let deliver = (_: IteratorResult<PartBatch>): void => undefined;
    const late: PartSource = () => ({
      [Symbol.asyncIterator]: () => ({ next: () => new Promise<IteratorResult<PartBatch>>((resolve) => (deliver = resolve)) }),
    });
    const stream = new PartStream(late, never());
    const pending = failure(stream.next());
    await stream.close();
    deliver({ done: false, value: text('too late') });
    await pending;
    expect(stream.message()).toMatchObject({ content: [], stopReason: 'aborted' });
  });

  it('runs the clean-up of a source that is not in a pull, and waits for it', async () => {
    const log: string[] = [];
    const careful: PartSource = async function* () {
      try {
        yield text('a');
        yield text('b');
      } finally {
        await Promise.resolve();
        log.push('cleaned up');
      }
    };
    const stream = new PartStream(careful, never());
    await stream.next();
    await stream.close();
    expect(log).toEqual(['cleaned up']);
  });

  it.each([
    [
      'throws when it is opened',
      (): never => {
        throw new Error('no source');
      },
    ],
    ['rejects the first pull', (): AsyncIterable<never> => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('no source')) }) })],
  ])('reports a source that %s', async (_, broken) => {
    const stream = new PartStream(broken, never());
    const error = await failure(stream.next());
    expect(error.message).toBe('no source');
    expect(stream.state).toBe('error');
    expect(stream.message()).toMatchObject({ stopReason: 'error', content: [] });
    expect(await failure(stream.next())).toBe(error);
  });

  it('stops the source when its parts contradict each other, and keeps what was right', async () => {
    let aborted = false;
    const wrong: PartSource = async function* (signal) {
      signal.addEventListener('abort', () => (aborted = true));
      await Promise.resolve();
      yield text('right');
      yield { type: 'tool_call_delta', index: 7, delta: '{' };
      yield text('never');
    };
    const stream = new PartStream(wrong, never());
    await stream.next();
    const error = await failure(stream.next());
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ kind: 'protocol' });
    expect(aborted).toBe(true);
    expect(textContent(stream.message())).toBe('right');
  });

  it('calls an end without a stop reason interrupted', async () => {
    const stream = new PartStream(source(text('half')), never());
    await stream.next();
    expect(await failure(stream.next())).toMatchObject({ kind: 'interrupted' });
    expect(stream.message()).toMatchObject({ stopReason: 'error', content: [{ text: 'half' }] });
  });

  it('dates the message with the time of the end', async () => {
    let hour = 10;
    const stream = new PartStream(source(text('a'), END), never(), () => `2026-01-01T${String(hour)}:00:00Z`);
    await drain(stream);
    hour = 11;
    expect(stream.message().timestamp).toBe('2026-01-01T10:00:00Z');
  });
});

function source(...batches: readonly PartBatch[]): PartSource {
  return async function* () {
    await Promise.resolve();
    yield* batches;
  };
}

function generatorHarness(): Harness {
  let acts: readonly Act[] = [];
  let requests = 0;
  let requested = deferred();
  let over = resolvable<boolean>();
  const parts: PartSource = async function* (signal) {
    requests += 1;
    requested.resolve();
    const mine = over;
    let finished = false;
    try {
      yield* play(acts, signal);
      finished = true;
    } finally {
      mine.resolve(!finished);
    }
  };
  return {
    play: (...next) => {
      acts = next;
      requested = deferred();
      over = resolvable<boolean>();
    },
    stream: (signal) => new PartStream(parts, signal),
    requests: () => requests,
    requested: () => requested.promise,
    disconnected: () => over.promise,
    close: () => Promise.resolve(),
  };
}

async function* play(acts: readonly Act[], signal: AbortSignal): AsyncGenerator<StreamPart> {
  const stopped = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  stopped.catch(() => undefined);
  let index = 0;
  let calls = 0;
  for (const act of acts) {
    if (act.kind === 'cut') throw new ProviderError('interrupted', 'It broke.');
    if (act.kind === 'silence') await stopped;
    if (act.kind === 'text') {
      yield* deltas(act.deltas, stopped, (delta) => ({ type: 'text', index, delta }));
      index += 1;
    }
    if (act.kind === 'calls') {
      yield* playCalls(act.calls, index, stopped);
      index += act.calls.length;
      calls += act.calls.length;
    }
  }
  yield calls === 0 ? END : { type: 'stop', stopReason: 'tool_use', rawStopReason: 'tool_use' };
}

async function* playCalls(calls: Extract<Act, { kind: 'calls' }>['calls'], first: number, stopped: Promise<never>): AsyncGenerator<StreamPart> {
  for (const [n, { id, name }] of calls.entries()) yield { type: 'tool_call_begin', index: first + n, id, name };
  const longest = Math.max(...calls.map((call) => call.deltas.length));
  for (let round = 0; round < longest; round += 1) {
    for (const [n, call] of calls.entries()) {
      yield* deltas(call.deltas.slice(round, round + 1), stopped, (delta) => ({ type: 'tool_call_delta', index: first + n, delta }));
    }
  }
  for (const n of calls.keys()) yield { type: 'block_end', index: first + n };
}

async function* deltas(list: readonly Delta[], stopped: Promise<never>, part: (delta: string) => StreamPart): AsyncGenerator<StreamPart> {
  for (const item of list) {
    if (typeof item === 'string') yield part(item);
    else await Promise.race([item.pass(), stopped]);
  }
}

function resolvable<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve = (_: T): void => undefined;
  const promise = new Promise<T>((done) => (resolve = done));
  return { promise, resolve };
}
