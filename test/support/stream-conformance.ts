import { getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { EventStream } from '../../src/domain/model/event-stream.js';
import { isAbortError } from '../../src/domain/errors.js';
import type { StreamEvent } from '../../src/domain/model/stream-event.js';
import { textContent, toolCalls } from '../../src/domain/model/message.js';
import { type Gate, gate } from './model-server/index.js';

/** One delta, or a place where the backend holds until the test lets it go on. */
export type Delta = string | Gate;

/** A tool call that the backend plays; the deltas together are the raw JSON text. */
interface PlayedCall {
  readonly id: string;
  readonly name: string;
  readonly deltas: readonly Delta[];
}

/** What the backend does, in order. Every delta must reach the provider as one. */
export type Act =
  | { readonly kind: 'text'; readonly deltas: readonly Delta[] }
  | { readonly kind: 'calls'; readonly calls: readonly PlayedCall[] }
  /** The request arrives and nothing is ever answered, not even headers. */
  | { readonly kind: 'silence' }
  /** The connection breaks, and nothing more comes. */
  | { readonly kind: 'cut' };

/** A provider with a backend that a test can play. */
export interface Harness {
  /** Decides what the next requests are answered with. After the last act the answer ends properly. */
  play(...acts: readonly Act[]): void;
  /** A stream for a plain request. */
  stream(signal: AbortSignal): EventStream;
  /** How many requests the backend has seen. */
  requests(): number;
  /** Resolves when the backend has seen the latest request. */
  requested(): Promise<void>;
  /** Resolves when the latest exchange is over; `true` when the client ended it before the backend did. */
  disconnected(): Promise<boolean>;
  close(): Promise<void>;
}

const never = (): AbortSignal => new AbortController().signal;

/**
 * The contract of {@link EventStream}, to be kept by every provider (P15–P24, P48, P50).
 * @param calls whether the backend streams the arguments of a call, or gives each call `whole`, as parsed JSON
 */
export function describeStreamConformance(name: string, make: () => Promise<Harness>, calls: 'streamed' | 'whole' = 'streamed'): void {
  describe(`${name}: stream conformance (P48)`, () => {
    let harness: Harness;
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    beforeAll(async () => {
      process.on('unhandledRejection', note);
      harness = await make();
    });
    afterEach(async () => {
      await turn();
      expect(unhandled.splice(0)).toEqual([]);
    });
    afterAll(async () => {
      await harness.close();
      process.off('unhandledRejection', note);
    });
    const play = (...acts: readonly Act[]): ((signal?: AbortSignal) => EventStream) => {
      harness.play(...acts);
      return (signal = never()) => harness.stream(signal);
    };
    describePulling(play);
    describeFailure(play);
    describeCancellation(play, () => harness);
    describeClosing(play, () => harness);
    if (calls === 'whole') {
      describeWholeCalls(play);
      return;
    }
    describeCancellationInCall(play, () => harness);
    describeToolCalls(play);
  });
}

type Play = (...acts: readonly Act[]) => (signal?: AbortSignal) => EventStream;

function describePulling(play: Play): void {
  it('P15 gives one event a pull, then undefined for ever', async () => {
    const stream = play({ kind: 'text', deltas: ['one ', 'two ', 'three'] })();
    expect(stream.state).toBe('new');
    for (const delta of ['one ', 'two ', 'three']) {
      expect(await stream.next()).toEqual({ type: 'text_delta', index: 0, delta });
      expect(stream.state).toBe('streaming');
    }
    for (let i = 0; i < 3; i += 1) {
      expect(await stream.next()).toBeUndefined();
      expect(stream.state).toBe('complete');
    }
  });

  it('P21 P23 message() throws before the first next() and is complete after the end', async () => {
    const stream = play({ kind: 'text', deltas: ['héllo ', '世界 👩‍👩‍👧'] })();
    expect(() => stream.message()).toThrow('before the first next()');
    await drain(stream);
    const message = stream.message();
    expect(textContent(message)).toBe('héllo 世界 👩‍👩‍👧');
    expect(message.stopReason).toBe('end_turn');
    expect(stream.message()).toEqual(message);
  });

  it('P20 message() holds exactly what was pulled so far', async () => {
    const hold = gate();
    const stream = play({ kind: 'text', deltas: ['a', 'b', hold, 'c'] })();
    await stream.next();
    expect(textContent(stream.message())).toBe('a');
    await stream.next();
    expect(textContent(stream.message())).toBe('ab');
    hold.open();
    await drain(stream);
    expect(textContent(stream.message())).toBe('abc');
  });

  it('pulls in parallel take turns', async () => {
    const stream = play({ kind: 'text', deltas: ['1', '2', '3'] })();
    const events = await Promise.all([1, 2, 3, 4, 5].map(() => stream.next()));
    expect(events.map((event) => (event?.type === 'text_delta' ? event.delta : event))).toEqual(['1', '2', '3', undefined, undefined]);
  });

  it('for await gives every event and leaves the stream complete', async () => {
    const stream = play({ kind: 'text', deltas: ['x', 'y'] })();
    const seen: StreamEvent[] = [];
    for await (const event of stream) seen.push(event);
    expect(seen).toHaveLength(2);
    expect(stream.state).toBe('complete');
    await stream.close();
    expect(stream.state).toBe('complete');
    expect(await stream.next()).toBeUndefined();
  });
}

function describeFailure(play: Play): void {
  it('P22 keeps the partial message after an error and throws the same error again', async () => {
    const hold = gate();
    const stream = play({ kind: 'text', deltas: ['kept ', 'text', hold] }, { kind: 'cut' })();
    await stream.next();
    await stream.next();
    hold.open();
    const first = await failure(stream.next());
    expect(isAbortError(first)).toBe(false);
    expect(stream.state).toBe('error');
    expect(await failure(stream.next())).toBe(first);
    expect(stream.message()).toMatchObject({ stopReason: 'error', content: [{ type: 'text', text: 'kept text' }] });
    await stream.close();
    expect(stream.state).toBe('error');
    expect(await failure(stream.next())).toBe(first);
  });

  it('for await throws the error of the stream', async () => {
    const stream = play({ kind: 'text', deltas: ['a'] }, { kind: 'cut' })();
    const error = await failure(drain(stream));
    expect(await failure(stream.next())).toBe(error);
  });

  it('leaves no listener on the signal after end, error and close', async () => {
    const { signal } = new AbortController();
    await drain(play({ kind: 'text', deltas: ['a'] })(signal));
    await failure(drain(play({ kind: 'text', deltas: ['a'] }, { kind: 'cut' })(signal)));
    const closed = play({ kind: 'text', deltas: ['a'] })(signal);
    await closed.next();
    await closed.close();
    const unused = play({ kind: 'text', deltas: ['a'] })(signal);
    await unused.close();
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
}

function describeCancellation(play: Play, harness: () => Harness): void {
  it('P17 cancels before the first byte: the pending pull ends and the connection is closed', async () => {
    const controller = new AbortController();
    const stream = play({ kind: 'silence' })(controller.signal);
    const pending = failure(stream.next());
    await harness().requested();
    controller.abort();
    expect(isAbortError(await pending)).toBe(true);
    expect(await harness().disconnected()).toBe(true);
    expect(stream.state).toBe('error');
    expect(stream.message()).toMatchObject({ stopReason: 'aborted', content: [] });
  });

  it('P17 cancels in the middle of text', async () => {
    const controller = new AbortController();
    const hold = gate();
    const stream = play({ kind: 'text', deltas: ['some ', 'text', hold, 'never'] })(controller.signal);
    await stream.next();
    await stream.next();
    const pending = failure(stream.next());
    await hold.reached;
    controller.abort();
    const error = await pending;
    expect(isAbortError(error)).toBe(true);
    expect(await harness().disconnected()).toBe(true);
    expect(stream.message()).toMatchObject({ stopReason: 'aborted', content: [{ type: 'text', text: 'some text' }] });
    expect(await failure(stream.next())).toBe(error);
  });

  it('P17 cancels between two pulls', async () => {
    const controller = new AbortController();
    const hold = gate();
    const stream = play({ kind: 'text', deltas: ['a', hold, 'b'] })(controller.signal);
    await stream.next();
    controller.abort();
    expect(isAbortError(await failure(stream.next()))).toBe(true);
    expect(await harness().disconnected()).toBe(true);
    expect(stream.message().stopReason).toBe('aborted');
  });

  it('makes no request when it is cancelled before the first pull', async () => {
    const before = harness().requests();
    const start = play({ kind: 'text', deltas: ['a'] });
    const stream = start(AbortSignal.abort());
    expect(() => stream.message()).toThrow();
    expect(isAbortError(await failure(stream.next()))).toBe(true);
    expect(stream.message().stopReason).toBe('aborted');
    const controller = new AbortController();
    const later = start(controller.signal);
    controller.abort();
    expect(isAbortError(await failure(later.next()))).toBe(true);
    expect(harness().requests()).toBe(before);
  });
}

function describeCancellationInCall(play: Play, harness: () => Harness): void {
  it('P17 cancels in the middle of the arguments of a call', async () => {
    const controller = new AbortController();
    const hold = gate();
    const call = { id: 'call_1', name: 'read', deltas: ['{"pa', hold, 'th":1}'] };
    const stream = play({ kind: 'calls', calls: [call] })(controller.signal);
    await stream.next();
    await stream.next();
    const pending = failure(stream.next());
    await hold.reached;
    controller.abort();
    expect(isAbortError(await pending)).toBe(true);
    expect(await harness().disconnected()).toBe(true);
    const message = stream.message();
    expect(message.stopReason).toBe('aborted');
    expect(toolCalls(message)).toEqual([{ type: 'tool_call', id: 'call_1', name: 'read', arguments: '{"pa' }]);
  });
}

function describeClosing(play: Play, harness: () => Harness): void {
  it('P24 close() unblocks a pending pull, closes the connection and may be called again', async () => {
    const hold = gate();
    const stream = play({ kind: 'text', deltas: ['partly', hold] })();
    await stream.next();
    const pending = failure(stream.next());
    await hold.reached;
    await Promise.all([stream.close(), stream.close()]);
    expect(isAbortError(await pending)).toBe(true);
    await stream.close();
    expect(stream.state).toBe('closed');
    expect(await harness().disconnected()).toBe(true);
    expect(isAbortError(await failure(stream.next()))).toBe(true);
    expect(stream.message()).toMatchObject({ stopReason: 'aborted', content: [{ type: 'text', text: 'partly' }] });
  });

  it('P24 close() before the first byte closes the connection', async () => {
    const stream = play({ kind: 'silence' })();
    const pending = failure(stream.next());
    await harness().requested();
    await stream.close();
    expect(isAbortError(await pending)).toBe(true);
    expect(await harness().disconnected()).toBe(true);
  });

  it('leaving for await early closes the stream and the connection', async () => {
    const hold = gate();
    const stream = play({ kind: 'text', deltas: ['a', 'b', hold, 'c'] })();
    for await (const event of stream) {
      expect(event).toMatchObject({ delta: 'a' });
      break;
    }
    expect(stream.state).toBe('closed');
    expect(await harness().disconnected()).toBe(true);
  });

  it('a stream that is never pulled makes no request', async () => {
    const before = harness().requests();
    const stream = play({ kind: 'text', deltas: ['a'] })();
    await stream.close();
    expect(stream.state).toBe('closed');
    expect(() => stream.message()).toThrow();
    expect(isAbortError(await failure(stream.next()))).toBe(true);
    expect(harness().requests()).toBe(before);
  });
}

function describeToolCalls(play: Play): void {
  it('P50 puts a call together from its deltas, byte for byte', async () => {
    const deltas = ['{ "big": 12345678901234567890,', ' "s": "\\u00e9 世', '界 👍"', ' }'];
    const stream = play({ kind: 'text', deltas: ['Reading.'] }, { kind: 'calls', calls: [{ id: 'c1', name: 'read', deltas }] })();
    const events = await drain(stream);
    const call = { type: 'tool_call', id: 'c1', name: 'read', arguments: deltas.join('') };
    expect(events).toEqual([
      { type: 'text_delta', index: 0, delta: 'Reading.' },
      { type: 'tool_call_begin', index: 1, id: 'c1', name: 'read' },
      ...deltas.map((delta) => ({ type: 'tool_call_delta', index: 1, id: 'c1', delta })),
      { type: 'tool_call_end', index: 1, call },
    ]);
    expect(stream.message()).toMatchObject({ stopReason: 'tool_use', content: [{ type: 'text', text: 'Reading.' }, call] });
  });

  it('P50 keeps interleaved calls apart', async () => {
    const calls = [
      { id: 'c1', name: 'read', deltas: ['{"a"', ':', '1}'] },
      { id: 'c2', name: 'grep', deltas: ['{"pattern":"', 'x"}'] },
      { id: 'c3', name: 'glob', deltas: ['{', '"b":', '[2,', '3]}'] },
    ];
    const stream = play({ kind: 'calls', calls })();
    const events = await drain(stream);
    for (const { id, deltas } of calls) {
      const own = events.filter((event) => event.type === 'tool_call_delta' && event.id === id);
      expect(own).toMatchObject(deltas.map((delta) => ({ delta })));
    }
    expect(toolCalls(stream.message()).map((call) => [call.id, call.name, call.arguments])).toEqual(
      calls.map(({ id, name, deltas }) => [id, name, deltas.join('')]),
    );
  });

  it('P50 takes a call without arguments for one with none', async () => {
    const stream = play({ kind: 'calls', calls: [{ id: 'c1', name: 'list', deltas: [] }] })();
    await drain(stream);
    expect(toolCalls(stream.message())).toEqual([{ type: 'tool_call', id: 'c1', name: 'list', arguments: '{}' }]);
  });
}

function describeWholeCalls(play: Play): void {
  it('P50 gives each call its own arguments', async () => {
    const calls = [
      { id: 'c1', name: 'read', deltas: ['{"a":1,', '"s":"é 世界 👍"}'] },
      { id: 'c2', name: 'list', deltas: [] },
    ];
    const stream = play({ kind: 'text', deltas: ['Reading.'] }, { kind: 'calls', calls })();
    const events = await drain(stream);
    const call = { type: 'tool_call', id: 'c1', name: 'read', arguments: '{"a":1,"s":"é 世界 👍"}' };
    expect(events.slice(0, 4)).toEqual([
      { type: 'text_delta', index: 0, delta: 'Reading.' },
      { type: 'tool_call_begin', index: 1, id: 'c1', name: 'read' },
      { type: 'tool_call_delta', index: 1, id: 'c1', delta: call.arguments },
      { type: 'tool_call_end', index: 1, call },
    ]);
    const none = { type: 'tool_call', id: 'c2', name: 'list', arguments: '{}' };
    expect(stream.message()).toMatchObject({ stopReason: 'tool_use', content: [{ type: 'text', text: 'Reading.' }, call, none] });
  });
}

/** Every event of a stream. */
export async function drain(stream: EventStream): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** What a promise is rejected with. */
export async function failure(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) return error;
    throw new Error(`Rejected with something that is no error: ${String(error)}`, { cause: error });
  }
  throw new Error('It was expected to fail.');
}
