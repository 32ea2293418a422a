/**
 * Runs the same suites as `run-integration.mjs` in desktop VS Code.
 * The environment variable `VSCODE_EXECUTABLE` names the VS Code to use; without it the stable one is downloaded into
 * the folder `.vscode-test`.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { followResults } from './results.mjs';
import { writeSettings } from './settings.mjs';

const TIMEOUT_MS = 10 * 60_000;

/**
 * Runs the suites.
 * @param {import('./run-integration.mjs').IntegrationOptions} options
 * @returns {Promise<import('./results.mjs').Summary>} also when tests failed
 * @throws {Error} when VS Code cannot be had, or ends before the tests do
 */
export async function runDesktop(options) {
  const folder = await mkdtemp(join(tmpdir(), 'gnomon-desktop-'));
  const file = join(folder, 'results.jsonl');
  await writeSettings(folder, { settings: options.settings ?? {} });
  let ended = false;
  const program = launch(options, folder, file);
  const watched = program.finally(() => (ended = true));
  try {
    const { timeoutMs = TIMEOUT_MS, print = console.log } = options;
    const results = followResults({ file, timeoutMs, print, hasEnded: () => ended });
    const [summary] = await Promise.all([results, unlessReported(watched, file)]);
    return summary;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * @param {import('./run-integration.mjs').IntegrationOptions} options
 * @param {string} folder for VS Code's data
 * @param {string} file the report
 * @returns {Promise<number>} VS Code's status
 */
function launch({ extensionPath, others = [], testsPath, workspace, env = {} }, folder, file) {
  const executable = process.env['VSCODE_EXECUTABLE'];
  const data = ['--user-data-dir', join(folder, 'data'), '--extensions-dir', join(folder, 'extensions')];
  return runTests({
    ...(executable ? { vscodeExecutablePath: executable } : {}),
    extensionDevelopmentPath: [extensionPath, ...others],
    extensionTestsPath: testsPath,
    extensionTestsEnv: { ...env, GNOMON_TEST_RESULTS: file },
    launchArgs: [...(workspace ? [workspace] : []), ...data, '--disable-telemetry'],
  });
}

/**
 * VS Code ends with an error status when a test failed, which the report says better. Without a report it matters.
 * @param {Promise<number>} program
 * @param {string} file the report
 */
async function unlessReported(program, file) {
  try {
    await program;
  } catch (error) {
    if (!existsSync(file)) throw error;
  }
}
