import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ViewEvent, applyViewEvent } from '../../../../src/protocol/view-event.js';
import { emptyViewState } from '../../../../src/protocol/view-state.js';
import { ViewLog } from '../../../../src/chat/projection/view-log.js';

const answer: ViewEvent = { type: 'item_added', item: { kind: 'answer', id: 'a', blocks: [], status: 'streaming', time: '2026-01-01T00:00:00Z', summary: '' } };
const block: ViewEvent = { type: 'block_added', item: 'a', block: { type: 'text', text: '' } };
const meta: ViewEvent = { type: 'meta', patch: {} };
const delta = (text: string): ViewEvent => ({ type: 'delta', item: 'a', block: 0, delta: text });

function startLog(): ViewLog {
  return new ViewLog(emptyViewState('demo/demo', 'default'), 'epoch');
}

/** A panel: a copy of the state that is kept up to date by the events alone. */
function follow(log: ViewLog): () => ReturnType<typeof emptyViewState> {
  const copy = structuredClone(log.state);
  let seq = log.seq;
  log.onFlush(() => {
    const missed = log.since(seq);
    for (const event of missed?.events ?? []) applyViewEvent(copy, structuredClone(event));
    seq = log.seq;
  });
  return () => copy;
}

describe('ViewLog', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => vi.useRealTimers());

  it('flushes the first event after a pause at once and merges the deltas of a frame', () => {
    vi.advanceTimersByTime(100);
    const log = startLog();
    log.push(meta);
    expect(log.seq).toBe(1);
    for (let n = 0; n < 1000; n++) log.push(delta('x'));
    expect(log.seq).toBe(1);
    vi.advanceTimersByTime(16);
    expect(log.since(1)?.events).toEqual([delta('x'.repeat(1000))]);
  });

  it('flushes a new message or block in a moment, with the first of its text, and goes on as before', () => {
    vi.advanceTimersByTime(100);
    const log = startLog();
    log.push(answer);
    expect(log.seq).toBe(1);
    log.push(block);
    log.push(delta('w'));
    vi.advanceTimersByTime(2);
    expect(log.since(1)?.events).toEqual([block, delta('w')]);
    log.push(delta('x'));
    vi.advanceTimersByTime(2);
    expect(log.since(3)?.events).toEqual([delta('x')]);
    log.push(delta('y'));
    vi.advanceTimersByTime(9);
    log.push(block);
    vi.advanceTimersByTime(2);
    expect(log.since(4)?.events).toEqual([delta('y'), block]);
    vi.advanceTimersByTime(2);
    log.push(delta('z'));
    log.push(meta);
    vi.advanceTimersByTime(15);
    expect(log.seq).toBe(7);
    log.push(delta('z'));
    vi.advanceTimersByTime(1);
    expect(log.since(7)?.events).toEqual([meta, delta('z')]);
  });

  it('flushes less often while more text comes than can be read, and as before after that', () => {
    vi.advanceTimersByTime(100);
    const log = startLog();
    log.push(answer);
    log.push(block);
    log.push(delta('x'.repeat(2_001)));
    vi.advanceTimersByTime(2);
    expect(log.seq).toBe(3);
    log.push(delta('y'));
    vi.advanceTimersByTime(47);
    expect(log.seq).toBe(3);
    vi.advanceTimersByTime(1);
    expect(log.seq).toBe(4);
    log.push(delta('z'));
    vi.advanceTimersByTime(16);
    expect(log.seq).toBe(5);
  });

  it('gives a panel that missed events exactly those, and none when they are not kept any more', () => {
    const log = startLog();
    log.push(answer);
    log.push(block);
    log.flush();
    expect(log.since(1)).toEqual({ first: 2, events: [block] });
    expect(log.since(2)).toEqual({ first: 3, events: [] });
    expect(log.since(3)).toBeUndefined();
    for (let n = 0; n < 5000; n++) {
      log.push(delta('x'));
      log.flush();
    }
    expect(log.since(1)).toBeUndefined();
    expect(log.since(4500)?.events).toHaveLength(log.seq - 4500);
  });

  it('keeps every follower equal to its own state, whatever comes and whenever it is flushed', () => {
    const step = fc.oneof(fc.string().map(delta), fc.constant('flush' as const), fc.constant(block), fc.constant(answer));
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const log = startLog();
        const copy = follow(log);
        log.push(answer);
        for (const each of steps) {
          if (each === 'flush') log.flush();
          else log.push(each);
        }
        log.flush();
        expect(copy()).toEqual(log.state);
      }),
    );
  });
});
