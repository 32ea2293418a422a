import * as vscode from 'vscode';
import type { StreamedRecord } from '../../change/streamed-recorder.js';
import { errorMessage, ToolInputError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { FileLocation } from '../../domain/workspace.js';
import type { LineRegion, LineShift } from '../../inline/line-edit.js';
import { movedRegion } from '../../inline/line-edit.js';
import { BEFORE_SCHEME } from '../review/paths.js';
import { editMessage, followUpMessage } from './edit-message.js';
import { obstacleTo } from './edit-obstacles.js';
import type { EditParts } from './edit-parts.js';
import { EditSession } from './edit-session.js';
import type { EditStage, EditSurface } from './edit-surface.js';
import { counted, outcomeOf, summaryOf } from './edit-words.js';
import { EditReview } from './edit-review.js';
import { LineBuffer } from './line-buffer.js';
import { linesOf } from './line-range.js';
import { LiveChange } from './live-change.js';

/** Provider whose models are a script. */
const DEMO = 'demo';

/** The code that an edit is about. */
export interface EditPlace {
  readonly document: vscode.TextDocument;
  readonly region: LineRegion;
}

/** One edit in place: the code that it is about, the conversation behind it, and what the person sees of it. */
export class InlineEdit {
  readonly document: vscode.TextDocument;
  private readonly parts: EditParts;
  private readonly surface: EditSurface;
  private readonly closed: () => void;
  private readonly buffer: LineBuffer;
  private readonly session: EditSession;
  private readonly review: EditReview;
  private region: LineRegion;
  private stage: EditStage = 'asking';
  private asking: AbortController | undefined;
  /** Hunks that are not in the file, as it saves itself. */
  private staged: LiveChange | undefined;
  private replacements = 0;
  /** Whether something was said already. */
  private asked = false;
  private gone = false;

  /** @param closed is called when nothing of it is on the screen any more. */
  constructor(parts: EditParts, place: EditPlace, surface: EditSurface, closed: () => void) {
    this.parts = parts;
    this.document = place.document;
    this.region = place.region;
    this.surface = surface;
    this.closed = closed;
    this.buffer = new LineBuffer(place.document, (shift) => this.typed(shift));
    this.review = new EditReview(parts.review.pending, place.document.uri, () => this.region);
    this.session = new EditSession({
      recorder: parts.review.streamed,
      log: parts.log,
      locate: () => this.locate(),
      replace: (record) => this.replace(record),
      replaced: (change) => this.replaced(change),
      reverted: (change) => this.reverted(change),
    });
  }

  /** Whether hunks may still come. */
  get running(): boolean {
    return this.stage === 'running';
  }

  /** Id of the conversation, once there is one. */
  get conversationId(): string | undefined {
    return this.session.current?.id;
  }

  /** Has a model change the code. Resolves when that has come to its end; what went wrong is shown. */
  async ask(words: string): Promise<void> {
    if (this.asking !== undefined || words.trim() === '') return;
    const asking = new AbortController();
    this.asking = asking;
    try {
      await this.run(words, asking.signal);
    } catch (error) {
      this.parts.log.error('An edit in place failed', error);
      this.show(this.stageOfRest(), errorMessage(error));
    } finally {
      this.asking = undefined;
    }
  }

  /** Stops what runs, and takes back what is not complete; without anything that runs, closes the prompt. */
  async cancel(): Promise<void> {
    if (this.asking === undefined || !this.running) return this.close();
    this.asking.abort();
    this.session.stop();
  }

  /** Keeps all hunks of the edit. */
  async keep(): Promise<void> {
    if (this.staged === undefined) await this.review.keep();
    else await this.keepStaged(new Set(this.staged.hunks.map(({ id }) => id)));
    await this.close();
  }

  /** Takes all hunks of the edit back. What the person has changed since stays, and is said. */
  async undo(): Promise<void> {
    if (this.staged === undefined) await this.review.undo();
    this.dropStaged();
    await this.close();
  }

  /** Decides about one hunk that is only shown. */
  async decideStaged(id: number, decision: 'keep' | 'undo'): Promise<void> {
    if (decision === 'keep') await this.keepStaged(new Set([id]));
    else this.staged?.drop(new Set([id]));
    if (this.staged?.hunks.length === 0) await this.close();
    else this.show('pending', this.summary());
  }

  /** Shows the file with and without the edit, side by side. */
  async preview(): Promise<void> {
    if (this.staged !== undefined) return this.parts.staged.open(this.document.uri);
    const title = t('{0} (before ↔ now)', vscode.workspace.asRelativePath(this.document.uri));
    await vscode.commands.executeCommand('vscode.diff', this.document.uri.with({ scheme: BEFORE_SCHEME }), this.document.uri, title);
  }

  /** Goes on in the chat; what pends stays. */
  async openInChat(): Promise<void> {
    const { current } = this.session;
    if (current === undefined) return;
    // There it has all tools again.
    if (!current.busy) await this.parts.conversations.release(current.id);
    await this.parts.openInChat(current.id);
    if (!this.running) await this.close();
  }

  /** What pends was kept, undone or changed elsewhere. */
  async reviewed(): Promise<void> {
    if (this.stage !== 'pending' || this.asking !== undefined || this.staged !== undefined || this.replacements === 0) return;
    if (this.review.count() === 0) await this.close();
    else this.show('pending', this.summary());
  }

  /** Takes everything away but the hunks that are in the file. */
  async close(): Promise<void> {
    if (this.gone) return;
    this.gone = true;
    this.asking?.abort();
    this.session.stop();
    this.surface.close();
    this.closed();
    this.buffer.dispose();
    await this.parts.staged.remove(this.document.uri);
    const { current } = this.session;
    if (current !== undefined) await this.parts.conversations.leave(current, () => this.parts.isShown(current));
  }

  private async run(words: string, signal: AbortSignal): Promise<void> {
    this.show('running', t('Getting ready…'));
    const obstacle = (await obstacleTo(this.parts, this.document)) ?? (await this.prepare(signal));
    if (signal.aborted) return this.close();
    if (obstacle === undefined) await this.askModel(words, signal);
    else this.show(this.stageOfRest(), obstacle);
  }

  private async askModel(words: string, signal: AbortSignal): Promise<void> {
    this.dropStaged();
    const before = this.replacements;
    this.show('running', t('Asking {0}…', this.session.current?.session.model.label ?? ''));
    const code = { path: vscode.workspace.asRelativePath(this.document.uri), lines: linesOf(this.document), region: this.region };
    const turn = await this.session.ask(this.asked ? followUpMessage(code, words) : editMessage(code, words));
    this.asked = true;
    if (signal.aborted && this.replacements === before) return this.close();
    const ended = this.replacements > before ? this.summary() : outcomeOf(turn);
    this.show(this.stageOfRest(), this.session.problem ?? ended);
  }

  /** Makes the conversation, and finds out whether it may change the file. @returns why not. */
  private async prepare(signal: AbortSignal): Promise<string | undefined> {
    if (this.session.current === undefined) this.session.follow(await this.parts.conversations.create(this.session));
    if (this.session.current?.session.model.provider === DEMO) return t('The demo edits nothing in place. Set the key of a provider with “Gnomon: Set API Key”, or choose another model.');
    const judgement = await this.session.judge(signal);
    return judgement.type === 'deny' ? t('Gnomon may not change this file. {0}', judgement.reason) : undefined;
  }

  private async locate(): Promise<FileLocation> {
    if (this.document.isClosed) throw new ToolInputError('The person closed the file; nothing was changed.');
    return this.parts.workspace.locate(this.document.uri.fsPath);
  }

  private replace(record: () => Promise<StreamedRecord | undefined>): LiveChange {
    const inPlace = !this.parts.savesItself(this.document);
    const change: LiveChange = new LiveChange({ buffer: this.buffer, region: this.region, inPlace, record, changed: () => this.changed(change, inPlace), failed: (error) => this.session.fail(error) });
    return change;
  }

  private changed(change: LiveChange, inPlace: boolean): void {
    if (this.gone) return;
    const { uri } = this.document;
    if (inPlace) this.parts.pendingMarks.showLive(uri, change.hunks);
    else this.parts.staged.show(uri, change);
    if (this.running) this.show('running', counted(change.hunks.length));
  }

  private replaced(change: LiveChange): void {
    this.replacements += 1;
    this.region = change.region;
    if (this.parts.savesItself(this.document)) {
      this.staged = change;
      this.parts.staged.open(this.document.uri).then(undefined, (error: unknown) => this.parts.log.error('An edit could not be shown', error));
    } else this.parts.pendingMarks.follow(this.document.uri);
    this.show('pending', this.summary());
  }

  private reverted(change: LiveChange): void {
    this.region = change.region;
    this.parts.pendingMarks.follow(this.document.uri);
  }

  private typed(shift: LineShift): void {
    const live = this.session.change ?? this.staged;
    live?.typed(shift);
    this.region = movedRegion(this.region, shift);
    if (this.staged !== undefined) this.parts.staged.show(this.document.uri, this.staged);
  }

  private async keepStaged(ids: ReadonlySet<number>): Promise<void> {
    const { staged } = this;
    if (staged === undefined) return;
    await staged.keep(ids);
    this.region = staged.region;
    await this.review.keep();
  }

  /** What is asked for next takes the place of what is only shown. */
  private dropStaged(): void {
    this.staged?.drop(new Set(this.staged.hunks.map(({ id }) => id)));
    this.staged = undefined;
  }

  private stageOfRest(): EditStage {
    return this.replacements > 0 ? 'pending' : 'asking';
  }

  private summary(): string {
    return summaryOf(this.staged?.hunks.length ?? this.review.count());
  }

  private show(stage: EditStage, words: string): void {
    if (this.gone) return;
    this.stage = stage;
    this.surface.show(stage, words);
  }
}
