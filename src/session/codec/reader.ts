import { InvalidDataError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { type StringPlace, JsonScanner, JsonSyntaxError } from '../../text/json-scanner.js';
import type { ReadBytes } from '../../text/pieced-text.js';
import { wellFormed } from './strings.js';

/** How the value of each field is read; the function is given the name of the field and must take the value. */
export type Fields = Readonly<Record<string, (reader: EnvelopeReader, name: string) => unknown>>;

/** Result of {@link EnvelopeReader.record}: a field that is missing or ignored is `undefined`. */
export type FieldsRead<F extends Fields> = { [K in keyof F]?: ReturnType<F[K]> | undefined };

/** How a file is read that need not be in memory as a whole. */
export interface ReadingParts {
  /** Bytes that are read at once. */
  readonly pieceSize: number;
  /** Leaves an image in the file. @returns what reads it from there, `undefined` for one that shall be read at once. */
  leaveImage(place: StringPlace): (() => Uint8Array) | undefined;
}

const [QUOTE, OPEN_LIST, OPEN_OBJECT, SMALL_N] = [0x22, 0x5b, 0x7b, 0x6e] as const;

/** Reads the fields of an envelope and knows where it is, so that an error names the place. `null` reads as missing. */
export class EnvelopeReader extends JsonScanner {
  /** The place being read, such as `messages[2].content[0]`; empty at the top. */
  place = '';

  constructor(
    read: ReadBytes,
    private readonly parts?: ReadingParts,
  ) {
    super(read, parts?.pieceSize);
    const start = this.read({ offset: 0, length: 3 });
    if (start.length === 0) throw new InvalidDataError('', t('the file is empty'));
    if (start.equals(BYTE_ORDER_MARK)) throw new InvalidDataError('', t('the file begins with a byte-order mark'));
  }

  /** Reads an object: of equal names the last one counts, others than those of `fields` are passed over. */
  record<F extends Fields>(name: string, fields: F): FieldsRead<F> {
    const record: FieldsRead<F> = {};
    for (const key of this.keysOf(name)) this.field(key, fields, record);
    return record;
  }

  /** {@link record} for a loop: the body must take the value of each key, and may do that by {@link field}. */
  keysOf(name: string): Generator<string, void> {
    if (this.peek() !== OPEN_OBJECT) this.refuse(name, 'must be an object');
    return this.keys();
  }

  /** Takes the value of a key into a record. */
  field<F extends Fields>(key: string, fields: F, record: FieldsRead<F>): void {
    if (Object.hasOwn(fields, key)) (record as Record<string, unknown>)[key] = fields[key]?.(this, key);
    else this.skip();
  }

  /** The numbers of the items of a list, from 0; the body must take the item. `null` is an empty list. */
  itemsOf(name: string): Iterable<number> {
    if (this.takeNull()) return [];
    if (this.peek() !== OPEN_LIST) this.refuse(name, 'must be a list');
    return this.items();
  }

  text(name: string): string | undefined {
    return this.isText(name) ? wellFormed(this.string()) : undefined;
  }

  /** Place of a text that may be long and is not needed yet. */
  textPlace(name: string): StringPlace | undefined {
    return this.isText(name) ? this.stringPlace() : undefined;
  }

  /** What reads an image from the file, when its base64 shall stay there. */
  leaveImage(place: StringPlace): (() => Uint8Array) | undefined {
    return place.isBase64 ? this.parts?.leaveImage(place) : undefined;
  }

  boolean(name: string): boolean | undefined {
    const literal = this.literalOf(name, 'must be true or false');
    if (literal !== 'true' && literal !== 'false' && literal !== 'null') this.refuse(name, 'must be true or false');
    return literal === 'null' ? undefined : literal === 'true';
  }

  /** Reads an integer literal: `1.0` and `1e3` are invalid, because Pipe rejects them. */
  integer(name: string): number | undefined {
    const literal = this.literalOf(name, 'must be a whole number');
    if (literal === 'null') return undefined;
    if (!/^-?\d+$/.test(literal)) this.refuse(name, `must be a whole number, found ${literal}`);
    if (!Number.isSafeInteger(Number(literal))) this.refuse(name, `is out of range: ${literal}`);
    return Number(literal) + 0;
  }

  /** Whether `null` comes next; then it is taken. */
  takeNull(): boolean {
    return this.peek() === SMALL_N && this.raw() === 'null';
  }

  /** @throws InvalidDataError always. */
  refuse(name: string, problem: string): never {
    throw new InvalidDataError(join(this.place, name), problem);
  }

  /** The error for the caller: what broke the syntax gets its place, line and column. */
  explain(error: unknown): unknown {
    if (!(error instanceof JsonSyntaxError)) return error;
    const { line, column } = this.lineAndColumn(error.offset);
    return new InvalidDataError(this.place, t('it is not valid JSON: {0} (line {1}, column {2})', error.message, line, column));
  }

  private isText(name: string): boolean {
    if (this.takeNull()) return false;
    if (this.peek() !== QUOTE) this.refuse(name, 'must be a string');
    return true;
  }

  private literalOf(name: string, problem: string): string {
    if ([QUOTE, OPEN_LIST, OPEN_OBJECT].some((byte) => byte === this.peek())) this.refuse(name, problem);
    return this.raw();
  }
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

function join(place: string, name: string): string {
  if (place === '' || name === '') return place + name;
  return name.startsWith('[') ? place + name : `${place}.${name}`;
}
