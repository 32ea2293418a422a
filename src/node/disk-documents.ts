import { stat } from 'node:fs/promises';
import type { ImageMimeType } from '../domain/content.js';
import { MAX_IMAGE_BYTES } from '../domain/content.js';
import type { AppliedChange, Documents, FileChange, FileContent, FileStat } from '../domain/documents.js';
import { ToolInputError } from '../domain/errors.js';
import { decodeText, encodeText } from '../text/encoding.js';
import { errorCode } from './error-code.js';
import { fileProblem } from './file-problem.js';
import { imageSizeOf } from './image-size.js';
import { imageTypeOf } from './image-type.js';
import { createKeyedLock } from './keyed-lock.js';
import type { RegularFile } from './regular-file.js';
import { readRegularFile } from './regular-file.js';
import { createFile, replaceFile } from './replace-file.js';
import { sha256 } from './sha256.js';

/** The longest side of an image, in pixels. Source: Anthropic Messages API, "Vision". */
const MAX_IMAGE_PIXELS = 8_000;

/**
 * {@link Documents} straight on the disk, knowing no editors. `read` and `apply` take real paths (`FileLocation.real`):
 * a path with a link in it is refused. Changes to one file are made one after the other (tool-16).
 */
export function createDiskDocuments(): Documents {
  const lock = createKeyedLock();
  return {
    stat: statOf,
    read: async (path, signal) => contentOf(path, await readRegularFile(path, signal)),
    apply: (change, signal) => lock(change.path, () => apply(change, signal)),
  };
}

async function statOf(path: string, signal: AbortSignal): Promise<FileStat | undefined> {
  signal.throwIfAborted();
  try {
    const stats = await stat(path);
    return { type: stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other', size: stats.size };
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw fileProblem(path, error);
  }
}

function contentOf(path: string, { bytes }: RegularFile): FileContent {
  const mimeType = imageTypeOf(bytes);
  if (mimeType !== undefined) return imageContent(path, bytes, mimeType);
  const decoded = decodeText(bytes);
  if (decoded === undefined) return { kind: 'binary', path, size: bytes.length };
  return { kind: 'text', path, ...decoded, hash: sha256(bytes), unsaved: false };
}

/** An image that a model can take: one that it cannot would make the whole request fail (stream-23). */
function imageContent(path: string, data: Uint8Array, mimeType: ImageMimeType): FileContent {
  const size = imageSizeOf(data, mimeType);
  if (size === undefined) throw new ToolInputError(`${path} begins like an image (${mimeType}), but is broken.`);
  const largest = Math.max(size.width, size.height);
  if (data.length <= MAX_IMAGE_BYTES && largest <= MAX_IMAGE_PIXELS) return { kind: 'image', path, data, mimeType };
  throw new ToolInputError(
    `${path} is an image of ${size.width} × ${size.height} pixels and ${data.length} bytes. Models take at most ` +
      `${MAX_IMAGE_PIXELS} pixels on a side and ${MAX_IMAGE_BYTES} bytes; make a smaller copy with a command.`,
  );
}

async function apply(change: FileChange, signal: AbortSignal): Promise<AppliedChange> {
  signal.throwIfAborted();
  const bytes = change.baseHash === undefined ? await create(change) : await replace(change, signal);
  const written = await readRegularFile(change.path, signal);
  const hash = sha256(written.bytes);
  if (hash !== sha256(bytes)) throw new Error(`${change.path} was written, but reads back differently.`);
  return { hash, where: 'disk' };
}

async function create(change: FileChange): Promise<Uint8Array> {
  const bytes = encodeText(change.text, 'utf8');
  await createFile(change.path, bytes);
  return bytes;
}

async function replace(change: FileChange, signal: AbortSignal): Promise<Uint8Array> {
  const current = await readRegularFile(change.path, signal);
  if (sha256(current.bytes) !== change.baseHash) {
    throw new ToolInputError(`${change.path} has changed since it was read; nothing was written. Read it again.`);
  }
  const decoded = decodeText(current.bytes);
  if (decoded === undefined) throw new ToolInputError(`${change.path} is not a text file; nothing was written.`);
  const bytes = encodeText(change.text, decoded.encoding);
  await replaceFile(change.path, bytes, current);
  return bytes;
}
