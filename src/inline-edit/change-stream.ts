import type { LineEdit } from './line-edit.js';
import { StreamingDiff } from './streaming-diff.js';

/** The argument of the tool call with the new lines. */
export const NEW_TEXT = 'new_text';

/** Turns the raw arguments of a tool call, while they stream, into changes of the lines that the call replaces. */
export class ChangeStream {
  private readonly reader = new JsonTextReader(NEW_TEXT);
  private readonly lines = new LineStream();
  private readonly diff: StreamingDiff;
  private received = '';
  private changes: LineEdit[] = [];

  /** @param old the lines that are replaced. */
  constructor(old: readonly string[]) {
    this.diff = new StreamingDiff(old);
  }

  /** Takes in a piece of the raw arguments. */
  push(raw: string): void {
    this.read(this.reader.push(raw));
  }

  /**
   * Takes in the rest.
   * @param text the whole new text.
   * @param isPart whether the document has other lines too: an empty text means no lines then, otherwise one empty line.
   * @throws Error when what streamed is not the beginning of the text.
   */
  finish(text: string, isPart: boolean): void {
    if (!text.startsWith(this.received)) throw new Error('What streamed is not the beginning of the whole.');
    this.read(text.slice(this.received.length));
    const last = this.lines.end();
    // A text that ends with a line ending has no further line.
    if (last !== '' || (text === '' && !isPart)) this.offer(this.diff.push(last));
    this.offer(this.diff.end());
  }

  /** Whether there is nothing to {@link take}. */
  get isEmpty(): boolean {
    return this.changes.length === 0;
  }

  /** Hands out the changes that are certain and were not handed out yet, in the order of the lines. */
  take(): readonly LineEdit[] {
    const { changes } = this;
    this.changes = [];
    return changes;
  }

  private read(piece: string): void {
    this.received += piece;
    for (const line of this.lines.push(piece)) this.offer(this.diff.push(line));
  }

  private offer(change: LineEdit | undefined): void {
    if (change === undefined) return;
    const last = this.changes.at(-1);
    // Two changes that touch are one.
    if (last?.end === change.start) this.changes[this.changes.length - 1] = { start: last.start, end: change.end, lines: [...last.lines, ...change.lines] };
    else this.changes.push(change);
  }
}

const SIMPLE: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Tokens of JSON text: an escape, a mark, or a run of other characters. Only an escape can lack its end. */
const PIECE = /\\u(.{4})|\\([^u])|["{}[\],:]|[^\\"{}[\],:]+/gsy;

/**
 * Reads one text property of a JSON object while its raw text streams, in pieces cut anywhere. It does not check that the
 * whole is valid JSON: that is parsed at the end.
 */
export class JsonTextReader {
  /** Whether the end of the property has come. */
  complete = false;
  private depth = 0;
  private inString = false;
  /** The beginning of an escape that was cut off. */
  private rest = '';
  /** The name before the value that is read, or what there is of it. */
  private key = '';
  private inValue = false;

  /** @param name of the property. */
  constructor(private readonly name: string) {}

  /** Takes in the next piece. @returns what is new of the property's text. */
  push(raw: string): string {
    const text = this.rest + raw;
    let fresh = '';
    let end = 0;
    for (const { 0: piece, 1: code, 2: escaped, index } of text.matchAll(PIECE)) {
      end = index + piece.length;
      if (!this.inString || piece === '"') this.readMark(piece);
      else if (this.depth === 1) {
        const value = code !== undefined ? String.fromCharCode(Number.parseInt(code, 16)) : escaped === undefined ? piece : (SIMPLE[escaped] ?? escaped);
        if (!this.inValue) this.key += value;
        else if (this.key === this.name && !this.complete) fresh += value;
      }
    }
    this.rest = text.slice(end);
    return fresh;
  }

  private readMark(mark: string): void {
    if (mark === '"') {
      this.inString = !this.inString;
      if (!this.inString && this.depth === 1 && this.inValue && this.key === this.name) this.complete = true;
    } else if (mark === '{' || mark === '[') this.depth += 1;
    else if (mark === '}' || mark === ']') this.depth -= 1;
    else if (this.depth === 1 && mark === ':') this.inValue = true;
    else if (this.depth === 1 && mark === ',') {
      this.inValue = false;
      this.key = '';
    }
  }
}

/** Cuts a text that comes in pieces into lines, whatever their endings. */
export class LineStream {
  private rest = '';

  /** Takes in the next piece. @returns the lines that are whole by now, without their endings. */
  push(piece: string): readonly string[] {
    this.rest += piece;
    // A carriage return at the end may be the first half of an ending.
    const end = this.rest.endsWith('\r') ? this.rest.length - 1 : this.rest.length;
    const lines = this.rest.slice(0, end).split(/\r\n|\r|\n/);
    this.rest = (lines.pop() ?? '') + this.rest.slice(end);
    return lines;
  }

  /** The text after the last line ending: the last line, empty when the text ends with a line ending. */
  end(): string {
    const { rest } = this;
    this.rest = '';
    return rest.replace(/\r$/, '');
  }
}
