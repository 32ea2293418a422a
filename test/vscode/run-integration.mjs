/**
 * Runs suites inside the extension host of a real VS Code server, with a headless browser as its window.
 * `GNOMON_TEST_GREP` in the environment limits a run to tests with matching titles.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBrowser } from './browser.mjs';
import { workbenchUrl } from './extension.mjs';
import { followResults } from './results.mjs';
import { startVsCode } from './server.mjs';

/**
 * @typedef {object} IntegrationOptions
 * @property {string} extensionPath absolute path of the extension's folder
 * @property {readonly string[]} [others] absolute paths of the folders of more extensions
 * @property {string} testsPath absolute path of the module whose `run()` is executed
 * @property {string} [workspace] folder or `.code-workspace` file to open
 * @property {import('./settings.mjs').Settings} [settings] for the machine and the user
 * @property {NodeJS.ProcessEnv} [env] added to the environment of the extension host
 * @property {number} [timeoutMs] for the whole run, ten minutes when absent
 * @property {(line: string) => void} [print] receives each result; standard output when absent
 */

const TIMEOUT_MS = 10 * 60_000;
/** Milliseconds in which a busy machine has loaded the page. */
const PAGE_MS = 120_000;
const HOST_ENDED = /Extension Host Process exited with code/;

/**
 * Runs the suites.
 * @param {IntegrationOptions} options
 * @returns {Promise<import('./results.mjs').Summary>} also when tests failed
 * @throws {Error} when the run did not come to its end; its cause is the reason, its message ends with the server's log
 */
export async function runIntegration(options) {
  const folder = await mkdtemp(join(tmpdir(), 'gnomon-results-'));
  const file = join(folder, 'results.jsonl');
  const { settings = {}, env = {}, others = [] } = options;
  const { GNOMON_TEST_GREP = '', GNOMON_COVERAGE = '' } = process.env;
  const server = await startVsCode({ settings, others, builtin: 'used', env: { GNOMON_TEST_GREP, GNOMON_COVERAGE, ...env, GNOMON_TEST_RESULTS: file } });
  try {
    return await runIn(server, file, options);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @param {import('./server.mjs').Server} server
 * @param {string} file the report
 * @param {IntegrationOptions} options
 * @returns {Promise<import('./results.mjs').Summary>}
 */
async function runIn(server, file, { extensionPath, testsPath, workspace, timeoutMs = TIMEOUT_MS, print = console.log }) {
  const browser = await openBrowser({ isUnseen: true });
  /** @type {string[]} */
  const said = [];
  try {
    const page = await browser.newPage();
    page.on('console', (message) => said.push(message.text()));
    page.on('crash', () => said.push('The page crashed.'));
    const extension = /** @type {const} */ ({ kind: 'development', path: extensionPath });
    await page.goto(workbenchUrl({ server, extension, testsPath, ...(workspace ? { workspace } : {}) }), { timeout: PAGE_MS });
    const hasEnded = () => page.isClosed() || said.includes('The page crashed.') || HOST_ENDED.test(server.logTail(200));
    return await followResults({ file, timeoutMs, print, hasEnded });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const lastSaid = said.slice(-15).join('\n');
    throw new Error(`${reason}\n\nThe page said last:\n${lastSaid}\n\nThe server's log:\n${server.logTail()}`, { cause: error });
  } finally {
    await browser.close();
  }
}
