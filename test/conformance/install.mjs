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
 * Makes sure that the suites of `npm test` are installed. The first call on a machine takes a few seconds and 80 MB.
 * @returns {Promise<{ suite: string, agentSdk: string }>} folders: `dist/index.js` of the suite runs it, and its `requirements` has the lists of
 * scenarios; `sdk.mjs` and `sdk.d.ts` are the Agent SDK and its types
 * @throws {Error} when npm fails
 */
export async function ensureSuites() {
  const modules = await ensureInstalled({ manifest: HERE, name: 'conformance' });
  return { suite: join(modules, '@modelcontextprotocol', 'conformance'), agentSdk: join(modules, '@anthropic-ai', 'claude-agent-sdk') };
}

/**
 * Makes sure that the packages of a manifest are installed.
 * @param {{ manifest: string, name: string }} wish the folder of the manifest and its lock file, and a name for the place in the cache
 * @returns {Promise<string>} their `node_modules`
 * @throws {Error} when npm fails
 */
export async function ensureInstalled({ manifest, name }) {
  const hash = createHash('sha256');
  for (const file of MANIFEST) hash.update(await readFile(join(manifest, file)));
  const folder = join(cacheFolder(), `${name}-${hash.digest('hex').slice(0, 12)}`);
  await mkdir(cacheFolder(), { recursive: true });
  if (!isInstalled(folder)) {
    const onWait = () => logToStderr(`Waiting for another install of ${name}.`);
    await withLock({ path: `${folder}.lock`, timeoutMs: INSTALL_TIMEOUT_MS, onWait }, () => install(folder, manifest));
  }
  return join(folder, 'node_modules');
}

/**
 * Installs beside the final place and moves the result there, so that nobody ever sees half an install.
 * @param {string} folder the final place
 * @param {string} manifest the folder of the manifest
 */
async function install(folder, manifest) {
  if (isInstalled(folder)) return;
  const partial = `${folder}.partial-${process.pid}`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  for (const file of MANIFEST) await copyFile(join(manifest, file), join(partial, file));
  await withHeartbeat({ log: logToStderr, label: 'Downloading what others test with (once per machine)' }, () =>
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
