/** Keeps the beginning and the end of a text of any length. */
export class HeadTail {
  private head = '';
  private tail = '';
  private total = 0;

  /** @param cap characters kept at each end. */
  constructor(private readonly cap: number) {}

  add(text: string): void {
    this.total += Buffer.byteLength(text);
    const room = this.cap - this.head.length;
    const cut = room <= 0 ? 0 : room < text.length && isHighSurrogate(text, room - 1) ? room - 1 : room;
    if (this.tail === '' && cut > 0) this.head += text.slice(0, cut);
    const rest = this.tail === '' ? text.slice(cut) : text;
    if (rest !== '') this.tail = lastCharacters(this.tail + rest, this.cap);
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

function lastCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  const start = text.length - count;
  // A copy, for a slice would keep the whole text in memory.
  return Buffer.from(text.slice(isHighSurrogate(text, start - 1) ? start + 1 : start)).toString();
}

function isHighSurrogate(text: string, at: number): boolean {
  return /[\uD800-\uDBFF]/.test(text.charAt(at));
}
