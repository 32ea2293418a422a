/**
 * Reads what `test/support/coverage` writes, and adds it up.
 */
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import libCoverage from 'istanbul-lib-coverage';
import { createSourceMapStore } from 'istanbul-lib-source-maps';

/** @typedef {import('istanbul-lib-coverage').FileCoverageData & { hash: string }} FileData */
/** @typedef {import('../../test/support/coverage/counts.mjs').Counts} Counts */

/**
 * What there is to count in the files of all suites, by their paths.
 * @param {readonly string[]} folders of suites
 * @returns {Promise<Map<string, FileData>>}
 */
export async function countedFiles(folders) {
  /** @type {Map<string, FileData>} */
  const files = new Map();
  for await (const file of jsonFiles(folders, 'files')) files.set(file.path, file);
  return files;
}

/**
 * What of that has run in some suites together.
 * @param {ReadonlyMap<string, FileData>} files
 * @param {readonly string[]} folders of the suites
 * @returns {Promise<import('istanbul-lib-coverage').CoverageMap>}
 * @throws {Error} when a suite counted something else in a file than is known of it
 */
export async function coverageOf(files, folders) {
  const sums = structuredClone(files);
  for await (const counts of jsonFiles(folders, 'counts')) {
    for (const [path, each] of Object.entries(counts)) {
      const sum = sums.get(path);
      if (sum === undefined || sum.hash !== each.hash) throw new Error(`The suites did not run the same ${path}. Measure them again.`);
      add(sum, each);
    }
  }
  return createSourceMapStore().transformCoverage(libCoverage.createCoverageMap(Object.fromEntries(sums)));
}

/**
 * @param {FileData} sum is changed
 * @param {Counts} counts
 */
function add(sum, { s, f, b }) {
  for (const [id, count] of Object.entries(s)) sum.s[id] = (sum.s[id] ?? 0) + count;
  for (const [id, count] of Object.entries(f)) sum.f[id] = (sum.f[id] ?? 0) + count;
  for (const [id, ways] of Object.entries(b)) sum.b[id] = ways.map((count, way) => (sum.b[id]?.[way] ?? 0) + count);
}

/**
 * @param {readonly string[]} folders
 * @param {string} name of a folder in each of them
 * @returns {AsyncGenerator<any, void>} what is in the files of those folders
 */
async function* jsonFiles(folders, name) {
  for (const folder of folders) {
    for (const file of await readdir(join(folder, name)).catch(() => [])) yield JSON.parse(await readFile(join(folder, name, file), 'utf8'));
  }
}
