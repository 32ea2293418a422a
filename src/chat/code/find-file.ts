import { stat } from 'node:fs/promises';
import { isAbsolute, join, normalize, sep } from 'node:path';
import { errorCode } from '../../node/files/file-errors.js';
import { realPathOf } from '../../node/files/real-path.js';
import { isWithin } from '../../node/files/within.js';

/** A folder of the workspace. */
export interface WorkspaceFolder {
  readonly name: string;
  readonly path: string;
}

/** Error codes of paths that do not exist or cannot be read. */
const NOT_THERE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EACCES', 'EPERM', 'ERR_INVALID_ARG_VALUE']);

/**
 * The file of the workspace that a path names as answers write it: absolute, from a folder, or from the name of a folder.
 * `undefined` for what is no file, and for everything that lies or leads outside of all folders.
 */
export async function findFile(folders: readonly WorkspaceFolder[], written: string): Promise<string | undefined> {
  for (const path of candidates(folders, written)) {
    if ((await isFile(path)) && (await leadsInside(folders, path))) return path;
  }
  return undefined;
}

/** Where a new file of that name would be: in the first folder. `undefined` when that is outside of it. */
export async function placeForFile(folders: readonly WorkspaceFolder[], written: string): Promise<string | undefined> {
  const [path] = candidates(folders, written);
  return path !== undefined && (await leadsInside(folders, path)) ? path : undefined;
}

function candidates(folders: readonly WorkspaceFolder[], written: string): readonly string[] {
  const path = normalize(sep === '/' ? written.replaceAll('\\', '/') : written);
  const all = isAbsolute(path) ? [path] : [...folders.map((folder) => join(folder.path, path)), ...folders.flatMap((folder) => behindName(folder, path))];
  return all.filter((candidate) => !candidate.includes('\0') && folders.some((folder) => isWithin(folder.path, candidate) && candidate !== folder.path));
}

function behindName({ name, path: folder }: WorkspaceFolder, path: string): readonly string[] {
  return path.startsWith(`${name}${sep}`) ? [join(folder, path.slice(name.length + 1))] : [];
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (NOT_THERE.has(errorCode(error) ?? '')) return false;
    throw error;
  }
}

async function leadsInside(folders: readonly WorkspaceFolder[], path: string): Promise<boolean> {
  const real = await realPathOf(path);
  for (const folder of folders) if (isWithin(await realPathOf(folder.path), real)) return true;
  return false;
}
