import { AbortError } from '../domain/errors.js';

/** Milliseconds that long work may keep the host to itself: half a frame. */
const SLICE_MS = 8;

/** Work in small steps: a generator that yields wherever it may be interrupted, every few milliseconds. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Number of lines, or items of that size, to process between two yields. */
export const LINES_PER_STEP = 1_000;

/**
 * For long work: a function to call between its steps and to await what it returns. When the milliseconds are over, that
 * yields to the event loop, so that typing, timers and other extensions never wait.
 */
export function yieldEvery(ms = SLICE_MS): () => Promise<void> | undefined {
  let start = performance.now();
  return () => {
    if (performance.now() - start < ms) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        start = performance.now();
        resolve();
      });
    });
  };
}

/**
 * Runs work to its end and yields to the event loop every few milliseconds.
 * @throws AbortError when the signal is aborted meanwhile.
 */
export async function inSlices<T>(work: Steps<T>, signal?: AbortSignal): Promise<T> {
  const pause = yieldEvery();
  for (;;) {
    const step = work.next();
    // What follows long work may be long itself, so there is a pause after the last step as well.
    await pause();
    if (step.done === true) return step.value;
    if (signal?.aborted === true) throw new AbortError();
  }
}
