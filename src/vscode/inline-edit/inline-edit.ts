import * as vscode from 'vscode';
import { isDemo } from '../../domain/demo.js';
import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { UserContent } from '../../domain/model/content.js';
import { textContent } from '../../domain/model/message.js';
import { denialWords } from '../../domain/tool/denial.js';
import type { Turn } from '../../engine/events.js';
import { type EditPhase, type InlineEditState, type Instruction, isRunning, turnOf } from '../../inline-edit/edit-state.js';
import type { Decision, Replacement } from '../../inline-edit/replacement.js';
import type { Conversations } from '../../chat/conversation/conversations.js';
import type { Review } from '../edits/create-review.js';
import type { Panes } from '../../chat/pane/panes.js';
import { noticeOfTurn } from '../../chat/projection/notices.js';
import { BEFORE_SCHEME } from '../workspace/paths.js';
import type { Showing } from '../../domain/workspace/showing.js';
import { EditDocument, type EditDocumentDeps } from './edit-document.js';
import type { EditPlace } from './edit-place.js';
import { obstacleTo } from './edit-obstacles.js';
import { editMessage, EditSession, followUpMessage } from './edit-session.js';
import { EditStore } from './edit-store.js';
import { linesOf } from './line-buffer.js';
import { closeComparisons, type StagedEdits } from './staged-edits.js';

/** Services that every inline edit uses. */
export interface InlineEditDeps extends Showing, Pick<EditDocumentDeps, 'review' | 'log'> {
  readonly conversations: Pick<Conversations, 'create' | 'leave' | 'release'>;
  readonly panes: Pick<Panes, 'open' | 'isShown'>;
  readonly marks: Review['marks'];
  readonly staged: StagedEdits;
}

/** One inline edit: carries out what the user asks and decides, and has its state shown. */
export class InlineEdit {
  readonly document: vscode.TextDocument;
  private readonly store: EditStore;
  private readonly edit: EditDocument;
  private readonly session: EditSession;
  private readonly phaseChanged = new vscode.EventEmitter<EditPhase>();
  /** Name of the model to ask; the one of new sessions when absent. */
  private readonly wanted: string | undefined;
  /** Stops the turn that runs before the model is asked. */
  private stopping = new AbortController();
  /** Whether its comparison was opened. */
  private compared = false;
  /** Whether the model knows already what the edit is about. */
  private introduced = false;
  private ending: Promise<void> | undefined;
  private end = (): void => undefined;
  /** Fired with the phase before it changed. */
  readonly onDidChangePhase = this.phaseChanged.event;
  /** Resolves when nothing of it is shown any more, and what was not complete is taken back. */
  readonly ended = new Promise<void>((resolve) => (this.end = resolve));

  constructor(
    private readonly deps: InlineEditDeps,
    { document, region }: EditPlace,
    wanted?: string,
  ) {
    this.document = document;
    this.wanted = wanted;
    this.store = new EditStore(region);
    this.edit = new EditDocument(document, this.store, deps);
    this.session = new EditSession(this.edit, deps.log);
    this.store.onDidChange((before) => this.changed(before));
  }

  /** Whether hunks may still come. */
  get running(): boolean {
    return isRunning(this.store.state);
  }

  /** Phase of the edit, such as running or reviewing. */
  get phase(): EditPhase {
    return this.store.state.phase;
  }

  /** The lines that it is about, wherever they are by now. */
  get place(): EditPlace {
    return { document: this.document, region: this.store.state.region };
  }

  /** Whether its hunks are only shown, and not in the file. */
  get isStaged(): boolean {
    return this.store.state.staged !== undefined;
  }

  /** Name of the model that is asked, once there is a conversation. */
  get model(): string | undefined {
    return this.session.current?.session.model.label;
  }

  /** Id of the conversation, once there is one. */
  get conversationId(): string | undefined {
    return this.session.current?.id;
  }

  /**
   * Has a model change the code. Resolves when no instruction is left; errors are shown. While hunks come, further
   * instructions are ignored; once the hunks are complete, an instruction waits for the model's closing text.
   * @param attached sent with the instruction, as data.
   */
  async ask(words: string, attached: readonly UserContent[] = []): Promise<void> {
    if (words.trim() === '') return;
    const idle = turnOf(this.store.state) === undefined;
    this.store.dispatch({ type: 'asked', instruction: { words, attached } });
    if (!idle) return;
    for (let { phase } = this.store.state; phase.type === 'asking'; { phase } = this.store.state) await this.turn(phase.instruction);
  }

  /** Stops what runs, and takes back what is not complete; when nothing runs, closes the edit. */
  async cancel(): Promise<void> {
    if (!this.running) return this.close();
    this.stopping.abort();
    this.session.stop(true);
  }

  /** Keeps or undoes all hunks of the edit. */
  async decideAll(decision: Decision): Promise<void> {
    await this.edit.decideAll(decision);
    await this.close();
  }

  /** Decides about one hunk that is only shown. */
  async decideStaged(id: number, decision: Decision): Promise<void> {
    await this.edit.decideStaged(new Set([id]), decision);
    this.reviewed();
  }

  /** Shows the file with and without the edit, side by side. */
  async preview(): Promise<void> {
    const { uri } = this.document;
    if (this.store.state.staged !== undefined) return this.deps.staged.open(uri);
    this.compared = true;
    await vscode.commands.executeCommand(
      'vscode.diff',
      uri.with({ scheme: BEFORE_SCHEME }),
      uri,
      t('{0} (before ↔ now)', vscode.workspace.asRelativePath(uri)),
    );
  }

