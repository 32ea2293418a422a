import { present } from '../../domain/present.js';
import { stat, opendir } from 'node:fs/promises';
import { assertNever } from '../../domain/assert-never.js';
import { MAX_IMAGE_BYTES } from '../../domain/model/content.js';
import {
  type AppliedChange,
  type Creation,
  type Deletion,
  type Documents,
  type FileContent,
  type FileStat,
  type FolderNames,
  type Modification,
  type TextChange,
  pathsOfChange,
} from '../../domain/workspace/documents.js';
import { ToolInputError } from '../../domain/errors.js';
import type { ImageBytes, ImageScaler } from '../../domain/workspace/image.js';
import { decodeText, encodeText } from '../../text/encoding.js';
import { errorCode, fileProblem } from './file-errors.js';
import { readFileLines } from './file-lines.js';
import { type Fitting, fitImage, MAX_SENT_SIDE } from './images/fit-image.js';
import { imageTypeOf } from '../../domain/model/image-type.js';
import { KeyedQueue } from '../../concurrency/queue.js';
import { deleteFile, moveFile } from './move-file.js';
import { type LargeFileHead, type RegularFile, MAX_FILE_BYTES, readFileOrHead, readRegularFile, checkNoLink } from './regular-file.js';
import { createFile, replaceFile } from './replace-file.js';
import { sha256 } from './sha256.js';

const SMALLER_COPY = `Models take at most ${MAX_SENT_SIDE} pixels on a side and ${(MAX_IMAGE_BYTES / 4) * 3} bytes; make a smaller copy with a command.`;

/**
 * {@link Documents} straight on the disk, knowing no editors. `read` and `apply` take real paths (`FileLocation.real`):
 * a path with a link in it is refused. Changes at one path are made one after the other.
 * @param imageScaler makes images smaller; without it those that are too large are refused
 */
