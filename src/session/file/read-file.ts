import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { InvalidDataError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { DecodedSession } from '../codec/decode.js';
import { decodePieces } from '../codec/decode.js';
import { slices } from '../slices.js';
import type { CutterSizes } from './json-cutter.js';
import { JsonCutter } from './json-cutter.js';
import { READ_SIZE, readRange, StoredPictures } from './stored-pictures.js';

/** What was read of a v1 file. */
export interface ReadEnvelope {
  readonly session: DecodedSession;
  /** Those pictures of the session that stay in the file. */
  readonly pictures: StoredPictures;
}

/**
 * Reads a v1 file of any size, a part at a time and with turns for other work in between. Its long pictures stay on the disk
 * and are read from there each time somebody takes their `data`.
 * @throws InvalidDataError naming the place, or the error of the system.
 */
export async function readEnvelopeFile(path: string, sizes?: CutterSizes): Promise<ReadEnvelope> {
  const handle = await open(path, constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NOFOLLOW));
  try {
    return await decode(path, handle, sizes);
  } finally {
    await handle.close();
  }
}

async function decode(path: string, handle: FileHandle, sizes: CutterSizes | undefined): Promise<ReadEnvelope> {
  const pictures = new StoredPictures(path);
  const source = new FileSource(handle, new JsonCutter((place) => readRange(handle.fd, place), sizes));
  await source.prefetch();
  const pause = slices();
  const steps = decodePieces({ next: () => source.next(), picture: (text) => pictureOf(source.cutter, pictures, text) });
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      pictures.note(handle.fd, source.cutter.pictures);
      return { session: step.value, pictures };
    }
    await source.prefetch();
    await pause();
  }
}

function pictureOf(cutter: JsonCutter, pictures: StoredPictures, text: string): (() => Uint8Array) | undefined {
  const index = cutter.indexOf(text);
  return index === undefined ? undefined : () => pictures.read(index);
}

/** The text of a file. Pieces are fetched ahead; a reader that needs more at once gets it at once. */
class FileSource {
  private readonly buffer = Buffer.allocUnsafe(READ_SIZE);
  private offset = 0;
  private ended = false;

  constructor(
    private readonly handle: FileHandle,
    readonly cutter: JsonCutter,
  ) {}

  /** Reads until there is a piece. */
  async prefetch(): Promise<void> {
    while (!this.cutter.isReady && !this.ended) {
      const { bytesRead } = await this.handle.read(this.buffer, 0, READ_SIZE, this.offset);
      this.feed(this.buffer.subarray(0, bytesRead));
    }
  }

  next(): string | undefined {
    while (!this.cutter.isReady && !this.ended) this.feed(readRange(this.handle.fd, { offset: this.offset, length: READ_SIZE }));
    return this.cutter.next();
  }

  private feed(bytes: Buffer): void {
    if (this.offset === 0) refuseStart(bytes);
    this.offset += bytes.length;
    this.ended = bytes.length === 0;
    if (this.ended) this.cutter.end();
    else this.cutter.feed(bytes);
  }
}

function refuseStart(bytes: Uint8Array): void {
  if (bytes.length === 0) throw new InvalidDataError('', t('the file is empty'));
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) throw new InvalidDataError('', t('the file begins with a byte-order mark'));
}
