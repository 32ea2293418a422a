import { randomUUID } from 'node:crypto';
import type { UserContent } from '../../../domain/model/content.js';
import { t } from '../../../domain/l10n.js';
import type { Log } from '../../../domain/log.js';
import type { ApprovalAnswer, PermissionMode } from '../../../domain/tool/permission.js';
import type { ModelInfo, Provider, ThinkingEffort } from '../../../domain/model/provider.js';
import type { SessionMeta } from '../../../domain/session/session-store.js';
import type { AgentSession } from '../../../engine/agent-session.js';
import { modelKey } from '../../../engine/model-key.js';
import type { PanelMessage } from '../../../protocol/messages.js';
import type { ViewState } from '../../../protocol/view-state.js';
import type { ProposalDesk } from '../../edits/proposals/proposals.js';
import { EMPTY_QUEUE } from '../../../protocol/view-state.js';
import { titleOf } from '../../../session/library/title.js';
import type { Notice } from '../projection/notices.js';
import type { OpenQuestions } from './open-questions.js';
import { Projector } from '../projection/projector.js';
import { instructionViews, lastTodos } from '../projection/session-facts.js';
import { usageText } from '../projection/summary.js';
import { itemsOf } from '../projection/transcript-items.js';
import { ViewLog } from '../projection/view-log.js';
import type { ViewEvent } from '../../../protocol/view-event.js';

/** What is sent when the person presses Continue. */
const CONTINUE_TEXT = 'Continue from where you were interrupted.';

/** A session with what panels show of it. */
export class Conversation {
  readonly session: AgentSession;
  readonly view: ViewLog;
  private readonly projector: Projector;
  private readonly log: Log;
  private readonly questions: OpenQuestions;
  private proposals: ProposalDesk | undefined;
  private title: string;
  private titledBy: SessionMeta['titleBy'];
  /** The summary that is being made outside of a turn. */
  private compacting: Promise<void> | undefined;

  constructor(session: AgentSession, meta: SessionMeta, { log, questions }: { log: Log; questions: OpenQuestions }) {
    this.session = session;
    this.questions = questions;
    this.log = log;
    this.title = meta.title ?? titleOf(session.messages) ?? '';
    this.titledBy = meta.titleBy;
    this.view = new ViewLog(initialState(session, meta, this.title), randomUUID());
    const compactions = this.view.state.items.filter((item) => item.kind === 'compaction');
    this.projector = new Projector((event) => this.view.push(event), { compactions, instructions: session.instructions });
    session.onEvent((event) => {
      this.projector.project(event);
      if (event.type === 'compaction_started') this.view.push({ type: 'meta', patch: { activity: 'running' } });
    });
  }

  get id(): string {
    return this.session.id;
  }

  /** Who gave the title; `undefined` when it was taken from the first message. */
  get titleBy(): SessionMeta['titleBy'] {
    return this.titledBy;
  }

  get running(): boolean {
    return this.session.state !== 'idle';
  }

  /** Whether it was started in the chat, so that what the person has written there for a new one may belong to it. */
  ofChat = true;

  /** Whether messages wait that go out by themselves; given by what keeps them. */
  goesOn: () => boolean = () => false;

  /** Whether it is at work, or will be without anyone doing anything. */
  get busy(): boolean {
    return this.running || this.goesOn();
  }

  /** Resolves at the end of the turn that runs, or of the summary that is being made. */
  turnEnd(): Promise<void> {
    if (this.compacting !== undefined) return this.compacting;
    return new Promise((resolve) => {
      const stop = this.session.onEvent((event) => {
        if (event.type !== 'turn_ended') return;
        stop();
        resolve();
      });
    });
  }

  /** Starts a turn. Resolves when the message is recorded; the turn goes on by itself and reports through the view. */
  async send(content: readonly UserContent[]): Promise<void> {
    await this.begin(() => this.session.send(content));
    if (this.title === '') this.retitle(titleOf(this.session.messages) ?? '');
  }

  /** Lets an interrupted answer go on: a message of its own, so that the transcript says what happened. */
  async continueTurn(): Promise<void> {
    await this.send([{ type: 'text', text: CONTINUE_TEXT }]);
  }

  /** Asks the model again after an error, without a new message. */
  async retry(): Promise<void> {
    const id = `r${randomUUID()}`;
    this.projector.resume(id, new Date().toISOString());
    try {
      await this.begin(() => this.session.retry());
    } catch (error) {
      this.view.push({ type: 'item_removed', item: id });
      this.view.push({ type: 'meta', patch: { activity: this.running ? 'running' : 'idle' } });
      throw error;
    }
  }

