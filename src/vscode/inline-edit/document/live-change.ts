import * as vscode from 'vscode';
import type { StreamedRecord } from '../../../edits/streamed-recorder.js';
import { t } from '../../../domain/l10n.js';
import { JsonTextReader } from '../../../inline-edit/json-text-reader.js';
import type { LineEdit, LineRegion, LineShift } from '../../../inline-edit/line-edit.js';
import { LineStream } from '../../../inline-edit/line-stream.js';
import type { PendingHunk } from '../../../inline-edit/pending-hunks.js';
import { StreamedEdit } from '../../../inline-edit/streamed-edit.js';
import { StreamingDiff } from '../../../inline-edit/streaming-diff.js';
import { NEW_TEXT } from '../edit-tool.js';
import { endingOf, linesOf } from './line-range.js';
import type { LineBuffer } from './line-buffer.js';

/** One replacement of lines, from the first piece of the new text to the last hunk. */
export class LiveChange {
  private readonly parts: LiveChangeParts;
  private readonly edit: StreamedEdit;
  private readonly diff: StreamingDiff;
  private readonly reader = new JsonTextReader(NEW_TEXT);
  private readonly stream = new LineStream();
  /** The text of the document before the first hunk. */
  private readonly before: string;
  private readonly queue: LineEdit[] = [];
  private started = false;
  private received = '';
  private working: Promise<void> = Promise.resolve();
  private opening: Promise<StreamedRecord | undefined> | undefined;
  private failure: unknown;

  constructor(parts: LiveChangeParts) {
    this.parts = parts;
    const { buffer, region, inPlace } = parts;
    this.before = buffer.document.getText();
    const old = linesOf(buffer.document).slice(region.start, region.end);
    this.edit = new StreamedEdit(region.start, old, inPlace);
    this.diff = new StreamingDiff(old);
    buffer.begin();
  }

  /** The hunks as far as they have come. */
  get hunks(): readonly PendingHunk[] {
    return this.edit.hunks.all;
  }

  /** Whether the document gets the hunks as they come. */
  get inPlace(): boolean {
    return this.parts.inPlace;
  }

  /** The ending of the document's lines. */
  get ending(): string {
    return endingOf(this.parts.buffer.document);
  }

  /** How many lines the document has now. */
  get lineCount(): number {
    return this.parts.buffer.document.lineCount;
  }

  /** The text of the document without the hunks. */
  textWithout(): readonly string[] {
    const lines = linesOf(this.parts.buffer.document);
    return this.parts.inPlace ? this.edit.hunks.otherText(lines) : lines;
  }

  /** The text of the document with the hunks. */
  textWith(): readonly string[] {
    const lines = linesOf(this.parts.buffer.document);
    return this.parts.inPlace ? lines : this.edit.hunks.otherText(lines);
  }

  /** The lines that are changed, as the document is now. */
  get region(): LineRegion {
    return this.edit.region;
  }

  /** Lets hunks be made from now on: they are allowed. What has come until then is made at once. */
  start(): void {
    this.started = true;
    this.drain();
  }

  /** Takes in a piece of the raw arguments of the call. */
  push(raw: string): void {
    this.take(this.reader.push(raw));
  }

  /** Makes the rest of the hunks. Resolves when the document has them all. @throws what was in the way of one. */
  async finish(text: string): Promise<void> {
    if (text.startsWith(this.received)) this.take(text.slice(this.received.length));
    else throw new Error('What streamed is not the beginning of the whole.');
    for (const line of this.lastLines(text)) this.offer(this.diff.push(line));
    this.offer(this.diff.end());
    this.started = true;
    this.drain();
    await this.settled();
    const { buffer, inPlace } = this.parts;
    await buffer.end();
    if (!inPlace) return;
    const without = this.textWithout().join(endingOf(buffer.document));
    await (await this.opening)?.end(await vscode.workspace.encode(without, { encoding: buffer.document.encoding }));
  }

  /** Takes all hunks back. @returns whether nothing of them is left: what the person changed since stays. */
  async revert(): Promise<boolean> {
    this.queue.length = 0;
    await this.working;
    const { buffer, inPlace, changed } = this.parts;
    if (inPlace && this.hunks.length > 0 && !(await buffer.takeBack(this.before))) await this.undoHunks();
    else for (const { id } of this.hunks) this.edit.hunks.decide(id, inPlace ? 'keep' : 'undo');
    await (await this.opening)?.end();
    changed();
    return this.hunks.length === 0;
  }

