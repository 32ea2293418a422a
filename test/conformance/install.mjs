/**
 * Installs what others test with, once per machine and version, into the user's cache folder: the conformance suite, and the Agent SDK.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmCli, npmEnvironment } from '../../scripts/npm.mjs';
import { cacheFolder } from '../vscode/cache.mjs';
import { run } from '../vscode/command.mjs';
import { withLock } from '../vscode/lock.mjs';
import { logToStderr, withHeartbeat } from '../vscode/log.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const MANIFEST = ['package.json', 'package-lock.json', '.npmrc'];
/** Written last: a folder without it holds an install that did not finish. */
const MARKER = 'installed';
const INSTALL_TIMEOUT_MS = 5 * 60_000;

/**
 * Makes sure that it is installed. The first call on a machine takes a few seconds and 80 MB.
 * @returns {Promise<{ suite: string, agentSdk: string }>} folders: `dist/index.js` of the suite runs it, and its `requirements` has the lists of
 * scenarios; `sdk.mjs` and `sdk.d.ts` are the Agent SDK and its types
 * @throws {Error} when npm fails
 */
export async function ensureSuites() {
  const hash = createHash('sha256');
  for (const file of MANIFEST) hash.update(await readFile(join(HERE, file)));
  const folder = join(cacheFolder(), `conformance-${hash.digest('hex').slice(0, 12)}`);
  await mkdir(cacheFolder(), { recursive: true });
  if (!isInstalled(folder)) {
    const onWait = () => logToStderr('Waiting for another install of the conformance suites.');
    await withLock({ path: `${folder}.lock`, timeoutMs: INSTALL_TIMEOUT_MS, onWait }, () => install(folder));
  }
  const modules = join(folder, 'node_modules');
  return { suite: join(modules, '@modelcontextprotocol', 'conformance'), agentSdk: join(modules, '@anthropic-ai', 'claude-agent-sdk') };
}

/**
 * Installs beside the final place and moves the result there, so that nobody ever sees half an install.
 * @param {string} folder the final place
 */
async function install(folder) {
  if (isInstalled(folder)) return;
  const partial = `${folder}.partial-${process.pid}`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  for (const file of MANIFEST) await copyFile(join(HERE, file), join(partial, file));
  await withHeartbeat({ log: logToStderr, label: 'Downloading the conformance suites (once per machine)' }, () =>
    run([process.execPath, npmCli(), 'ci', '--ignore-scripts', '--omit=optional', '--engine-strict=false'], {
      logFile: join(partial, 'install.log'),
      cwd: partial,
      env: npmEnvironment(),
    }),
  );
  await writeFile(join(partial, MARKER), '');
  await rm(folder, { recursive: true, force: true });
  await rename(partial, folder);
}

/** @param {string} folder */
function isInstalled(folder) {
  return existsSync(join(folder, MARKER));
}
