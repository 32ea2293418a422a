/**
 * The stages of `npm test`: what each needs, and what it runs.
 */
import { readFile } from 'node:fs/promises';
import { exitCode } from '../run.mjs';
import { runConformance, runInExtensionHost, runVitest } from './suites.mjs';

/** @typedef {import('./result.mjs').TestResult} TestResult */
/** @typedef {import('./suites.mjs').Wish} Wish */

/**
 * A stage.
 * @typedef {object} Stage
 * @property {string} name
 * @property {0 | 1 | 2} workers processes that it keeps busy; 0 where it mostly waits, for what a user would see, and never has to wait itself
 * @property {number} budget seconds that it may take within a whole run on two cores
 * @property {boolean} [yields] whether it only computes, and lets those that wait for something have the processor first
 * @property {readonly string[]} [after] names of the stages whose results it needs
 * @property {(wish: Wish) => Promise<readonly TestResult[]>} run
 */

/** @type {{ scripts: Record<string, string> }} */
const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));

/**
 * In the order in which they begin: what waits most first, so that what computes fills the gaps.
 * @type {readonly Stage[]}
 */
export const STAGES = [
  { name: 'build', workers: 1, budget: 40, run: (wish) => check('build', 'node scripts/package.mjs --tests', wish) },
  { name: 'e2e', workers: 0, budget: 660, after: ['build'], run: (wish) => runVitest('e2e', wish) },
  { name: 'panel', workers: 1, budget: 420, after: ['build'], run: (wish) => runVitest('panel', { ...wish, workers: wish.alone ? undefined : 1 }) },
  { name: 'integration', workers: 1, budget: 120, after: ['build'], run: runInExtensionHost },
  { name: 'lint', workers: 1, budget: 100, yields: true, run: script('lint') },
  { name: 'types', workers: 1, budget: 90, yields: true, run: script('types') },
  { name: 'conformance', workers: 1, budget: 100, run: (wish) => runConformance({ ...wish, workers: 1 }) },
  { name: 'fuzz', workers: 1, budget: 110, yields: true, run: (wish) => runVitest('fuzz', wish) },
  { name: 'deps', workers: 1, budget: 40, yields: true, run: script('deps') },
  { name: 'unused', workers: 1, budget: 40, yields: true, run: script('unused') },
  { name: 'unit', workers: 2, budget: 400, yields: true, run: (wish) => runVitest('unit', wish) },
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
async function check(name, commands, { print, yields }) {
  const start = performance.now();
  for (const command of commands.split(' && ')) {
    const [program = '', ...args] = command.split(' ');
    if ((await exitCode(program, args, { print, yields })) !== 0) return [{ name, passed: false, ms: performance.now() - start }];
  }
  return [{ name, passed: true, ms: performance.now() - start }];
}
