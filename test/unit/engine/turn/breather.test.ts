import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../../src/domain/clock.js';
import { Breather } from '../../../../src/engine/turn/breather.js';

const ROUNDS = 100;
/** Milliseconds of a frame: the loop keeps the host for less. */
const FRAME_MS = 16;

/** A clock on which each look takes so many milliseconds. */
function clock(step: number): Clock {
  let now = 0;
  return { timestamp: () => '2026-01-01T00:00:00Z', monotonic: () => (now += step) };
}

describe('Breather', () => {
  it('lets the event loop turn while a loop of resolved promises runs', async () => {
    const breather = new Breather(clock(1));
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
      const pause = breather.pause();
      if (pause === undefined) continue;
      pauses += 1;
      await pause;
    }
    running = false;
    expect(pauses).toBeGreaterThan(ROUNDS / FRAME_MS);
    expect(turns).toBeGreaterThanOrEqual(pauses);
  });

  it('does not pause before it is time', () => {
    const breather = new Breather(clock(0));
    expect(breather.pause()).toBeUndefined();
  });
});
