import { type FileVersion, parseVersion } from '../domain/workspace/changes.js';
import { InvalidDataError } from '../domain/errors.js';
import { type MovedFolder, movedPath } from '../domain/session/session.js';

/** Change of one file by one turn. */
export interface CheckpointEntry {
  /** Index of the user's message that the turn answers. */
  readonly turn: number;
  readonly path: string;
  /** The file before the turn's first change. */
  readonly before: FileVersion;
  /** The file after the turn's last change; absent while a call runs, and after a crash in the middle of one. */
  readonly after?: FileVersion;
  /** Whether the file was changed from outside between two changes of the turn. */
  readonly edited?: true;
}

/** One file of a restore that can be taken back. */
export interface RedoStep {
  readonly path: string;
  /** The file before the restore. */
  readonly was: FileVersion;
  /** Version after the restore. */
  readonly restored: FileVersion;
}

/** A restore that can be taken back. */
export interface Redo {
  readonly messageIndex: number;
  readonly steps: readonly RedoStep[];
  /** The entries of the restored files, which come back with them. */
  readonly entries: readonly CheckpointEntry[];
}

/** Recorded changes of one session, oldest first. */
export interface CheckpointIndex {
  readonly entries: readonly CheckpointEntry[];
  /** The restores that can be taken back, the latest last. */
  readonly redos: readonly Redo[];
}

/** The index of a session that has changed nothing. */
export const EMPTY_INDEX: CheckpointIndex = { entries: [], redos: [] };

const VERSION = 1;

/** An index as it is stored. */
export function encodeIndex(index: CheckpointIndex): Uint8Array {
  return Buffer.from(JSON.stringify({ version: VERSION, ...index }));
}

/**
 * Reads a stored index.
 * @throws InvalidDataError when it is damaged or of a later version.
 */
export function decodeIndex(bytes: Uint8Array): CheckpointIndex {
  const { version, entries, redo, redos } = objectOf(parseJson(bytes), 'index');
  if (version !== VERSION) throw new InvalidDataError('index.version', 'is not known');
  // Before there could be several, the one restore stood alone.
  const restores = redos ?? (redo === undefined ? [] : [redo]);
  return { entries: listOf(entries, 'index.entries').map(entryOf), redos: listOf(restores, 'index.redos').map(redoOf) };
}

/** The same changes, to the files where they lie now. */
export function movedIndex({ entries, redos }: CheckpointIndex, folders: readonly MovedFolder[]): CheckpointIndex {
  const moved = <T extends { readonly path: string }>(all: readonly T[]): readonly T[] => all.map((each) => ({ ...each, path: movedPath(each.path, folders) }));
  return { entries: moved(entries), redos: redos.map((redo) => ({ ...redo, steps: moved(redo.steps), entries: moved(redo.entries) })) };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    throw new InvalidDataError('index', 'is not JSON');
  }
}

function entryOf(value: unknown): CheckpointEntry {
  const { turn, path, before, after, edited } = objectOf(value, 'index.entries[]');
  return {
    turn: indexOf(turn),
    path: textOf(path),
    before: parseVersion(before, 'index.entries[].before'),
    ...(after === undefined ? {} : { after: parseVersion(after, 'index.entries[].after') }),
    ...(edited === true ? { edited } : {}),
  };
}

function redoOf(value: unknown): Redo {
  const { messageIndex, steps, entries } = objectOf(value, 'index.redos[]');
  return {
    messageIndex: indexOf(messageIndex),
    steps: listOf(steps, 'index.redos[].steps').map((step) => {
      const { path, was, restored } = objectOf(step, 'index.redos[].steps[]');
      return { path: textOf(path), was: parseVersion(was, 'index.redos[].steps[].was'), restored: parseVersion(restored, 'index.redos[].steps[].restored') };
    }),
    entries: listOf(entries, 'index.redos[].entries').map(entryOf),
  };
}

function objectOf(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new InvalidDataError(path, 'is not an object');
}

function listOf(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new InvalidDataError(path, 'is not a list');
}

function textOf(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new InvalidDataError('index', 'holds no path where one is needed');
}

function indexOf(value: unknown): number {
  if (Number.isSafeInteger(value) && Number(value) >= 0) return Number(value);
  throw new InvalidDataError('index', 'holds no index of a message where one is needed');
}
