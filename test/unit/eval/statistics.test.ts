import { expect, test } from 'vitest';
import { bootstrap, drawn, mean, newcombe, wilson } from '../../eval/statistics.js';

// Known values, as calculators for this interval give them.
test.each([
  [8, 10, 0.4902, 0.9433],
  [0, 5, 0, 0.4345],
  [5, 5, 0.5655, 1],
  [1, 1, 0.2065, 1],
])('the Wilson interval of %i of %i', (successes, of, low, high) => {
  expect(wilson(successes, of).low).toBeCloseTo(low, 4);
  expect(wilson(successes, of).high).toBeCloseTo(high, 4);
});

test('of nothing, nothing is known', () => {
  expect(wilson(0, 0)).toEqual({ low: 0, high: 1 });
});

// The examples of Newcombe's table II, method 10; the differences are turned, as his is the first share less the second.
test.each([
  [48, 80, 56, 70, 0.0524, 0.3339],
  [3, 10, 9, 10, 0.1705, 0.809],
  [0, 10, 10, 10, 0.6075, 1],
])('the interval of Newcombe for %i of %i and %i of %i', (successes, of, otherSuccesses, otherOf, low, high) => {
  const found = newcombe({ successes, of }, { successes: otherSuccesses, of: otherOf });
  expect(found.low).toBeCloseTo(low, 4);
  expect(found.high).toBeCloseTo(high, 4);
});

test('a bootstrap comes near to what is known of the mean, and is always the same', () => {
  const values = Array.from({ length: 400 }, (_, at) => at % 20);
  const interval = (): ReturnType<typeof bootstrap> => bootstrap((random) => mean(drawn(values, random)));
  // The standard error of the mean of the numbers 0 to 19, each twenty times.
  const error = Math.sqrt((20 ** 2 - 1) / 12 / 400);
  expect(interval().low).toBeCloseTo(9.5 - 1.96 * error, 1);
  expect(interval().high).toBeCloseTo(9.5 + 1.96 * error, 1);
  expect(interval()).toEqual(interval());
});
