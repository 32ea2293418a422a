import type { Stats } from 'node:fs';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { t } from '../../domain/l10n.js';
import type { LeftOut } from './json-cutter.js';
import { JsonCutter } from './json-cutter.js';

/** Bytes that are read of a file at once. */
export const READ_SIZE = 256 * 1024;

/** So many characters at its beginning, and its length, tell a picture from others when its file was written anew. */
const KNOWN_BY = 64;

interface Known extends LeftOut {
  readonly beginning: string;
}

/** Which state of a file places belong to. */
interface FileState {
  readonly size: number;
  readonly mtimeMs: number;
}

/**
 * The pictures of a v1 file that stay on the disk until somebody looks at them. When the file was written anew, by a fold or
 * by another window, they are looked for in it again.
 */
export class StoredPictures {
  private places: readonly Known[] = [];
  private state: FileState = { size: -1, mtimeMs: 0 };

  constructor(private readonly path: string) {}

  /** Takes note of where the pictures are in an open file. */
  note(descriptor: number, places: readonly LeftOut[]): void {
    this.places = places.map((place) => ({ ...place, beginning: beginningOf(descriptor, place) }));
    this.state = stateOf(fstatSync(descriptor));
  }

  /** The bytes of a picture by its place in the order of the file as it was noted. @throws Error when they are not there any more. */
  read(index: number): Uint8Array {
    const descriptor = openForReading(this.path);
    try {
      const { size, mtimeMs } = fstatSync(descriptor);
      if (size !== this.state.size || mtimeMs !== this.state.mtimeMs) this.find(descriptor, scan(descriptor));
      const place = this.places[index];
      if (place === undefined) throw new Error(t('A picture of this conversation is missing.'));
      const decoded = Buffer.from(readRange(descriptor, place).toString('latin1'), 'base64');
      return new Uint8Array(decoded.buffer, decoded.byteOffset, decoded.byteLength);
    } finally {
      closeSync(descriptor);
    }
  }

  /**
   * Passes on the parts of the file as it is written anew and sees where the pictures come to stand.
   * {@link follow} is to be called with what it returns when the file has its name.
   */
  watch(parts: Iterable<Uint8Array>): WatchedParts {
    const cutter = new JsonCutter(() => new Uint8Array());
    return { places: cutter.pictures, parts: this.places.length === 0 ? parts : feed(cutter, parts) };
  }

  /** Goes on with the file that was written anew. */
  follow(places: readonly LeftOut[]): void {
    if (this.places.length === 0) return;
    const descriptor = openForReading(this.path);
    try {
      this.find(descriptor, places);
    } finally {
      closeSync(descriptor);
    }
  }

  /** Looks for the pictures among others: they are in the same order. */
  private find(descriptor: number, found: readonly LeftOut[]): void {
    let from = 0;
    this.places = this.places.map((known) => {
      while (from < found.length && !isSame(descriptor, found[from], known)) from += 1;
      const place = found[from];
      if (place === undefined) throw new Error(t('A picture of this conversation cannot be read any more: another program changed its file.'));
      from += 1;
      return { ...known, offset: place.offset };
    });
    this.state = stateOf(fstatSync(descriptor));
  }
}

/** A file on its way to the disk. */
export interface WatchedParts {
  readonly parts: Iterable<Uint8Array>;
  /** Where its pictures are; complete when the parts are. */
  readonly places: readonly LeftOut[];
}

function* feed(cutter: JsonCutter, parts: Iterable<Uint8Array>): Generator<Uint8Array, void> {
  for (const part of parts) {
    cutter.feed(part);
    while (cutter.next() !== undefined);
    yield part;
  }
}

function isSame(descriptor: number, place: LeftOut | undefined, known: Known): boolean {
  return place?.length === known.length && beginningOf(descriptor, place) === known.beginning;
}

/** Opens a file, but no link. */
function openForReading(path: string): number {
  return openSync(path, constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NOFOLLOW));
}

/** A part of an open file; shorter when the file ends. */
export function readRange(descriptor: number, { offset, length }: LeftOut): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const count = readSync(descriptor, bytes, done, length - done, offset + done);
    if (count === 0) break;
    done += count;
  }
  return bytes.subarray(0, done);
}

function scan(descriptor: number): readonly LeftOut[] {
  const cutter = new JsonCutter((place) => readRange(descriptor, place));
  for (let offset = 0; ; ) {
    const bytes = readRange(descriptor, { offset, length: READ_SIZE });
    if (bytes.length === 0) return cutter.pictures;
    cutter.feed(bytes);
    while (cutter.next() !== undefined);
    offset += bytes.length;
  }
}

function beginningOf(descriptor: number, { offset, length }: LeftOut): string {
  return readRange(descriptor, { offset, length: Math.min(length, KNOWN_BY) }).toString('latin1');
}

function stateOf({ size, mtimeMs }: Stats): FileState {
  return { size, mtimeMs };
}
