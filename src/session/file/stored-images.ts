import { type Stats, closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { t } from '../../domain/l10n.js';
import { type ByteRange, type ReadBytes, bytesOf } from '../../text/pieced-text.js';

/** Characters of the beginning that, with its length, identify an image after its file was rewritten. */
const KNOWN_BY = 64;
/** Bytes of a file that are searched at once. */
const SEARCHED = 256 * 1024;
/** For opening a file for reading, but no link. */
export const NO_LINK = constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NOFOLLOW);

const QUOTE = 0x22;

/** The base64 of an image in a file. */
interface Known extends ByteRange {
  readonly beginning: string;
}

/** Which state of a file places belong to. */
interface FileState {
  readonly size: number;
  readonly mtimeMs: number;
}

/**
 * The images of a v1 file, which stay on the disk until they are accessed. After the file was rewritten, by a fold or by
 * another window, they are searched for in it again.
 */
export class StoredImages {
  private images: readonly Known[] = [];
  private state: FileState = { size: -1, mtimeMs: 0 };

  constructor(private readonly path: string) {}

  /** Takes note of where the images are in an open file. */
  note(descriptor: number, places: readonly ByteRange[]): void {
    this.images = places.map(({ offset, length }) => {
      const beginning = readRange(descriptor, { offset, length: Math.min(length, KNOWN_BY) }).toString('latin1');
      return { offset, length, beginning };
    });
    this.state = stateOf(fstatSync(descriptor));
  }

  /** The bytes of an image by its place in the order of the file as it was noted. @throws Error when they are not there any more. */
  read(index: number): Uint8Array {
    return this.withFile((descriptor) => {
      const { size, mtimeMs } = fstatSync(descriptor);
      if (size !== this.state.size || mtimeMs !== this.state.mtimeMs) {
        this.moveTo(
          descriptor,
          search((range) => readRange(descriptor, range), this.images),
        );
      }
      const image = this.images[index];
      if (image === undefined) throw new Error(t('An image in this chat is missing.'));
      const decoded = Buffer.from(readRange(descriptor, image).toString('latin1'), 'base64');
      return new Uint8Array(decoded.buffer, decoded.byteOffset, decoded.byteLength);
    });
  }

  /**
   * Passes on the parts of the file as it is written anew, each with whole messages, and sees where the images come to stand.
   * {@link follow} is to be called with that when the file has its name.
   */
  watch(parts: Iterable<Uint8Array>): WatchedParts {
    const offsets: number[] = [];
    return { offsets, parts: this.images.length === 0 ? parts : searched(parts, this.images, offsets) };
  }

  /** Switches to the file that was rewritten. */
  follow(offsets: readonly number[]): void {
    if (this.images.length > 0) this.withFile((descriptor) => this.moveTo(descriptor, offsets));
  }

  private moveTo(descriptor: number, offsets: readonly number[]): void {
    this.images = this.images.map((image, index) => {
      const offset = offsets[index];
      if (offset === undefined) throw new Error(t('An image in this chat can no longer be read because another program changed its file.'));
      return { ...image, offset };
    });
    this.state = stateOf(fstatSync(descriptor));
  }

  private withFile<T>(work: (descriptor: number) => T): T {
    const descriptor = openSync(this.path, NO_LINK);
    try {
      return work(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }
}

/** A file that is being written to the disk. */
export interface WatchedParts {
  readonly parts: Iterable<Uint8Array>;
  /** Where its images are; complete when the parts are. */
  readonly offsets: readonly number[];
}

function* searched(parts: Iterable<Uint8Array>, images: readonly Known[], offsets: number[]): Generator<Uint8Array, void> {
  let written = 0;
  for (const part of parts) {
    for (const offset of search(bytesOf(part), images.slice(offsets.length))) offsets.push(written + offset);
    written += part.length;
    yield part;
  }
}

/**
 * Finds images in bytes: they are in the same order. What else is in the bytes is not looked at: a string with the same
 * beginning and length as an image is that image.
 * @returns the offsets of those that come before the bytes end.
 */
function search(read: ReadBytes, images: readonly Known[]): readonly number[] {
  const offsets: number[] = [];
  let from = 0;
  for (const image of images) {
    const found = searchOne(read, image, from);
    if (found === undefined) break;
    offsets.push(found);
    from = found + image.length;
  }
  return offsets;
}

function searchOne(read: ReadBytes, { beginning, length }: Known, start: number): number | undefined {
  const wanted = `"${beginning}`;
  for (let from = start; ;) {
    const bytes = read({ offset: from, length: SEARCHED });
    for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) {
      const offset = from + at + 1;
      if (read({ offset: offset + length, length: 1 })[0] === QUOTE && read({ offset, length }).indexOf(QUOTE) < 0) return offset;
    }
    if (bytes.length < wanted.length) return undefined;
    from += bytes.length - wanted.length + 1;
  }
}

/** A part of an open file, in the buffer if one is given; shorter when the file ends. */
export function readRange(descriptor: number, { offset, length }: ByteRange, bytes: Buffer = Buffer.allocUnsafe(length)): Buffer {
  let done = 0;
  while (done < length) {
    const count = readSync(descriptor, bytes, done, length - done, offset + done);
    if (count === 0) break;
    done += count;
  }
  return bytes.subarray(0, done);
}

function stateOf({ size, mtimeMs }: Stats): FileState {
  return { size, mtimeMs };
}
