/**
 * The suites of tests: each runs to its end and says what became of every test.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { runIntegration } from '../../test/vscode/run-integration.mjs';
import { copySampleWorkspace } from '../../test/vscode/sample-workspace.mjs';
import { runAcpAdapter } from '../../test/conformance/acp-adapter/drive.mjs';
import { runAgentSdk } from '../../test/conformance/agent-sdk/drive.mjs';
import { holds, NEWEST_REVISION, runScenarios } from '../../test/conformance/scenarios.mjs';
import { exitCode } from '../run.mjs';

/** @typedef {import('./result.mjs').TestResult} TestResult */

/**
 * Which tests, and where their output goes.
 * @typedef {object} Wish
 * @property {(chunk: string) => void} print
 * @property {string} [file] part of the path of the test files; all when absent
 * @property {boolean} alone whether no other stage runs beside this one
 * @property {number | undefined} [workers] processes at a time; the suite's own number when absent
 * @property {string} [case] a regular expression that the names of the tests match; all when absent
 */

/**
 * What vitest writes with its JSON reporter, as far as it is read here.
 * @typedef {object} VitestReport
 * @property {{ name: string, status: string, message: string, assertionResults: { fullName: string, status: string, duration?: number, failureMessages?: string[] }[] }[]} testResults
 */

/**
 * Runs a project of vitest.config.ts.
 * @param {string} project
 * @param {Wish} wish
 * @returns {Promise<TestResult[]>}
 */
export async function runVitest(project, { print, workers, file, case: name }) {
  const folder = await mkdtemp(join(tmpdir(), 'gnomon-vitest-'));
  const outputFile = join(folder, 'results.json');
  const env = workers === undefined ? process.env : { ...process.env, GNOMON_WORKERS: String(workers) };
  const filters = [...(file === undefined ? [] : [file]), ...(name === undefined ? [] : ['-t', name])];
  try {
    const code = await exitCode(
      'vitest',
      ['run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`, ...filters],
      { env, print },
    );
    const { testResults } = /** @type {VitestReport} */ (JSON.parse(await readFile(outputFile, 'utf8')));
    const tests = testResults.flatMap(fileResults);
    // An error outside of every test, or in the preparation of the run, fails none.
    return code === 0 || tests.some(({ passed }) => !passed) ? tests : [...tests, { name: `vitest ended with exit code ${code}`, passed: false, ms: 0 }];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @param {VitestReport['testResults'][number]} file
 * @returns {TestResult[]} a failure also for a file that could not be loaded
 */
function fileResults({ name, status, message, assertionResults }) {
  const path = relative(process.cwd(), name);
  const done = assertionResults.filter((test) => test.status === 'passed' || test.status === 'failed');
  const tests = done.map(({ fullName, duration = 0, failureMessages = [], ...test }) => {
    const result = { name: `${path} › ${fullName}`, passed: test.status === 'passed', ms: duration };
    return result.passed ? result : { ...result, why: stripVTControlCharacters(failureMessages.join('\n')) };
  });
  return status === 'failed' && tests.every(({ passed }) => passed)
    ? [...tests, { name: path, passed: false, ms: 0, why: stripVTControlCharacters(message) }]
    : tests;
}

/**
 * Runs the suites for the extension host: in a workspace of one folder, and in one of two.
 * @param {Wish} wish
 * @returns {Promise<TestResult[]>}
 */
export async function runInExtensionHost(wish) {
  const workspace = await copySampleWorkspace();
  try {
    const one = await inHost('index', workspace.folder, wish);
    const two = await inHost('index-multi-root', await twoFolders(workspace.folder), wish);
    return [...one, ...two];
  } finally {
    await workspace.remove();
  }
}

/**
 * Runs what the newest revision of the Model Context Protocol has in its conformance suite against the client, and has the official Agent SDK drive the
 * program without a window.
 * @param {Wish} wish
 * @returns {Promise<TestResult[]>}
 */
export async function runConformance({ print, alone }) {
  const workers = alone ? availableParallelism() : 1;
  const results = scenarioResults(await runScenarios({ revisions: [NEWEST_REVISION], workers }), print);
  const driven = await runAgentSdk({ workers });
  for (const { name, why } of driven) if (why !== undefined) print(`${name}: ${why}\n`);
  return [...results, ...driven.map(({ name, ...result }) => ({ name: `K-01 › ${name}`, ...result }))];
}

/**
 * Runs what all revisions have in it.
 * @param {Wish} wish
 * @returns {Promise<TestResult[]>}
 */
export async function runAllScenarios({ print, alone }) {
  return scenarioResults(await runScenarios({ workers: alone ? availableParallelism() : 1 }), print);
}

/**
 * @param {readonly import('../../test/conformance/scenarios.mjs').Result[]} results
 * @param {Wish['print']} print takes what the scenarios that failed wrote
 * @returns {TestResult[]}
 */
function scenarioResults(results, print) {
  for (const result of results) if (!holds(result)) print(`${result.revision} ${result.scenario}: ${JSON.stringify(result.failed)}\n${result.output}\n`);
  return results.map((result) => ({ name: `M-01 ${result.revision} › ${result.scenario}`, passed: holds(result), ms: result.ms }));
}

/**
 * Has an editor drive the program without a window through another program’s adapter.
 * @param {Wish} wish
 * @returns {Promise<TestResult[]>}
 */
export async function runAdapter({ print }) {
  const driven = await runAcpAdapter();
  for (const { name, why } of driven) if (why !== undefined) print(`${name}: ${why}\n`);
  return driven.map(({ name, ...result }) => ({ name: `K-22 › ${name}`, ...result }));
}

/**
 * @param {string} suite
 * @param {string} workspace
 * @param {Wish} wish
 * @returns {Promise<TestResult[]>}
 */
async function inHost(suite, workspace, { print, case: name }) {
  const { tests } = await runIntegration({
    extensionPath: process.cwd(),
    others: ['model-extension', 'api-extension', 'tools-extension'].map((other) => join(process.cwd(), 'test/fixtures', other)),
    testsPath: join(process.cwd(), 'dist-test/integration', `${suite}.js`),
    workspace,
    env: name === undefined ? {} : { GNOMON_TEST_GREP: name },
    print: (line) => print(`${line}\n`),
  });
  return tests;
}

/**
 * Makes a workspace of two folders that have files of the same name.
 * @param {string} folder a folder of the test's own
 * @returns {Promise<string>} the workspace file
 */
async function twoFolders(folder) {
  const names = ['one', 'two'];
  for (const name of names) {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, 'same.txt'), `${name}\n`);
  }
  const file = join(folder, 'two.code-workspace');
  await writeFile(file, JSON.stringify({ folders: names.map((path) => ({ path })) }));
  return file;
}
