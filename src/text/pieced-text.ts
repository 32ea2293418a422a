import { InvalidDataError } from '../domain/errors.js';
import { t } from '../domain/l10n.js';

/** A part of a file, in bytes. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** Gives some bytes of a file; fewer, or none, where it ends before. */
export type ReadBytes = (range: ByteRange) => Buffer;

/** The bytes of a text, to be read as if they were a file. */
export function bytesOf(text: string | Uint8Array): ReadBytes {
  const bytes = typeof text === 'string' ? Buffer.from(text) : Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  return ({ offset, length }) => bytes.subarray(offset, offset + length);
}

/** Result of {@link PiecedText.byte} at the end. */
export const END = -1;
/** Bytes of the longest text that is made. A string in JavaScript is limited to about 512 million characters. */
const MAX_TEXT = 256 * 1024 * 1024;

/**
 * Text in UTF-8 and how far it was read. Only one piece of it is in memory; what lies across the border of two is read once
 * more. Bytes that are no UTF-8 read as U+FFFD, as in Go.
 */
export class PiecedText {
  protected piece: Buffer = Buffer.alloc(0);
  /** Current position in the piece. */
  protected at = 0;
  /** Where the piece begins. */
  private base = 0;

  /** @param pieceSize bytes that are read at once. */
  constructor(
    protected readonly read: ReadBytes,
    private readonly pieceSize = Infinity,
  ) {}

  /** Where the next byte is. */
  protected get offset(): number {
    return this.base + this.at;
  }

  /** The next byte, which stays the next one; {@link END} at the end. */
  protected byte(): number {
    if (this.at === this.piece.length) {
      this.base += this.at;
      this.at = 0;
      this.piece = this.read({ offset: this.base, length: this.pieceSize });
    }
    return this.piece[this.at] ?? END;
  }

  /** The text between two places. @throws InvalidDataError when it is too long for memory. */
  protected slice(start: number, end: number): string {
    if (end - start > MAX_TEXT) throw new InvalidDataError('', t('it contains a message larger than {0} MB', MAX_TEXT / 1024 / 1024));
    if (start >= this.base) return this.piece.toString('utf8', start - this.base, end - this.base);
    return this.read({ offset: start, length: end - start }).toString();
  }

  /** Line and column, in characters, of a place; both count from 1. */
  protected lineAndColumn(place: number): { readonly line: number; readonly column: number } {
    const decoder = new TextDecoder();
    let [line, column] = [1, 1];
    for (let offset = 0; offset < place; offset += this.pieceSize) {
      const bytes = this.read({ offset, length: Math.min(this.pieceSize, place - offset) });
      const lines = decoder.decode(bytes, { stream: true }).split('\n');
      line += lines.length - 1;
      column = (lines.length === 1 ? column : 1) + (lines.at(-1)?.length ?? 0);
    }
    return { line, column };
  }
}
