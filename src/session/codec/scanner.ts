import { JSON_CODES, JSON_TOKENS, JsonSyntaxError, MAX_DEPTH, SHORT_ESCAPES } from './syntax.js';

/** Receives the tokens of a skipped value: punctuation, strings with their quotes, and other literals. */
export type TokenListener = (from: number, to: number, first: number) => void;

const { QUOTE, BACKSLASH, COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT } = JSON_CODES;

/** JSON text and how far it was read. It may come in pieces that are cut between two tokens; what was read is dropped then. */
class ScannedText {
  /** The present piece. */
  protected text: string;
  /** In the present piece. */
  protected pos = 0;
  /** From here on the text is still needed when the next piece comes. */
  protected start: number | undefined;
  /** Lines, and characters of the last one, in text that was dropped. */
  private dropped = { lines: 0, column: 0 };

  /** @param more gives the text that follows; `undefined` at the end. */
  constructor(
    text: string,
    private readonly more?: () => string | undefined,
  ) {
    this.text = text;
  }

  /** First character code of the next token, `NaN` at the end. */
  peek(): number {
    for (;;) {
      const code = this.text.charCodeAt(this.pos);
      if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) this.pos += 1;
      else if (!Number.isNaN(code) || !this.refill()) return code;
    }
  }

  /** Where an offset of the present piece is in the whole text. */
  lineAndColumn(offset: number): { readonly line: number; readonly column: number } {
    const before = this.text.slice(0, offset);
    const lines = before.split('\n').length;
    const column = offset - before.lastIndexOf('\n') + (lines === 1 ? this.dropped.column : 0);
    return { line: this.dropped.lines + lines, column };
  }

  private refill(): boolean {
    const next = this.more?.();
    if (next === undefined) return false;
    const kept = this.start ?? this.text.length;
    const { line, column } = this.lineAndColumn(kept);
    this.dropped = { lines: line - 1, column: column - 1 };
    this.text = this.text.slice(kept) + next;
    this.pos -= kept;
    if (this.start !== undefined) this.start = 0;
    return true;
  }
}

/**
 * Walks over JSON text by pulling, so that a value is made only of what is wanted and numbers and whole values can be taken
 * as they are written. Nothing is recursive: depth costs no stack. Every method throws {@link JsonSyntaxError}.
 */
export class JsonScanner extends ScannedText {
  private depth = 0;

  /** Whether the next value is `null`; then it is taken. */
  takeNull(): boolean {
    if (this.peek() !== 0x6e) return false;
    this.literal();
    return true;
  }

  isObject(): boolean {
    return this.peek() === OPEN_OBJECT;
  }

  isList(): boolean {
    return this.peek() === OPEN_LIST;
  }

  isString(): boolean {
    return this.peek() === QUOTE;
  }

  /** Enters the object that comes next. @returns its first key, `undefined` when it is empty (it is left then). */
  firstKey(): string | undefined {
    this.enter(OPEN_OBJECT);
    return this.leaveAt(CLOSE_OBJECT) ? undefined : this.key();
  }

  /** After a value in an object: the next key, `undefined` at the end (the object is left then). */
  nextKey(): string | undefined {
    if (this.leaveAt(CLOSE_OBJECT)) return undefined;
    this.expect(COMMA);
    return this.key();
  }

  /** Enters the list that comes next. @returns whether it has an item; otherwise it is left. */
  firstItem(): boolean {
    this.enter(OPEN_LIST);
    return !this.leaveAt(CLOSE_LIST);
  }

  /** After an item: whether another one comes; otherwise the list is left. */
  nextItem(): boolean {
    if (this.leaveAt(CLOSE_LIST)) return false;
    this.expect(COMMA);
    return true;
  }

  /** Takes a string and decodes it. */
  string(): string {
    this.peek();
    const start = this.pos;
    return this.skipString() ? (JSON.parse(this.text.slice(start, this.pos)) as string) : this.text.slice(start + 1, this.pos - 1);
  }

  /** Takes a number, `true`, `false` or `null` as it is written. */
  literal(): string {
    this.peek();
    const start = this.pos;
    for (const pattern of [JSON_TOKENS.number, JSON_TOKENS.word]) {
      pattern.lastIndex = start;
      if (!pattern.test(this.text)) continue;
      this.pos = pattern.lastIndex;
      return this.text.slice(start, this.pos);
    }
    return this.unexpected();
  }

