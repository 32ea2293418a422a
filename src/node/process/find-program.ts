import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * The whole path of a program, looked for as a shell would in the folders of `PATH`. Started by its bare name, Windows
 * would look for it first in the folder where it starts, which can be one of somebody else's.
 * @returns `undefined` when it is in none of them. Folders that are not absolute are passed over.
 */
export async function findProgram(name: string, environment: NodeJS.ProcessEnv = process.env): Promise<string | undefined> {
  const windows = process.platform === 'win32';
  const folders = (environment['PATH'] ?? environment['Path'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  for (const path of folders.map((folder) => join(folder, windows ? `${name}.exe` : name))) {
    if (await isProgram(path)) return path;
  }
  return undefined;
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
