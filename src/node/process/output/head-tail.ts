/** Keeps the beginning and the end of a text of any length. */
export class HeadTail {
  private head = '';
  private tail = '';
  private total = 0;

  /** @param cap characters kept at each end. */
  constructor(private readonly cap: number) {}

  add(text: string): void {
    this.total += Buffer.byteLength(text);
    const cut = this.tail === '' ? safeCut(text, this.cap - this.head.length) : 0;
    this.head += text.slice(0, cut);
    if (cut < text.length) this.tail = lastCharacters(this.tail + text.slice(cut), this.cap);
  }

  /** UTF-8 bytes of everything that was added. */
  get totalBytes(): number {
    return this.total;
  }

  /** Everything so far; only meaningful while nothing is left out. */
  get text(): string {
    return this.head + this.tail;
  }

  /** Bytes between what is kept at both ends. */
  get omittedBytes(): number {
    return this.total - Buffer.byteLength(this.head) - Buffer.byteLength(this.tail);
  }

  /** Beginning and end, with a notice between them where something is left out. */
  shortened(notice: (omittedBytes: number) => string): string {
    const omitted = this.omittedBytes;
    return omitted === 0 ? this.text : `${this.head}\n${notice(omitted)}\n${this.tail}`;
  }
}

/** The end of a text, never beginning with half of a surrogate pair. @param count characters; one more at most is kept. */
export function lastCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  const start = safeCut(text, text.length - count);
  // A copy, for a slice would keep the whole text in memory.
  return Buffer.from(text.slice(start)).toString();
}

/** A place to cut a text that does not divide a surrogate pair: at most one character before the one asked for. */
function safeCut(text: string, at: number): number {
  if (at >= text.length) return text.length;
  return /[\uD800-\uDBFF]/.test(text.charAt(at - 1)) ? at - 1 : at;
}
