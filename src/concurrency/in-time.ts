import { type Context, createContext, runInContext } from 'node:vm';

/** Thrown by {@link inTime} for work that took too long. */
export class TooSlowError extends Error {
  override readonly name = 'TooSlowError';
}

/** Made when it is first needed. */
let context: Context | undefined;

/**
 * Does work that does not wait, such as a check by a schema or a pattern of someone else, and stops it when it takes too long, also within a regular
 * expression: code that runs in a context can be stopped, and with it what it calls.
 * @param ms milliseconds that it may take
 * @throws TooSlowError when it was stopped, and what the work throws
 */
export function inTime<T>(work: () => T, ms: number): T {
  context ??= createContext({ work: undefined });
  context['work'] = work;
  try {
    return runInContext('work()', context, { timeout: ms }) as T;
  } catch (error) {
    // The error is made in the context, where `Error` is another one.
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw new TooSlowError('That takes too long.');
    throw error;
  }
}
