/** How many bytes after a mark are kept of a record that is too long. */
const KEPT_BYTES = 64;

/** One record of a stream. `afterMark` is set only where the record was too long and contains the mark beyond the limit. */
export interface StreamRecord {
  /** The record, or its first bytes up to the limit. */
  readonly head: Buffer;
  readonly complete: boolean;
  /** Up to 64 bytes from the mark on. */
  readonly afterMark: Buffer | undefined;
}

/** How a stream is cut. */
export interface SplitterOptions {
  /** The byte that ends a record. */
  readonly separator: number;
  /** Longest record that is kept whole, in bytes. */
  readonly limit: number;
  /** In a record that is too long, what follows these bytes is worth keeping. */
  readonly mark: Buffer;
}

/** Cuts a stream of bytes into records, in bounded memory however long a record is. */
export class RecordSplitter {
  private parts: Buffer[] = [];
  private length = 0;
  private window: Buffer = Buffer.alloc(0);
  private afterMark: Buffer | undefined;

  constructor(
    private readonly options: SplitterOptions,
    private readonly onRecord: (record: StreamRecord) => void,
  ) {}

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(this.options.separator); end !== -1; end = chunk.indexOf(this.options.separator, start)) {
      this.append(chunk.subarray(start, end));
      this.emit();
      start = end + 1;
    }
    this.append(chunk.subarray(start));
  }

  /** Gives what came after the last separator, if anything did. */
  end(): void {
    this.emit();
  }

  private append(part: Buffer): void {
    if (part.length === 0) return;
    const room = this.options.limit - Math.min(this.length, this.options.limit);
    if (room > 0) this.parts.push(part.subarray(0, room));
    this.length += part.length;
    if (part.length > room) this.scan(part.subarray(room));
  }

  /** Looks for the mark in what is not kept, across the borders of chunks. */
  private scan(part: Buffer): void {
    const window = Buffer.concat([this.window, part]);
    const at = this.afterMark === undefined || this.afterMark.length < KEPT_BYTES ? window.indexOf(this.options.mark) : -1;
    if (at !== -1) this.afterMark = window.subarray(at, at + KEPT_BYTES);
    this.window = window.subarray(-KEPT_BYTES);
  }

  private emit(): void {
    const { afterMark, length, parts } = this;
    this.parts = [];
    this.length = 0;
    this.window = Buffer.alloc(0);
    this.afterMark = undefined;
    const [only] = parts;
    const head = only !== undefined && parts.length === 1 ? only : Buffer.concat(parts);
    if (length > 0) this.onRecord({ head, complete: length <= this.options.limit, afterMark });
  }
}
