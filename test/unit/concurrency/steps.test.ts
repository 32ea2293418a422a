import { afterEach, describe, expect, it, vi } from 'vitest';
import { yieldEvery } from '../../../src/concurrency/steps.js';

const ROUNDS = 100;
/** Milliseconds of a frame: the loop keeps the host for less. */
const FRAME_MS = 16;

/** Has each look at the clock take so many milliseconds. */
function clock(step: number): void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += step));
}

afterEach(() => void vi.restoreAllMocks());

describe('yieldEvery', () => {
  it('lets the event loop turn while a loop of resolved promises runs', async () => {
    clock(1);
    const pause = yieldEvery();
    let turns = 0;
    let running = true;
    const count = (): void => {
      turns += 1;
      if (running) setImmediate(count);
    };
    setImmediate(count);
    let pauses = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      await Promise.resolve();
      const turn = pause();
      if (turn === undefined) continue;
      pauses += 1;
      await turn;
    }
    running = false;
    expect(pauses).toBeGreaterThan(ROUNDS / FRAME_MS);
    expect(turns).toBeGreaterThanOrEqual(pauses);
  });

  it('does not pause before it is time', () => {
    clock(0);
    expect(yieldEvery()()).toBeUndefined();
  });
});
