import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** The variables of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Why the home folder of the user cannot be used, as a sentence that says what to do; `undefined` where it can. With another than an absolute path, what
 * the current folder brings along would count as the user’s own.
 */
export function homeProblem(environment: Environment): string | undefined {
  const name = process.platform === 'win32' ? 'USERPROFILE' : 'HOME';
  const value = environment[name];
  const set = `Set ${name} to the absolute path of a folder that is yours, and of no project`;
  try {
    if (isAbsolute(homedir())) return undefined;
  } catch {
    return `This user has no home folder, so nothing was run. ${set}.`;
  }
  return `The variable ${name} is “${value ?? ''}”, which is no absolute path, so nothing was run. ${set}, or unset it.`;
}

/** Absolute path in a variable; the XDG Base Directory Specification 0.8 has an empty or relative one count as none. */
export function folderIn(environment: Environment, name: string): string | undefined {
  const path = environment[name];
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

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
      return join(folderIn(environment, 'LOCALAPPDATA') ?? join(home, 'AppData', 'Local'), 'Gnomon');
    default:
      return join(folderIn(environment, 'XDG_DATA_HOME') ?? join(home, '.local', 'share'), 'gnomon');
  }
}
