import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { inSlices, yieldEvery } from '../concurrency/steps.js';
import { errorMessage, InvalidDataError } from '../domain/errors.js';
import { type FileEntry, fileErrorCode, type FileLayer } from '../domain/workspace/file-layer.js';
import { t } from '../domain/l10n.js';
import type { ByteRange } from '../text/pieced-text.js';
import { type DecodedSession, decodeEnvelope } from './codec/decode.js';
import { EnvelopeReader } from './codec/reader.js';
import { NO_LINK, readRange, StoredImages } from './file/stored-images.js';
import { EMPTY_JOURNAL, journalSteps, type ParsedJournal } from './journal/journal.js';
import { fileNames } from './session-id.js';
import { EMPTY_SIDECAR, parseSidecar, type Sidecar } from './sidecar.js';

/** What was read of a v1 file. */
interface ReadEnvelope {
  readonly session: DecodedSession;
  /** Those images of the session that stay in the file. */
  readonly images: StoredImages;
}

/** Sizes in bytes, smaller in tests. */
interface ReadSizes {
  /** What is read at once. */
  readonly piece: number;
  /** The base64 of the shortest image that stays in the file. */
  readonly image: number;
}

const SIZES: ReadSizes = { piece: 256 * 1024, image: 32 * 1024 };

/**
 * Reads a v1 file of any size, a part at a time, yielding in between. Its long images stay on the disk and are read on
 * each access to their `data`.
 * @throws InvalidDataError naming the place, or the error of the system.
 */
export async function readEnvelopeFile(path: string, sizes = SIZES): Promise<ReadEnvelope> {
  const handle = await open(path, NO_LINK);
  try {
    return await decode(path, handle, sizes);
  } finally {
    await handle.close();
  }
}

async function decode(path: string, handle: FileHandle, sizes: ReadSizes): Promise<ReadEnvelope> {
  const images = new StoredImages(path);
  const places: ByteRange[] = [];
  const leaveImage = (place: ByteRange): (() => Uint8Array) | undefined => {
    if (place.length < sizes.image) return undefined;
    const index = places.push(place) - 1;
    return () => images.read(index);
  };
  const file = new ReadAhead(handle, sizes.piece);
  const reader = new EnvelopeReader((range) => file.read(range), { pieceSize: sizes.piece, leaveImage });
  const steps = decodeEnvelope(reader);
  const pause = yieldEvery();
  for (;;) {
    await file.prefetch();
    const step = steps.next();
    if (step.done === true) {
      images.note(handle.fd, places);
      return { session: step.value, images };
    }
    await pause();
  }
}

/** Bytes of a file. The next piece is fetched ahead; a reader that needs more at once gets it at once. */
class ReadAhead {
  /** The last one contains the piece that is being read. */
  private buffers: readonly [Buffer, Buffer];
  private ahead: Buffer | undefined;
  /** Where the next piece begins. */
  private end = 0;

  constructor(
    private readonly handle: FileHandle,
    private readonly size: number,
  ) {
    this.buffers = [Buffer.allocUnsafe(size), Buffer.allocUnsafe(size)];
  }

  /** A piece lasts until the next one is given. */
  read(range: ByteRange): Buffer {
    if (range.offset !== this.end || range.length !== this.size) return readRange(this.handle.fd, range);
    const piece = this.ahead ?? readRange(this.handle.fd, range, this.spare());
    this.ahead = undefined;
    this.end += piece.length;
    return piece;
  }

  async prefetch(): Promise<void> {
    if (this.ahead !== undefined) return;
    const { buffer, bytesRead } = await this.handle.read(this.spare(), 0, this.size, this.end);
    this.ahead = buffer.subarray(0, bytesRead);
  }

  private spare(): Buffer {
    const [spare, used] = this.buffers;
    this.buffers = [used, spare];
    return spare;
  }
}

