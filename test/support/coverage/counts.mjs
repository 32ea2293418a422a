/**
 * Saves how often each counter of `instrument.mjs` ran, in the process or the page that it ran in.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * How often what is in a file ran: its statements, its functions, and the ways of its branches.
 * @typedef {{ hash: string, s: Record<string, number>, f: Record<string, number>, b: Record<string, number[]> }} Counts
 */

/**
 * The counts of this process or page so far, by the path of the file, as JSON. It stands alone, so that it can be given to a page.
 * @returns {string}
 */
export function countsText() {
  /** @type {Record<string, Counts>} */
  const all = /** @type {any} */ (globalThis).__coverage__ ?? {};
  return JSON.stringify(Object.fromEntries(Object.entries(all).map(([path, { hash, s, f, b }]) => [path, { hash, s, f, b }])));
}

/**
 * Saves the counts of this process now and once more when it ends, if it is not killed before, for what runs only then.
 * @returns {void}
 */
export function keepCounts() {
  const name = randomUUID();
  saveCounts(countsText(), name);
  process.once('exit', () => {
    saveCounts(countsText(), name);
  });
}

/**
 * Saves counts in the folder that `GNOMON_COVERAGE` names; does nothing without it.
 * @param {string} text as {@link countsText} gives it
 * @param {string} [name] what was saved by this name is replaced
 * @returns {void}
 */
export function saveCounts(text, name = randomUUID()) {
  const folder = process.env['GNOMON_COVERAGE'];
  if (!folder) return;
  mkdirSync(join(folder, 'counts'), { recursive: true });
  writeFileSync(join(folder, 'counts', `${name}.json`), text);
}
