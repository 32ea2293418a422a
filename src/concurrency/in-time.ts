import { type Context, createContext, runInContext } from 'node:vm';

/** Thrown by {@link inTime} for work that took too long. */
export class TooSlowError extends Error {
  override readonly name = 'TooSlowError';
}

/** Made when it is first needed. */
let context: Context | undefined;

/**
 * Does work that does not wait, such as a check by a schema or a pattern of someone else, and stops it when it takes too long, also within a regular
 * expression: code that runs in a context can be stopped, and with it what it calls. What counts is the time of the processor: on a machine with much to do,
 * work of no time at all may have to wait for its turn longer than the limit, and is done again then.
 * @param work has no effects
 * @param ms milliseconds of the processor that it may take
 * @throws TooSlowError when it was stopped, and what the work throws
 */
export function inTime<T>(work: () => T, ms: number): T {
  context ??= createContext({ work: undefined });
  const start = process.cpuUsage();
  for (;;) {
    context['work'] = work;
    try {
      return runInContext('work()', context, { timeout: ms }) as T;
    } catch (error) {
      // The error is made in the context, where `Error` is another one.
      const isStopped = typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
      if (!isStopped) throw error;
      const { user, system } = process.cpuUsage(start);
      if (user + system >= ms * 1_000) throw new TooSlowError('That takes too long.');
    }
  }
}
