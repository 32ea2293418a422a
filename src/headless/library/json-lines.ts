import { JsonDecodeError, MessageParseError } from './errors.js';
import type { JsonObject } from './parse-message.js';

/**
 * JSON objects, one a line, from pieces of bytes that are cut anywhere: in a character, in a line, between the bytes of a line break; several
 * lines in one piece, too. Byte-order marks, empty lines, and carriage returns before line breaks are passed over. The last line needs no
 * line break, but has to be whole.
 */
export class JsonLines {
  private readonly decoder = new TextDecoder('utf-8', { fatal: true });
  /** The pieces of the line that is not whole yet. They are joined once, as a long line would be copied with each piece else. */
  private pieces: string[] = [];
  private size = 0;

  /** @param most characters of a line at most */
  constructor(private readonly most: number) {}

  /**
   * The objects that are whole with these bytes. One at a time, so that those before a mistake are had.
   * @throws JsonDecodeError, MessageParseError
   */
  *push(bytes: Uint8Array): Generator<JsonObject> {
    const text = this.decoded(() => this.decoder.decode(bytes, { stream: true }));
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      this.add(text.slice(from, end));
      from = end + 1;
      yield* this.line();
    }
    this.add(text.slice(from));
  }

  /**
   * What is left at the end.
   * @throws JsonDecodeError for a line that is cut off
   */
  *end(): Generator<JsonObject> {
    this.add(this.decoded(() => this.decoder.decode()));
    yield* this.line();
  }

  private add(piece: string): void {
    this.pieces.push(piece);
    this.size += piece.length;
    if (this.size > this.most) throw new JsonDecodeError(this.pieces.join(''), new RangeError(`It is longer than ${this.most} characters.`));
  }

  private decoded(decode: () => string): string {
    try {
      return decode();
    } catch (error) {
      throw new JsonDecodeError(this.pieces.join(''), error);
    }
  }

  private *line(): Generator<JsonObject> {
    const line = this.pieces.join('').trim();
    this.pieces = [];
    this.size = 0;
    if (line !== '') yield objectOf(line);
  }
}

function objectOf(line: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new JsonDecodeError(line, error);
  }
  if (isObject(value)) return value;
  throw new MessageParseError('Gnomon’s program wrote a line that is no JSON object.', value);
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