  /** Takes any value, checking its syntax. @returns the value as it is written. */
  skip(token?: TokenListener): string {
    this.peek();
    this.start = this.pos;
    this.discard(token);
    const raw = this.text.slice(this.start, this.pos);
    this.start = undefined;
    return raw;
  }

  /** Takes any value, checking its syntax, and forgets it. */
  discard(token?: TokenListener): void {
    const open: number[] = [];
    do {
      this.skipToken(open, token);
    } while (open.length > 0);
  }

  /** Requires that only white space follows. */
  end(): void {
    if (!Number.isNaN(this.peek())) this.fail('there is more after the end of the JSON value');
  }

  /** Takes a simple value or the start of a container, and then all punctuation up to the next value. */
  private skipToken(open: number[], token: TokenListener | undefined): void {
    const code = this.peek();
    const start = this.pos;
    if (code === OPEN_OBJECT || code === OPEN_LIST) {
      this.enter(code);
      token?.(start, this.pos, code);
      open.push(code);
      if (!this.closes(open, token)) {
        if (code === OPEN_OBJECT) this.skipKey(token);
        return;
      }
    } else {
      if (code === QUOTE) this.skipString();
      else this.literal();
      token?.(start, this.pos, code);
    }
    this.skipSeparator(open, token);
  }

  /** After a value: leaves the containers that end here, or takes the comma (and key) before the next value. */
  private skipSeparator(open: number[], token: TokenListener | undefined): void {
    while (open.length > 0) {
      if (this.closes(open, token)) continue;
      this.take(COMMA, token);
      if (open.at(-1) === OPEN_OBJECT) this.skipKey(token);
      return;
    }
  }

  private closes(open: number[], token: TokenListener | undefined): boolean {
    const closing = open.at(-1) === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_LIST;
    if (!this.leaveAt(closing)) return false;
    token?.(this.pos - 1, this.pos, closing);
    open.pop();
    return true;
  }

  private skipKey(token: TokenListener | undefined): void {
    this.peek();
    const start = this.pos;
    this.skipString();
    token?.(start, this.pos, QUOTE);
    this.take(COLON, token);
  }

  private take(code: number, token: TokenListener | undefined): void {
    this.expect(code);
    token?.(this.pos - 1, this.pos, code);
  }

  private key(): string {
    if (this.peek() !== QUOTE) this.unexpected();
    const key = this.string();
    this.expect(COLON);
    this.peek();
    return key;
  }

  private enter(code: number): void {
    this.expect(code);
    this.depth += 1;
    if (this.depth > MAX_DEPTH) this.fail(`it is nested deeper than ${MAX_DEPTH} levels`);
  }

  private leaveAt(code: number): boolean {
    if (this.peek() !== code) return false;
    this.pos += 1;
    this.depth -= 1;
    return true;
  }

  private expect(code: number): void {
    if (this.peek() !== code) this.unexpected();
    this.pos += 1;
  }

  /** Takes a string. @returns whether it holds an escape. */
  private skipString(): boolean {
    if (this.peek() !== QUOTE) this.unexpected();
    const { text } = this;
    let escaped = false;
    let at = this.pos + 1;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) break;
      if (code === BACKSLASH) {
        escaped = true;
        at = this.escapeEnd(at);
      } else if (code >= 0x20) at += 1;
      else this.stringBreaks(at, code);
    }
    this.pos = at + 1;
    return escaped;
  }

  private escapeEnd(at: number): number {
    if (SHORT_ESCAPES.has(this.text.charCodeAt(at + 1))) return at + 2;
    JSON_TOKENS.escape.lastIndex = at;
    if (!JSON_TOKENS.escape.test(this.text)) this.fail('unknown escape in a string', at);
    return JSON_TOKENS.escape.lastIndex;
  }

  /** `code` is a control character or, at the end of the text, `NaN`. */
  private stringBreaks(at: number, code: number): never {
    this.fail(Number.isNaN(code) ? 'the text ends within a string' : 'control character in a string', at);
  }

  private unexpected(): never {
    const found = this.text.codePointAt(this.pos);
    this.fail(found === undefined ? 'the text ends too early' : `unexpected ${JSON.stringify(String.fromCodePoint(found))}`);
  }

  private fail(problem: string, offset = this.pos): never {
    throw new JsonSyntaxError(offset, problem);
  }
}
