/**
 * Installs bubblewrap, which holds the commands that run without a question, where packages can be installed.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './cache.mjs';
import { ensurePackages, MissingPackagesError } from './debian.mjs';
import { logToStderr } from './log.mjs';

/** Where Debian puts it. */
const BUBBLEWRAP = '/usr/bin/bwrap';
const PACKAGES = [{ name: 'bubblewrap', probe: ['bwrap', '--version'] }];

/**
 * Makes sure that there is bubblewrap, if possible: everything works without it, but Gnomon then asks more.
 * @param {{ log?: import('./log.mjs').Log }} [options] `log` receives lines of progress
 * @returns {Promise<void>}
 */
export async function ensureBubblewrap({ log = logToStderr } = {}) {
  if (process.platform !== 'linux') return;
  mkdirSync(cacheFolder(), { recursive: true });
  try {
    await ensurePackages(PACKAGES, { log, logFile: join(cacheFolder(), 'bubblewrap-install.log') });
  } catch (error) {
    if (!(error instanceof MissingPackagesError)) throw error;
    log('There is no sandbox for commands here: bubblewrap is missing and cannot be installed.');
  }
}

/**
 * Takes bubblewrap away from a program, as on a machine without it.
 * @returns {string[]} the beginning of a command line: what follows it sees something that is no program where bubblewrap is
 */
export function withoutBubblewrap() {
  if (!existsSync(BUBBLEWRAP)) return [];
  return [BUBBLEWRAP, ...['--dev-bind', '/', '/'], ...['--dev-bind', '/dev/null', BUBBLEWRAP]];
}
