import { Random } from '../support/option-fuzz/random.js';

/** An interval that covers the true value in 95 of 100 measurements like this one. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The 97.5 % quantile of the normal distribution. */
const Z = 1.959964;
/** Samples that a bootstrap draws. */
const SAMPLES = 10_000;

/**
 * How large the true share of successes may be.
 * Wilson's score interval: E. B. Wilson, “Probable inference, the law of succession, and statistical inference”, 1927.
 */
export function wilson(successes: number, of: number): Interval {
  if (of === 0) return { low: 0, high: 1 };
  const share = successes / of;
  const square = Z ** 2;
  const center = (share + square / (2 * of)) / (1 + square / of);
  const half = (Z / (1 + square / of)) * Math.sqrt((share * (1 - share)) / of + square / (4 * of ** 2));
  // At the ends the formula gives exactly 0 and 1, up to rounding.
  return { low: successes === 0 ? 0 : center - half, high: successes === of ? 1 : center + half };
}

/** Successes of a number of tries. */
export interface Successes {
  readonly successes: number;
  readonly of: number;
}

/**
 * How much the true share of successes may have grown.
 * Method 10 of R. G. Newcombe, “Interval estimation for the difference between independent proportions”, 1998.
 */
export function newcombe(before: Successes, after: Successes): Interval {
  const [a, b] = [before.successes / before.of, after.successes / after.of];
  const [ofA, ofB] = [wilson(before.successes, before.of), wilson(after.successes, after.of)];
  return { low: b - a - Math.hypot(b - ofB.low, ofA.high - a), high: b - a + Math.hypot(ofB.high - b, a - ofA.low) };
}

/** The mean of some values; `NaN` of none. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * An interval from a value of many random samples: what lies between its 2.5 % and its 97.5 % quantile. The same data always give the
 * same interval. B. Efron, “Bootstrap methods: another look at the jackknife”, 1979.
 * @param valueOfSample draws a sample with {@link drawn} and computes the value of it
 */
export function bootstrap(valueOfSample: (random: Random) => number): Interval {
  const random = new Random(1);
  const values = Array.from({ length: SAMPLES }, () => valueOfSample(random)).sort((a, b) => a - b);
  return { low: values[Math.floor(SAMPLES * 0.025)] ?? NaN, high: values[Math.ceil(SAMPLES * 0.975) - 1] ?? NaN };
}

/** As many of the items as there are, each drawn at random from all. */
export function drawn<T>(items: readonly T[], random: Random): readonly T[] {
  return items.map(() => random.of(items));
}
