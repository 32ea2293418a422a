import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../node/files/file-errors.js';
import { realPathOf } from '../node/files/real-path.js';
import { isWithin } from '../node/files/within.js';
import type { MainRepository } from './repository.js';

/** Folder for the worktrees of all repositories that lie beside each other. */
const FOLDER = '.gnomon-worktrees';
/** Folder for those that were removed, in that of a repository. */
const TRASH = '.trash';

/** Where the worktrees of a repository are. */
export interface WorktreeHome {
  /** Absolute path of the folder for all repositories around. */
  readonly all: string;
  /** Absolute path of the folder for one repository; below it, one folder for each worktree. */
  readonly folder: string;
}

/** What decides where worktrees can be. */
export interface HomeWishes {
  /** Absolute paths of the folders that are open in any window that is known. */
  readonly workspaceFolders: readonly string[];
  /** Absolute path of a folder in which the user wants them. */
  readonly configured?: string;
}

/** Why there is no place for worktrees. */
export type NoHome = 'inside_workspace' | 'other_file_system' | 'not_writable' | 'not_ours';

/**
 * Chooses where the worktrees of a repository are: in the nearest folder above it that is outside of every workspace folder, on the same file system, and
 * can be written to. There they share a disk with the repository, so that moving one to the trash is one step, they are not searched, watched, or shown with
 * the workspace, and a user finds them beside what they are made of.
 */
export async function chooseHome(main: MainRepository, { workspaceFolders, configured }: HomeWishes): Promise<WorktreeHome | NoHome> {
  const folders = await Promise.all([main.root, ...workspaceFolders].map((path) => realPathOf(path)));
  const device = (await stat(main.root)).dev;
  const candidates = configured === undefined ? above(main.root) : [await realPathOf(configured)];
  let why: NoHome = 'inside_workspace';
  for (const candidate of candidates) {
    if (folders.some((folder) => isWithin(folder, candidate))) continue;
    const problem = await problemOf(candidate, device);
    if (problem === undefined) return homeIn(candidate, main);
    why = problem;
  }
  return why;
}

/** The folder of Gnomon’s that a path lies in as a worktree or below one; `undefined` elsewhere. @param path absolute, without links */
export function unitAround(path: string): string | undefined {
  for (let at = path; dirname(at) !== at; at = dirname(at)) if (basename(dirname(dirname(at))) === FOLDER) return at;
  return undefined;
}

/** Makes the folders of a home. Git ignores everything in them, should they lie in another repository. */
export async function makeHome(home: WorktreeHome): Promise<void> {
  await mkdir(join(home.folder, TRASH), { recursive: true, mode: 0o700 });
  try {
    await writeFile(join(home.all, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/** Absolute path of the trash of a home. */
export function trashOf({ folder }: WorktreeHome): string {
  return join(folder, TRASH);
}

/** Absolute paths of the folders for worktrees in a home, whether they have a record or not. */
export async function unitsIn({ folder }: WorktreeHome): Promise<readonly string[]> {
  return (await namesIn(folder)).filter((name) => name !== TRASH).map((name) => join(folder, name));
}

/** Absolute paths of all folders for worktrees beside each other, of whatever repository; those in the trash too. */
export async function allUnits({ all }: WorktreeHome): Promise<readonly string[]> {
  const homes = (await namesIn(all)).map((name) => ({ all, folder: join(all, name) }));
  const found = await Promise.all(homes.map(async (home) => [...(await unitsIn(home)), ...(await unitsIn({ all, folder: trashOf(home) }))]));
  return found.flat();
}

/** Names of the folders in a folder, which need not be there. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return [];
    throw error;
  }
}

function above(path: string): readonly string[] {
  const folders: string[] = [];
  // Not in the root of the file system, where nobody looks for it.
  for (let at = dirname(path); dirname(at) !== at; at = dirname(at)) folders.push(at);
  return folders;
}

function homeIn(folder: string, main: MainRepository): WorktreeHome {
  const all = join(folder, FOLDER);
  const hash = createHash('sha256').update(main.commonFolder).digest('hex').slice(0, 8);
  return { all, folder: join(all, `${basename(main.root)}-${hash}`) };
}

async function problemOf(folder: string, device: number): Promise<NoHome | undefined> {
  try {
    if ((await stat(folder)).dev !== device) return 'other_file_system';
    const ours = await lstat(join(folder, FOLDER)).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    });
    const user = process.getuid?.();
    // In a folder that everybody can write to, somebody could have put a link or a folder of theirs there.
    if (ours !== undefined && (!ours.isDirectory() || (user !== undefined && ours.uid !== user))) return 'not_ours';
    if (ours !== undefined && ours.dev !== device) return 'other_file_system';
    await access(ours === undefined ? folder : join(folder, FOLDER), constants.W_OK);
    return undefined;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return 'not_writable';
    throw error;
  }
}
