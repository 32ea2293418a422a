import { Buffer } from 'node:buffer';

/** Bytes of the start and the end of a line that are kept of one that is too long. */
const EDGE_BYTES = 512;
const NEWLINE = 0x0a;

/** The part of an overlong line that is kept. */
export interface LongLine {
  readonly head: string;
  readonly tail: string;
  /** Its length. */
  readonly bytes: number;
}

/** Takes lines. */
export interface LineTaker {
  readonly line: (text: string) => void;
  /** Called at the end of the line, of which only the edges were kept. */
  readonly tooLong: (line: LongLine) => void;
}

/**
 * Cuts a stream of bytes into lines of UTF-8. Of a line, no more than the limit is ever held, also while it arrives.
 * Not the reader of the official client, which gives up on the connection at its limit.
 */
export class LineReader {
  private parts: Uint8Array[] = [];
  private held = 0;
  private long: { readonly head: Buffer; tail: Buffer; bytes: number } | undefined;

  constructor(
    private readonly limit: number,
    private readonly taker: LineTaker,
  ) {}

  /** Takes the next bytes, and passes on the lines that are complete now. */
  push(bytes: Uint8Array): void {
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      this.add(bytes.subarray(start, end));
      this.finish();
      start = end + 1;
    }
    this.add(bytes.subarray(start));
  }

  /** Passes on what came after the last line, if anything did. */
  end(): void {
    if (this.held > 0 || this.long !== undefined) this.finish();
  }

  private add(part: Uint8Array): void {
    if (this.long !== undefined) {
      this.long.bytes += part.length;
      this.long.tail = tailOf([this.long.tail, part]);
    } else if (this.held + part.length > this.limit) {
      const all = [...this.parts, part];
      this.long = { head: headOf(all), tail: tailOf(all), bytes: this.held + part.length };
      this.parts = [];
      this.held = 0;
    } else if (part.length > 0) {
      this.parts.push(part);
      this.held += part.length;
    }
  }

  private finish(): void {
    const { long, parts } = this;
    this.parts = [];
    this.held = 0;
    this.long = undefined;
    if (long !== undefined) this.taker.tooLong({ head: long.head.toString(), tail: long.tail.toString(), bytes: long.bytes });
    else this.taker.line(Buffer.concat(parts).toString().replace(/\r$/, ''));
  }
}

function headOf(parts: readonly Uint8Array[]): Buffer {
  const head: Uint8Array[] = [];
  let left = EDGE_BYTES;
  for (const part of parts) {
    if (left <= 0) break;
    head.push(part.subarray(0, left));
    left -= part.length;
  }
  return Buffer.concat(head);
}

function tailOf(parts: readonly Uint8Array[]): Buffer {
  const tail: Uint8Array[] = [];
  let left = EDGE_BYTES;
  for (const part of parts.toReversed()) {
    if (left <= 0) break;
    tail.unshift(part.subarray(Math.max(0, part.length - left)));
    left -= part.length;
  }
  return Buffer.concat(tail);
}
