import { randomBytes } from 'node:crypto';
import { type Stats, constants } from 'node:fs';
import { type FileHandle, link, lstat, mkdir, open, readdir, rename, rm, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ToolInputError } from '../../domain/errors.js';
import { errorCode, fileProblem } from './file-errors.js';
import { realPathOf } from './real-path.js';
import { type RegularFile, checkNoLink, withFile } from './regular-file.js';

/** How files are made: nothing that is there is opened, no link is followed. */
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
/** Names of temporary files, as {@link temporaryIn} makes them. */
const TEMPORARY = /^\.gnomon-[0-9a-f]{18}\.tmp$/;
/** Milliseconds after which a temporary file counts as left over. */
const LEFT_MS = 60_000;
/** Temporary files that are removed at once. */
const MAX_LEFT = 100;
/** What keeps a temporary file from being removed: it is gone, or not ours to remove. It stays, which is harmless. */
const CANNOT_REMOVE: ReadonlySet<string | undefined> = new Set(['ENOENT', 'EACCES', 'EPERM', 'EBUSY', 'EROFS']);
/** What file systems answer that have no hard links. */
export const CANNOT_LINK: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL']);

/** Whether a path is that of a file in the making, which is gone or has another name in a moment. */
export function isTemporary(path: string): boolean {
  return TEMPORARY.test(basename(path));
}

/** There is something else at a path than what was read there; nothing was written. */
export class FileChangedError extends ToolInputError {}

/**
 * Creates a file with its folders so that it is there as a whole or not at all, whatever happens; mode as the umask says. Where the file system
 * has no hard links, a crash can leave a part of it.
 * @throws FileChangedError when there is something at the path by now.
 * @throws ToolInputError where {@link fileProblem} has a message.
 */
export async function createWholeFile(path: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(path);
  if ((await realPathOf(folder)) !== folder) throw new FileChangedError(`${path} now goes through a link to another place; nothing was written.`);
  try {
    await mkdir(folder, { recursive: true });
    const temporary = temporaryIn(folder);
    await writeNew(temporary, await open(temporary, NEW_FILE, 0o666), bytes);
    try {
      await link(temporary, path);
    } finally {
      await rm(temporary, { force: true });
    }
    await syncFolder(folder);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw new FileChangedError(`${path} exists by now; nothing was written. Read it first.`);
    if (!CANNOT_LINK.has(errorCode(error))) throw fileProblem(path, error);
    await createFile(path, bytes);
  }
}

/**
 * Creates a file with its folders; mode as the umask says.
 * @throws ToolInputError when there is something at the path by now, or where {@link fileProblem} has a message.
 */
export async function createFile(path: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(path);
  await checkFolder(path);
  try {
    await mkdir(folder, { recursive: true });
    await writeNew(path, await open(path, NEW_FILE, 0o666), bytes);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw new FileChangedError(`${path} exists by now; nothing was written. Read it first.`);
    throw fileProblem(path, error);
  }
}

/** @throws ToolInputError when the folder of a path, be it there or not, leads elsewhere by now. */
export async function checkFolder(path: string): Promise<void> {
  const folder = dirname(path);
  if ((await realPathOf(folder)) === folder) return;
  throw new ToolInputError(`${path} now goes through a link to another place; nothing was written. Plan the call again.`);
}

/**
 * Replaces the content of a file; mode, owner, links to it and links from elsewhere stay.
 *
 * Through a temporary file in the same folder and a rename, so that a crash leaves the old or the new content. In place
 * where that would lose something: the file has other hard links, its owner cannot be given to the temporary file, or
 * its folder takes no new files. Access control lists and extended attributes survive only in place.
 * @param current the file as it was read; replaced only while it is still that one.
 */
export async function replaceFile(path: string, bytes: Uint8Array, current: RegularFile): Promise<void> {
  if ((current.stats.mode & 0o222) === 0) throw new ToolInputError({ kind: 'read_only', file: path });
  try {
    if (current.stats.nlink > 1 || !(await replaceByRename(path, bytes, current.stats))) {
      await replaceInPlace(path, bytes, current);
    }
  } catch (error) {
    throw fileProblem(path, error);
  }
}

