const SIMPLE: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
/** Hexadecimal digits of an escape such as `\u00e9`. */
const HEX_DIGITS = 4;

/**
 * Reads one text property of a JSON object while its raw text streams, in pieces cut anywhere. It does not check that the
 * whole is valid JSON: that is parsed at the end.
 */
export class JsonTextReader {
  /** Whether the end of the property has come. */
  complete = false;
  private readonly name: string;
  private depth = 0;
  private inString = false;
  /** The beginning of an escape that was cut off. */
  private escape = '';
  /** What the string that is being read holds so far; of the property itself only what is new. */
  private value = '';
  /** The name of the property whose value is read. */
  private key: string | undefined;

  /** @param name of the property. */
  constructor(name: string) {
    this.name = name;
  }

  /** Takes in the next piece. @returns what is new of the property's text. */
  push(raw: string): string {
    let fresh = '';
    for (const character of raw.split('')) {
      const wanted = this.inString && this.isWanted();
      if (this.inString) this.readInString(character);
      else this.readBetween(character);
      if (!wanted) continue;
      fresh += this.value;
      this.value = '';
    }
    return fresh;
  }

  private isWanted(): boolean {
    return this.depth === 1 && this.key === this.name && !this.complete;
  }

  private readInString(character: string): void {
    if (this.escape !== '') this.readEscape(character);
    else if (character === '\\') this.escape = character;
    else if (character === '"') this.endString();
    else this.value += character;
  }

  private readEscape(character: string): void {
    this.escape += character;
    if (this.escape.startsWith('\\u')) {
      if (this.escape.length < 2 + HEX_DIGITS) return;
      this.value += String.fromCharCode(Number.parseInt(this.escape.slice(2), 16));
    } else this.value += SIMPLE[character] ?? character;
    this.escape = '';
  }

  private endString(): void {
    this.inString = false;
    if (this.isWanted()) this.complete = true;
    else if (this.depth === 1 && this.key === undefined) {
      this.key = this.value;
      this.value = '';
    }
  }

  private readBetween(character: string): void {
    if (character === '"') {
      this.inString = true;
      this.value = '';
    } else if (character === '{' || character === '[') this.depth += 1;
    else if (character === '}' || character === ']') this.depth -= 1;
    else if (character === ',' && this.depth === 1) this.key = undefined;
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
