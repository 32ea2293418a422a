import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Pauses, waitOnTheClock } from '../../../../src/engine/turn/pauses.js';

const never = new AbortController().signal;

describe('a wait by the clock', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  async function isOver(wait: Promise<void>): Promise<boolean> {
    let over = false;
    void wait.then(() => (over = true));
    await vi.advanceTimersByTimeAsync(0);
    return over;
  }

  test('lasts as long as it should', async () => {
    const wait = waitOnTheClock(2_500, never);
    await vi.advanceTimersByTimeAsync(2_499);
    expect(await isOver(wait)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isOver(wait)).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('ends soon after the machine slept through it', async () => {
    const wait = waitOnTheClock(600_000, never);
    vi.setSystemTime(Date.now() + 3_600_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await isOver(wait)).toBe(true);
  });

  test('is not made longer by a clock that is set back', async () => {
    const wait = waitOnTheClock(5_000, never);
    vi.setSystemTime(Date.now() - 3_600_000);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await isOver(wait)).toBe(true);
  });

  test('ends with the signal, also one that has fired, and leaves no timer', async () => {
    const stop = new AbortController();
    const wait = waitOnTheClock(5_000, stop.signal);
    stop.abort();
    await wait;
    await waitOnTheClock(5_000, stop.signal);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('a pause can be skipped once, while it lasts', async () => {
  const pauses = new Pauses((_ms, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })));
  expect(pauses.skip()).toBe(false);
  const pause = pauses.pause(1_000, never);
  expect(pauses.skip()).toBe(true);
  expect(pauses.skip()).toBe(false);
  await pause;
  expect(pauses.skip()).toBe(false);
});
