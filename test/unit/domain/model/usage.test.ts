import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeSessionStats } from '../../../../src/domain/session/session.js';
import {
  addFigures,
  addUsage,
  costOf,
  figuresSince,
  type FiguresByModel,
  NO_USAGE,
  totalInputTokens,
  type Usage,
  usageSince,
} from '../../../../src/domain/model/usage.js';
import { sessions, usages } from '../../../support/arbitraries.js';

const PRICING = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };

describe('usage (P40)', () => {
  it('adds field by field, in any order, with NO_USAGE as nothing', () => {
    expect(
      addUsage(
        { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 },
        { inputTokens: 10, outputTokens: 20, cacheReadTokens: 30, cacheWriteTokens: 40 },
      ),
    ).toEqual({ inputTokens: 11, outputTokens: 22, cacheReadTokens: 33, cacheWriteTokens: 44 });
    fc.assert(
      fc.property(usages, usages, (a, b) => {
        expect(addUsage(a, b)).toEqual(addUsage(b, a));
        expect(addUsage(a, NO_USAGE)).toEqual(a);
      }),
    );
  });

  it('of a part of a session is what came since, also by model and where all of it was cached for an hour', () => {
    const withHour = fc.tuple(usages, fc.nat()).map(([usage, hourCacheWriteTokens]): Usage => ({ ...usage, hourCacheWriteTokens }));
    fc.assert(
      fc.property(withHour, withHour, (before, more) => {
        const now = addUsage(before, more);
        expect(usageSince(before, now)).toEqual(addUsage(more, NO_USAGE));
        const figures = (usage: Usage): FiguresByModel => ({ 'a/b': { usage, costUsd: 1, requests: 2 } });
        expect(figuresSince(figures(before), addFigures(figures(before), figures(more)))).toEqual(figures(addUsage(more, NO_USAGE)));
        expect(figuresSince(figures(before), figures(before))).toEqual({});
      }),
    );
  });

  it('counts cached input to the whole input', () => {
    expect(totalInputTokens({ inputTokens: 1, outputTokens: 1_000, cacheReadTokens: 10, cacheWriteTokens: 100 })).toBe(111);
  });

  it('cannot be changed where it is shared', () => {
    expect(Object.isFrozen(NO_USAGE)).toBe(true);
  });
});

describe('costOf', () => {
  it('is in dollars for prices by the million tokens', () => {
    expect(costOf({ inputTokens: 1_000_000, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 }, PRICING)).toBeCloseTo(3);
    expect(costOf({ inputTokens: 1_000, outputTokens: 2_000, cacheReadTokens: 10_000, cacheWriteTokens: 400 }, PRICING)).toBeCloseTo(
      0.003 + 0.03 + 0.003 + 0.0015,
    );
    expect(costOf(NO_USAGE, PRICING)).toBe(0);
  });

  it('is twice the input for what is written to a cache for an hour', () => {
    const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 1_000_000, hourCacheWriteTokens: 400_000 };
    expect(costOf(usage, PRICING)).toBeCloseTo(0.6 * PRICING.cacheWrite + 0.4 * 2 * PRICING.input);
    expect(addUsage(usage, usage)).toMatchObject({ cacheWriteTokens: 2_000_000, hourCacheWriteTokens: 800_000 });
  });

  it('of a sum is the sum of the costs', () => {
    fc.assert(
      fc.property(usages, usages, (a, b) => {
        const parts = costOf(a, PRICING) + costOf(b, PRICING);
        expect(Math.abs(costOf(addUsage(a, b), PRICING) - parts)).toBeLessThanOrEqual(1e-9 * Math.max(1, parts));
      }),
    );
  });
});

describe('computeSessionStats (A8)', () => {
  it('is zero for an empty conversation', () => {
    expect(computeSessionStats([])).toEqual({ messages: 0, toolCalls: 0, usage: NO_USAGE });
  });

  it('counts every message once, calls by their results, and adds up the parts', () => {
    fc.assert(
      fc.property(sessions(), sessions(), ({ messages: a }, { messages: b }) => {
        const stats = computeSessionStats(a);
        expect(stats.messages).toBe(a.length);
        expect(stats.toolCalls).toBe(a.filter((message) => message.role === 'tool_result').length);
        const whole = computeSessionStats([...a, ...b]);
        expect(whole.usage).toEqual(addUsage(stats.usage, computeSessionStats(b).usage));
      }),
    );
  });
});
