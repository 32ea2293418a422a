import { setImmediate } from 'node:timers/promises';

/** Milliseconds after which other work of the process gets a turn. */
const SLICE_MS = 8;

/** For long work: a function to be awaited between its steps, which lets other work run when it is time. */
export function slices(): () => Promise<void> {
  let start = performance.now();
  return async () => {
    if (performance.now() - start < SLICE_MS) return;
    await setImmediate();
    start = performance.now();
  };
}
