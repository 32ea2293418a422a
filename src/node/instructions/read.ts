import { present } from '../../domain/present.js';
import { type FileHandle, lstat } from 'node:fs/promises';
import { t } from '../../domain/l10n.js';
import { withoutUnseen } from '../../domain/hidden-characters.js';
import type { InstructionFile } from '../../domain/session/context.js';
import { decodeText } from '../../text/encoding.js';
import { READ_FLAGS, withFile } from '../files/regular-file.js';

/** Bytes of one file that are read at most. */
const MAX_BYTES = 40_000;

/**
 * Reads a file with instructions; `undefined` when it is blank.
 * @param path without links, so that what is read is what was judged.
 * @throws Error when it is not a regular text file, or cannot be read.
 */
export async function readText(path: string, signal: AbortSignal): Promise<Pick<InstructionFile, 'text' | 'hidden' | 'truncated'> | undefined> {
  if (!(await lstat(path)).isFile()) throw new Error(t('It is not a regular file.'));
  const { bytes, truncated } = await withFile(path, READ_FLAGS, readStart);
  signal.throwIfAborted();
  const decoded = decodeText(bytes);
  if (decoded === undefined) throw new Error(t('It is not a text file.'));
  const { text, hidden } = withoutUnseen(decoded.text.toWellFormed());
  return text.trim() === '' ? undefined : { text: text.trim(), truncated, ...present({ hidden }) };
}

async function readStart(handle: FileHandle): Promise<{ readonly bytes: Uint8Array; readonly truncated: boolean }> {
  const bytes = await readUpTo(handle, MAX_BYTES + 1);
  return bytes.length <= MAX_BYTES ? { bytes, truncated: false } : { bytes: wholeLines(bytes.subarray(0, MAX_BYTES)), truncated: true };
}

async function readUpTo(handle: FileHandle, count: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(count);
  let filled = 0;
  for (let read = 1; read > 0 && filled < count; filled += read) {
    ({ bytesRead: read } = await handle.read(buffer, filled, count - filled));
  }
  return buffer.subarray(0, filled);
}

/** Cuts where no character is divided: behind a line, in one long line before its last character, in UTF-16 behind a whole unit. */
function wholeLines(bytes: Uint8Array): Uint8Array {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (utf16) return bytes.subarray(0, bytes.length - (bytes.length % 2));
  const end = bytes.lastIndexOf(0x0a);
  // Only the first byte of a character is not of the form 10xxxxxx.
  return bytes.subarray(0, end >= 0 ? end : bytes.findLastIndex((byte) => (byte & 0xc0) !== 0x80));
}
