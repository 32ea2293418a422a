/**
 * Where the harness keeps what is expensive to make: below the user's cache folder, shared by all clones on the machine.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The folder for everything the project caches on this machine. It need not exist yet.
 * @returns {string} `GNOMON_VSCODE_CACHE` when set, else `gnomon` below `XDG_CACHE_HOME` or `~/.cache`
 */
export function cacheFolder() {
  const override = process.env['GNOMON_VSCODE_CACHE'];
  if (override) return override;
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'gnomon');
}
