import { constants, existsSync } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { isWithin } from '../files/within.js';

/** Folders that are worked in. */
const workedIn = new Set<() => readonly string[]>();

/**
 * Has no program be found below folders that are worked in, and in the repositories around them, which can be anybody's: what puts their folders into
 * `PATH`, as package managers and direnv do, means the commands of the user, and not Gnomon's own. Returns how to end that.
 * @param folders absolute paths, now
 */
export function leaveProgramsOut(folders: () => readonly string[]): () => void {
  workedIn.add(folders);
  return () => void workedIn.delete(folders);
}

/**
 * Resolves a program to its absolute path, as a shell would, in the folders of `PATH`. Given a bare name, Windows would look
 * first in the working directory, which may be untrusted.
 * @returns `undefined` when it is in none of them. Relative folders are skipped, and those of {@link leaveProgramsOut}.
 */
export async function findProgram(name: string, environment: NodeJS.ProcessEnv = process.env): Promise<string | undefined> {
  const windows = process.platform === 'win32';
  const folders = (environment['PATH'] ?? environment['Path'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  for (const path of folders.map((folder) => join(folder, windows ? `${name}.exe` : name))) {
    if ((await isProgram(path)) && !(await isLeftOut(path))) return path;
  }
  return undefined;
}

/** Whether a program lies where none is found, by any name. */
async function isLeftOut(path: string): Promise<boolean> {
  const tops = [...workedIn].flatMap((folders) => folders()).map(repositoryAround);
  if (tops.length === 0) return false;
  const real = await realpath(path).catch(() => path);
  return tops.some((top) => isWithin(top, path) || isWithin(top, real));
}

/** The folder of the repository that a folder is in, without which it is the folder itself. */
function repositoryAround(folder: string): string {
  for (let at = folder; dirname(at) !== at; at = dirname(at)) if (existsSync(join(at, '.git'))) return at;
  return folder;
}

/**
 * What to start for a command that may be a bare name. On Windows such a name would be looked for in the working directory first, where a
 * workspace could have put a program of its own; so it is resolved in the folders of `PATH` only. Elsewhere the system does so itself.
 * @param platform for which it is resolved
 * @throws Error with the code `ENOENT` when it is in none of the folders.
 */
export async function startedProgram(command: string, env: Readonly<Record<string, string>>, platform: NodeJS.Platform = process.platform): Promise<string> {
  if (platform !== 'win32' || /[\\/:]/.test(command)) return command;
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const endings = (env['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').toLowerCase().split(';');
  // Without one of these endings, a file is for other systems, such as the shell script beside `npx.cmd`.
  const names = endings.some((ending) => command.toLowerCase().endsWith(ending)) ? [command] : endings.map((ending) => `${command}${ending}`);
  for (const folder of folders) {
    for (const path of names.map((name) => join(folder, name))) if (await isProgram(path)) return path;
  }
  throw Object.assign(new Error(`There is no program ${command} in PATH.`), { code: 'ENOENT' });
}

/** Whether there is a program at a path that can be started. */
export async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    // Not there, or what cannot be looked at, which cannot be started either.
    return false;
  }
}

/** A program of Windows by its whole path: a bare name would be looked for in the folder where it starts. */
export function windowsProgram(...parts: readonly string[]): string {
  return join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', ...parts);
}
