import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveOutput } from '../../../../src/node/process/processes.js';

describe('LiveOutput', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('passes on what comes within a moment as one chunk', () => {
    const chunks: string[] = [];
    const live = new LiveOutput((chunk) => chunks.push(chunk));
    for (const text of ['a', '', 'b']) live.add(text);
    expect(chunks).toEqual([]);
    vi.advanceTimersByTime(50);
    live.add('c');
    live.flush();
    live.flush();
    expect(chunks).toEqual(['ab', 'c']);
  });

  it('tool-01: shows of a flood the latest part at each moment, and stops at a limit', () => {
    const chunks: string[] = [];
    const live = new LiveOutput((chunk) => chunks.push(chunk));
    for (let moment = 0; moment < 1_000; moment += 1) {
      for (let part = 0; part < 10; part += 1) live.add('x'.repeat(10_000));
      vi.advanceTimersByTime(50);
    }
    expect(chunks[0]).toMatch(/^\n\[… not shown live …\]\nx+$/);
    expect(chunks.at(-1)).toMatch(/no more is shown live/);
    expect(chunks.join('').length).toBeLessThan(1_200_000);
  });
});
