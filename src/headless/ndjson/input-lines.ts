/** Characters of a line of input at most; more is an error of whoever writes it. */
const MAX_LINE = 64 * 1024 * 1024;

/** A line of input: a JSON object, or why it is none. */
export type InputLine = { readonly kind: 'object'; readonly value: Readonly<Record<string, unknown>> } | { readonly kind: 'invalid'; readonly why: string };

/**
 * Reads one JSON object a line from pieces of bytes, whatever they are cut at: characters, lines, and the two bytes of a line break
 * included; several lines in one piece, too. Empty lines and a byte-order mark are passed over.
 */
export class InputLines {
  private readonly decoder = new TextDecoder();
  /** What came of the line that has not ended, in pieces: joining them with each would take quadratic time for a long one. */
  private rest: string[] = [];
  private length = 0;
  private tooLong = false;

  /** The lines that are whole with these bytes. */
  push(bytes: Uint8Array): readonly InputLine[] {
    return this.take(this.decoder.decode(bytes, { stream: true }));
  }

  /** What is left at the end of input. */
  end(): readonly InputLine[] {
    return this.take(`${this.decoder.decode()}\n`);
  }

  private take(text: string): readonly InputLine[] {
    const [first = '', ...others] = text.split('\n');
    this.keep(first);
    return others.flatMap((piece) => {
      const lines = this.read(this.rest.splice(0).join(''));
      this.length = 0;
      this.keep(piece);
      return lines;
    });
  }

  private keep(piece: string): void {
    this.length += piece.length;
    if (this.length <= MAX_LINE) this.rest.push(piece);
    else {
      this.rest = [];
      this.tooLong = true;
    }
  }

  private read(line: string): readonly InputLine[] {
    if (this.tooLong) {
      this.tooLong = false;
      return [{ kind: 'invalid', why: `A line is longer than ${MAX_LINE} characters.` }];
    }
    const text = line.trim();
    return text === '' ? [] : [parsed(text)];
  }
}

function parsed(text: string): InputLine {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { kind: 'object', value: value as Readonly<Record<string, unknown>> };
    return { kind: 'invalid', why: 'A line is no JSON object.' };
  } catch {
    return { kind: 'invalid', why: 'A line is no JSON.' };
  }
}
