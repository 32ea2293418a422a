/**
 * Installs bubblewrap, which holds the commands that run without a question, where packages can be installed.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './cache.mjs';
import { ensurePackages, MissingPackagesError } from './debian.mjs';
import { logToStderr } from './log.mjs';

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
