import * as vscode from 'vscode';
import type { Hunk } from '../../change/text-review.js';
import type { StreamedRecord } from '../../change/streamed-recorder.js';
import { errorMessage, ToolInputError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { textContent } from '../../domain/message-helpers.js';
import type { FileLocation } from '../../domain/workspace.js';
import type { Turn } from '../../engine/events.js';
import type { LineRegion, LineShift } from '../../inline/line-edit.js';
import { movedRegion } from '../../inline/line-edit.js';
import { noticeOfTurn } from '../chat/notices.js';
import { BEFORE_SCHEME, pathOf } from '../review/paths.js';
import { editMessage, followUpMessage } from './edit-message.js';
import { obstacleTo } from './edit-obstacles.js';
import type { EditParts } from './edit-parts.js';
import { EditSession } from './edit-session.js';
import type { EditStage, EditSurface } from './edit-surface.js';
import { LineBuffer } from './line-buffer.js';
import { linesOf } from './line-range.js';
import { LiveChange } from './live-change.js';

/** Provider whose models are a script. */
const DEMO = 'demo';
/** Characters of an answer without an edit that are shown. */
const MAX_ANSWER = 300;

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
    if (this.staged === undefined) await this.parts.review.pending.keep(pathOf(this.document.uri), (hunk) => this.holds(hunk));
    else await this.keepStaged(new Set(this.staged.hunks.map(({ id }) => id)));
    await this.close();
  }

  /** Takes all hunks of the edit back. What the person has changed since stays, and is said. */
  async undo(): Promise<void> {
    const refused = this.staged === undefined ? await this.parts.review.pending.undo(pathOf(this.document.uri), (hunk) => this.holds(hunk)) : [];
    for (const { why } of refused) void vscode.window.showWarningMessage(t('Not everything was undone. {0}', why));
    this.staged?.drop(new Set(this.staged.hunks.map(({ id }) => id)));
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
    if (this.pendingHunks() === 0) await this.close();
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
    if (obstacle !== undefined) return this.show(this.stageOfRest(), obstacle);
    this.dropStaged();
    const before = this.replacements;
    this.show('running', t('Asking {0}…', this.session.current?.session.model.label ?? ''));
    const code = { path: vscode.workspace.asRelativePath(this.document.uri), lines: linesOf(this.document), region: this.region };
    const turn = await this.session.ask(this.asked ? followUpMessage(code, words) : editMessage(code, words));
    this.asked = true;
    if (signal.aborted && this.replacements === before) return this.close();
    const { problem } = this.session;
    if (problem !== undefined) this.show(this.stageOfRest(), problem);
    else this.show(this.stageOfRest(), this.replacements > before ? this.summary() : outcomeOf(turn));
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
    const left = staged.hunks.filter(({ id, touched }) => ids.has(id) && touched).length;
    await staged.keep(ids);
    this.region = staged.region;
    await this.parts.review.pending.keep(pathOf(this.document.uri), (hunk) => this.holds(hunk));
    if (left > 0) void vscode.window.showWarningMessage(t('You have changed some of its lines since, so those were left as they are.'));
  }

  /** What is asked for next takes the place of what is only shown. */
  private dropStaged(): void {
    this.staged?.drop(new Set(this.staged.hunks.map(({ id }) => id)));
    this.staged = undefined;
  }

  private holds({ line, count }: Pick<Hunk, 'line' | 'count'>): boolean {
    return line >= this.region.start && line + count <= this.region.end;
  }

  private stageOfRest(): EditStage {
    return this.replacements > 0 ? 'pending' : 'asking';
  }

  private summary(): string {
    const hunks = this.staged?.hunks.length ?? this.pendingHunks();
    return hunks === 1 ? t('1 change. Keep it, undo it, or say what should be different.') : t('{0} changes. Keep them, undo them, or say what should be different.', hunks);
  }

  /** How many hunks of the edit are neither kept nor undone. */
  private pendingHunks(): number {
    const file = this.parts.review.pending.files().find(({ path }) => path === pathOf(this.document.uri));
    return file?.hunks.filter((hunk) => this.holds(hunk)).length ?? 0;
  }

  private show(stage: EditStage, words: string): void {
    if (this.gone) return;
    this.stage = stage;
    this.surface.show(stage, words);
  }
}

function counted(hunks: number): string {
  return hunks === 1 ? t('Writing: 1 change so far') : t('Writing: {0} changes so far', hunks);
}

/** Why a turn brought no edit. */
function outcomeOf(turn: Turn): string {
  if (turn.end === 'aborted') return t('Stopped. Nothing was changed.');
  const notice = noticeOfTurn(turn);
  if (notice !== undefined) return t('Nothing was changed. {0}', notice.text);
  const last = turn.messages.findLast(({ role }) => role === 'assistant');
  const answer = last === undefined ? '' : textContent(last).trim();
  return answer === '' ? t('The model answered without an edit. Say more exactly what should change.') : t('Nothing was changed. The model says: {0}', answer.slice(0, MAX_ANSWER));
}
