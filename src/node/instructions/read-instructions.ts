import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { lstat } from 'node:fs/promises';
import type { InstructionFile } from '../../domain/session/context.js';
import { escapeHidden, withoutUnseen } from '../../domain/hidden-characters.js';
import type { Workspace } from '../../domain/workspace/workspace.js';
import { decodeText } from '../../text/encoding.js';
import { errorCode } from '../files/error-code.js';
import { withFile } from '../files/regular-file.js';

/** Bytes of one file that are read at most. */
const MAX_BYTES = 40_000;

/**
 * Reads a file with instructions; `undefined` when it does not exist or is blank. The returned path is the real one.
 * @throws Error when it leads outside the workspace, is not a regular text file, or cannot be read.
 */
export async function readInstructions(path: string, workspace: Workspace, signal: AbortSignal): Promise<InstructionFile | undefined> {
  if (!(await exists(path))) return undefined;
  signal.throwIfAborted();
  const { real, inside, display } = await workspace.locate(path);
  if (!inside) throw new Error(`it is a link that leads outside the workspace, to ${real}`);
  const { bytes, truncated } = await readStart(real);
  signal.throwIfAborted();
  const decoded = decodeText(bytes);
  if (decoded === undefined) throw new Error('it is not a text file');
  const { text, hidden } = withoutUnseen(decoded.text.toWellFormed());
  if (text.trim() === '') return undefined;
  return { path: real, display: escapeHidden(display), text: text.trim(), truncated, ...(hidden === undefined ? {} : { hidden }) };
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}

async function readStart(path: string): Promise<{ readonly bytes: Uint8Array; readonly truncated: boolean }> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  return withFile(path, flags, async (handle) => {
    const bytes = await readUpTo(handle, MAX_BYTES + 1);
    return bytes.length <= MAX_BYTES ? { bytes, truncated: false } : { bytes: wholeLines(bytes.subarray(0, MAX_BYTES)), truncated: true };
  });
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
