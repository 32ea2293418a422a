import { describe, expect, it } from 'vitest';
import { afterFailure, estimateOf, estimatesOf, expectedIn, NO_OBSERVATIONS, unavailableFor } from '../../../src/routing/estimates.js';
import { observed } from '../../../src/routing/observed.js';
import { specifiedEstimate } from '../../routing/policies.js';

const published = (value: number): { readonly value: number; readonly source: 'published' } => ({ value, source: 'published' });

describe('R-04 the estimate', () => {
  it('is the prior while nothing was observed', () => {
    expect(estimateOf(published(0.8)).blended).toBeCloseTo(0.8, 12);
    expect(estimateOf({ value: 0.8, source: 'assumed' })).toEqual({ prior: 0.8, source: 'assumed', observed: 0, blended: 0.8 });
  });

  it('is what was computed by hand after one, two, and ten observations', () => {
    // Either prediction was 1/2, so that the prior is as likely to be right as before: 0.9 × 31/61 + 0.1 × 3/5.
    expect(estimateOf(published(0.5), { solved: 1, seen: 1 }).blended).toBeCloseTo(0.517377, 6);
    // 30/60 × 31/61 against 2/4 × 3/5: 0.884031 × 32/62 + 0.115969 × 4/6.
    expect(estimateOf(published(0.5), { solved: 2, seen: 2 }).blended).toBeCloseTo(0.533587, 6);
    // Ten failures of what was believed to succeed in nine of ten: the prior is given up.
    expect(estimateOf(published(0.9), { solved: 0, seen: 10 }).blended).toBeCloseTo(3.6 / 14, 2);
    // An assumed prior is never more than four observations: (4 × 0.5 + 10) / 14.
    expect(estimateOf({ value: 0.5, source: 'assumed' }, { solved: 10, seen: 10 }).blended).toBeCloseTo(12 / 14, 12);
  });

  it('counts older observations less, and never more than the last 33', () => {
    const twice = observed(observed(NO_OBSERVATIONS, 1), 0);
    expect(twice).toEqual({ solved: 0.97, seen: 1.97 });
    let many = NO_OBSERVATIONS;
    for (let at = 0; at < 2_000; at += 1) many = observed(many, 1);
    expect(many.seen).toBeCloseTo(1 / 0.03, 6);
  });

  it.each([NaN, -0.1, 1.1, Infinity, -Infinity])('refuses an outcome of %d', (outcome) => {
    expect(() => observed(NO_OBSERVATIONS, outcome)).toThrow('outcome');
  });

  it.each([
    { solved: NaN, seen: 3 },
    { solved: -1, seen: 3 },
    { solved: 4, seen: 3 },
    { solved: 1, seen: Infinity },
  ])('ignores counts that cannot be: %o', (counts) => {
    expect(estimateOf(published(0.7), counts).blended).toBeCloseTo(0.7, 12);
  });

  it.each([NaN, -1, 2, Infinity])('takes a prior of %d for none', (prior) => {
    expect(estimateOf(published(prior)).blended).toBeCloseTo(0.5, 12);
  });

  it('is a share for whatever was believed and observed', () => {
    for (const prior of [0, 0.01, 0.5, 0.99, 1])
      for (const solved of [0, 0.5, 33]) {
        const { blended } = estimateOf(published(prior), { solved, seen: 33 });
        expect(blended).toBeGreaterThanOrEqual(0);
        expect(blended).toBeLessThanOrEqual(1);
      }
  });

  it('expects of a model partly what it does in all kinds', () => {
    const estimates = estimatesOf({ m: { debug: published(0.8), explain: published(0.4) } }, {});
    expect(expectedIn(estimates, 'm', 'debug')).toBeCloseTo(0.65 * 0.8 + 0.35 * 0.6, 12);
    // Of nothing that is known, half; and the names that every object has are no models.
    expect([expectedIn(estimates, 'unknown', 'debug'), expectedIn(estimates, 'constructor', 'debug')]).toEqual([0.5, 0.5]);
  });
});

describe('R-04 the rule as it was first specified', () => {
  const after = (outcomes: string, { prior, isStrength = false }: { readonly prior: number; readonly isStrength?: boolean }): number => {
    const learned = specifiedEstimate(isStrength);
    for (const outcome of outcomes) learned.observe(outcome === '1');
    return learned.estimate(prior);
  };

  it.each([
    ['', 0.8],
    ['10', 0.8],
    // The average is 1, 0.7, 0.79: 0.7 × 0.8 + 0.3 × 0.79.
    ['101', 0.797],
    ['1010011101', 0.766_096_969_1],
  ])('after %j, 0.8 is %d', (outcomes, expected) => {
    expect(after(outcomes, { prior: 0.8 })).toBeCloseTo(expected, 10);
  });

  it('adds 0.15 for a strength, up to 1', () => {
    expect(after('', { prior: 0.8, isStrength: true })).toBeCloseTo(0.95, 12);
    expect(after('', { prior: 0.9, isStrength: true })).toBe(1);
  });
});

describe('R-05 availability', () => {
  it('has a half-life: a failure counts for one, more of them for longer, and six at most', () => {
    const once = afterFailure(undefined, 0, 100);
    expect([unavailableFor(once, 0, 100), unavailableFor(once, 100, 100)]).toEqual([100, 0]);
    expect(unavailableFor(once, 60, 100)).toBeCloseTo(40, 9);
    expect(unavailableFor(afterFailure(once, 0, 100), 0, 100)).toBe(200);
    let many = once;
    for (let at = 0; at < 1_000; at += 1) many = afterFailure(many, 0, 100);
    expect(unavailableFor(many, 0, 100)).toBe(600);
    expect(unavailableFor(undefined, 0, 100)).toBe(0);
  });

  it('makes nothing older by a clock that was set back, and is not confused by what cannot be', () => {
    const once = afterFailure(undefined, 1_000, 100);
    expect(unavailableFor(once, 0, 100)).toBe(100);
    expect(unavailableFor({ failures: NaN, at: NaN }, 0, 100)).toBe(0);
    expect(unavailableFor({ failures: Infinity, at: 0 }, 0, 100)).toBe(600);
  });
});
