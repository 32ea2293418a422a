/**
 * Debian packages: finding out what is missing, and installing it where that is possible.
 */
import { run, succeeds } from './command.mjs';
import { withHeartbeat } from './log.mjs';

/**
 * A package and a command that succeeds when what it brings is there, however it came there.
 * @typedef {{ name: string, probe: readonly string[] }} DebianPackage
 */

/**
 * Thrown when packages are missing and cannot be installed from here.
 */
export class MissingPackagesError extends Error {
  /** @param {readonly string[]} names the packages */
  constructor(names) {
    super(
      `Missing: ${names.join(', ')}. Install with\n` +
        `  sudo apt-get update && sudo apt-get install -y ${names.join(' ')}\n` +
        'or, on a system without apt-get, with the packages of the same purpose.',
    );
    this.name = 'MissingPackagesError';
  }
}

/**
 * Makes sure that packages are there.
 * @param {readonly DebianPackage[]} packages what is needed
 * @param {{ log: import('./log.mjs').Log, logFile: string }} options `logFile` receives the output of apt-get
 * @returns {Promise<void>}
 * @throws {MissingPackagesError} when some are missing and there is no apt-get, or no right to use it
 */
export async function ensurePackages(packages, { log, logFile }) {
  const names = missing(packages);
  if (names.length === 0) return;
  const prefix = privilegedPrefix();
  if (prefix === undefined || !succeeds(['apt-get', '--version'])) throw new MissingPackagesError(names);
  const aptGet = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-o', 'DPkg::Lock::Timeout=300'];
  await withHeartbeat({ log, label: `Installing the Debian packages ${names.join(', ')}` }, async () => {
    await run([...aptGet, 'update'], { logFile });
    await run([...aptGet, 'install', '-y', '--no-install-recommends', ...names], { logFile });
  });
  const still = missing(packages);
  if (still.length > 0) throw new MissingPackagesError(still);
}

/**
 * @param {readonly DebianPackage[]} packages
 * @returns {string[]} the names of those whose probe fails
 */
function missing(packages) {
  return packages.filter(({ probe }) => !succeeds(probe)).map(({ name }) => name);
}

/**
 * @returns {readonly string[] | undefined} what to put before a command that needs root; undefined where that is impossible
 */
function privilegedPrefix() {
  if (process.getuid?.() === 0) return [];
  return succeeds(['sudo', '-n', 'true']) ? ['sudo', '-n'] : undefined;
}