  /** Continues in the chat; what pends stays. */
  async openInChat(): Promise<void> {
    const { current } = this.session;
    if (current === undefined) return;
    // There it has all tools again.
    if (!current.busy) await this.deps.conversations.release(current.id);
    await this.deps.panes.open(current.id);
    if (!this.running) await this.close();
  }

  /** Hunks were kept, undone or changed, here or elsewhere. */
  reviewed(): void {
    this.store.dispatch({ type: 'reviewed', pending: this.edit.pending() });
  }

  /** Takes everything away but the hunks that are in the file. */
  async close(): Promise<void> {
    this.store.dispatch({ type: 'closed' });
    await this.ending;
  }

  /** Has a change of the state shown, and acts on it. */
  private changed(before: InlineEditState): void {
    const { state } = this.store;
    this.showHunks(before, state);
    if (state.phase === before.phase) return;
    this.phaseChanged.fire(before.phase);
    const problem = turnOf(state)?.problem;
    if (problem !== undefined && problem !== turnOf(before)?.problem) this.session.stop(false);
    if (state.phase.type === 'closed') this.ending = this.tearDown().catch((error: unknown) => this.deps.log.error('An inline edit did not close', error));
  }

  private showHunks(before: InlineEditState, { live, staged }: InlineEditState): void {
    const { marks, staged: comparisons, log } = this.deps;
    const { uri } = this.document;
    if (live?.inPlace === true && areOther(live, before.live)) marks.showLive(uri, live.hunks);
    const shown = live?.inPlace === false ? live : staged;
    if (areOther(shown, before.live?.inPlace === false ? before.live : before.staged)) comparisons.show(this.document, shown?.hunks ?? []);
    if (before.live === undefined || live !== undefined) return;
    if (staged === undefined) marks.follow(uri);
    // What the user does elsewhere by now is not covered.
    else if (vscode.window.activeTextEditor?.document === this.document)
      comparisons.open(uri, true).then(undefined, (error: unknown) => log.error('An edit could not be shown', error));
  }

  private async tearDown(): Promise<void> {
    this.stopping.abort();
    this.session.stop(true);
    try {
      await this.session.idle();
      this.edit.dispose();
      await this.deps.staged.remove(this.document.uri);
      if (this.compared) await closeComparisons(({ original }) => original.toString() === this.document.uri.with({ scheme: BEFORE_SCHEME }).toString());
    } finally {
      this.end();
    }
    const { current } = this.session;
    if (current !== undefined) await this.deps.conversations.leave(current, () => this.deps.panes.isShown(current));
  }

  /** Does not reject. */
  private async turn(instruction: Instruction): Promise<void> {
    this.stopping = new AbortController();
    const { signal } = this.stopping;
    try {
      const outcome = (await obstacleTo(this.deps, this.document)) ?? (await this.prepare(signal)) ?? (signal.aborted ? '' : await this.askModel(instruction));
      this.store.dispatch({ type: 'turn_ended', stopped: signal.aborted, pending: this.edit.pending(), outcome });
    } catch (error) {
      this.deps.log.error('An inline edit failed', error);
      this.store.dispatch({ type: 'turn_failed', pending: this.edit.pending(), words: errorMessage(error) });
    }
    await this.ending;
  }

  /** Makes the conversation, and finds out whether it may change the file. @returns why not. */
  private async prepare(signal: AbortSignal): Promise<string | undefined> {
    if (this.session.current === undefined) await this.converse();
    const model = this.session.current?.session.model;
    if (model !== undefined && isDemo(model))
      return t('The demo model does not support inline edits. Set an API key with “Gnomon: Set API Key”, or choose another model.');
    const judgment = await this.session.judge(signal);
    return judgment.type === 'deny' ? t('Gnomon is not allowed to change this file. {0}', denialWords(judgment.denial)) : undefined;
  }

  private async converse(): Promise<void> {
    const conversation = await this.deps.conversations.create(this.session, { model: this.wanted });
    this.session.follow(conversation);
    conversation.session.onEvent(({ type }) => {
      if (type === 'routed') this.tellAsked();
    });
  }

  private tellAsked(): void {
    this.store.dispatch({ type: 'sent', model: this.model ?? '' });
  }

  /** @returns the outcome of the turn, for when there is no hunk. */
  private async askModel({ words, attached }: Instruction): Promise<string> {
    // Which one Auto chooses is known once it has.
    if (this.session.current?.session.auto.choice.type !== 'auto') this.tellAsked();
    const code = { path: vscode.workspace.asRelativePath(this.document.uri), lines: linesOf(this.document), region: this.store.state.region };
    const turn = await this.session.ask([...attached, ...(this.introduced ? followUpMessage(code, words) : editMessage(code, words))]);
    this.introduced = true;
    return outcomeOf(turn);
  }
}

/** Whether hunks have changed, or are elsewhere. */
function areOther(now: Replacement | undefined, before: Replacement | undefined): boolean {
  const [hunks, old] = [now?.hunks ?? [], before?.hunks ?? []];
  return hunks !== old && hunks.length + old.length > 0;
}

/** Characters of an answer without an edit that are shown. */
const MAX_ANSWER = 300;

/** Why a turn brought no edit. */
function outcomeOf(turn: Turn): string {
  if (turn.end === 'aborted') return t('Stopped. Nothing was changed.');
  const notice = noticeOfTurn(turn);
  if (notice !== undefined) return t('Nothing was changed. {0}', notice.text);
  const last = turn.messages.findLast(({ role }) => role === 'assistant');
  const answer = last === undefined ? '' : textContent(last).trim();
  return answer === ''
    ? t('The model did not return an edit. Describe the change in more detail.')
    : t('Nothing was changed. The model responded: {0}', answer.slice(0, MAX_ANSWER));
}