  /** Starts a summary of the conversation so far. Resolves when it has begun; it goes on by itself. */
  async compact(instructions: string): Promise<void> {
    const work = { done: Promise.resolve() };
    await this.begin(() => (work.done = this.session.compact(instructions)));
    this.compacting = work.done.finally(() => this.endCompaction());
  }

  /** Has proposals shown in editors, and answers held back while an editor holds what nobody has judged. */
  useProposals(desk: ProposalDesk): void {
    this.proposals = desk;
  }

  /** Shows what a call proposes for a file in an editor. Does nothing for a call that does not wait. */
  async showProposal(callId: string): Promise<void> {
    await this.proposals?.show(callId);
  }

  /**
   * Answers a permission prompt. Returns whether one was open under that id and the answer was taken.
   * @param revision the prompt of the call that it answers; see {@link AgentSession.answer}.
   */
  answer(callId: string, answer: ApprovalAnswer, revision?: number): boolean {
    const obstacle = answer.type === 'deny' ? undefined : this.proposals?.obstacle(callId);
    if (obstacle === undefined) return this.session.answer(callId, answer, revision);
    this.view.flush();
    const told = withProblem(this.view.state, callId, obstacle);
    if (told !== undefined) this.view.push(told);
    return false;
  }

  /** Uses another model from the next round on. */
  setModel(provider: Provider, model: ModelInfo): void {
    this.session.setModel(provider, model);
    this.view.push({ type: 'meta', patch: { model: modelKey(model) } });
  }

  /** Lets models think more or less from the next round on. */
  setEffort(effort: ThinkingEffort): void {
    this.session.setEffort(effort);
    this.view.push({ type: 'meta', patch: { effort } });
  }

  /** Answers a question of the model. Does nothing when none is open under that id. */
  answerQuestion(message: Extract<PanelMessage, { type: 'answer_question' | 'dismiss_question' }>): void {
    const { callId } = message;
    if (message.type === 'dismiss_question') return this.questions.answer(callId, { type: 'dismissed' });
    const { choices, text } = message;
    return this.questions.answer(callId, { type: 'answered', choices, ...(text === undefined ? {} : { text }) });
  }

  /** Changes what may be done without asking, from the next call on. */
  setMode(mode: PermissionMode): void {
    this.session.setMode(mode);
    this.view.push({ type: 'meta', patch: { mode } });
  }

  /** Shows the person something in the transcript. */
  notify(notice: Notice): void {
    this.projector.notice(notice);
  }

  /** Runs a turn in the background; resolves at its first event, rejects when it cannot start. */
  private begin(start: () => Promise<unknown>): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = this.session.onEvent(() => {
        stop();
        resolve();
      });
      start().catch((error: unknown) => {
        stop();
        this.log.error('A turn failed', error);
        reject(error instanceof Error ? error : new Error(String(error)));
      });
    });
  }

  private endCompaction(): void {
    this.compacting = undefined;
    this.view.push({ type: 'meta', patch: { activity: this.running ? 'running' : 'idle' } });
  }

  /** Shows a title that was given to the conversation; without one that of its first message. */
  rename(title: string | undefined, by: NonNullable<SessionMeta['titleBy']>): void {
    this.titledBy = title === undefined ? undefined : by;
    this.retitle(title ?? titleOf(this.session.messages) ?? '');
  }

  /** Another window goes on with the conversation: here it can only be read. */
  movedElsewhere(): void {
    this.view.push({ type: 'meta', patch: { elsewhere: true } });
  }

  private retitle(title: string): void {
    this.title = title;
    this.view.push({ type: 'meta', patch: { title: title === '' ? t('New session') : title } });
  }
}

function initialState(session: AgentSession, meta: SessionMeta, title: string): ViewState {
  return {
    title: title === '' ? t('New session') : title,
    activity: 'idle',
    model: modelKey(session.model),
    mode: session.mode,
    usage: usageText(session.usage, session.costUsd),
    effort: session.effort,
    retry: null,
    changes: [],
    context: session.context,
    todos: lastTodos(session.messages),
    instructions: instructionViews(session.instructions),
    queue: EMPTY_QUEUE,
    items: itemsOf(session.messages, meta),
  };
}

/** What says in an open prompt why its answer was not taken, so that it can be given again; `undefined` when none is open. */
export function withProblem({ items }: ViewState, callId: string, problem: string): ViewEvent | undefined {
  for (const item of items.toReversed()) {
    if (item.kind !== 'answer') continue;
    const block = item.blocks.findIndex((each) => each.type === 'tool' && each.call.id === callId);
    const found = item.blocks[block];
    if (found?.type !== 'tool' || found.call.approval === undefined) continue;
    return { type: 'call', item: item.id, block, call: { ...found.call, approval: { ...found.call.approval, problem } } };
  }
  return undefined;
}
