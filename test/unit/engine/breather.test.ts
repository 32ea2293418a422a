import { describe, expect, it } from 'vitest';
import { Breather } from '../../../src/engine/breather.js';

const clock = { timestamp: () => '2026-01-01T00:00:00Z', monotonic: () => performance.now() };

const PAUSES = 4;

describe('Breather', () => {
  it('lets the event loop turn while a loop of resolved promises runs', async () => {
    const breather = new Breather(clock);
    let turns = 0;
    let running = true;
    const count = (): void => {
      turns += 1;
      if (running) setImmediate(count);
    };
    setImmediate(count);
    const end = performance.now() + 10_000;
    let pauses = 0;
    while (pauses < PAUSES && performance.now() < end) {
      await Promise.resolve();
      const pause = breather.pause();
      if (pause === undefined) continue;
      pauses += 1;
      await pause;
    }
    running = false;
    expect(pauses).toBe(PAUSES);
    expect(turns).toBeGreaterThanOrEqual(pauses);
  });

  it('does not pause before it is time', () => {
    const breather = new Breather({ ...clock, monotonic: () => 0 });
    expect(breather.pause()).toBeUndefined();
  });
});
