import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { errorMessage, InvalidDataError } from '../domain/errors.js';
import type { FileEntry, FileLayer } from '../domain/file-layer.js';
import type { DecodedSession } from './codec/decode.js';
import { decodeSteps } from './codec/decode.js';
import type { ParsedJournal } from './journal.js';
import { EMPTY_JOURNAL, parseJournal } from './journal.js';
import { fileNames } from './session-id.js';
import type { Sidecar } from './sidecar.js';
import { EMPTY_SIDECAR, parseSidecar } from './sidecar.js';

/** Milliseconds after which other work of the process gets a turn. */
const SLICE_MS = 8;

/** The files of a session as they were read. */
export interface LoadedFiles {
  readonly envelope: { readonly entry: FileEntry; readonly session: DecodedSession } | undefined;
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
  const journal = await readIfThere(files, join(folder, names.journal));
  if (entry === undefined && journal === undefined) {
    throw new InvalidDataError(names.envelope, 'there is no such conversation; it may have been deleted');
  }
  const session = entry && (await readEnvelope(files, folder, entry));
  return {
    envelope: entry && session && { entry, session },
    hasJournal: journal !== undefined,
    journal: journal === undefined ? EMPTY_JOURNAL : parseJournal(journal),
    ...(await readSidecar(files, join(folder, names.meta))),
  };
}

/**
 * Reads a v1 file, with turns for other work in between.
 * @throws InvalidDataError naming file and place.
 */
export async function readEnvelope(files: FileLayer, folder: string, entry: FileEntry): Promise<DecodedSession> {
  if (entry.type !== 'file') throw new InvalidDataError(entry.name, 'it is not a regular file');
  const bytes = await files.readFile(join(folder, entry.name));
  try {
    return await inSlices(decodeSteps(bytes));
  } catch (error) {
    if (!(error instanceof InvalidDataError)) throw error;
    const place = error.path === '' ? entry.name : `${entry.name}, ${error.path}`;
    throw new InvalidDataError(place, error.path === '' ? error.message : error.message.slice(error.path.length + 2));
  }
}

/** Reads a journal; `undefined` when there is none. */
export async function readJournal(files: FileLayer, path: string): Promise<ParsedJournal | undefined> {
  const bytes = await readIfThere(files, path);
  return bytes && parseJournal(bytes);
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
  return (await files.stat(path)) === undefined ? undefined : files.readFile(path);
}

async function inSlices<T>(steps: Generator<undefined, T>): Promise<T> {
  let slice = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - slice < SLICE_MS) continue;
    await setImmediate();
    slice = performance.now();
  }
}
