import { type ByteRange, END, PiecedText } from './pieced-text.js';

/** Where the characters of a string are, without its quotes. */
export interface StringPlace extends ByteRange {
  /** Whether they are padded base64 and nothing else. */
  readonly isBase64: boolean;
}

/** Bytes that are not JSON, with the offset where they stop to be. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  constructor(
    readonly offset: number,
    problem: string,
  ) {
    super(problem);
  }
}

/** Deeper nesting is refused, as Go's decoder does. */
const MAX_DEPTH = 10_000;
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a] as const;
const [ZERO, NINE, MINUS, PLUS, POINT, SMALL_E, LARGE_E] = [0x30, 0x39, 0x2d, 0x2b, 0x2e, 0x65, 0x45] as const;
const [OPEN_LIST, OPEN_OBJECT] = [0x5b, 0x7b] as const;
/** A bracket closes what the one so much below it opens. */
const TO_CLOSE = 2;

/** Bytes that may follow a backslash, apart from `u`, and those that may follow `\u`. */
const ESCAPED: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'));
const HEXADECIMAL: ReadonlySet<number> = new Set(Buffer.from('0123456789ABCDEFabcdef'));
const WORDS: ReadonlyMap<number, Buffer> = new Map(['true', 'false', 'null'].map((word) => [word.charCodeAt(0), Buffer.from(word)]));

/** Kinds of bytes in strings: 0 for those of base64, and bits for what else a string can contain. */
const [OTHER, PADDING, STOP, ESCAPE] = [1, 2, 4, 8] as const;
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (/[A-Za-z0-9+/]/.test(character)) return 0;
  return character === '=' ? PADDING : byte < 0x20 || /["\\]/.test(character) ? STOP : OTHER;
});

/**
 * Walks over JSON in UTF-8 by pulling, so that a value is made only of what is wanted and whole values can be taken as they
 * are written. Takes linear time, and nothing is recursive: depth costs no stack. Every method throws {@link JsonSyntaxError}.
 */
export class JsonScanner extends PiecedText {
  /** Maximum nesting of lists and objects so far. */
  deepest = 0;
  private depth = 0;

  /** Goes from key to key of the object that comes next. The caller takes the values. */
  *keys(): Generator<string, void> {
    this.enter(OPEN_OBJECT);
    if (this.leave(OPEN_OBJECT)) return;
    do {
      const key = this.string();
      this.expect(COLON);
      yield key;
    } while (this.goesOn(OPEN_OBJECT));
  }

  /** Goes from item to item of the list that comes next, with their numbers from 0. The caller takes the items. */
  *items(): Generator<number, void> {
    this.enter(OPEN_LIST);
    if (this.leave(OPEN_LIST)) return;
    let index = 0;
    do yield index++;
    while (this.goesOn(OPEN_LIST));
  }

  /** Current position in bytes. */
  get position(): number {
    return this.offset;
  }

  /** First byte of the next token, -1 at the end. */
  peek(): number {
    for (;;) {
      const byte = this.byte();
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte;
      this.at += 1;
    }
  }

  /** Takes a string and decodes it. */
  string(): string {
    const start = this.next();
    const escaped = (this.skipString() & ESCAPE) !== 0;
    return escaped ? (JSON.parse(this.slice(start, this.offset)) as string) : this.slice(start + 1, this.offset - 1);
  }

  /** Takes a string without reading it into memory. */
  stringPlace(): StringPlace {
    const offset = this.next() + 1;
    const isBase64 = this.skipString() === 0;
    const length = this.offset - 1 - offset;
    return { offset, length, isBase64: isBase64 && length % 4 === 0 };
  }

  /** The string at a place. */
  stringAt({ offset, length }: StringPlace): string {
    return JSON.parse(this.slice(offset - 1, offset + length + 1)) as string;
  }

  /** Takes any value as it is written. */
  raw(): string {
    const { offset, length } = this.skip();
    return this.slice(offset, offset + length);
  }

  /** Takes any value. @returns where it stands. */
  skip(): ByteRange {
    const offset = this.next();
    for (const mark of this.marks()) void mark;
    return { offset, length: this.offset - offset };
  }

  /** Takes any value and gives the places of the brackets, commas and colons in it. */
  *marks(): Generator<number, void> {
    const open: number[] = [];
    do {
      const byte = this.peek();
      const opens = byte === OPEN_OBJECT || byte === OPEN_LIST;
      if (opens) {
        yield this.offset;
        this.enter(byte);
        open.push(byte);
      } else if (byte === QUOTE) this.skipString();
      else this.skipLiteral();
      let behindValue = !opens || this.peek() === byte + TO_CLOSE;
      while (behindValue && open.length > 0) {
        yield this.next();
        behindValue = !this.goesOn(open.at(-1) ?? 0);
        if (behindValue) open.pop();
      }
      if (open.at(-1) !== OPEN_OBJECT) continue;
      this.skipString();
      yield this.next();
      this.expect(COLON);
    } while (open.length > 0);
  }

