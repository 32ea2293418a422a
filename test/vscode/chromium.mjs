/**
 * Finds a Chromium, or installs one. The headless shell is preferred: the same engine without the browser's own windows,
 * which take about a tenth of the processor time of a test.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './cache.mjs';
import { ensurePackages } from './debian.mjs';
import { logToStderr } from './log.mjs';

const SHELL = '/usr/bin/chromium-headless-shell';
const PLACES = [SHELL, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The fonts are needed for screenshots with readable text. */
const PACKAGES = [
  { name: 'chromium-headless-shell', probe: ['test', '-x', SHELL] },
  { name: 'fonts-dejavu-core', probe: ['test', '-d', '/usr/share/fonts/truetype/dejavu'] },
];

/**
 * Makes sure that there is a Chromium.
 * @param {{ log?: import('./log.mjs').Log }} [options] `log` receives lines of progress
 * @returns {Promise<string>} its path: `GNOMON_CHROMIUM` when set, else the system's own, installed where possible
 * @throws {Error} when the environment variable names no file
 * @throws {import('./debian.mjs').MissingPackagesError} when there is none and it cannot be installed from here
 */
export async function ensureChromium({ log = logToStderr } = {}) {
  const chosen = process.env['GNOMON_CHROMIUM'];
  if (chosen) {
    if (!existsSync(chosen)) throw new Error(`GNOMON_CHROMIUM names ${chosen}, which does not exist.`);
    return chosen;
  }
  const present = PLACES.find((path) => existsSync(path));
  if (present !== undefined) return present;
  mkdirSync(cacheFolder(), { recursive: true });
  await ensurePackages(PACKAGES, { log, logFile: join(cacheFolder(), 'chromium-install.log') });
  return SHELL;
}