/** The files of a session as they were read. */
export interface LoadedFiles {
  readonly envelope: (ReadEnvelope & { readonly entry: FileEntry }) | undefined;
  /** Whether there is a journal, even an empty one. */
  readonly hasJournal: boolean;
  readonly journal: ParsedJournal;
  readonly sidecar: Sidecar;
  /** Why the sidecar could not be read. */
  readonly sidecarProblem: string | undefined;
}

/**
 * Reads the files of a session and changes nothing.
 * @throws InvalidDataError naming file and place when the envelope cannot be read, or when there is no such session.
 */
export async function loadFiles(files: FileLayer, folder: string, id: string): Promise<LoadedFiles> {
  const names = fileNames(id);
  const entry = await files.stat(join(folder, names.envelope));
  const journal = await readJournal(files, join(folder, names.journal));
  if (entry === undefined && journal === undefined) {
    throw new InvalidDataError(names.envelope, t('this chat does not exist; it may have been deleted'));
  }
  const read = entry && (await readEnvelope(folder, entry));
  return {
    envelope: entry && read && { entry, ...read },
    hasJournal: journal !== undefined,
    journal: journal ?? EMPTY_JOURNAL,
    ...(await readSidecar(files, join(folder, names.meta))),
  };
}

/** How often the files of a session that another window writes are read again until they are stable. */
const STEADY_TRIES = 5;

/**
 * {@link loadFiles} of a session that may be open: reads again when a fold came in between, which moves messages from
 * one file to the other.
 */
export async function loadSteady(files: FileLayer, folder: string, id: string): Promise<LoadedFiles> {
  for (let tries = 1; ; tries += 1) {
    const before = await stateOf(files, folder, id);
    const loaded = await loadFiles(files, folder, id);
    if (tries >= STEADY_TRIES || (await stateOf(files, folder, id)) === before) return loaded;
  }
}

/** The journal only grows between two folds, and what was read of it by then is whole. */
async function stateOf(files: FileLayer, folder: string, id: string): Promise<string> {
  const { envelope, journal } = fileNames(id);
  const [entry, lines] = await Promise.all([envelope, journal].map((name) => files.stat(join(folder, name))));
  return JSON.stringify([entry?.size, entry?.mtimeMs, lines === undefined]);
}

/**
 * Reads a v1 file, with turns for other work in between.
 * @throws InvalidDataError naming file and place.
 */
export async function readEnvelope(folder: string, entry: FileEntry): Promise<ReadEnvelope> {
  if (entry.type !== 'file') throw new InvalidDataError(entry.name, t('it is not a regular file'));
  return named(entry.name, () => readEnvelopeFile(join(folder, entry.name)));
}

/** Reads something; errors about its data name the file, too. */
export async function named<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof InvalidDataError)) throw error;
    const place = error.path === '' ? name : `${name}, ${error.path}`;
    throw new InvalidDataError(place, error.path === '' ? error.message : error.message.slice(error.path.length + 2));
  }
}

/** Reads a journal; `undefined` when there is none. */
export async function readJournal(files: FileLayer, path: string): Promise<ParsedJournal | undefined> {
  const bytes = await readIfThere(files, path);
  return bytes && inSlices(journalSteps(bytes));
}

/** Reads a sidecar; a missing or unreadable one counts as empty. */
export async function readSidecar(files: FileLayer, path: string): Promise<Pick<LoadedFiles, 'sidecar' | 'sidecarProblem'>> {
  try {
    const bytes = await readIfThere(files, path);
    return { sidecar: bytes === undefined ? EMPTY_SIDECAR : parseSidecar(bytes), sidecarProblem: undefined };
  } catch (error) {
    return { sidecar: EMPTY_SIDECAR, sidecarProblem: errorMessage(error) };
  }
}

async function readIfThere(files: FileLayer, path: string): Promise<Uint8Array | undefined> {
  if ((await files.stat(path)) === undefined) return undefined;
  try {
    return await files.readFile(path);
  } catch (error) {
    // Another window removed it in between.
    if (fileErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
