import { present } from '../../domain/present.js';
import { randomUUID } from 'node:crypto';
import type { AgentFile } from '../../domain/config/agent.js';
import type { UserContent } from '../../domain/model/content.js';
import { t } from '../../domain/l10n.js';
import type { ApprovalAnswer, PermissionMode } from '../../domain/tool/permission.js';
import type { ThinkingEffort } from '../../domain/model/effort.js';
import type { ModelInfo, Provider } from '../../domain/model/provider.js';
import type { ModelChoice } from '../../domain/model/model-choice.js';
import type { TaskKind } from '../../domain/model/task-kind.js';
import type { SessionMeta, StoredRouting } from '../../domain/session/session-store.js';
import type { AgentSession } from '../../engine/agent-session.js';
import type { TurnOptions } from '../../engine/turn/turn-scope.js';
import { mayRestAfter, type StartedTurn } from '../../engine/events.js';
import { modelKey } from '../../domain/model/model-key.js';
import type { PanelMessage } from '../../protocol/messages.js';
import { type ViewState, EMPTY_QUEUE } from '../../protocol/view-state.js';
import type { ProposalDesk } from '../ports.js';
import { titleOf } from '../../session/library/title.js';
import type { ShortPath } from '../projection/call-topic.js';
import type { Notice } from '../projection/notices.js';
import { type ConversationFacts, Projector } from '../projection/projector.js';
import { instructionsView, lastTodos } from '../projection/session-facts.js';
import { usageText } from '../projection/summary.js';
import { messageIndexOf } from '../projection/item-ids.js';
import { itemsOf, lastAnswer } from '../projection/transcript-items.js';
import { ViewLog } from '../projection/view-log.js';
import { AbortError, NothingToCompactError } from '../../domain/errors.js';
import { callPlace } from './call-place.js';
import { Signal } from '../../concurrency/signal.js';
import type { Question, QuestionAnswer, Questions } from '../../domain/tool/interaction.js';

/** Message that the Continue button sends. */
const CONTINUE_TEXT = 'Continue from where you were interrupted.';

/** Parts of a {@link Conversation} beside its session. */
export interface ConversationParts {
  readonly questions: OpenQuestions;
  /** Default: true. */
  readonly ofChat?: boolean;
  /** Shortens displayed paths. Default: unchanged. */
  readonly short?: ShortPath;
  /** The chat that it works for, and what ends looking at it: it is open beside that, and works without being looked at. Absent: it is a chat itself. */
  readonly of?: { readonly chat: Conversation; readonly release: () => Promise<void> };
}

/** A session with what panels show of it. */
export class Conversation {
  readonly view: ViewLog;
  /** Whether it was started in the chat, so that what the user has written there for a new one may belong to it. */
  readonly ofChat: boolean;
  private readonly projector: Projector;
  private readonly questions: OpenQuestions;
  private readonly of: ConversationParts['of'];
  private readonly stopListening: () => void;
  private proposals: ProposalDesk | undefined;
  private givenTitle: string;
  private titledBy: SessionMeta['titleBy'];
  private moreFollows = false;
  private readonly retitled = new Signal();
  /** Names of agents that the user wants to go on, and that a limit of the chat keeps from it: they do once that is raised. */
  readonly wantedElves = new Set<string>();
  /** Fires when it has another {@link title}. */
  readonly onDidRetitle = this.retitled.subscribe;
  /** Fires when a turn or a summary ends, and when messages stop or start to follow on their own. */
  private readonly rested = new Signal();

  constructor(
    readonly session: AgentSession,
    meta: SessionMeta,
    { questions, ofChat = true, short = (path) => path, of }: ConversationParts,
  ) {
    this.of = of;
    this.questions = questions;
    this.ofChat = ofChat;
    this.givenTitle = meta.title ?? titleOf(session.messages) ?? '';
    this.titledBy = meta.titleBy;
    this.view = new ViewLog(initialState(session, { meta, title: this.title, short }), randomUUID());
    const { items } = this.view.state;
    const compactions = items.filter((item) => item.kind === 'compaction');
    this.projector = new Projector((event) => this.view.push(event), {
      compactions,
      answer: lastAnswer(items, session.messages),
      short,
      mode: () => session.mode,
    });
    // It is at work already, as an agent can be that is looked at.
    if (session.state !== 'idle') this.projector.join(this.view.state.items, { messages: session.messages, asks: session.asks.waiting });
    this.stopListening = session.onEvent((event) => {
      this.projector.project(event);
      // What was stopped is the turn: who sees that must not take it for all.
      if (event.type === 'turn_ended' && event.turn.end === 'aborted' && session.childState !== 'idle')
        this.notify({ level: 'info', text: t('Agents in the background go on. You can stop them above the message box.'), actions: [] });
      if (mayRestAfter(event)) this.rested.emit();
    });
  }

