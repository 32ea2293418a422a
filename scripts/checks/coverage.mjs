/**
 * Measures which lines and branches of `src` and `webview` the suites run, each of them and all together.
 *
 *     node scripts/checks/coverage.mjs [unit] [integration] [panel]
 *
 * Suites that are not named stay as they were measured last, so they can be measured one by one; all must have run the
 * same code.
 *
 * Prints a table. In test-results/coverage are then the totals (summary.json), a report to look at (html/index.html) and
 * one for other tools (lcov.info). Exits with 1 if a test failed, and still measures what ran.
 */
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import libReport from 'istanbul-lib-report';
import reports from 'istanbul-reports';
import { countedFiles, coverageOf } from './coverage-counts.mjs';
import { exitCode, run } from '../run.mjs';

/** @typedef {import('istanbul-lib-coverage').CoverageMap} CoverageMap */
/** @typedef {{ total: number, covered: number, percent: number }} Share */

const SUITES = ['unit', 'integration', 'panel'];
const FOLDER = resolve('test-results/coverage');

const named = process.argv.slice(2);
const unknown = named.filter((name) => !SUITES.includes(name));
if (unknown.length > 0) {
  console.error(`There is no suite ${unknown.join(', ')}. The suites are ${SUITES.join(', ')}.`);
  process.exit(2);
}
const suites = SUITES.filter((name) => named.length === 0 || named.includes(name));

const failed = [];
for (const suite of suites) {
  await rm(rawFolder(suite), { recursive: true, force: true });
  const code = await exitCode('node', ['scripts/checks/test.mjs', suite], { env: { ...process.env, GNOMON_COVERAGE: rawFolder(suite) } });
  if (code !== 0) failed.push(suite);
}
// The bundles with counters do not stay.
await run('node', ['esbuild.mjs', '--tests']);
await report(SUITES.filter((suite) => existsSync(rawFolder(suite))));
if (failed.length > 0) console.error(`Tests failed: ${failed.join(', ')}. What ran before they failed is in the figures.`);
process.exit(failed.length === 0 ? 0 : 1);

/**
 * @param {string} suite
 * @returns {string} where its counts are
 */
function rawFolder(suite) {
  return resolve(FOLDER, 'raw', suite);
}

/**
 * Writes the reports and prints the table.
 * @param {readonly string[]} measured the suites that were measured
 */
async function report(measured) {
  const files = await countedFiles(measured.map(rawFolder));
  /** @type {Record<string, ReturnType<typeof totals>>} */
  const summary = {};
  for (const suite of measured) summary[suite] = totals(await coverageOf(files, [rawFolder(suite)]));
  const together = await coverageOf(files, measured.map(rawFolder));
  summary['together'] = totals(together);
  await writeFile(resolve(FOLDER, 'summary.json'), `${JSON.stringify(summary, null, 2)}\n`);
  const context = libReport.createContext({ dir: FOLDER, coverageMap: together });
  reports.create('lcovonly').execute(context);
  reports.create('html', { subdir: 'html' }).execute(context);
  console.log(`\n${['suite'.padEnd(12), ...['lines', 'branches'].map((name) => name.padEnd(26))].join('')}`);
  for (const [suite, { lines, branches }] of Object.entries(summary)) console.log(`${suite.padEnd(12)}${cell(lines)}${cell(branches)}`);
}

/**
 * @param {CoverageMap} coverage
 * @returns {{ lines: Share, branches: Share }}
 */
function totals(coverage) {
  const { lines, branches } = coverage.getCoverageSummary();
  return { lines: share(lines), branches: share(branches) };
}

/**
 * @param {import('istanbul-lib-coverage').Totals} totals
 * @returns {Share}
 */
function share({ total, covered, pct }) {
  return { total, covered, percent: pct };
}

/**
 * @param {Share} share
 * @returns {string}
 */
function cell({ total, covered, percent }) {
  return `${`${percent.toFixed(2)} %`.padStart(8)}  ${covered}/${total}`.padEnd(26);
}
