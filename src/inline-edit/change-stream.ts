import type { LineEdit } from './line-edit.js';
import { JsonTextReader, LineStream } from './streamed-text.js';
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