  get id(): string {
    return this.session.id;
  }

  /** The chat that it works for; `undefined` for one of the user. */
  get chat(): Conversation | undefined {
    return this.of?.chat;
  }

  /** Title in lists. */
  get title(): string {
    return this.givenTitle === '' ? t('New Chat') : this.givenTitle;
  }

  /** Author of the title: the user or a model; `undefined` when it was taken from the first message. */
  get titleBy(): SessionMeta['titleBy'] {
    return this.titledBy;
  }

  get running(): boolean {
    return this.session.state !== 'idle';
  }

  /** Whether it is working, agents work for it, or it will continue without the user. */
  get busy(): boolean {
    return this.running || this.moreFollows || this.session.childState !== 'idle';
  }

  /** Tells whether a message is about to be sent on its own, such as a queued one. */
  expectMore(follows: boolean): void {
    if (this.moreFollows === follows) return;
    this.moreFollows = follows;
    this.rested.emit();
  }

  /** Resolves when it is not busy any more. */
  async untilIdle(): Promise<void> {
    while (this.busy) await this.rest();
  }

  private rest(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.rested.subscribe(() => {
        stop();
        resolve();
      });
    });
  }

  /** Starts a turn, which reports through the view. @throws as {@link AgentSession.send} does. */
  send(content: readonly UserContent[], options?: TurnOptions): StartedTurn {
    const started = this.session.send(content, options);
    if (this.givenTitle === '') void started.recorded.then(() => this.retitle(titleOf(this.session.messages) ?? ''));
    return started;
  }

  /** Continues an interrupted answer with a message of its own, so that the transcript says what happened. */
  continueTurn(): StartedTurn {
    return this.send([{ type: 'text', text: CONTINUE_TEXT }]);
  }

  /** Sends a message again that was refused: at once when nothing came after it, else with the next request. */
  sendAgain(item: string): void {
    const { heldBack, messages } = this.session;
    const index = messageIndexOf(item) ?? -1;
    const isLast = heldBack.some(({ from, to }) => index >= from && index < to && to === messages.length);
    if (this.session.putBack(index) && isLast) this.retry();
  }

  /** Asks the model again after an error, without a new message; what broke off is replaced by what comes. @throws as {@link AgentSession.retry} does. */
  retry(): void {
    this.session.retry();
    this.projector.retry(`r${randomUUID()}`, new Date().toISOString());
  }

  /** Asks the model again if the last turn ended with an error that another key puts right. */
  retryWithKey(): void {
    this.view.flush();
    const last = this.view.state.items.at(-1);
    if (!this.busy && last?.kind === 'notice' && last.level === 'error' && last.actions.some((action) => action === 'set_api_key' || action === 'use_key'))
      this.retry();
  }

  /** Starts a summary of the conversation so far, or tells the user that there is too little. @throws Error while a turn runs. */
  compact(instructions: string): void {
    try {
      void this.session.compact(instructions);
    } catch (error) {
      // Nothing failed: there is all the room that a summary could make.
      if (!(error instanceof NothingToCompactError)) throw error;
      this.notify({ level: 'info', text: error.message, actions: [] });
    }
  }

  /** Shows proposals in editors, and blocks approval while an editor has unsaved changes to one. */
  useProposals(desk: ProposalDesk): void {
    this.proposals = desk;
  }

  /** Shows what a call proposes for a file in an editor. Returns whether it is shown: a call that does not wait has nothing to show. */
  async showProposal(callId: string): Promise<boolean> {
    return (await this.proposals?.show(callId)) === true;
  }

  /**
   * Answers a permission prompt. Returns whether one was open under that id and the answer was taken.
   * @param revision the prompt of the call that it answers; see {@link AgentSession.answer}.
   */
  answer(callId: string, answer: ApprovalAnswer, revision?: number): boolean {
    const obstacle = answer.type === 'deny' ? undefined : this.proposals?.obstacle(callId);
    const place = callPlace(callId);
    if (obstacle === undefined) return this.session.answer(place.callId, answer, revision, place.session);
    this.view.flush();
    this.projector.problem(this.view.state, callId, obstacle);
    return false;
  }

  /** Uses another model from the next round on. @param choice who has chosen it, and chooses the next one. Default: the user */
  setModel(provider: Provider, model: ModelInfo, choice?: ModelChoice): void {
    this.session.setModel(provider, model, choice);
  }

  /** How the model of an answer came to be chosen; `undefined` where the user has chosen it, or that is no longer known. */
  routingOf(item: string): StoredRouting | undefined {
    return this.session.auto.routingAt(this.questionOf(item));
  }

  /** Takes the user’s word for what kind of task an answer was for. */
  correctKind(item: string, kind: TaskKind): void {
    if (this.session.auto.correct(this.questionOf(item), kind)) this.view.push({ type: 'routed', item, kind });
  }

  /** Index of the message that an answer is for; -1 where there is none. */
  private questionOf(item: string): number {
    this.view.flush();
    const { items } = this.view.state;
    const before = items
      .slice(
        0,
        items.findIndex(({ id }) => id === item),
      )
      .findLast(({ kind }) => kind === 'user');
    return messageIndexOf(before?.id ?? '') ?? -1;
  }

  /** Lets models think more or less from the next round on. */
  setEffort(effort: ThinkingEffort): void {
    this.session.setEffort(effort);
  }

  /** Has an agent work from the next turn on; `undefined`: none. */
  setAgent(agent: AgentFile | undefined): void {
    if (this.chat !== undefined) throw new Error(t('This agent works for a chat, and stays what it is. Choose another agent in that chat.'));
    this.session.setAgent(agent);
  }

  /** Answers a question of the model. Does nothing when none is open under that id. */
  answerQuestion(message: Extract<PanelMessage, { type: 'answer_question' | 'dismiss_question' }>): void {
    const { callId } = message;
    if (message.type === 'dismiss_question') return this.questions.answer(callId, { type: 'dismissed' });
    const { choices, text } = message;
    return this.questions.answer(callId, { type: 'answered', choices, ...present({ text }) });
  }

  /** Changes what may be done without asking, from the next call on. */
  setMode(mode: PermissionMode): void {
    if (this.chat === undefined) this.session.setMode(mode);
    else this.chat.setMode(mode);
  }

  /** Stops and saves its session, or ends looking at it. @param reason see {@link AgentSession.close} */
  close(reason: 'clear' | 'other'): Promise<void> {
    if (this.of === undefined) return this.session.close(reason);
    this.stopListening();
    return this.of.release();
  }

  /** Shows the user something in the transcript. */
  notify(notice: Notice): void {
    this.projector.notice(notice);
  }

  /** Shows facts that the session does not report: what waits to be sent, which files have changed. */
  show(facts: ConversationFacts): void {
    this.projector.show(facts);
  }

  /** Shows a title that was given to the conversation; without one that of its first message. */
  rename(title: string | undefined, by: NonNullable<SessionMeta['titleBy']>): void {
    this.titledBy = title === undefined ? undefined : by;
    this.retitle(title ?? titleOf(this.session.messages) ?? '');
  }

  private retitle(title: string): void {
    this.givenTitle = title;
    this.show({ title: this.title });
    this.retitled.emit();
  }
}

