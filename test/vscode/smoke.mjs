/**
 * Tries every part of the harness with a tiny extension of its own: `node test/vscode/smoke.mjs`.
 * Leaves its screenshots in `test-results/`. To try a cold install too, set `GNOMON_VSCODE_CACHE` to an empty folder.
 */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVSIX } from '@vscode/vsce';
import { storedMementos } from './browser-storage.mjs';
import { openBrowser } from './browser.mjs';
import { workbenchUrl } from './extension.mjs';
import { runIntegration } from './run-integration.mjs';
import { startVsCode } from './server.mjs';
import { writeSmokeExtension } from './smoke-extension.mjs';
import { waitFor } from './wait.mjs';
import { Workbench } from './workbench.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OWN = { extensionId: 'gnomon-smoke.tiny' };

/** @typedef {Awaited<ReturnType<typeof writeSmokeExtension>>} Smoke */

/** Must not be seen by the extension: the harness hands no keys on. */
process.env['ANTHROPIC_API_KEY'] = 'must-not-leak';

await mkdir(join(ROOT, 'test-results'), { recursive: true });
const folder = await mkdtemp(join(ROOT, 'test-results', 'smoke-'));
try {
  const smoke = await writeSmokeExtension(folder);
  await step('clicks, commands, files, reload', () => clickThrough(smoke));
  await step('closing VS Code and opening it again', () => closeAndReopen(smoke));
  await step('an installed package, with toasts and a connection token', () => installPackage(smoke));
  await step('suites in the extension host', () => runSuites(smoke));
  await step('a host that dies is noticed', () => noticeDeath(smoke));
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log('5 passed, 0 failed');

/**
 * @param {string} name
 * @param {() => Promise<void>} action
 */
async function step(name, action) {
  const started = Date.now();
  await action();
  console.log(`✓ ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}

/** @param {Smoke} smoke */
async function clickThrough({ extension: path, workspace }) {
  const server = await startVsCode({ settings: { 'editor.minimap.enabled': false } });
  const browser = await openBrowser();
  try {
    const workbench = new Workbench(await browser.newPage(), OWN);
    await workbench.open(workbenchUrl({ server, workspace, extension: { kind: 'development', path } }));
    await workbench.openFile('src/greet.ts');
    assert.equal(await workbench.editor.text(), 'export const greeting = "hello";\n');
    await count(workbench, '1');
    await workbench.runCommand('Tiny: Say Hello');
    const hello = await workbench.notification(/Hello from 1\.\d+\.\d+, key none/);
    await workbench.screenshot('smoke-workbench');
    await hello.getByRole('button', { name: 'Fine' }).click();
    await workbench.reload();
    await workbench.webview().getByRole('status').filter({ hasText: '1' }).waitFor();
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** @param {Smoke} smoke */
async function closeAndReopen({ extension: path, workspace }) {
  const extension = /** @type {const} */ ({ kind: 'development', path });
  const persistentDir = join(folder, 'browser');
  const first = await startVsCode();
  await inBrowser(persistentDir, async (workbench) => {
    await workbench.open(workbenchUrl({ server: first, workspace, extension }));
    await count(workbench, '1');
    const stored = async () => (await storedMementos(workbench.page, OWN.extensionId)).includes('"count":1');
    await waitFor(stored, { what: 'the stored count', timeoutMs: 30_000 });
  });
  await first.stop();
  await assert.rejects(fetch(`${first.url}/version`), 'the first server is gone');
  const second = await startVsCode({ port: first.port, dataDir: first.dataDir });
  await inBrowser(persistentDir, async (workbench) => {
    await workbench.open(workbenchUrl({ server: second, workspace, extension }));
    await count(workbench, '2');
  });
  await second.kill9();
  await assert.rejects(fetch(`${second.url}/version`), 'the second server is gone');
}

/** @param {Smoke} smoke */
async function installPackage({ extension: cwd, workspace }) {
  const path = join(folder, 'tiny.vsix');
  await writeFile(join(cwd, 'LICENSE'), 'None.');
  await createVSIX({ cwd, packagePath: path, dependencies: false, allowMissingRepository: true });
  const extension = /** @type {const} */ ({ kind: 'vsix', path });
  const server = await startVsCode({ extension, connectionToken: 'secret', env: { ANTHROPIC_API_KEY: 'given' } });
  await inBrowser(join(folder, 'other-browser'), async (workbench) => {
    await workbench.open(workbenchUrl({ server, workspace, extension }));
    await workbench.runCommand('Tiny: Say Hello');
    await workbench.notification('key given');
    assert.ok(await workbench.page.locator('.notifications-toasts').isVisible(), 'it is a toast');
    await workbench.reload();
    await count(workbench, '1');
    await workbench.screenshot('smoke-package');
  });
  await server.stop();
}

/** @param {Smoke} smoke */
async function runSuites({ extension: extensionPath, tests: testsPath, workspace }) {
  const options = { extensionPath, testsPath, workspace };
  const { passed, failed, skipped } = await runIntegration(options);
  assert.deepEqual({ passed, failed, skipped }, { passed: 2, failed: 0, skipped: 1 });
  const { failures } = await runIntegration({ ...options, env: { SMOKE_FAIL: '1' } });
  assert.deepEqual(
    failures.map(({ title }) => title),
    ['The tiny extension fails on demand'],
  );
}

/** @param {Smoke} smoke */
async function noticeDeath({ extension: extensionPath, tests: testsPath, workspace }) {
  const run = runIntegration({ extensionPath, testsPath, workspace, env: { SMOKE_CRASH: '1' } });
  await assert.rejects(run, /extension host ended/);
}

/**
 * @param {Workbench} workbench
 * @param {string} expected what the view shows after a click
 */
async function count(workbench, expected) {
  await workbench.openView('Tiny');
  await workbench.webview().getByRole('button', { name: 'Count' }).click();
  await workbench.webview().getByRole('status').filter({ hasText: expected }).waitFor();
}

/**
 * @param {string} persistentDir
 * @param {(workbench: Workbench) => Promise<void>} action
 */
async function inBrowser(persistentDir, action) {
  const browser = await openBrowser({ persistentDir });
  try {
    await action(new Workbench(await browser.newPage(), OWN));
  } finally {
    await browser.close();
  }
}
