import type { Stats } from 'node:fs';
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, realpath } from 'node:fs/promises';
import { ToolInputError } from '../domain/errors.js';
import { fileProblem } from './file-problem.js';

/** The largest file that is read as a whole, in bytes; the limit of VS Code's own documents. */
const MAX_FILE_BYTES = 50 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;

/** A file's bytes and what the system knew of it when they were read. */
export interface RegularFile {
  readonly bytes: Uint8Array;
  readonly stats: Stats;
}

/**
 * Reads a whole regular file.
 *
 * The path must hold no link any more: then what is read is what was judged, even when a link was put in its place since
 * (path-06). Devices and pipes are opened without waiting and refused (path-18).
 * @throws ToolInputError for anything but a regular file of at most {@link MAX_FILE_BYTES}.
 */
export async function readRegularFile(path: string, signal: AbortSignal): Promise<RegularFile> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  return withFile(path, flags, async (handle, stats) => {
    if (stats.size > MAX_FILE_BYTES) throw tooLarge(path, stats.size);
    return { bytes: await readAll(handle, path, signal), stats };
  });
}

/**
 * Opens a regular file that no link leads to, and closes it in the end.
 * @throws ToolInputError where {@link fileProblem} has words, or when it is not a regular file.
 */
export async function withFile<T>(path: string, flags: number, use: (handle: FileHandle, stats: Stats) => Promise<T>): Promise<T> {
  try {
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
  if (stats.isDirectory()) throw new ToolInputError(`${path} is a folder. Use glob to list what is in it.`);
  throw new ToolInputError(`${path} is a device, pipe or socket, not a file.`);
}

/** Reads until the end rather than to the size, which is 0 for files that the system makes up (/proc). */
async function readAll(handle: FileHandle, path: string, signal: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead, buffer } = await handle.read(new Uint8Array(CHUNK_BYTES), 0, CHUNK_BYTES);
    if (bytesRead === 0) return Buffer.concat(chunks, total);
    chunks.push(buffer.subarray(0, bytesRead));
    total += bytesRead;
    if (total > MAX_FILE_BYTES) throw tooLarge(path, total);
  }
}

function tooLarge(path: string, size: number): ToolInputError {
  const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;
  return new ToolInputError(
    `${path} is too large to read whole: ${megabytes(size)}, the limit is ${megabytes(MAX_FILE_BYTES)}. ` +
      'Find the part you need with grep, or cut it out with a command (head, tail, sed -n).',
  );
}