  /** Puts hunks that are only shown into the document. Those whose lines the person has changed stay out. */
  async keep(ids: ReadonlySet<number>): Promise<void> {
    const { buffer, record, changed } = this.parts;
    const { document } = buffer;
    const own = (): readonly PendingHunk[] => this.hunks.filter(({ id, touched }) => ids.has(id) && !touched);
    const noted = await record();
    let without = document.getText();
    buffer.begin();
    await buffer.apply({
      edits: () => {
        without = document.getText();
        return own().map(({ line, count, added }) => ({ start: line, end: line + count, lines: added }));
      },
      made: () => {
        for (const { id } of own().toReversed()) this.edit.hunks.decide(id, 'keep');
      },
    });
    await buffer.end();
    await noted?.end(await vscode.workspace.encode(without, { encoding: document.encoding }));
    changed();
  }

  /** Lets go of hunks that are only shown. */
  drop(ids: ReadonlySet<number>): void {
    for (const id of ids) this.edit.hunks.decide(id, 'undo');
    this.parts.changed();
  }

  /** Follows a change of the person. */
  typed(shift: LineShift): void {
    this.edit.typed(shift);
  }

  private take(piece: string): void {
    this.received += piece;
    for (const line of this.stream.push(piece)) this.offer(this.diff.push(line));
    this.drain();
  }

  /** The last line has no ending. A text that ends with one has no further line, and an empty one none at all. */
  private lastLines(text: string): readonly string[] {
    const last = this.stream.end();
    return last === '' && (text !== '' || this.isPart()) ? [] : [last];
  }

  /** Whether the lines are a part of the document: then there can be none of them. */
  private isPart(): boolean {
    const { start, end } = this.edit.region;
    return end - start < this.parts.buffer.document.lineCount;
  }

  private offer(change: LineEdit | undefined): void {
    if (change === undefined) return;
    const last = this.queue.at(-1);
    // What goes on where the last one ends is one change with it.
    if (last?.end === change.start) this.queue[this.queue.length - 1] = { start: last.start, end: change.end, lines: [...last.lines, ...change.lines] };
    else this.queue.push(change);
  }

  private drain(): void {
    if (!this.started || this.queue.length === 0 || this.failure !== undefined) return;
    this.working = this.working.then(() => this.apply()).catch((error: unknown) => {
      this.failure = error;
      this.parts.failed(error);
    });
  }

  private async settled(): Promise<void> {
    await this.working;
    if (this.failure !== undefined) throw this.failure instanceof Error ? this.failure : new Error('A hunk could not be made.');
  }

  private async apply(): Promise<void> {
    const { buffer, inPlace, record, changed } = this.parts;
    if (inPlace) await (this.opening ??= record());
    const changes = this.queue.splice(0);
    if (changes.length === 0) return;
    const made = (): void => {
      for (const change of changes) this.edit.made(change, this.locate(change));
    };
    if (inPlace) await buffer.apply({ edits: () => changes.map((change) => this.locate(change)), made });
    else made();
    changed();
  }

  private locate(change: LineEdit): LineEdit {
    const located = this.edit.locate(change);
    if (located === undefined) throw new Error(t('You changed lines that Gnomon was about to change. Your text stays; ask again.'));
    return located;
  }

  private async undoHunks(): Promise<void> {
    const own = (): readonly PendingHunk[] => this.hunks.filter(({ touched }) => !touched);
    await this.parts.buffer.apply({
      edits: () => own().map(({ line, count, removed }) => ({ start: line, end: line + count, lines: removed })),
      made: () => {
        for (const { id } of own()) this.edit.hunks.decide(id, 'undo');
      },
    });
  }
}

/** What a replacement of lines works with. */
interface LiveChangeParts {
  readonly buffer: LineBuffer;
  /** The lines to change: from `start` up to `end`. */
  readonly region: LineRegion;
  /** Whether the document gets the hunks as they come, or they are only shown until they are kept. */
  readonly inPlace: boolean;
  /** Notes the file before the first hunk; `undefined` where nothing is written yet. */
  readonly record: () => Promise<StreamedRecord | undefined>;
  /** Called whenever the hunks are others or elsewhere. */
  readonly changed: () => void;
  /** Called when a hunk could not be made; no more are. */
  readonly failed: (error: unknown) => void;
}
