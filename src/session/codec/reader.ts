import { InvalidDataError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { JsonScanner } from './scanner.js';
import { JsonSyntaxError } from './syntax.js';
import { wellFormed } from './well-formed.js';

/** The text of an envelope in pieces, each of whole tokens. */
export interface TextPieces {
  /** `undefined` at the end. */
  next(): string | undefined;
  /** What gives the bytes of a picture, when a text is the mark of one that was left out. */
  picture(text: string): (() => Uint8Array) | undefined;
}

/** Reads the fields of an envelope and knows where it is, so that an error names the place. `null` reads as missing. */
export class EnvelopeReader {
  /** The place being read, such as `messages[2].content[0]`; empty at the top. */
  place = '';
  /** What gives the bytes of a picture that was left out of the text and for which a mark stands there. */
  readonly picture: TextPieces['picture'];
  private readonly scanner: JsonScanner;

  /** @param source the text, or where it comes from piece by piece. */
  constructor(source: string | TextPieces) {
    const whole = typeof source === 'string';
    this.scanner = whole ? new JsonScanner(source) : new JsonScanner('', () => source.next());
    this.picture = (text) => (whole ? undefined : source.picture(text));
  }

  /** Reads an object and calls `field` for each key; it must take the value. Of equal keys the last one counts. */
  object(name: string, field: (key: string) => void): void {
    for (const key of this.keys(name)) field(key);
  }

  /** {@link object} for a loop; the body must take the value of the key. */
  *keys(name: string): Generator<string, void> {
    if (!this.scanner.isObject()) this.refuse(name, 'must be an object');
    for (let key = this.scanner.firstKey(); key !== undefined; key = this.scanner.nextKey()) yield key;
  }

  /** Steps through a list: `for (let more = r.firstItem('x'); more; more = r.nextItem())`. `null` is an empty list. */
  firstItem(name: string): boolean {
    if (this.scanner.takeNull()) return false;
    if (!this.scanner.isList()) this.refuse(name, 'must be a list');
    return this.scanner.firstItem();
  }

  nextItem(): boolean {
    return this.scanner.nextItem();
  }

  string(name: string): string | undefined {
    if (this.scanner.takeNull()) return undefined;
    if (!this.scanner.isString()) this.refuse(name, 'must be a string');
    return wellFormed(this.scanner.string());
  }

  boolean(name: string): boolean | undefined {
    const literal = this.literal(name, 'must be true or false');
    if (literal === 'null') return undefined;
    if (literal !== 'true' && literal !== 'false') this.refuse(name, 'must be true or false');
    return literal === 'true';
  }

  /** A whole number as it is written: `1.0` and `1e3` are none, for Pipe does not take them. */
  integer(name: string): number | undefined {
    const literal = this.literal(name, 'must be a whole number');
    if (literal === 'null') return undefined;
    if (!/^-?\d+$/.test(literal)) this.refuse(name, `must be a whole number, found ${literal}`);
    if (!Number.isSafeInteger(Number(literal))) this.refuse(name, `is out of range: ${literal}`);
    return Number(literal) + 0;
  }

  /** Whether `null` comes next; then it is taken. */
  takeNull(): boolean {
    return this.scanner.takeNull();
  }

  /** Takes any value. @returns it as it is written. */
  raw(): string {
    return this.scanner.skip();
  }

  /** Takes any value and drops it. */
  pass(): void {
    this.scanner.discard();
  }

  end(): void {
    this.scanner.end();
  }

  /** @throws InvalidDataError always. */
  refuse(name: string, problem: string): never {
    throw new InvalidDataError(join(this.place, name), problem);
  }

  /** The error for the caller: what broke the syntax gets its place, line and column. */
  explain(error: unknown): unknown {
    if (!(error instanceof JsonSyntaxError)) return error;
    const { line, column } = this.scanner.lineAndColumn(error.offset);
    return new InvalidDataError(this.place, t('it is not valid JSON: {0} (line {1}, column {2})', error.message, line, column));
  }

  private literal(name: string, problem: string): string {
    if (this.scanner.isString() || this.scanner.isObject() || this.scanner.isList()) this.refuse(name, problem);
    return this.scanner.literal();
  }
}

function join(place: string, name: string): string {
  if (place === '' || name === '') return place + name;
  return name.startsWith('[') ? place + name : `${place}.${name}`;
}
