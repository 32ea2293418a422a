import { stat } from 'node:fs/promises';
import type { ImageMimeType } from '../domain/content.js';
import { MAX_IMAGE_BYTES } from '../domain/content.js';
import type { AppliedChange, Documents, FileChange, FileContent, FileStat } from '../domain/documents.js';
import { ToolInputError } from '../domain/errors.js';
import { decodeText, encodeText } from '../text/encoding.js';
import { binaryTypeOf, isPdf } from './binary-type.js';
import { errorCode } from './error-code.js';
import { readFileLines } from './file-lines.js';
import { fileProblem } from './file-problem.js';
import { folderNames } from './folder-names.js';
import { imageSizeOf } from './image-size.js';
import { imageTypeOf } from './image-type.js';
import { isWholeImage } from './image-whole.js';
import { createKeyedLock } from './keyed-lock.js';
import type { LargeFileHead, RegularFile } from './regular-file.js';
import { MAX_FILE_BYTES, readFileOrHead, readRegularFile } from './regular-file.js';
import { createFile, replaceFile } from './replace-file.js';
import { sha256 } from './sha256.js';

/** The longest side of an image, in pixels. Source: Anthropic Messages API, "Vision". */
const MAX_IMAGE_PIXELS = 8_000;
const SMALLER_COPY =
  `Models take at most ${MAX_IMAGE_PIXELS} pixels on a side and ${(MAX_IMAGE_BYTES / 4) * 3} bytes; make a smaller copy with a command.`;

/**
 * {@link Documents} straight on the disk, knowing no editors. `read` and `apply` take real paths (`FileLocation.real`):
 * a path with a link in it is refused. Changes to one file are made one after the other (tool-16).
 */
export function createDiskDocuments(): Documents {
  const lock = createKeyedLock();
  return {
    stat: statOf,
    read: async (path, signal) => {
      const file = await readFileOrHead(path, signal);
      return 'head' in file ? largeContent(path, file) : contentOf(path, file);
    },
    readLines: readFileLines,
    list: folderNames,
    apply: (change, signal) => lock(change.path, () => apply(change, signal)),
  };
}

async function statOf(path: string, signal: AbortSignal): Promise<FileStat | undefined> {
  signal.throwIfAborted();
  try {
    const stats = await stat(path);
    return { type: stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other', size: stats.size, shared: stats.isFile() && stats.nlink > 1 };
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw fileProblem(path, error);
  }
}

function contentOf(path: string, { bytes, hash }: RegularFile): FileContent {
  const mimeType = imageTypeOf(bytes);
  if (mimeType !== undefined) return imageContent(path, bytes, mimeType);
  const decoded = isPdf(bytes) ? undefined : decodeText(bytes);
  if (decoded === undefined) return binaryContent(path, bytes, bytes.length);
  return { kind: 'text', path, ...decoded, hash, unsaved: false };
}

function largeContent(path: string, { head, stats }: LargeFileHead): FileContent {
  const mimeType = imageTypeOf(head);
  if (mimeType !== undefined) throw new ToolInputError(`${path} is an image (${mimeType}) of ${stats.size} bytes. ${SMALLER_COPY}`);
  // A character can be cut in two at the end of the head.
  const isText = !isPdf(head) && [0, 1, 2, 3].some((cut) => decodeText(head.subarray(0, head.length - cut)) !== undefined);
  return isText ? { kind: 'large', path, size: stats.size, limit: MAX_FILE_BYTES } : binaryContent(path, head, stats.size);
}

function binaryContent(path: string, head: Uint8Array, size: number): FileContent {
  const type = binaryTypeOf(head);
  return { kind: 'binary', path, size, ...(type === undefined ? {} : { type }) };
}

/** An image that a model can take: one that it cannot would make the whole request fail (stream-23). */
function imageContent(path: string, data: Uint8Array, mimeType: ImageMimeType): FileContent {
  const size = imageSizeOf(data, mimeType);
  if (size === undefined || !isWholeImage(data, mimeType)) {
    throw new ToolInputError(`${path} begins like an image (${mimeType}), but is broken or cut off.`);
  }
  const largest = Math.max(size.width, size.height);
  if (base64Length(data) <= MAX_IMAGE_BYTES && largest <= MAX_IMAGE_PIXELS) return { kind: 'image', path, data, mimeType };
  throw new ToolInputError(`${path} is an image of ${size.width} × ${size.height} pixels and ${data.length} bytes. ${SMALLER_COPY}`);
}

/** The API measures images as they are sent, in base64, which takes a third more than the bytes. */
function base64Length(data: Uint8Array): number {
  return Math.ceil(data.length / 3) * 4;
}

async function apply(change: FileChange, signal: AbortSignal): Promise<AppliedChange> {
  signal.throwIfAborted();
  const bytes = change.baseHash === undefined ? await create(change) : await replace(change, signal);
  const { hash } = await readRegularFile(change.path, signal);
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
  if (current.hash !== change.baseHash) {
    throw new ToolInputError(`${change.path} has changed since it was read; nothing was written. Read it again.`);
  }
  const decoded = decodeText(current.bytes);
  if (decoded === undefined) throw new ToolInputError(`${change.path} is not a text file; nothing was written.`);
  const bytes = encodeText(change.text, decoded.encoding);
  await replaceFile(change.path, bytes, current);
  return bytes;
}
