/**
 * The conformance suite of the Model Context Protocol, run against the product's own client: every scenario that the two revisions
 * require of clients, with no failure expected.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { ensureVsCode } from '../vscode/install.mjs';
import { parseJson } from '../vscode/json.mjs';
import { ensureSuites } from './install.mjs';

/** The newest revision with a frozen list of requirements. */
export const NEWEST_REVISION = '2026-07-28';
/** All that have one. */
export const REVISIONS = ['2025-11-25', NEWEST_REVISION];
/** Milliseconds for one scenario, on a machine with much else to do. */
const TIMEOUT_MS = 120_000;
const CLIENT = resolve('.bench/conformance-client.mjs');

/** @typedef {{ status: string, id: string, description?: string, errorMessage?: string }} Check */
/** @typedef {{ revision: string, scenario: string, passed: number, failed: readonly Check[], output: string, exitCode: number, ms: number }} Result */
/** @typedef {{ node: string, suite: string }} Programs what runs the suite, and the folder of the suite */

/**
 * Runs scenarios.
 * @param {object} wish
 * @param {readonly string[]} [wish.only] their names; all when there is none
 * @param {readonly string[]} [wish.revisions] whose scenarios to run; of all when there is none
 * @param {number} wish.workers scenarios at a time
 * @returns {Promise<Result[]>} in the order of the scenarios
 */
export async function runScenarios({ only = [], revisions = REVISIONS, workers }) {
  await build({
    entryPoints: ['test/conformance/client.ts'],
    outfile: CLIENT,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  });
  const [{ node }, { suite }] = await Promise.all([ensureVsCode(), ensureSuites()]);
  const wanted = (await Promise.all(revisions.map(async (revision) => (await requiredOf(suite, revision)).map((scenario) => ({ revision, scenario }))))).flat();
  return inParallel(
    wanted.filter(({ scenario }) => only.length === 0 || only.includes(scenario)),
    { node, suite },
    workers,
  );
}

/**
 * Whether a scenario passed: it has to have checked something.
 * @param {Result} result
 */
export function holds({ passed, failed, exitCode }) {
  return exitCode === 0 && failed.length === 0 && passed > 0;
}

/**
 * @param {string} folder of the suite
 * @param {string} revision
 * @returns {Promise<string[]>} the scenarios that it requires of clients; the file is YAML of a form that needs no parser
 */
async function requiredOf(folder, revision) {
  const text = await readFile(join(folder, 'requirements', `${revision}.yaml`), 'utf8');
  const list = /^client:\n((?: {2}- .+\n)+)/m.exec(text)?.[1];
  if (list === undefined) throw new Error(`There are no requirements of clients for ${revision}.`);
  return list
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^ {2}- /, ''));
}

/**
 * @param {readonly { revision: string, scenario: string }[]} scenarios
 * @param {Programs} programs
 * @param {number} workers
 * @returns {Promise<Result[]>} in the order of the scenarios
 */
async function inParallel(scenarios, programs, workers) {
  /** @type {Result[]} */
  const done = [];
  let next = 0;
  const work = async () => {
    for (let index = next++; index < scenarios.length; index = next++) {
      const each = scenarios[index];
      if (each !== undefined) done[index] = await runScenario(each, programs);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return done;
}

/**
 * @param {{ revision: string, scenario: string }} wanted
 * @param {Programs} programs
 * @returns {Promise<Result>}
 */
async function runScenario({ revision, scenario }, { node, suite }) {
  const start = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'gnomon-conformance-'));
  try {
    const args = [
      join(suite, 'dist', 'index.js'),
      'client',
      '--command',
      `${node} ${CLIENT}`,
      '--scenario',
      scenario,
      '--spec-version',
      revision,
      '--timeout',
      String(TIMEOUT_MS),
      '--output-dir',
      folder,
    ];
    const { exitCode, output } = await outputOf(node, args);
    const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('checks.json'));
    /** @type {Check[]} */
    const checks = (await Promise.all(files.map(async (name) => /** @type {Check[]} */ (parseJson(await readFile(join(folder, name), 'utf8')))))).flat();
    const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
    return { revision, scenario, passed: checks.filter(({ status }) => status === 'SUCCESS').length, failed, output, exitCode, ms: performance.now() - start };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} node
 * @param {readonly string[]} args
 * @returns {Promise<{ exitCode: number, output: string }>}
 */
function outputOf(node, args) {
  return new Promise((done, fail) => {
    const child = spawn(node, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    child.once('error', fail);
    child.once('close', (code) => done({ exitCode: code ?? 1, output }));
  });
}
