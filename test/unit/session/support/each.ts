import { ALL_RUNS } from '../../../support/runs.js';
/**
 * Tries the operations 1, 1 + step, … up to the last, several at a time: they mostly wait for the disk. Where not all runs are wanted, it tries
 * every fifth of these.
 */
export async function each(total: number, step: number, attempt: (at: number) => Promise<void>): Promise<void> {
  const stride = ALL_RUNS ? step : step * 5;
  let next = 1;
  const worker = async (): Promise<void> => {
    while (next <= total) {
      const at = next;
      next += stride;
      await attempt(at);
    }
  };
  await Promise.all(Array.from({ length: 6 }, worker));
}
