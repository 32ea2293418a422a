import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type FileHandle, type FileLayer, fileErrorCode } from '../domain/workspace/file-layer.js';
import type { Log } from '../domain/log.js';
import { yieldEvery } from '../concurrency/steps.js';

/** Milliseconds before each further try to rename: a virus scanner or a sync client soon closes the file. */
const RENAME_DELAYS = [10, 30, 90, 270, 600];
const HELD: ReadonlySet<string | undefined> = new Set(['EPERM', 'EBUSY', 'EACCES']);

/** How many names are tried when something already has the name of the temporary file. */
const NAME_TRIES = 3;

/** Parts are gathered to writes of about this size in bytes. */
const WRITE_SIZE = 256 * 1024;

/** The file system of atomic writes, with what makes the name of a temporary file unique. */
export interface AtomicWriter {
  readonly files: FileLayer;
  readonly log: Log;
  /** Id of this process, for the name of the temporary file. */
  readonly pid: number;
  /** Random text for the name of the temporary file; for tests. */
  readonly random?: () => string;
}

/**
 * Replaces a file as a whole: whatever happens, its name leads to the old content or to the new one.
 *
 * An exclusive temporary file with a random name takes all bytes and is flushed, is renamed, and the folder is flushed.
 * Whatever exists at the temporary name, a link too, is refused and left alone. After an error the temporary
 * file is gone and the old content is there; only when the flush of the folder failed it is the new one.
 * @param parts the content; the next part is asked for when the previous one is written.
 * @throws the error of the file layer.
 */
export async function atomicWrite(writer: AtomicWriter, path: string, parts: Iterable<Uint8Array>): Promise<void> {
  const { files } = writer;
  const { handle, temporary } = await openTemporary(writer, path);
  try {
    await fill(handle, parts);
    await renamePatiently(files, temporary, path);
  } catch (error) {
    await discard(writer, temporary);
    throw error;
  }
  await files.syncFolder(dirname(path));
}

/** Writes all bytes, however many calls it takes. */
export async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  let rest = bytes;
  while (rest.length > 0) {
    const written = await handle.write(rest);
    if (written <= 0) throw new Error('The disk took no more bytes');
    rest = rest.subarray(written);
  }
}

/** The number of the process in the name of a temporary file; `undefined` for other names. */
export function temporaryOwner(name: string): number | undefined {
  const match = /\.(\d+)-[0-9a-z]+\.tmp$/.exec(name);
  return match === null ? undefined : Number(match[1]);
}

async function openTemporary(writer: AtomicWriter, path: string): Promise<{ handle: FileHandle; temporary: string }> {
  const random = writer.random ?? (() => randomBytes(9).toString('hex'));
  for (let tries = 1; ; tries += 1) {
    const temporary = `${path}.${writer.pid}-${random()}.tmp`;
    try {
      return { handle: await writer.files.openExclusive(temporary), temporary };
    } catch (error) {
      if (fileErrorCode(error) !== 'EEXIST' || tries >= NAME_TRIES) throw error;
    }
  }
}

async function fill(handle: FileHandle, parts: Iterable<Uint8Array>): Promise<void> {
  const pause = yieldEvery();
  const waiting: Uint8Array[] = [];
  let size = 0;
  const write = (): Promise<void> => writeAll(handle, Buffer.concat(waiting.splice(0), size));
  try {
    for (const part of parts) {
      waiting.push(part);
      size += part.length;
      if (size >= WRITE_SIZE) {
        await write();
        size = 0;
      }
      await pause();
    }
    await write();
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Renames a file, and retries for a while when another program has it open. */
export async function renamePatiently(files: FileLayer, from: string, to: string): Promise<void> {
  for (const delay of RENAME_DELAYS) {
    try {
      await files.rename(from, to);
      return;
    } catch (error) {
      if (!HELD.has(fileErrorCode(error))) throw error;
    }
    await setTimeout(delay);
  }
  await files.rename(from, to);
}

/** Moves a file, also to another disk: then a crash can leave it at both places. */
export async function moveFile(writer: AtomicWriter, from: string, to: string): Promise<void> {
  const { files } = writer;
  try {
    await renamePatiently(files, from, to);
  } catch (error) {
    if (fileErrorCode(error) !== 'EXDEV') throw error;
    await copyFile(writer, from, to);
    await files.remove(from);
  }
}

/** Copies a file; its new name leads to all of it or to nothing. */
export async function copyFile(writer: AtomicWriter, from: string, to: string): Promise<void> {
  await atomicWrite(writer, to, [await writer.files.readFile(from)]);
}

async function discard(writer: AtomicWriter, temporary: string): Promise<void> {
  try {
    await writer.files.remove(temporary);
  } catch (error) {
    writer.log.warn(`A temporary file could not be removed and is removed at the next start: ${String(error)}`);
  }
}
