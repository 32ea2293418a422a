import { AbortError } from '../../domain/errors.js';

/** Milliseconds that a stopped tool gets to end on its own before the turn continues without it. */
export const STOP_GRACE_MS = 5_000;

/** A tool that continued after the turn was stopped, for longer than {@link STOP_GRACE_MS}. */
export class StillRunningError extends AbortError {
  constructor() {
    super('It did not stop in time and may still be running.');
  }
}

/**
 * Waits for work that touches nothing, and stops waiting when the signal aborts.
 * @throws AbortError at once on abort, else what the work throws.
 */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return raceAbort(work, signal, (reject) => reject(new AbortError()));
}

/**
 * Waits for work that may be changing things: after an abort it gets {@link STOP_GRACE_MS} to end on its own, so that
 * what it did is known.
 * @throws StillRunningError when the time is over, else what the work throws.
 */
export function settledInTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return raceAbort(work, signal, (reject) => {
    const timer = setTimeout(() => reject(new StillRunningError()), STOP_GRACE_MS);
    const clear = (): void => clearTimeout(timer);
    work.then(clear, clear);
  });
}

function raceAbort<T>(work: Promise<T>, signal: AbortSignal, onAbort: (reject: (error: AbortError) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const listener = (): void => onAbort(reject);
    const done = (): void => signal.removeEventListener('abort', listener);
    if (signal.aborted) listener();
    else signal.addEventListener('abort', listener, { once: true });
    work.then(resolve, reject);
    work.then(done, done);
  });
}
