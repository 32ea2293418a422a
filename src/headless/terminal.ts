import type { Readable, Writable } from 'node:stream';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { ReadStream } from 'node:tty';
import { showUnseen } from '../domain/hidden-characters.js';
import { cutToWidth, wrapped } from './word-wrap.js';

/** The streams of the process, and what is known of them. */
export interface Streams {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly errors: Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Columns of a terminal that does not say how many it has. */
export const USUAL_COLUMNS = 80;

/** Looks of a text on a terminal (ECMA-48, “Select graphic rendition”). */
const LOOKS = { bold: [1, 22], quiet: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] } as const;

/** The look of a text. */
export type Look = keyof typeof LOOKS;

/** Milliseconds in which what was typed before is read. */
const DROP_MS = 10;
/** Milliseconds without a key after which one is an answer: keys of somebody who is writing come faster, and nobody reads a question faster. */
const QUIET_MS = 400;

/** Ctrl+C and Ctrl+D come as characters in raw mode. */
function isStop(text: string): boolean {
  return text.startsWith('\u0003') || text.startsWith('\u0004');
}

/** Where people who use the program read and write beside its output: standard error, and the keys of the terminal. */
export class Terminal {
  /** Whether someone can be asked: keys come from a terminal, and questions go to one. */
  readonly canAsk: boolean;
  /** Whether someone watches. */
  readonly isWatched: boolean;
  private readonly colors: boolean;
  private progress = '';

  constructor(
    private readonly streams: Streams,
    private readonly quietMs = QUIET_MS,
  ) {
    this.isWatched = streams.errors.isTTY === true;
    this.canAsk = this.isWatched && streams.input.isTTY === true;
    // no-color.org: present and not empty, whatever its value.
    this.colors = this.isWatched && (streams.environment['NO_COLOR'] ?? '') === '' && streams.environment['TERM'] !== 'dumb';
  }

  /** A text with a look, where there are any. */
  look(look: Look, text: string): string {
    if (!this.colors) return text;
    const [on, off] = LOOKS[look];
    return `\u001B[${on}m${text}\u001B[${off}m`;
  }

  /** Whether what is written to the output can be followed by a terminal where somebody is asked: a pipe may end on it. */
  get isFollowed(): boolean {
    return this.canAsk || this.streams.output.isTTY === true;
  }

  /** Rows of the terminal; `undefined` where it does not say how many it has. */
  get rows(): number | undefined {
    return this.streams.errors.rows;
  }

  /** Columns of what is written beside the output. */
  get columns(): number {
    return this.streams.errors.columns ?? USUAL_COLUMNS;
  }

  /** Writes a line, broken between words where someone watches. What is not seen in it has to be escaped; looks stay. */
  line(text = ''): void {
    this.exactLine(this.isWatched ? wrapped(text, this.columns) : text);
  }

  /** Writes a line as it is, such as one of a command: a break could be mistaken for a part of it. */
  exactLine(text: string): void {
    this.clearProgress();
    this.streams.errors.write(`${text}\n`);
  }

  /**
   * Shows what goes on, in a line that the next one takes the place of. Nothing where nobody watches, nor where the output goes elsewhere: what reads it
   * may write it to the same terminal, behind that line.
   */
  showProgress(text: string): void {
    if (!this.isWatched || !this.colors || this.streams.output.isTTY !== true || text === this.progress) return;
    this.clearProgress();
    this.progress = text;
    // Left of the last column: a terminal may begin a new line behind it.
    const room = Math.max(20, this.columns - 1);
    const line = showUnseen(text).replaceAll(/[\n\r\t]/g, ' ');
    this.streams.errors.write(this.look('quiet', cutToWidth(line, room)));
  }

  /** Takes it away. */
  clearProgress(): void {
    if (this.progress !== '') this.streams.errors.write('\r\u001B[2K');
    this.progress = '';
  }

  /**
   * Drops the keys that were pressed before what is asked next is there: they are no answer to it.
   * @returns whether one of them was Ctrl+C or Ctrl+D
   */
  async dropKeys(): Promise<boolean> {
    const input = this.streams.input as ReadStream;
    let stopped = false;
    const dropped = (data: Buffer): void => {
      stopped ||= isStop(data.toString('utf8'));
    };
    input.setRawMode(true);
    input.on('data', dropped);
    input.resume();
    await setTimeout(DROP_MS);
    // Behind it, what was waiting has been read for certain.
    await setImmediate();
    input.off('data', dropped);
    input.pause();
    input.setRawMode(false);
    return stopped;
  }

  /** Waits for one of these keys, pressed after a moment in which none was; Ctrl+C and the end of input are `undefined`. */
  async key(keys: string, signal: AbortSignal): Promise<string | undefined> {
    const input = this.streams.input as ReadStream;
    input.setRawMode(true);
    input.resume();
    try {
      return await new Promise((resolve) => {
        const done = (key: string | undefined): void => {
          input.off('data', pressed);
          input.off('end', ended);
          signal.removeEventListener('abort', ended);
          resolve(key);
        };
        const ended = (): void => done(undefined);
        let latest = performance.now();
        const pressed = (data: Buffer): void => {
          const text = data.toString('utf8').toLowerCase();
          const quiet = performance.now() - latest;
          latest += quiet;
          if (isStop(text)) done(undefined);
          // What was pasted or is being written is no answer: one key alone is.
          else if (text.length === 1 && keys.includes(text) && quiet >= this.quietMs) done(text);
        };
        input.on('data', pressed);
        input.once('end', ended);
        signal.addEventListener('abort', ended, { once: true });
      });
    } finally {
      input.setRawMode(false);
      input.pause();
    }
  }

  /** Reads a line that the user writes; `undefined` where they end the input, or stop. */
  async answer(question: string, signal: AbortSignal): Promise<string | undefined> {
    const { createInterface } = await import('node:readline/promises');
    const reader = createInterface({ input: this.streams.input, output: this.streams.errors, terminal: true });
    try {
      return await new Promise((resolve, reject) => {
        reader.once('close', () => resolve(undefined));
        reader.once('SIGINT', () => resolve(undefined));
        signal.addEventListener('abort', () => resolve(undefined), { once: true });
        reader.question(question).then(resolve, reject);
      });
    } finally {
      reader.close();
    }
  }
}
