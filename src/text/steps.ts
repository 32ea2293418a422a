import { AbortError } from '../domain/errors.js';

/** Work in small steps: a generator that yields wherever it may be interrupted, every few milliseconds. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** How many lines, or things of that size, are handled between two yields. */
export const LINES_PER_STEP = 1_000;
/** Milliseconds that work in steps keeps the host to itself. */
const SLICE_MS = 8;

/**
 * Runs work to its end and gives the host a turn every few milliseconds, so that typing and other extensions never wait.
 * @throws AbortError when the signal is aborted meanwhile.
 */
export async function inSlices<T>(work: Steps<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    const start = performance.now();
    let step = work.next();
    while (step.done !== true && performance.now() - start < SLICE_MS) step = work.next();
    // What follows long work may be long itself, so the host has its turn before that as well.
    if (performance.now() - start >= SLICE_MS) await new Promise((resolve) => setImmediate(resolve));
    if (step.done === true) return step.value;
    if (signal?.aborted === true) throw new AbortError();
  }
}
