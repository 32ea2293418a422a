import { createHash } from 'node:crypto';
import { type Stats, constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { ToolInputError } from '../../domain/errors.js';
import { fileProblem } from './file-errors.js';

/** The largest file that is read as a whole, in bytes; the limit of VS Code's own documents. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024;
/** Bytes that are read at once; between two reads the host has its turn. */
const CHUNK_BYTES = 1024 * 1024;
/** Bytes from the beginning of a large file, enough to recognize its type. */
const HEAD_BYTES = 8_192;
/** How files are opened to be read: no link is followed, and a pipe or device is not waited for. */
export const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** A file's bytes and what the system knew of it when they were read. */
export interface RegularFile {
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes in hex. */
  readonly hash: string;
  readonly stats: Stats;
}

/** The beginning of a file that is too large to be read as a whole. */
export interface LargeFileHead {
  readonly head: Uint8Array;
  readonly stats: Stats;
}

/**
 * Reads a whole regular file, or only the beginning of one with more than {@link MAX_FILE_BYTES}.
 *
 * The path must not contain links any more: then what is read is what was judged, even when a link was put in its place since.
 * Devices and pipes are refused without being opened.
 * @throws ToolInputError for anything but a regular file.
 */
export async function readFileOrHead(path: string, signal: AbortSignal): Promise<RegularFile | LargeFileHead> {
  return withFile(path, READ_FLAGS, async (handle, stats) => {
    if (stats.size <= MAX_FILE_BYTES) return { ...(await readAll(handle, { path, stats, signal })), stats };
    const { bytesRead, buffer } = await handle.read(new Uint8Array(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return { head: buffer.subarray(0, bytesRead), stats };
  });
}

/**
 * Reads a whole regular file as {@link readFileOrHead} does.
 * @throws ToolInputError for one with more than {@link MAX_FILE_BYTES} as well.
 */
export async function readRegularFile(path: string, signal: AbortSignal): Promise<RegularFile> {
  const file = await readFileOrHead(path, signal);
  if ('head' in file) throw tooLarge(path, file.stats.size);
  return file;
}

/**
 * Opens a regular file without following links, and closes it in the end.
 * @param seen what lies there, where it has just been looked at
 * @throws ToolInputError where {@link fileProblem} has a message, or when it is not a regular file.
 */
export async function withFile<T>(path: string, flags: number, use: (handle: FileHandle, stats: Stats) => Promise<T>, seen?: Stats): Promise<T> {
  try {
    // Opening a device can have effects, so it is looked at first. What lies there by then is looked at again.
    const there = seen ?? (await lstat(path));
    if (!there.isSymbolicLink()) checkRegular(path, there);
    const handle = await open(path, flags);
    try {
      const stats = await handle.stat();
      checkRegular(path, stats);
      await checkNoLink(path);
      return await use(handle, stats);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw fileProblem(path, error);
  }
}

/** @throws ToolInputError when a link on the way leads the path elsewhere. */
export async function checkNoLink(path: string): Promise<void> {
  if ((await realpath(path)) !== path) {
    throw new ToolInputError(`${path} now goes through a link to another place; nothing was done. Plan the call again.`);
  }
}

function checkRegular(path: string, stats: Stats): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw new ToolInputError({ kind: 'is_folder', file: path });
  throw new ToolInputError(`${path} is a device, pipe or socket, not a file.`);
}

interface Source {
  readonly path: string;
  readonly stats: Stats;
  readonly signal: AbortSignal;
}

/** Reads until the end rather than to the size, which is 0 for files that the system makes up (/proc). */
async function readAll(handle: FileHandle, { path, stats, signal }: Source): Promise<{ bytes: Uint8Array; hash: string }> {
  let bytes = new Uint8Array(stats.size + 1);
  let total = 0;
  const hash = createHash('sha256');
  for (;;) {
    signal.throwIfAborted();
    if (total === bytes.length) bytes = enlarged(bytes);
    const { bytesRead } = await handle.read(bytes, total, Math.min(CHUNK_BYTES, bytes.length - total));
    if (bytesRead === 0) return { bytes: bytes.subarray(0, total), hash: hash.digest('hex') };
    hash.update(bytes.subarray(total, total + bytesRead));
    total += bytesRead;
    if (total > MAX_FILE_BYTES) throw tooLarge(path, total);
  }
}

function enlarged(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(bytes.length * 2 + CHUNK_BYTES);
  larger.set(bytes);
  return larger;
}

function tooLarge(path: string, size: number): ToolInputError {
  const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;
  return new ToolInputError({ kind: 'too_large', file: path, wanted: 'read' }, { detail: `${megabytes(size)}, the limit is ${megabytes(MAX_FILE_BYTES)}` });
}