function initialState(session: AgentSession, { meta, title, short }: { meta: SessionMeta; title: string; short: ShortPath }): ViewState {
  return {
    title,
    activity: 'idle',
    ...(session.identity.worksFor === undefined ? {} : { isOfAgent: true }),
    model: modelKey(session.model),
    modelChoice: session.auto.choice.type,
    mode: session.mode,
    effectiveMode: session.effectiveMode,
    agent: session.agent?.name ?? '',
    usage: usageText(session.usage, session.costUsd),
    spent: session.usage,
    effort: session.effort,
    hookStatus: '',
    retry: null,
    changes: [],
    context: session.context,
    todos: lastTodos(session.messages),
    elves: [],
    instructions: instructionsView(session.instructions),
    queue: EMPTY_QUEUE,
    items: itemsOf(session.messages, meta, short, session.state !== 'idle'),
  };
}

/** Questions of one session's model that wait for the user. The chat shows them with their calls. */
export class OpenQuestions implements Questions {
  private readonly waiting = new Map<string, (answer: QuestionAnswer) => void>();

  ask(callId: string, _question: Question, signal: AbortSignal): Promise<QuestionAnswer> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.waiting.delete(callId);
        reject(new AbortError());
      };
      signal.addEventListener('abort', stop, { once: true });
      this.waiting.set(callId, (answer) => {
        signal.removeEventListener('abort', stop);
        resolve(answer);
      });
    });
  }

  /** Answers the question of a call. Does nothing when none waits under that id. */
  answer(callId: string, answer: QuestionAnswer): void {
    const resolve = this.waiting.get(callId);
    this.waiting.delete(callId);
    resolve?.(answer);
  }
}