/**
 * Replaces the content through a temporary file in the same folder.
 * @param stats the file as it was read; replaced only while it is still that one.
 * @returns whether that could be done without giving the file to another owner.
 */
export async function replaceByRename(path: string, bytes: Uint8Array, stats: Stats): Promise<boolean> {
  const temporary = temporaryIn(dirname(path));
  const handle = await openTemporary(temporary);
  if (handle === undefined) return false;
  try {
    const kept = await closing(handle, async () => {
      if (!(await sameOwner(handle, stats))) return false;
      await handle.writeFile(bytes);
      await handle.chmod(stats.mode & 0o7777);
      await handle.sync();
      return true;
    });
    if (!kept) return false;
    await checkNoLink(path);
    checkSame(path, await lstat(path), stats);
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
  await syncFolder(dirname(path));
  return true;
}

function temporaryIn(folder: string): string {
  return join(folder, `.gnomon-${randomBytes(9).toString('hex')}.tmp`);
}

/**
 * Removes the temporary files in a folder that were left when a program was killed while it wrote there: regular files with such a name that
 * were not written for a minute, as far as they may be removed.
 * @param folder absolute path without links
 */
export async function removeLeftTemporaries(folder: string): Promise<void> {
  const names = await unlessRefused(readdir(folder));
  const left = (names ?? []).filter((name) => TEMPORARY.test(name)).slice(0, MAX_LEFT);
  await Promise.all(left.map((name) => unlessRefused(removeLeft(join(folder, name)))));
}

async function removeLeft(path: string): Promise<void> {
  const stats = await lstat(path);
  if (stats.isFile() && Date.now() - stats.mtimeMs > LEFT_MS) await unlink(path);
}

async function unlessRefused<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (CANNOT_REMOVE.has(errorCode(error))) return undefined;
    throw error;
  }
}

async function openTemporary(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, NEW_FILE, 0o600);
  } catch (error) {
    if (['EACCES', 'EPERM'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

async function sameOwner(handle: FileHandle, wanted: Stats): Promise<boolean> {
  const { uid, gid } = await handle.stat();
  if (uid === wanted.uid && gid === wanted.gid) return true;
  try {
    await handle.chown(wanted.uid, wanted.gid);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EPERM') return false;
    throw error;
  }
}

async function replaceInPlace(path: string, bytes: Uint8Array, current: RegularFile): Promise<void> {
  await withFile(path, constants.O_RDWR | constants.O_NOFOLLOW, async (handle, stats) => {
    checkSame(path, stats, current.stats);
    try {
      await overwrite(handle, bytes);
    } catch (error) {
      // No space, for instance: the old content fits where it was.
      await overwrite(handle, current.bytes);
      throw error;
    }
  });
}

async function overwrite(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    written += (await handle.write(bytes, written, bytes.length - written, written)).bytesWritten;
  }
  await handle.truncate(bytes.length);
  await handle.sync();
}

/** @throws FileChangedError when a file is another one than it was, or was written since. */
export function checkSame(path: string, now: Stats, then: Stats): void {
  if (now.ino === then.ino && now.dev === then.dev && now.size === then.size && now.mtimeMs === then.mtimeMs) return;
  throw new FileChangedError({ kind: 'changed_meanwhile', file: path, noticed: 'replacing' });
}

async function writeNew(path: string, handle: FileHandle, bytes: Uint8Array): Promise<void> {
  try {
    await closing(handle, async () => {
      await handle.writeFile(bytes);
      await handle.sync();
    });
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

async function closing<T>(handle: FileHandle, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } finally {
    await handle.close();
  }
}

/** Returns when names created or removed in a folder are on the disk. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders; there the rename is as durable as it gets.
  if (process.platform === 'win32') return;
  const handle = await open(path, constants.O_RDONLY);
  await closing(handle, () => handle.sync());
}
