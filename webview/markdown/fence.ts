import type { Piece } from './pieces.js';

const OPENER = /^(?:(`{3,})([^`\n]*)|(~{3,})([^\n]*))\n/;
/** A backslash before punctuation, which it makes literal. */
const ESCAPED = /\\([!-/:-@[-`{-~])/g;

/** A fenced code block whose first line is known and whose end may not be. */
export class Fence {
  readonly language: string;
  /** The info string after the language. */
  readonly info: string;
  private readonly closer: RegExp;
  private readonly maybeCloser: RegExp;
  /** A line feed that belongs to the code only if more of it follows. */
  private held = '';
  /** Whether the start of the current line was given out, so that the rest of it cannot end the block. */
  private midLine = false;

  private constructor(
    fence: string,
    info: string,
    /** Length of the first line with its line feed. */
    readonly openerLength: number,
  ) {
    const mark = fence.charAt(0);
    const words = info.trim().replace(ESCAPED, '$1');
    this.language = /^\S*/.exec(words)?.[0] ?? '';
    this.info = words.slice(this.language.length).trim();
    this.closer = new RegExp(`^ {0,3}${fence}${mark}* *$`);
    this.maybeCloser = new RegExp(`^ {0,3}${mark}* *$`);
  }

  /** The fence that a text starts with, at its very margin and with its first line complete. */
  static at(text: string): Fence | undefined {
    const match = OPENER.exec(text);
    if (match === null) return undefined;
    return new Fence(match[1] ?? match[3] ?? '', match[2] ?? match[4] ?? '', match[0].length);
  }

  /**
   * Takes code from the start of `text`. What it gave out is right whatever follows: a line feed is held back until
   * there is more code, and a line that could still become the end is held back whole.
   * @returns the pieces, and the rest of `text` that waits for more or lies behind the end of the block.
   */
  take(text: string, final: boolean): { readonly pieces: readonly Piece[]; readonly rest: string; readonly closed: boolean } {
    let code = '';
    let from = 0;
    for (;;) {
      const newline = text.indexOf('\n', from);
      const line = text.slice(from, newline < 0 ? undefined : newline);
      const complete = newline >= 0 || final;
      if (complete && !this.midLine && this.closer.test(line)) return this.end(code, text.slice(from + line.length));
      if (newline < 0) return this.partial(code, line, final);
      code += this.held + line;
      this.held = '\n';
      this.midLine = false;
      from = newline + 1;
    }
  }

  private partial(code: string, line: string, final: boolean): ReturnType<Fence['take']> {
    const waits = !final && !this.midLine && this.maybeCloser.test(line);
    if (!waits && line !== '') {
      code += this.held + line;
      this.held = '';
      this.midLine = true;
    }
    const pieces = code === '' ? [] : [{ type: 'code_text', text: code } as const];
    return { pieces: final ? [...pieces, { type: 'code_close' }] : pieces, rest: waits ? line : '', closed: final };
  }

  private end(code: string, rest: string): ReturnType<Fence['take']> {
    const pieces = code === '' ? [] : [{ type: 'code_text', text: code } as const];
    return { pieces: [...pieces, { type: 'code_close' }], rest, closed: true };
  }
}
