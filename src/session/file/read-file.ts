import { type FileHandle, open } from 'node:fs/promises';
import type { ByteRange } from '../../text/pieced-text.js';
import { type DecodedSession, decodeEnvelope } from '../codec/decode.js';
import { EnvelopeReader } from '../codec/reader.js';
import { yieldEvery } from '../../concurrency/steps.js';
import { NO_LINK, readRange, StoredPictures } from './stored-pictures.js';

/** What was read of a v1 file. */
export interface ReadEnvelope {
  readonly session: DecodedSession;
  /** Those pictures of the session that stay in the file. */
  readonly pictures: StoredPictures;
}

/** Sizes in bytes, smaller in tests. */
export interface ReadSizes {
  /** What is read at once. */
  readonly piece: number;
  /** The base64 of the shortest picture that stays in the file. */
  readonly picture: number;
}

const SIZES: ReadSizes = { piece: 256 * 1024, picture: 32 * 1024 };

/**
 * Reads a v1 file of any size, a part at a time, yielding in between. Its long pictures stay on the disk and are read on
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
  const pictures = new StoredPictures(path);
  const places: ByteRange[] = [];
  const leavePicture = (place: ByteRange): (() => Uint8Array) | undefined => {
    if (place.length < sizes.picture) return undefined;
    const index = places.push(place) - 1;
    return () => pictures.read(index);
  };
  const file = new ReadAhead(handle, sizes.piece);
  const reader = new EnvelopeReader((range) => file.read(range), { pieceSize: sizes.piece, leavePicture });
  const steps = decodeEnvelope(reader);
  const pause = yieldEvery();
  for (;;) {
    await file.prefetch();
    const step = steps.next();
    if (step.done === true) {
      pictures.note(handle.fd, places);
      return { session: step.value, pictures };
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
