/**
 * The stages of `npm test`: what each needs, and what it runs.
 */
import { readFile } from 'node:fs/promises';
import { exitCode } from '../run.mjs';
import { runAdapter, runAllScenarios, runConformance, runInExtensionHost, runVitest } from './suites.mjs';

/** @typedef {import('./result.mjs').TestResult} TestResult */
/** @typedef {import('./suites.mjs').Wish} Wish */

/**
 * A stage.
 * @typedef {object} Stage
 * @property {string} name
 * @property {1 | 2 | 3} workers that it keeps busy at a time
 * @property {number} budget seconds that it may take within a whole run on two cores
 * @property {readonly string[]} [after] names of the stages whose results it needs
 * @property {(wish: Wish) => Promise<readonly TestResult[]>} run
 */

/**
 * For programs in Go, such as the compiler and what checks with its types, where others have the rest of the machine: each thread would find out
 * the same types once more, and memory that is cleared up often takes time that nobody else has then.
 */
const ONE_CORE = { GOMAXPROCS: '1', GOGC: '200' };

/** @type {{ scripts: Record<string, string> }} */
const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));

/** @type {readonly Stage[]} */
export const STAGES = [
  { name: 'build', workers: 1, budget: 40, run: (wish) => check('build', 'node scripts/package.mjs --tests', wish) },
  { name: 'types', workers: 1, budget: 75, run: script('types') },
  { name: 'lint', workers: 1, budget: 90, run: script('lint') },
  { name: 'deps', workers: 1, budget: 30, run: script('deps') },
  { name: 'unused', workers: 1, budget: 40, run: script('unused') },
  { name: 'integration', workers: 1, budget: 130, after: ['build'], run: runInExtensionHost },
  // Beside other suites with one worker, early: it waits much, and takes longest.
  { name: 'panel', workers: 1, budget: 400, after: ['build'], run: (wish) => runVitest('panel', { ...wish, workers: wish.alone ? undefined : 1 }) },
  { name: 'unit', workers: 2, budget: 360, run: (wish) => runVitest('unit', wish) },
  { name: 'fuzz', workers: 1, budget: 40, run: (wish) => runVitest('fuzz', wish) },
  { name: 'conformance', workers: 1, budget: 120, run: runConformance },
  { name: 'e2e', workers: 3, budget: 450, after: ['build'], run: (wish) => runVitest('e2e', wish) },
];

/**
 * What `npm run test:soak` runs beside them: what takes too long to be installed for each run of `npm test`, or is seldom affected by a change.
 * @type {readonly Stage[]}
 */
export const SOAK_STAGES = [
  { name: 'scenarios', workers: 1, budget: 120, run: runAllScenarios },
  { name: 'adapter', workers: 1, budget: 120, run: runAdapter },
];

/**
 * @param {string} name of a check
 * @returns {Stage['run']} its script of package.json
 */
function script(name) {
  return (wish) => check(name, scripts[`check:${name}`] ?? '', wish);
}

/**
 * Runs programs one after the other, up to the first that fails.
 * @param {string} name of the check
 * @param {string} commands with `&&` between them
 * @param {Wish} wish
 * @returns {Promise<TestResult[]>} one
 */
async function check(name, commands, { print, alone }) {
  const start = performance.now();
  const env = alone ? process.env : { ...process.env, ...ONE_CORE };
  for (const command of commands.split(' && ')) {
    const [program = '', ...args] = command.split(' ');
    if ((await exitCode(program, args, { env, print })) !== 0) return [{ name, passed: false, ms: performance.now() - start }];
  }
  return [{ name, passed: true, ms: performance.now() - start }];
}