export function createDiskDocuments(imageScaler?: ImageScaler): Documents {
  const queue = new KeyedQueue();
  return {
    stat: statOf,
    read: async (path, signal) => {
      const file = await readFileOrHead(path, signal);
      return 'head' in file ? largeContent(path, file) : contentOf(path, file, { imageScaler, signal });
    },
    readLines: readFileLines,
    list: folderNames,
    apply: (change, signal) => queue.runOn(pathsOfChange(change), () => apply(change, signal)),
    delete: (change, signal) => queue.run(change.path, () => deleteVersion(change, signal)),
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

async function contentOf(path: string, { bytes, hash }: RegularFile, fitting: Fitting): Promise<FileContent> {
  const mimeType = imageTypeOf(bytes);
  if (mimeType !== undefined) return imageContent(path, { data: bytes, mimeType }, fitting);
  if (isPdf(bytes)) return { kind: 'pdf', path, bytes };
  const decoded = decodeText(bytes);
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
  return { kind: 'binary', path, size, ...present({ type }) };
}

/** An image as a model can take it. */
async function imageContent(path: string, image: ImageBytes, fitting: Fitting): Promise<FileContent> {
  const fitted = await fitImage(image, fitting);
  switch (fitted.type) {
    case 'fits':
      return { kind: 'image', path, ...fitted.image, ...present({ scaledFrom: fitted.scaledFrom }) };
    case 'large':
      throw new ToolInputError(`${path} is an image of ${fitted.size.width} × ${fitted.size.height} pixels and ${image.data.length} bytes. ${SMALLER_COPY}`);
    case 'broken':
      throw new ToolInputError(`${path} begins like an image (${image.mimeType}), but is broken or cut off.`);
    default:
      return assertNever(fitted);
  }
}

async function apply(change: TextChange, signal: AbortSignal): Promise<AppliedChange> {
  signal.throwIfAborted();
  const bytes = change.action === 'create' ? await create(change) : await replace(change, signal);
  const { hash } = await readRegularFile(change.path, signal);
  if (hash !== sha256(bytes)) throw new Error(`${change.path} was written, but reads back differently.`);
  return { hash, where: 'disk' };
}

async function create({ path, text, encoding = 'utf8' }: Creation): Promise<Uint8Array> {
  const bytes = encodeText(text, encoding);
  await createFile(path, bytes);
  return bytes;
}

async function replace({ path, from = path, baseHash, text }: Modification, signal: AbortSignal): Promise<Uint8Array> {
  const current = await readVersion(from, baseHash, signal);
  const decoded = decodeText(current.bytes);
  if (decoded === undefined) throw new ToolInputError({ kind: 'not_text', file: from, wanted: 'write' });
  const bytes = encodeText(text, decoded.encoding);
  if (from === path) await replaceFile(path, bytes, current);
  else await moveFile({ from, to: path }, bytes, current);
  return bytes;
}

async function deleteVersion({ path, baseHash }: Deletion, signal: AbortSignal): Promise<void> {
  await deleteFile(path, await readVersion(path, baseHash, signal));
}

/** @throws ToolInputError when the file is another version by now. */
async function readVersion(path: string, hash: string, signal: AbortSignal): Promise<RegularFile> {
  const current = await readRegularFile(path, signal);
  if (current.hash === hash) return current;
  throw new ToolInputError({ kind: 'changed_meanwhile', file: path, noticed: 'writing' });
}

/** Entries that are looked at; a folder can have a million. */
const SCANNED_ENTRIES = 10_000;
/** Entries that the system is asked for at once. */
const BATCH = 500;

/**
 * Lists a folder, links by their own names.
 * @throws ToolInputError when it is not a folder or cannot be read.
 */
export async function folderNames(path: string, limit: number, signal: AbortSignal): Promise<FolderNames> {
  try {
    await checkNoLink(path);
    const names: string[] = [];
    for await (const entry of await opendir(path, { bufferSize: BATCH })) {
      signal.throwIfAborted();
      if (names.length === SCANNED_ENTRIES) break;
      names.push(entry.isDirectory() ? `${entry.name}/` : entry.name);
    }
    return { names: names.sort().slice(0, limit), more: names.length > limit };
  } catch (error) {
    throw fileProblem(path, error);
  }
}

/** First bytes, where they are, and what they mean. Sources: the formats' specifications, and file(1). */
const SIGNATURES: readonly (readonly [string, string, number?])[] = [
  ['%PDF-', 'PDF document'],
  ['PK\x03\x04', 'ZIP archive, or a format made of one'],
  ['PK\x05\x06', 'empty ZIP archive'],
  ['\x1f\x8b', 'gzip data'],
  ['BZh', 'bzip2 data'],
  ['\xfd7zXZ\0', 'xz data'],
  ['\x28\xb5\x2f\xfd', 'Zstandard data'],
  ['7z\xbc\xaf\x27\x1c', '7-Zip archive'],
  ['Rar!\x1a\x07', 'RAR archive'],
  ['ustar', 'tar archive', 257],
  ['\x7fELF', 'ELF program or library'],
  ['MZ', 'Windows program or library'],
  ['\xcf\xfa\xed\xfe', 'Mach-O program or library'],
  ['\xce\xfa\xed\xfe', 'Mach-O program or library'],
  ['\xca\xfe\xba\xbe', 'Java class or Mach-O program'],
  ['\0asm', 'WebAssembly module'],
  ['SQLite format 3\0', 'SQLite database'],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'old Microsoft Office document'],
  ['BM', 'BMP image'],
  ['II*\0', 'TIFF image'],
  ['MM\0*', 'TIFF image'],
  ['\0\0\x01\0', 'icon image'],
  ['8BPS', 'Photoshop image'],
  ['ftypheic', 'HEIC image', 4],
  ['ftypavif', 'AVIF image', 4],
  ['ftyp', 'MPEG-4 media', 4],
  ['OggS', 'Ogg media'],
  ['ID3', 'MP3 audio'],
  ['fLaC', 'FLAC audio'],
  ['WAVE', 'WAV audio', 8],
  ['AVI ', 'AVI video', 8],
  ['\x1aE\xdf\xa3', 'Matroska or WebM video'],
  ['wOFF', 'WOFF font'],
  ['wOF2', 'WOFF2 font'],
  ['OTTO', 'OpenType font'],
  ['\0\x01\0\0', 'TrueType font'],
  ['PAR1', 'Parquet data'],
  ['PACK', 'Git pack'],
  ['\x89HDF\r\n\x1a\n', 'HDF5 data'],
];
/** Bytes that decide. */
const HEAD_BYTES = 262;

/** What a binary file is by its first bytes, whatever its name says; `undefined` when they say nothing. */
function binaryTypeOf(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_BYTES)).toString('latin1');
  return SIGNATURES.find(([signature, , at = 0]) => head.startsWith(signature, at))?.[1];
}

/** Whether bytes are a PDF document, which can look like text but is not. */
function isPdf(bytes: Uint8Array): boolean {
  return binaryTypeOf(bytes) === 'PDF document';
}
