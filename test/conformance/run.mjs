/**
 * Runs the conformance suite of the Model Context Protocol against the product's own client: every scenario that the two revisions
 * require of clients, with no failure expected. Arguments: names of scenarios to limit it to.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { ensureVsCode } from '../vscode/install.mjs';
import { parseJson } from '../vscode/json.mjs';
import { ensureSuite } from './install.mjs';

/** The revisions with a frozen list of requirements. */
const REVISIONS = ['2025-11-25', '2026-07-28'];
/** Milliseconds for one scenario, on a machine with much else to do. */
const TIMEOUT_MS = 120_000;
const CLIENT = resolve('.bench/conformance-client.mjs');

/** @typedef {{ status: string, id: string, description?: string, errorMessage?: string }} Check */
/** @typedef {{ revision: string, scenario: string, passed: number, failed: readonly Check[], output: string, exitCode: number }} Result */

const only = process.argv.slice(2);
await build({ entryPoints: ['test/conformance/client.ts'], outfile: CLIENT, bundle: true, format: 'esm', platform: 'node', target: 'node20', packages: 'external', logLevel: 'error' });
const [{ node }, suite] = await Promise.all([ensureVsCode(), ensureSuite()]);
const wanted = (await Promise.all(REVISIONS.map(async (revision) => (await requiredOf(suite, revision)).map((scenario) => ({ revision, scenario }))))).flat();
const results = await inParallel(wanted.filter(({ scenario }) => only.length === 0 || only.includes(scenario)));
report(results);

/**
 * @param {string} folder of the suite
 * @param {string} revision
 * @returns {Promise<string[]>} the scenarios that it requires of clients; the file is YAML of a form that needs no parser
 */
async function requiredOf(folder, revision) {
  const text = await readFile(join(folder, 'requirements', `${revision}.yaml`), 'utf8');
  const list = /^client:\n((?: {2}- .+\n)+)/m.exec(text)?.[1];
  if (list === undefined) throw new Error(`There are no requirements of clients for ${revision}.`);
  return list.trimEnd().split('\n').map((line) => line.replace(/^ {2}- /, ''));
}

/**
 * @param {readonly { revision: string, scenario: string }[]} scenarios
 * @returns {Promise<Result[]>} in the order of the scenarios
 */
async function inParallel(scenarios) {
  /** @type {Result[]} */
  const done = [];
  let next = 0;
  const work = async () => {
    for (let index = next++; index < scenarios.length; index = next++) {
      const each = scenarios[index];
      if (each !== undefined) done[index] = await runScenario(each.revision, each.scenario);
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));
  return done;
}

/**
 * @param {string} revision
 * @param {string} scenario
 * @returns {Promise<Result>}
 */
async function runScenario(revision, scenario) {
  const folder = await mkdtemp(join(tmpdir(), 'gnomon-conformance-'));
  try {
    const args = [join(suite, 'dist', 'index.js'), 'client', '--command', `${node} ${CLIENT}`, '--scenario', scenario, '--spec-version', revision, '--timeout', String(TIMEOUT_MS), '--output-dir', folder];
    const { exitCode, output } = await outputOf(args);
    const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('checks.json'));
    /** @type {Check[]} */
    const checks = (await Promise.all(files.map(async (name) => /** @type {Check[]} */ (parseJson(await readFile(join(folder, name), 'utf8')))))).flat();
    const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
    return { revision, scenario, passed: checks.filter(({ status }) => status === 'SUCCESS').length, failed, output, exitCode };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @param {readonly string[]} args
 * @returns {Promise<{ exitCode: number, output: string }>}
 */
function outputOf(args) {
  return new Promise((done, fail) => {
    const child = spawn(node, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    child.once('error', fail);
    child.once('close', (code) => done({ exitCode: code ?? 1, output }));
  });
}

/**
 * Whether a scenario passed: it has to have checked something.
 * @param {Result} result
 */
function holds({ passed, failed, exitCode }) {
  return exitCode === 0 && failed.length === 0 && passed > 0;
}

/** @param {readonly Result[]} all */
function report(all) {
  const width = Math.max(...all.map(({ scenario }) => scenario.length));
  for (const revision of REVISIONS) {
    const own = all.filter((result) => result.revision === revision);
    if (own.length === 0) continue;
    console.log(`\n${revision}: ${own.filter(holds).length} of ${own.length} scenarios`);
    for (const result of own) {
      console.log(`  ${holds(result) ? 'passed' : 'FAILED'}  ${result.scenario.padEnd(width)}  ${result.passed} checks`);
      if (holds(result)) continue;
      for (const { id, description, errorMessage } of result.failed) console.log(`          ${id}: ${errorMessage ?? description ?? ''}`);
      if (result.failed.length === 0) console.log(result.output.trimEnd().replace(/^/gm, '          '));
    }
  }
  const passed = all.filter(holds).length;
  console.log(`\n${passed} passed, ${all.length - passed} failed`);
  process.exitCode = passed === all.length && passed > 0 ? 0 : 1;
}
