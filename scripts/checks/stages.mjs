/**
 * The stages of `npm test`: what each needs, and what it runs.
 */
import { mkdir } from 'node:fs/promises';
import { exitCode } from '../run.mjs';
import { runInExtensionHost, runVitest } from './suites.mjs';

/** @typedef {import('./result.mjs').TestResult} TestResult */
/** @typedef {import('./suites.mjs').Wish} Wish */

/**
 * A stage.
 * @typedef {object} Stage
 * @property {string} name
 * @property {1 | 2} cores that it keeps busy: what needs two runs alone on a machine with two
 * @property {readonly string[]} [after] names of the stages whose results it needs
 * @property {(wish: Wish) => Promise<readonly TestResult[]>} run
 */

/** What a program has worked out, for its next run; thrown away with the packages. */
const CACHE = 'node_modules/.cache';

/** @param {string} config @returns {string[]} the command line that checks the types of a project, and only what has changed */
const tsc = (config) => ['tsc', '-p', config, '--incremental', '--tsBuildInfoFile', `${CACHE}/tsc/${config.replaceAll(/\W+/g, '-')}.tsbuildinfo`];

/** @type {readonly Stage[]} */
export const STAGES = [
  { name: 'build', cores: 1, run: (wish) => check('build', [['node', 'scripts/package.mjs', '--tests']], wish) },
  { name: 'types', cores: 1, run: (wish) => check('types', [tsc('.'), tsc('test'), tsc('scripts'), ['svelte-check', '--tsconfig', 'webview/tsconfig.json', '--fail-on-warnings']], wish) },
  { name: 'lint', cores: 1, run: (wish) => check('lint', [['eslint', '--max-warnings', '0', '--cache', '--cache-strategy', 'content', '--cache-location', `${CACHE}/eslint/`, '.']], wish) },
  { name: 'deps', cores: 1, run: (wish) => check('deps', [['depcruise', '--config', '.dependency-cruiser.cjs', 'src', 'webview']], wish) },
  { name: 'unused', cores: 1, run: (wish) => check('unused', [['knip']], wish) },
  { name: 'integration', cores: 1, after: ['build'], run: runInExtensionHost },
  { name: 'unit', cores: 2, run: (wish) => runVitest('unit', wish) },
  { name: 'panel', cores: 2, after: ['build'], run: (wish) => runVitest('panel', wish) },
  { name: 'e2e', cores: 2, after: ['build'], run: (wish) => runVitest('e2e', wish) },
];

/**
 * Runs programs one after the other, up to the first that fails.
 * @param {string} name of the check
 * @param {readonly string[][]} commands
 * @param {Wish} wish
 * @returns {Promise<TestResult[]>} one
 */
async function check(name, commands, { print }) {
  await mkdir(CACHE, { recursive: true });
  const start = performance.now();
  for (const [program = '', ...args] of commands) {
    if ((await exitCode(program, args, { print })) !== 0) return [{ name, passed: false, ms: performance.now() - start }];
  }
  return [{ name, passed: true, ms: performance.now() - start }];
}
