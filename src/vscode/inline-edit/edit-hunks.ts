import * as vscode from 'vscode';
import type { StreamedRecord } from '../../edits/streamed-recorder.js';
import { t } from '../../domain/l10n.js';
import type { LineRegion, LineShift } from '../../inline-edit/line-edit.js';
import { movedRegion } from '../../inline-edit/line-edit.js';
import { BEFORE_SCHEME, pathOf } from '../workspace/paths.js';
import type { EditParts } from './edit-parts.js';
import { LineBuffer } from './document/line-buffer.js';
import { LiveChange } from './document/live-change.js';
import type { Hunk } from '../../edits/text-review.js';
import type { Review } from '../edits/create-review.js';

/** The code that an edit is about. */
export interface EditPlace {
  readonly document: vscode.TextDocument;
  readonly region: LineRegion;
}

/** What {@link EditHunks} tells and asks. */
export interface EditHunksPorts {
  /** So many hunks of a replacement have come. */
  readonly came: (hunks: number) => void;
  /** A hunk could not be made. */
  readonly failed: (error: unknown) => void;
  /** The replacement whose hunks are being made. */
  readonly live: () => LiveChange | undefined;
}

/** The code of one edit in place: its lines, the hunks that come, and those that pend. */
export class EditHunks implements vscode.Disposable {
  readonly document: vscode.TextDocument;
  /** How often hunks came to be pending. */
  replacements = 0;
  private readonly parts: EditParts;
  private readonly ports: EditHunksPorts;
  private readonly buffer: LineBuffer;
  private readonly review: EditReview;
  private lines: LineRegion;
  /** Hunks that are not in the file, as it saves itself or is on no disk yet. */
  private staged: LiveChange | undefined;
  private gone = false;

  constructor(parts: EditParts, { document, region }: EditPlace, ports: EditHunksPorts) {
    this.parts = parts;
    this.ports = ports;
    this.document = document;
    this.lines = region;
    this.buffer = new LineBuffer(document, (shift) => this.typed(shift));
    this.review = new EditReview(parts.review.pending, document.uri, () => this.lines);
  }

  /** The lines of the code, as the document is now. */
  get region(): LineRegion {
    return this.lines;
  }

  /** How many hunks are neither kept nor undone. */
  get count(): number {
    return this.staged?.hunks.length ?? this.review.count();
  }

  /** Begins a replacement of the code. */
  replace(record: () => Promise<StreamedRecord | undefined>): LiveChange {
    const { isUntitled } = this.document;
    // What is on no disk cannot be reviewed there.
    const inPlace = !isUntitled && !this.parts.savesItself(this.document);
    const change: LiveChange = new LiveChange({ buffer: this.buffer, region: this.lines, inPlace, record: isUntitled ? nothing : record, changed: () => this.changed(change, inPlace), failed: this.ports.failed });
    return change;
  }

  /** A replacement is complete: its hunks pend. */
  replaced(change: LiveChange): void {
    if (change.hunks.length > 0) this.replacements += 1;
    this.lines = change.region;
    if (!change.inPlace) {
      this.staged = change;
      this.parts.staged.open(this.document.uri).then(undefined, (error: unknown) => this.parts.log.error('An edit could not be shown', error));
    } else this.parts.pendingMarks.follow(this.document.uri);
  }

  /** A replacement was taken back. */
  reverted(change: LiveChange): void {
    this.lines = change.region;
    this.parts.pendingMarks.follow(this.document.uri);
  }

  /** Keeps all hunks. */
  async keep(): Promise<void> {
    if (this.staged === undefined) await this.review.keep();
    else await this.keepStaged(new Set(this.staged.hunks.map(({ id }) => id)));
  }

  /** Takes all hunks back. */
  async undo(): Promise<void> {
    if (this.staged === undefined) await this.review.undo();
    this.dropStaged();
  }

  /** Decides about one hunk that is only shown. */
  async decideStaged(id: number, decision: 'keep' | 'undo'): Promise<void> {
    if (decision === 'keep') await this.keepStaged(new Set([id]));
    else this.staged?.drop(new Set([id]));
  }

  /** Lets go of what is only shown. */
  dropStaged(): void {
    this.staged?.drop(new Set(this.staged.hunks.map(({ id }) => id)));
    this.staged = undefined;
  }

  /** Shows the file with and without the edit, side by side. */
  async preview(): Promise<void> {
    const { uri } = this.document;
    if (this.staged !== undefined) await this.parts.staged.open(uri);
    else await vscode.commands.executeCommand('vscode.diff', uri.with({ scheme: BEFORE_SCHEME }), uri, beforeTitle(uri));
  }

  dispose(): void {
    this.gone = true;
    this.buffer.dispose();
  }

  private changed(change: LiveChange, inPlace: boolean): void {
    if (this.gone) return;
    if (inPlace) this.parts.pendingMarks.showLive(this.document.uri, change.hunks);
    else this.parts.staged.show(this.document.uri, change);
    this.ports.came(change.hunks.length);
  }

  private typed(shift: LineShift): void {
    (this.ports.live() ?? this.staged)?.typed(shift);
    this.lines = movedRegion(this.lines, shift);
    if (this.staged !== undefined) this.parts.staged.show(this.document.uri, this.staged);
  }

  private async keepStaged(ids: ReadonlySet<number>): Promise<void> {
    const { staged } = this;
    if (staged === undefined) return;
    await staged.keep(ids);
    this.lines = staged.region;
    await this.review.keep();
  }
}

function nothing(): Promise<undefined> {
  return Promise.resolve(undefined);
}

function beforeTitle(uri: vscode.Uri): string {
  return t('{0} (before ↔ now)', vscode.workspace.asRelativePath(uri));
}

/** The hunks of one edit that are in its file and neither kept nor undone. */
class EditReview {
  private readonly pending: Review['pending'];
  private readonly uri: vscode.Uri;
  private readonly region: () => LineRegion;

  /** @param region the lines of the edit, as they are now. */
  constructor(pending: Review['pending'], uri: vscode.Uri, region: () => LineRegion) {
    this.pending = pending;
    this.uri = uri;
    this.region = region;
  }

  /** How many there are. */
  count(): number {
    const path = pathOf(this.uri);
    return this.pending.files().find((file) => file.path === path)?.hunks.filter((hunk) => this.holds(hunk)).length ?? 0;
  }

  /** Keeps them. */
  async keep(): Promise<void> {
    await this.pending.keep(pathOf(this.uri), (hunk) => this.holds(hunk));
  }

  /** Takes them back. What the person has changed since stays, and is said. */
  async undo(): Promise<void> {
    const refused = await this.pending.undo(pathOf(this.uri), (hunk) => this.holds(hunk));
    for (const { why } of refused) void vscode.window.showWarningMessage(t('Not everything was undone. {0}', why));
  }

  private holds({ line, count }: Hunk): boolean {
    const { start, end } = this.region();
    return line >= start && line + count <= end;
  }
}
