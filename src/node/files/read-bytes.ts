import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, lstat } from 'node:fs/promises';
import { t } from '../../domain/l10n.js';
import { READ_FLAGS, withFile } from './regular-file.js';

/** Bytes that are read at once when a file is only hashed. */
const CHUNK_BYTES = 1024 * 1024;
/** Bytes that are read at once beyond the size that a file had: few, as most often there are none. */
const GROWTH_BYTES = 2 * 1024;

/** A file as it was read. */
export interface ReadFile {
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes in hex. */
  readonly sha256: string;
}

/**
 * Reads a whole file.
 * @param path without links, so that what is read is what was judged
 * @throws Error with a message for the user when it is no regular file, or has more than `maxBytes`
 */
export async function readBytes(path: string, maxBytes: number, signal: AbortSignal): Promise<ReadFile> {
  const read = async (handle: FileHandle, { size }: Stats): Promise<ReadFile> => {
    const chunks: Uint8Array[] = [];
    // A file may grow while it is read, so its size is only where to begin.
    for (let total = 0, chunk = Math.min(size, maxBytes) + 1; ; chunk = GROWTH_BYTES) {
      signal.throwIfAborted();
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(chunk), 0, chunk, total);
      total += bytesRead;
      if (total > maxBytes) throw new Error(t('The file is larger than {0} MB.', maxBytes / 1024 / 1024));
      if (bytesRead > 0) chunks.push(buffer.subarray(0, bytesRead));
      // One that ends where it did before has not grown.
      if (bytesRead === 0 || (bytesRead < chunk && total === size)) break;
    }
    const bytes = Buffer.concat(chunks);
    return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
  };
  return withFile(path, READ_FLAGS, read, await checkRegular(path));
}

/**
 * Hashes a file without keeping it in memory.
 * @returns its SHA-256 in hex, or only its size when that is more than `maxBytes`
 */
export async function hashFile(
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<{ readonly sha256: string; readonly size: number } | { readonly tooLarge: number }> {
  const hash = async (handle: FileHandle, { size }: Stats): Promise<{ sha256: string; size: number } | { tooLarge: number }> =>
    size > maxBytes ? { tooLarge: size } : { sha256: await hashOf(handle, size, signal), size };
  return withFile(path, READ_FLAGS, hash, await checkRegular(path));
}

async function hashOf(handle: FileHandle, size: number, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  // Most files are small, and are read again and again.
  const chunk = Buffer.allocUnsafe(Math.min(size + GROWTH_BYTES, CHUNK_BYTES));
  for (let at = 0; ;) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(chunk.subarray(0, bytesRead));
    at += bytesRead;
  }
}

async function checkRegular(path: string): Promise<Stats> {
  const stats = await lstat(path);
  if (!stats.isFile()) throw new Error(t('It is not a regular file.'));
  return stats;
}
