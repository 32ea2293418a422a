import type { Stats } from 'node:fs';
import { chmod, link, lstat, mkdir, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ToolInputError } from '../../domain/errors.js';
import { errorCode, fileProblem } from './file-errors.js';
import { type RegularFile, checkNoLink } from './regular-file.js';
import { CANNOT_LINK, checkFolder, checkSame, createFile, FileChangedError, replaceByRename, syncFolder } from './replace-file.js';

/**
 * Deletes a file.
 * @param current the file as it was read; deleted only while it is still that one.
 * @throws ToolInputError when it is another one by now, is read-only, has other names (hard links), or where {@link fileProblem} has a message.
 */
export async function deleteFile(path: string, current: RegularFile): Promise<void> {
  checkRemovable(path, current.stats, 'deleted');
  try {
    await unlinkSame(path, current.stats);
    await syncFolder(dirname(path));
  } catch (error) {
    throw fileProblem(path, error);
  }
}

/** Both ends of a move, as real paths. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/**
 * Moves a file to where nothing is, and gives it other bytes. Its mode goes with it, and its owner where the file system has hard links.
 *
 * The source goes last, when the whole file is in its new place. Whatever fails before that leaves the source as it is and clears the new
 * place; a crash can leave both, but never neither.
 * @param current the file as it was read; moved only while it is still that one.
 * @throws ToolInputError when something is in the new place, the file is another one by now, is read-only, has other names (hard links), or
 * where {@link fileProblem} has a message.
 */
export async function moveFile(move: Move, bytes: Uint8Array, current: RegularFile): Promise<void> {
  const { from, to } = move;
  checkRemovable(from, current.stats, 'moved');
  await checkFolder(to);
  let there = await putThere(move, current);
  try {
    if (Buffer.compare(bytes, current.bytes) !== 0) {
      if (!(await replaceByRename(to, bytes, there))) throw belongsToAnother(from);
      there = await lstat(to);
    }
    await syncFolder(dirname(to));
    await unlinkSame(from, current.stats);
  } catch (error) {
    await takeBack(move, current.stats, there);
    throw fileProblem(from, error);
  }
  await syncFolder(dirname(from));
}

/** Puts the file into its new place as it is, as a second name where the file system has hard links. Never replaces anything. */
async function putThere({ from, to }: Move, { bytes, stats }: RegularFile): Promise<Stats> {
  try {
    await mkdir(dirname(to), { recursive: true });
    await link(from, to);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') throw new FileChangedError(`${to} exists; nothing was moved. Choose another name, or delete that file first.`);
    if (code !== 'EXDEV' && !CANNOT_LINK.has(code)) throw fileProblem(to, error);
    await createFile(to, bytes);
    await chmod(to, stats.mode & 0o7777);
  }
  return lstat(to);
}

/** Clears the new place after a move that failed, as long as the source is there and the new place has what was put into it. */
async function takeBack({ from, to }: Move, source: Stats, there: Stats): Promise<void> {
  if (isSame(await lstat(from), source) && isSame(await lstat(to), there)) await unlink(to);
}

function isSame(now: Stats, then: Stats): boolean {
  return now.ino === then.ino && now.dev === then.dev;
}

async function unlinkSame(path: string, stats: Stats): Promise<void> {
  await checkNoLink(path);
  checkSame(path, await lstat(path), stats);
  await unlink(path);
}

/** @throws ToolInputError for a file that may not be written, or that undo could not make what it was. */
export function checkRemovable(path: string, { mode, nlink }: Stats, what: 'deleted' | 'moved'): void {
  if ((mode & 0o222) === 0) throw new ToolInputError({ kind: 'read_only', file: path, wanted: what });
  // No undo could make two files one again.
  if (nlink > 1) throw new ToolInputError(`${path} has other names (hard links); nothing was ${what}. Use bash for that.`);
}

function belongsToAnother(path: string): ToolInputError {
  return new ToolInputError(`${path} belongs to another user, so that it cannot be changed and moved at once; nothing was moved. Use bash: mv.`);
}