  /** Requires that only white space follows. */
  end(): void {
    if (this.peek() !== END) this.fail('there is more after the end of the JSON value');
  }

  /** Where the next token begins. */
  private next(): number {
    this.peek();
    return this.offset;
  }

  private enter(bracket: number): void {
    this.expect(bracket);
    this.depth += 1;
    this.deepest = Math.max(this.deepest, this.depth);
    if (this.depth > MAX_DEPTH) this.fail(`it is nested deeper than ${MAX_DEPTH} levels`);
  }

  private leave(bracket: number): boolean {
    if (this.peek() !== bracket + TO_CLOSE) return false;
    this.at += 1;
    this.depth -= 1;
    return true;
  }

  /** Behind a value: leaves what a bracket opened, or takes the comma before another value. */
  private goesOn(bracket: number): boolean {
    if (this.leave(bracket)) return false;
    this.expect(COMMA);
    return true;
  }

  private expect(byte: number): void {
    this.peek();
    this.takeByte(byte);
  }

  /** Skips a string. @returns bits for what it contains apart from base64 with its padding. */
  private skipString(): number {
    this.expect(QUOTE);
    let seen = 0;
    let padding = 0;
    for (let firstPadding = Infinity; ;) {
      seen = this.skipPlain(seen);
      const byte = this.byte();
      if (byte === BACKSLASH) {
        this.skipEscape();
        seen |= ESCAPE;
      } else if (byte === QUOTE) {
        const misplaced = padding > 0 && (padding > 2 || this.offset - firstPadding !== padding);
        this.at += 1;
        return misplaced ? seen | OTHER : seen;
      } else if (byte < 0x20) this.fail(byte === END ? 'the text ends within a string' : 'control character in a string');
      else if (KINDS[byte] === PADDING) {
        firstPadding = Math.min(firstPadding, this.offset);
        padding += 1;
        this.at += 1;
      }
    }
  }

  /** Takes what can be taken in a string without thinking: most of all bytes. Where it is no base64, padding counts for nothing. */
  private skipPlain(before: number): number {
    const { piece } = this;
    let seen = before;
    let at = this.at;
    for (; at < piece.length; at += 1) {
      const kind = KINDS[piece[at] as number] as number;
      if (kind > OTHER && (kind === STOP || (seen & OTHER) === 0)) break;
      seen |= kind;
    }
    this.at = at;
    return seen;
  }

  private skipEscape(): void {
    const start = this.offset;
    this.at += 1;
    const digits = this.byte() === 0x75 ? 4 : 0;
    let fits = digits > 0 || ESCAPED.has(this.byte());
    for (let left = digits; fits && left > 0; left -= 1) {
      this.at += 1;
      fits = HEXADECIMAL.has(this.byte());
    }
    if (!fits) this.fail('unknown escape in a string', start);
    this.at += 1;
  }

  private skipLiteral(): void {
    const word = WORDS.get(this.peek());
    if (word !== undefined) for (const byte of word) this.takeByte(byte);
    else this.skipNumber();
  }

  private skipNumber(): void {
    this.takeIf(MINUS);
    if (!this.takeIf(ZERO)) this.skipDigits();
    if (this.takeIf(POINT)) this.skipDigits();
    if (!this.takeIf(SMALL_E) && !this.takeIf(LARGE_E)) return;
    if (!this.takeIf(PLUS)) this.takeIf(MINUS);
    this.skipDigits();
  }

  private skipDigits(): void {
    do {
      if (!this.isDigit()) this.unexpected();
      this.at += 1;
    } while (this.isDigit());
  }

  private isDigit(): boolean {
    const byte = this.byte();
    return byte >= ZERO && byte <= NINE;
  }

  private takeIf(byte: number): boolean {
    if (this.byte() !== byte) return false;
    this.at += 1;
    return true;
  }

  private takeByte(byte: number): void {
    if (!this.takeIf(byte)) this.unexpected();
  }

  private unexpected(): never {
    const [found] = this.read({ offset: this.offset, length: 4 }).toString();
    this.fail(found === undefined ? 'the text ends too early' : `unexpected ${JSON.stringify(found)}`);
  }

  private fail(problem: string, offset = this.offset): never {
    throw new JsonSyntaxError(offset, problem);
  }
}
