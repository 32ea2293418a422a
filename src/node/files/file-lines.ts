import type { FileHandle } from 'node:fs/promises';
import type { LineWindow, LineStretch } from '../../domain/workspace/documents.js';
import { ToolInputError } from '../../domain/errors.js';
import { type Units, LineScanner } from '../../text/line-scanner.js';
import { READ_FLAGS, withFile } from './regular-file.js';

/** Bytes that are held at a time, an even number. */
const CHUNK_BYTES = 1024 * 1024;
/** How long lines are looked for, in milliseconds. */
const PATIENCE_MS = 20_000;

/**
 * Reads some lines of a file of any size, one chunk in memory at a time. Stops as soon as it has them.
 * @throws ToolInputError for what is no regular file, and when the lines are too far in to be reached in time.
 */
export async function readFileLines(path: string, range: LineWindow, signal: AbortSignal): Promise<LineStretch> {
  return withFile(path, READ_FLAGS, async (handle) => {
    const chunk = new Uint8Array(CHUNK_BYTES);
    const first = chunk.subarray(0, await fill(handle, chunk, 0));
    const { units, mark } = markOf(first);
    const scanner = new LineScanner(range, units);
    const patience = performance.now() + PATIENCE_MS;
    let offset = first.length;
    for (let bytes = first.subarray(mark); bytes.length > 0;) {
      const used = scanner.add(bytes);
      const next = used < bytes.length ? 0 : await fill(handle, chunk, offset);
      if (used < bytes.length) return scanner.stretch(false);
      signal.throwIfAborted();
      if (performance.now() > patience) throw tooFar(path, scanner.passed);
      bytes = chunk.subarray(0, next);
      offset += next;
    }
    return scanner.stretch(true);
  });
}

/** Fills a chunk from an offset of the file. @returns how many bytes there were. */
async function fill(handle: FileHandle, chunk: Uint8Array, offset: number): Promise<number> {
  let filled = 0;
  while (filled < chunk.length) {
    const { bytesRead } = await handle.read(chunk, filled, chunk.length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

/** What a byte-order mark says, and how many bytes it has. */
function markOf(bytes: Uint8Array): { readonly units: Units; readonly mark: number } {
  const [a, b, c] = bytes;
  if (a === 0xff && b === 0xfe) return { units: 'utf16le', mark: 2 };
  if (a === 0xfe && b === 0xff) return { units: 'utf16be', mark: 2 };
  return { units: 'single', mark: a === 0xef && b === 0xbb && c === 0xbf ? 3 : 0 };
}

function tooFar(path: string, passed: number): ToolInputError {
  return new ToolInputError(
    `The lines are too far into ${path}: after ${PATIENCE_MS / 1000} seconds ${passed} lines had been passed. ` +
      'Find the place with grep, or cut it out with a command such as sed -n.',
  );
}
