import * as vscode from 'vscode';
import type { UserContent } from '../../domain/model/content.js';
import { isDemo } from '../../domain/demo.js';
import { errorMessage, ToolInputError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { FileLocation } from '../../domain/workspace/workspace.js';
import type { EditPlace } from './edit-hunks.js';
import { EditHunks } from './edit-hunks.js';
import { editMessage, followUpMessage } from './edit-message.js';
import { obstacleTo } from './edit-obstacles.js';
import type { EditParts } from './edit-parts.js';
import { EditSession } from './edit-session.js';
import type { EditStage, EditSurface } from './edit-surface.js';
import { linesOf } from './document/line-range.js';
import { TurnQueue } from './turn-queue.js';
import { textContent } from '../../domain/model/message-helpers.js';
import type { Turn } from '../../engine/events.js';
import { noticeOfTurn } from '../chat/projection/notices.js';

/** What should change, in the person's words, and what goes along with them as data. */
interface Said {
  readonly words: string;
  readonly attached: readonly UserContent[];
}

/** One edit in place: the code that it is about, the conversation behind it, and what the person sees of it. */
export class InlineEdit {
  readonly document: vscode.TextDocument;
  private readonly parts: EditParts;
  private readonly surface: EditSurface;
  private readonly closed: () => void;
  private readonly hunks: EditHunks;
  private readonly session: EditSession;
  private stage: EditStage = 'asking';
  private asking: AbortController | undefined;
  private readonly turns = new TurnQueue();
  /** Whether something was said already. */
  private asked = false;
  private gone = false;
  private end = (): void => undefined;
  /** Resolves when nothing of it is on the screen any more, and what was not complete is taken back. */
  readonly ended = new Promise<void>((resolve) => (this.end = resolve));

  /** @param closed is called when nothing of it is on the screen any more. */
  constructor(parts: EditParts, place: EditPlace, surface: EditSurface, closed: () => void) {
    this.parts = parts;
    this.document = place.document;
    this.surface = surface;
    this.closed = closed;
    this.hunks = new EditHunks(parts, place, { came: (hunks) => this.came(hunks), failed: (error) => this.session.fail(error), live: () => this.session.change });
    this.session = this.createSession();
  }

  /** Whether hunks may still come. */
  get running(): boolean {
    return this.stage === 'running';
  }

  /** Id of the conversation, once there is one. */
  get conversationId(): string | undefined {
    return this.session.current?.id;
  }

  /**
   * Has a model change the code. Resolves when that has come to its end; what went wrong is shown. While a model changes
   * it already nothing else is asked; once it has, and has only its closing words to say, what is asked comes behind them.
   * @param attached goes along with the words, as data.
   */
  async ask(words: string, attached: readonly UserContent[] = []): Promise<void> {
    if (this.running || words.trim() === '') return;
    await this.turns.run(() => this.turn({ words, attached }), () => this.show(this.stage, t('Getting ready…')));
  }

  /** Stops what runs, and takes back what is not complete; without anything that runs, closes the prompt. */
  async cancel(): Promise<void> {
    if (this.asking === undefined || !this.running) return this.close();
    this.asking.abort();
    this.session.stop();
  }

  /** Keeps all hunks of the edit. */
  async keep(): Promise<void> {
    await this.hunks.keep();
    await this.close();
  }

  /** Takes all hunks of the edit back. */
  async undo(): Promise<void> {
    await this.hunks.undo();
    await this.close();
  }

  /** Decides about one hunk that is only shown. */
  async decideStaged(id: number, decision: 'keep' | 'undo'): Promise<void> {
    await this.hunks.decideStaged(id, decision);
    await this.reviewed();
  }

  /** Shows the file with and without the edit, side by side. */
  preview(): Promise<void> {
    return this.hunks.preview();
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

  /** What pends was kept, undone or changed, here or elsewhere. */
  async reviewed(): Promise<void> {
    if (this.stage !== 'pending' || this.asking !== undefined) return;
    if (this.hunks.count === 0) await this.close();
    else this.show('pending', summaryOf(this.hunks.count));
  }

  /** Takes everything away but the hunks that are in the file. */
  async close(): Promise<void> {
    if (this.gone) return;
    this.gone = true;
    this.asking?.abort();
    this.session.stop();
    this.surface.close();
    this.closed();
    try {
      await this.session.idle();
      this.hunks.dispose();
      await this.parts.staged.remove(this.document.uri);
    } finally {
      this.end();
    }
    const { current } = this.session;
    if (current !== undefined) await this.parts.conversations.leave(current, () => this.parts.isShown(current));
  }

  private createSession(): EditSession {
    return new EditSession({
      recorder: this.parts.review.streamed,
      log: this.parts.log,
      locate: () => this.locate(),
      replace: (record) => this.hunks.replace(record),
      replaced: (change) => {
        this.hunks.replaced(change);
        this.show('pending', summaryOf(this.hunks.count));
      },
      reverted: (change) => this.hunks.reverted(change),
    });
  }

  /** Does not reject. */
  private async turn(said: Said): Promise<void> {
    if (this.gone) return;
    const asking = new AbortController();
    this.asking = asking;
    try {
      await this.run(said, asking.signal);
    } catch (error) {
      this.parts.log.error('An edit in place failed', error);
      this.show(this.stageOfRest(), errorMessage(error));
    } finally {
      this.asking = undefined;
    }
  }

  private async run(said: Said, signal: AbortSignal): Promise<void> {
    this.show('running', t('Getting ready…'));
    const obstacle = (await obstacleTo(this.parts, this.document)) ?? (await this.prepare(signal));
    if (signal.aborted) return this.close();
    if (obstacle === undefined) await this.askModel(said, signal);
    else this.show(this.stageOfRest(), obstacle);
  }

  private async askModel({ words, attached }: Said, signal: AbortSignal): Promise<void> {
    this.hunks.dropStaged();
    const { replacements } = this.hunks;
    this.show('running', t('Asking {0}…', this.session.current?.session.model.label ?? ''));
    const code = { path: vscode.workspace.asRelativePath(this.document.uri), lines: linesOf(this.document), region: this.hunks.region };
    const turn = await this.session.ask([...attached, ...(this.asked ? followUpMessage(code, words) : editMessage(code, words))]);
    this.asked = true;
    const edited = this.hunks.replacements > replacements;
    const { problem } = this.session;
    if (signal.aborted && !edited) return this.close();
    // What pended may have been kept or undone by now.
    if (edited && problem === undefined && this.hunks.count === 0 && !this.turns.goesOn) return this.close();
    this.show(this.stageOfRest(), problem ?? (edited ? summaryOf(this.hunks.count) : outcomeOf(turn)));
  }

  /** Makes the conversation, and finds out whether it may change the file. @returns why not. */
  private async prepare(signal: AbortSignal): Promise<string | undefined> {
    if (this.session.current === undefined) this.session.follow(await this.parts.conversations.create(this.session));
    const model = this.session.current?.session.model;
    if (model !== undefined && isDemo(model)) return t('The demo edits nothing in place. Set the key of a provider with “Gnomon: Set API Key”, or choose another model.');
    const judgement = await this.session.judge(signal);
    return judgement.type === 'deny' ? t('Gnomon may not change this file. {0}', judgement.reason) : undefined;
  }

  private async locate(): Promise<FileLocation> {
    if (this.document.isClosed) throw new ToolInputError('The person closed the file; nothing was changed.');
    return this.parts.workspace.locate(this.document.uri.fsPath);
  }

  private came(hunks: number): void {
    if (this.running) this.show('running', counted(hunks));
  }

  private stageOfRest(): EditStage {
    return this.hunks.count > 0 ? 'pending' : 'asking';
  }

  private show(stage: EditStage, words: string): void {
    if (this.gone) return;
    this.stage = stage;
    this.surface.show(stage, words);
  }
}

/** Characters of an answer without an edit that are shown. */
const MAX_ANSWER = 300;

/** How many hunks have come. */
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

/** What pends, and what can be done about it. */
function summaryOf(hunks: number): string {
  return hunks === 1 ? t('1 change. Keep it, undo it, or say what should be different.') : t('{0} changes. Keep them, undo them, or say what should be different.', hunks);
}
