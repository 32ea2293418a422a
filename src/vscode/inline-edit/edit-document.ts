import * as vscode from 'vscode';
import { errorMessage, ToolInputError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { Log } from '../../domain/log.js';
import type { FileLocation, Workspace } from '../../domain/workspace/workspace.js';
import type { TurnKey } from '../../edits/checkpoints.js';
import type { StreamedRecord } from '../../edits/streamed-recorder.js';
import type { Hunk } from '../../edits/text-review.js';
import { ChangeStream } from '../../inline-edit/change-stream.js';
import type { InlineEditState } from '../../inline-edit/edit-state.js';
import { type LineEdit, type LineRegion, withEdit } from '../../inline-edit/line-edit.js';
import { type Decision, type Replacement, allIds, editsFor, located, newReplacement, otherText } from '../../inline-edit/replacement.js';
import type { Review } from '../edits/create-review.js';
import { pathOf } from '../workspace/paths.js';
import type { EditStore } from './edit-store.js';
import { endingOf, LineBuffer, linesOf } from './line-buffer.js';

/** Services of the document under an inline edit: review of streamed changes, the workspace, and the log. */
export interface EditDocumentDeps {
  readonly review: Pick<Review, 'streamed' | 'pending'>;
  readonly workspace: Pick<Workspace, 'locate'>;
  readonly log: Log;
}

/** A tool call whose changes are being made. */
interface Stream {
  readonly callId: string;
  readonly turn: TurnKey;
  readonly changes: ChangeStream;
  /** The text of the document before the first change. */
  readonly before: string;
  allowed: boolean;
  working: Promise<void>;
  record?: Promise<StreamedRecord | undefined>;
  failure?: Error;
}

/** The document of one inline edit: it gets the changes of a call while that streams, and what is staged when that is kept. */
export class EditDocument implements vscode.Disposable {
  private readonly buffer: LineBuffer;
  private stream: Stream | undefined;
  /** The turn whose changes are staged. */
  private stagedTurn: TurnKey | undefined;
  private reverting: Promise<void> = Promise.resolve();

  constructor(
    readonly document: vscode.TextDocument,
    private readonly store: EditStore,
    private readonly deps: EditDocumentDeps,
  ) {
    this.buffer = new LineBuffer(document, store);
  }

  /** Id of the call whose changes are being made. */
  get callId(): string | undefined {
    return this.stream?.callId;
  }

  /** Whether a replacement can begin: none is being made or taken back. */
  get isFree(): boolean {
    return this.store.state.live === undefined;
  }

  /** Where the file is. @throws ToolInputError when the user closed it. */
  async locate(): Promise<FileLocation> {
    if (this.document.isClosed) throw new ToolInputError('The user closed the file; nothing was changed.');
    return this.deps.workspace.locate(this.document.uri.fsPath);
  }

  /** The whole text with a new one for the lines of the edit, and as it was before. */
  versions(text: string): { readonly before: string; readonly after: string } {
    const replacement = this.store.state.live ?? newReplacement(this.store.state.region.start, this.oldLines(), this.inPlace());
    const before = this.textWithout(replacement);
    const { start, end } = replacement.region;
    const fresh = text.split(/\r\n|\r|\n/);
    if (fresh.at(-1) === '') fresh.pop();
    const after = withEdit(before, { start, end: end + before.length - this.document.lineCount, lines: fresh });
    const ending = endingOf(this.document);
    return { before: before.join(ending), after: after.join(ending) };
  }

  /** Begins to replace the lines, as a call says that streams. No change is made before {@link allow}. */
  begin(callId: string, turn: TurnKey): void {
    const old = this.oldLines();
    this.store.dispatch({ type: 'replacement_begun', old, inPlace: this.inPlace() });
    this.stream = { callId, turn, changes: new ChangeStream(old), before: this.document.getText(), allowed: false, working: Promise.resolve() };
    this.buffer.begin();
  }

  /** Lets changes be made from now on; what has come until then is made at once. Does nothing when the call is over. */
  allow(callId: string): void {
    if (this.stream?.callId !== callId) return;
    this.stream.allowed = true;
    this.drain(this.stream);
  }

  /** Takes in a piece of the raw arguments of the call. */
  push(raw: string): void {
    if (this.stream === undefined) return;
    this.stream.changes.push(raw);
    this.drain(this.stream);
  }

  /** Makes the rest of the changes. Resolves when the document has them all. @throws what was in the way of one. */
  async finish(text: string): Promise<void> {
    const { stream } = this;
    if (stream === undefined) throw new Error('No replacement was begun.');
    const { start, end } = this.live().region;
    stream.changes.finish(text, end - start < this.document.lineCount);
    stream.allowed = true;
    this.drain(stream);
    await stream.working;
    if (stream.failure !== undefined) throw stream.failure;
    await this.buffer.end();
    if (this.live().inPlace) await (await stream.record)?.end(await this.encode(this.textWithout(this.live()).join(endingOf(this.document))));
    if (this.stream !== stream) throw new Error('The edit was stopped.');
    this.stream = undefined;
    this.stagedTurn = stream.turn;
    const live = this.live();
    this.store.dispatch({ type: 'replacement_completed', pending: live.inPlace ? this.hunksIn(live.region).length : live.hunks.length });
  }

  /**
   * Takes the changes of the call back, if one streams. What the user has changed since stays.
   * @param byUser the user wants that, so that it may take the focus.
   */
  takeBack(byUser = false): void {
    const { stream } = this;
    if (stream === undefined) return;
    this.stream = undefined;
    this.reverting = this.revert(stream, byUser).catch((error: unknown) => this.deps.log.error('Hunks of an edit could not be taken back', error));
  }

  /** Resolves when nothing is being taken back. */
  settled(): Promise<void> {
    return this.reverting;
  }

  /** Number of hunks that are neither kept nor undone. */
  pending(): number {
    const { staged, region } = this.store.state;
    return staged?.hunks.length ?? this.hunksIn(region).length;
  }

  /** Keeps or undoes all hunks. What the user has changed since stays, and is reported. */
  async decideAll(decision: Decision): Promise<void> {
    const { staged } = this.store.state;
    if (staged !== undefined) return this.decideStaged(allIds(staged), decision);
    const path = pathOf(this.document.uri);
    if (decision === 'keep') return this.deps.review.pending.keep(path, (hunk) => isIn(this.store.state.region, hunk));
    const refused = await this.deps.review.pending.undo(path, (hunk) => isIn(this.store.state.region, hunk));
    for (const { why } of refused) void vscode.window.showWarningMessage(t('Some edits could not be undone. {0}', why));
  }

  /** Applies hunks that are only shown to the document, or discards them. Those whose lines the user has changed stay out. */
  async decideStaged(ids: ReadonlySet<number>, decision: Decision): Promise<void> {
    const { stagedTurn } = this;
    const decided = { type: 'staged_decided', ids, decision } as const;
    if (decision === 'undo') this.store.dispatch(decided);
    if (decision === 'undo' || this.store.state.staged === undefined || stagedTurn === undefined) return;
    const record = await this.record(stagedTurn);
    let without = this.document.getText();
    this.buffer.begin();
    await this.buffer.apply(({ staged }) => {
      without = this.document.getText();
      return staged === undefined ? [] : editsFor(staged, ids, 'keep');
    }, decided);
    await this.buffer.end();
    await record?.end(await this.encode(without));
    await this.deps.review.pending.keep(pathOf(this.document.uri), (hunk) => isIn(this.store.state.region, hunk));
  }

  dispose(): void {
    this.buffer.dispose();
  }

  private live(): Replacement {
    const { live } = this.store.state;
    if (live === undefined) throw new Error('No replacement was begun.');
    return live;
  }

  private drain(stream: Stream): void {
    if (!stream.allowed || stream.failure !== undefined || stream.changes.isEmpty) return;
    stream.working = stream.working
      .then(() => this.make(stream))
      .catch((error: unknown) => {
        stream.failure = error instanceof Error ? error : new Error(String(error));
        this.deps.log.warn(`A hunk could not be made: ${errorMessage(error)}`);
        this.store.dispatch({ type: 'replacement_blocked', problem: errorMessage(error) });
      });
  }

  private async make(stream: Stream): Promise<void> {
    const { inPlace } = this.live();
    if (inPlace) await (stream.record ??= this.record(stream.turn));
    const changes = stream.changes.take();
    if (changes.length === 0) return;
    const made = { type: 'changes_made', changes } as const;
    if (inPlace) return this.buffer.apply((state) => editsOf(state, changes), made);
    editsOf(this.store.state, changes);
    this.store.dispatch(made);
  }

  private async revert(stream: Stream, byUser: boolean): Promise<void> {
    stream.changes.take();
    await stream.working;
    try {
      const undone = { type: 'replacement_undone' } as const;
      const { inPlace, hunks } = this.live();
      if (inPlace && hunks.length > 0 && !(byUser && (await this.buffer.takeBack(stream.before))))
        await this.buffer.apply(({ live }) => (live === undefined ? [] : editsFor(live, allIds(live), 'undo')), undone);
      else this.store.dispatch(undone);
      await (await stream.record)?.end();
    } finally {
      this.store.dispatch({ type: 'replacement_reverted' });
    }
  }

  /** Has the review note the file before the first change; `undefined` where nothing is on the disk that could be reviewed. */
  private async record(turn: TurnKey): Promise<StreamedRecord | undefined> {
    if (this.document.isUntitled) return undefined;
    return this.deps.review.streamed.begin(turn, (await this.locate()).real);
  }

  private encode(text: string): Thenable<Uint8Array> {
    return vscode.workspace.encode(text, { encoding: this.document.encoding });
  }

  private textWithout(replacement: Replacement): readonly string[] {
    const lines = linesOf(this.document);
    return replacement.inPlace ? otherText(replacement, lines) : lines;
  }

  private oldLines(): readonly string[] {
    const { start, end } = this.store.state.region;
    return linesOf(this.document).slice(start, end);
  }

  /** A file that saves itself, or is on no disk yet, gets no change before that is kept. */
  private inPlace(): boolean {
    return !this.document.isUntitled && vscode.workspace.getConfiguration('files', this.document).get('autoSave') === 'off';
  }

  /** The hunks of the lines that are in the file and neither kept nor undone. */
  private hunksIn(region: LineRegion): readonly Hunk[] {
    const path = pathOf(this.document.uri);
    return (
      this.deps.review.pending
        .files()
        .find((file) => file.path === path)
        ?.hunks.filter((hunk) => isIn(region, hunk)) ?? []
    );
  }
}

function isIn({ start, end }: LineRegion, { line, count }: Hunk): boolean {
  return line >= start && line + count <= end;
}

/** Where changes are in the document. @throws Error when the user has changed the lines of one. */
function editsOf({ live }: InlineEditState, changes: readonly LineEdit[]): readonly LineEdit[] {
  return changes.map((change) => {
    const edit = live === undefined ? undefined : located(live, change);
    if (edit === undefined) throw new Error(t('You changed lines that Gnomon was about to change. Your text was kept; try again.'));
    return edit;
  });
}
