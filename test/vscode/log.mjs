/**
 * How the harness speaks to the person who waits for it.
 */

/** @typedef {(line: string) => void} Log Receives one line of progress, without its line end. */

/**
 * Writes a line to standard error, so that standard output stays free for results.
 * @type {Log}
 */
export function logToStderr(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * Repeats a line every ten seconds while a long step runs, so that a silent step is seen to be alive.
 * @template T
 * @param {{ log: Log, label: string }} options `label` says what is going on
 * @param {() => Promise<T>} step the work
 * @returns {Promise<T>} what the step returns; its error passes through
 */
export async function withHeartbeat({ log, label }, step) {
  const started = Date.now();
  log(label);
  const timer = setInterval(() => log(`${label} (${Math.round((Date.now() - started) / 1000)} s)`), 10_000);
  try {
    return await step();
  } finally {
    clearInterval(timer);
  }
}
