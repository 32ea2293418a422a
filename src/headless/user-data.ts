import { homedir } from 'node:os';
import { join } from 'node:path';

/** The variables of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Absolute path of the folder for what the program keeps for a user, where programs keep such: XDG Base Directory Specification 0.8; Apple, “File System
 * Programming Guide”; Microsoft, “KNOWNFOLDERID”.
 */
export function userData(environment: Environment): string {
  const home = homedir();
  switch (process.platform) {
    case 'darwin':
      return join(home, 'Library', 'Application Support', 'Gnomon');
    case 'win32':
      return join(environment['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'Gnomon');
    default:
      return join(environment['XDG_DATA_HOME'] ?? join(home, '.local', 'share'), 'gnomon');
  }
}
