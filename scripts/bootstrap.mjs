/**
 * Runs a script of this repository after making sure that its packages are installed. Needs Node.js and npm alone.
 *
 *     node scripts/bootstrap.mjs scripts/launch.mjs --port 8080
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseJson } from '../test/vscode/json.mjs';
import { npmCli, npmEnvironment } from './npm.mjs';

/** @typedef {{ packages: Record<string, { version?: string, optional?: boolean, link?: boolean }> }} Lock */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The oldest Node.js that the tools of this repository run on. */
const OLDEST = [20, 19];

const [script, ...rest] = process.argv.slice(2);
if (script === undefined) fail('Usage: node scripts/bootstrap.mjs SCRIPT [ARGUMENT …]', 2);
if (isTooOld(process.versions.node)) fail(`Node.js ${OLDEST.join('.')} or later is needed, this is ${process.version}.`, 1);
if (!isInstalled()) install();
process.argv = [process.argv[0] ?? '', resolve(script), ...rest];
await import(pathToFileURL(resolve(script)).href);

/**
 * @param {string} version such as "20.19.0"
 * @returns {boolean}
 */
function isTooOld(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST;
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}

/**
 * @returns {boolean} whether every package of the lock file is installed in its locked version; those that are optional
 *   may be missing, as the ones for other systems are
 */
function isInstalled() {
  const installed = readLock(join(ROOT, 'node_modules', '.package-lock.json'));
  const locked = readLock(join(ROOT, 'package-lock.json'));
  return Object.entries(locked.packages).every(([path, { version, optional, link }]) => {
    const there = installed.packages[path];
    return path === '' || link || (there === undefined ? optional === true : there.version === version);
  });
}

/**
 * @param {string} file
 * @returns {Lock} without packages when there is no such file
 */
function readLock(file) {
  return existsSync(file) ? /** @type {Lock} */ (parseJson(readFileSync(file, 'utf8'))) : { packages: {} };
}

/** Installs exactly what the lock file says. */
function install() {
  console.error('Installing the packages of this repository …');
  const { status } = spawnSync(process.execPath, [npmCli(), 'ci', '--no-audit', '--no-fund'], { cwd: ROOT, env: npmEnvironment(), stdio: ['ignore', 2, 2] });
  if (status !== 0) fail('npm could not install the packages, see above.', 1);
}

/**
 * @param {string} message
 * @param {number} status
 * @returns {never}
 */
function fail(message, status) {
  console.error(message);
  process.exit(status);
}
