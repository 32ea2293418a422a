/**
 * Cleaning up when this process ends, however it ends (short of SIGKILL).
 */

/** @type {Set<() => void>} */
const cleanups = new Set();
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Registers a synchronous step for the end of this process.
 * @param {() => void} cleanup must not throw
 * @returns {() => void} takes the registration back
 */
export function atExit(cleanup) {
  if (cleanups.size === 0) listen();
  cleanups.add(cleanup);
  return () => cleanups.delete(cleanup);
}

/** Listens once; a process that ends by a signal would otherwise not emit `exit`. */
function listen() {
  process.removeListener('exit', cleanUp);
  process.on('exit', cleanUp);
  for (const signal of SIGNALS) {
    process.removeListener(signal, onSignal);
    // First, while a listener for one time only is still counted.
    process.prependListener(signal, onSignal);
  }
}

/** Runs and forgets every registered step. */
function cleanUp() {
  for (const cleanup of cleanups) cleanup();
  cleanups.clear();
}

/**
 * Dies of the signal as if nobody had listened, unless somebody else listens too and so decides.
 * @param {NodeJS.Signals} signal
 */
function onSignal(signal) {
  if (process.listenerCount(signal) > 1) return;
  cleanUp();
  process.removeListener(signal, onSignal);
  process.kill(process.pid, signal);
}
