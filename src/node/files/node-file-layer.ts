import { type Stats, constants, lstatSync } from 'node:fs';
import { type FileHandle as NodeHandle, chmod, lstat, mkdir, open, readFile, rename, rm, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { yieldEvery } from '../../concurrency/steps.js';
import { type FileEntry, type FileHandle, type FileLayer, fileErrorCode } from '../../domain/workspace/file-layer.js';
import { namesIn } from './names-in.js';

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** What file systems answer that cannot flush: Windows and some network and user-space file systems. */
const CANNOT_SYNC: ReadonlySet<string | undefined> = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);
const CANNOT_SYNC_FOLDER: ReadonlySet<string | undefined> = new Set([...CANNOT_SYNC, 'EPERM', 'EISDIR', 'EACCES', 'EBADF']);

/** Windows has no such flag; a link there needs rights that ordinary programs lack. */
const noFollow = (): number => (process.platform === 'win32' ? 0 : constants.O_NOFOLLOW);
/** A pipe that stands where a file is expected is not waited for until it has another end: it is empty, or an error. */
const noWait = (): number => (process.platform === 'win32' ? 0 : constants.O_NONBLOCK);

/** Makes the {@link FileLayer} of Node's own file functions. */
export function createNodeFileLayer(): FileLayer {
  const { O_APPEND, O_CREAT, O_EXCL, O_WRONLY } = constants;
  const openWith = async (path: string, flags: number): Promise<FileHandle> =>
    wrap(await open(path, flags | O_WRONLY | O_CREAT | noFollow() | noWait(), FILE_MODE));
  return {
    openExclusive: (path) => openWith(path, O_EXCL),
    openAppend: (path) => openWith(path, O_APPEND),
    readFile: (path) => readFile(path, { flag: constants.O_RDONLY | noWait() }),
    rename: (from, to) => rename(from, to),
    remove: (path) => rm(path, { force: true }),
    stat: statEntry,
    list: listEntries,
    makeFolder: makePrivateFolder,
    touch: touchNow,
    syncFolder: flushFolder,
  };
}

function wrap(handle: NodeHandle): FileHandle {
  return {
    write: async (bytes) => (await handle.write(bytes, 0, bytes.length)).bytesWritten,
    truncate: (size) => handle.truncate(size),
    sync: () => tolerate(handle.sync(), CANNOT_SYNC),
    syncData: () => tolerate(handle.datasync(), CANNOT_SYNC),
    close: () => handle.close(),
  };
}

/** Waits, and takes "this file system cannot do that" for done: there is nothing more that could be done. */
async function tolerate(work: Promise<void>, codes: ReadonlySet<string | undefined>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!codes.has(fileErrorCode(error))) throw error;
  }
}

async function statEntry(path: string): Promise<FileEntry | undefined> {
  try {
    return toEntry(basename(path), await lstat(path));
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Synchronous in slices: for thousands of small files many times faster than one trip to the thread pool for each. */
async function listEntries(folder: string): Promise<readonly FileEntry[]> {
  const entries: FileEntry[] = [];
  const pause = yieldEvery();
  for (const name of await namesIn(folder)) {
    const stats = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (stats !== undefined) entries.push(toEntry(name, stats));
    await pause();
  }
  return entries;
}

function toEntry(name: string, stats: Stats): FileEntry {
  const type = stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other';
  return { name, type, size: stats.size, mtimeMs: stats.mtimeMs };
}

async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE });
  if (process.platform === 'win32') return;
  if (((await lstat(path)).mode & 0o077) !== 0) await tolerate(chmod(path, FOLDER_MODE), new Set([...CANNOT_SYNC, 'EPERM']));
}

async function touchNow(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now);
}

async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, constants.O_RDONLY);
  try {
    await tolerate(handle.sync(), CANNOT_SYNC_FOLDER);
  } finally {
    await handle.close();
  }
}
