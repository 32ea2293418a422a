import { expect, it } from 'vitest';
import { inTime, TooSlowError } from '../../../src/concurrency/in-time.js';

/** Waits without using the processor. */
function waitLong(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
}

it('work is stopped when it takes more of the processor than it may', () => {
  expect(() => inTime(() => /^(a+)+$/.test(`${'a'.repeat(64)}!`), 100)).toThrow(TooSlowError);
});

it('work that did not get its turn in its time is done again', () => {
  let times = 0;
  const work = (): number => {
    times += 1;
    if (times === 1) waitLong();
    return times;
  };
  expect(inTime(work, 200)).toBe(2);
});

it('work that fails is not done again', () => {
  let times = 0;
  const work = (): void => {
    times += 1;
    throw new RangeError('no');
  };
  expect(() => inTime(work, 200)).toThrow('no');
  expect(times).toBe(1);
});
