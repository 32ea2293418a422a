import { type StreamParser, StringStream } from '@codemirror/streamparser';
import { type TokenKind, kindOf } from './token-kinds.js';

/** A stretch of a line. */
export interface Token {
  readonly text: string;
  /** Absent for plain text. */
  readonly kind?: TokenKind;
}

/** Columns of a tab and of an indentation, for the modes that count them. */
const TAB_SIZE = 4;
const INDENT_SIZE = 2;
/** Limit for empty tokens of a mode at one place, which some use to change their state. */
const MAX_STANDS = 10;

/** Splits code into tokens line by line: what a line leaves open, such as a comment, continues in the next one. */
export class LineTokenizer {
  private readonly state: unknown;

  constructor(private readonly mode: StreamParser<unknown>) {
    this.state = mode.startState?.(INDENT_SIZE) ?? {};
  }

  /**
   * The tokens of the next line, whose texts together are the line.
   * @param line without its line feed.
   */
  tokens(line: string): readonly Token[] {
    if (line === '') this.mode.blankLine?.(this.state, INDENT_SIZE);
    const stream = new StringStream(line, TAB_SIZE, INDENT_SIZE);
    const tokens: Token[] = [];
    try {
      while (!stream.eol()) tokens.push(this.next(stream));
    } catch {
      // Modes are made for whole programs, and what a model writes may be anything: what a mode fails on is plain text.
      tokens.push({ text: line.slice(tokens.reduce((sum, { text }) => sum + text.length, 0)) });
    }
    return tokens;
  }

  private next(stream: StringStream): Token {
    stream.start = stream.pos;
    for (let stands = 0; stands < MAX_STANDS; stands += 1) {
      // Some give nothing at all, whatever their types say.
      const style: string | null | undefined = this.mode.token(stream, this.state);
      const kind = kindOf(style);
      if (stream.pos > stream.start) return { text: stream.current(), ...(kind === undefined ? {} : { kind }) };
    }
    stream.next();
    return { text: stream.current() };
  }
}
