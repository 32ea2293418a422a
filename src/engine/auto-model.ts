import { errorMessage, ProviderError, type ProviderErrorKind } from '../domain/errors.js';
import type { Clock } from '../domain/clock.js';
import { t } from '../domain/l10n.js';
import type { Log } from '../domain/log.js';
import type { UserContent } from '../domain/model/content.js';
import type { Message } from '../domain/model/message.js';
import type { ModelChoice } from '../domain/model/model-choice.js';
import { modelKey } from '../domain/model/model-key.js';
import type { ChosenModels, ProposedModel, RoutedModel, RoutedTask, Router, TaskWish, WorkModel } from '../domain/model/router.js';
import type { TaskKind } from '../domain/model/task-kind.js';
import { present } from '../domain/present.js';
import { wordsOf } from '../domain/session/attached.js';
import type { StoredRouting } from '../domain/session/session-store.js';
import type { Choices } from './choices.js';
import type { ContextWindow } from './context/context-window.js';
import { messageTokens } from './context/message-tokens.js';
import { inCache } from './context/prompt-cache.js';
import type { EmittedEvent } from './events.js';
import type { Transcript } from './transcript.js';
import type { RunningModel, TurnRouting, TurnScope } from './turn/turn-scope.js';

/** The parts of a session that take part in choosing its models. */
export interface AutoModelParts {
  /** Absent: nobody chooses. */
  readonly router?: Router;
  readonly choices: Choices;
  readonly transcript: Transcript;
  readonly window: ContextWindow;
  readonly emit: (event: EmittedEvent) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** Errors that say that a model is not there at the moment, and nothing about how good it is, or about the request. */
const UNAVAILABLE: ReadonlySet<ProviderErrorKind> = new Set(['rate_limit', 'quota', 'overloaded', 'server', 'network', 'stalled']);

/** Gives the turns of a session their models where the user has left that to Gnomon. */
export class AutoModel implements ChosenModels {
  /** What the user has said that a task was, until a model was chosen by that. */
  private corrected: TaskKind | undefined;
  /** Key of the model that did not answer, while the one of the session stands in for it. */
  private standsInFor: string | undefined;

  constructor(private readonly parts: AutoModelParts) {}

  /** Whether the next turn gets a model that is chosen for it. */
  isOn(): boolean {
    const { choices, router } = this.parts;
    const { choosesModel = choices.choice.type === 'auto', model } = choices.ofTurn ?? {};
    return router !== undefined && choosesModel && model === undefined;
  }

  /** Who chooses the model of the session, where a turn has no other one. */
  get choice(): ModelChoice {
    return this.parts.choices.choice;
  }

  get key(): string {
    return modelKey(this.parts.choices.model.model);
  }

  get waits(): boolean {
    return this.parts.router?.waits === true;
  }

  propose(said: readonly UserContent[], wish: TaskWish, signal: AbortSignal): Promise<ProposedModel> {
    const task = this.nextTask(said);
    return this.chosenFor({ ...task, ...wish, isAnew: task.isAnew === true || wish.kind !== undefined }, signal);
  }

  holds({ routing }: ProposedModel, said: readonly UserContent[]): boolean {
    return routing !== undefined && this.isOn() && this.parts.router?.holds(routing, this.nextTask(said)) === true;
  }

  /**
   * Gives the session the model for a message, which it has from then on. Does not reject.
   * @param said default: the last message, which is answered again
   * @param proposed what was chosen for it before it was sent
   */
  async before(said: readonly UserContent[] | undefined, scope: Pick<TurnScope, 'signal' | 'routing'>, proposed?: ProposedModel): Promise<void> {
    // What the user wanted for a message, they want when it is answered again.
    const again = (): RoutedTask => ({ ...this.nextTask(said), ...present({ pin: pinIn(proposed) }) });
    const routed = said !== undefined && proposed !== undefined ? proposed : await this.chosenFor(again(), scope.signal);
    // The user may have chosen one meanwhile, or stopped.
    if (!this.isOn() || scope.signal.aborted) return;
    scope.routing = routed;
    if ('problem' in routed) return;
    [this.standsInFor, this.corrected] = [undefined, undefined];
    this.take(routed);
  }

  private async chosenFor(task: RoutedTask, signal: AbortSignal): Promise<ProposedModel> {
    const { router, log } = this.parts;
    try {
      if (router === undefined) throw new Error('There is nothing that chooses models.');
      return await router.choose(task, signal);
    } catch (error) {
      log.error('No model could be chosen', error);
      const problem = t('Gnomon could not choose a model: {0} Choose one yourself, or try again.', errorMessage(error));
      return { routing: undefined, problem: new Error(problem, { cause: error }) };
    }
  }

  private nextTask(said: readonly UserContent[] | undefined): RoutedTask {
    const { transcript, window, clock } = this.parts;
    const index = transcript.messages.findLastIndex(({ role }) => role === 'user');
    const message = transcript.messages[index];
    const content = said ?? (message?.role === 'user' ? message.content : []);
    const cache = inCache(window.cached, { summary: window.overlay, now: Date.parse(clock.timestamp()) });
    // What is answered again is what it was.
    const kind = this.corrected ?? (said === undefined ? kindIn(transcript.routingAt(index)) : undefined);
    // What was chosen for another kind than the user says, or in place of another model, is no reason to keep it.
    const isAnew = this.corrected !== undefined || this.standsInFor !== undefined;
    const before = { last: kindIn(transcript.lastRouting), triesAgain: this.standsInFor };
    return { ...this.task(content, said !== undefined), isAnew, ...present({ kind, cache, ...before }) };
  }

  /**
   * Goes on with the next model that is good enough where the one of a turn does not answer.
   * @param index of the user's message
   * @returns whether there is one, and the request is to be made again
   */
  async after(error: unknown, index: number, signal: AbortSignal): Promise<boolean> {
    const { router, choices, transcript, emit } = this.parts;
    const isGone = error instanceof ProviderError && UNAVAILABLE.has(error.kind);
    if (router === undefined || !isGone) return false;
    const { model } = choices.activeModel;
    const failed = modelKey(model);
    router.answered(failed, false);
    const message = transcript.messages[index];
    if (!this.isOn() || this.standsInFor !== undefined || !router.mayStandIn() || message?.role !== 'user') return false;
    // The user has chosen that one for the message.
    if (pinIn(choices.ofTurn?.proposed) !== undefined) return false;
    const kind = kindIn(transcript.routingAt(index));
    const routed = await router.choose({ ...this.task(message.content, false), isAnew: true, ...present({ kind }) }, signal).catch((problem: unknown) => {
      this.parts.log.error('No other model could be chosen', problem);
      return undefined;
    });
    if (!this.isOn() || routed === undefined || 'problem' in routed || modelKey(routed.running.model) === failed) return false;
    this.take(routed);
    this.standsInFor = failed;
    transcript.noteRouting(index, routed.routing);
    emit({ type: 'routed', routing: routed.routing, index, standsIn: { failed: model.label, model: routed.running.model.label } });
    return true;
  }

  /** The model for a summary of the session; `undefined`: the one that it has. */
  async forSummary(own: RunningModel, tokens: number, signal: AbortSignal): Promise<WorkModel | undefined> {
    return this.isOn() ? this.parts.router?.forWork('summary', own, signal, tokens) : undefined;
  }

  /** Takes note that the model of the session has answered. */
  answered(): void {
    this.parts.router?.answered(modelKey(this.parts.choices.activeModel.model), true);
  }

  /** Stores how the turn of a message came to its model, once that has its place. @param made absent where the user has chosen it */
  note(made: TurnRouting | undefined, index: number): void {
    const { transcript, emit } = this.parts;
    // It was stopped before one was chosen.
    if (made === undefined && this.isOn()) return;
    // What the user said was about another message.
    if (made === undefined) this.corrected = undefined;
    if (made?.routing !== undefined || transcript.routingAt(index) !== undefined) transcript.noteRouting(index, made?.routing);
    if (made?.routing !== undefined) emit({ type: 'routed', routing: made.routing, index });
  }

  /** The user has said more in the turn of a message: that has the same model. */
  carry(from: number, to: number): void {
    const routing = this.parts.transcript.routingAt(from);
    if (routing !== undefined) this.parts.transcript.noteRouting(to, routing);
  }

  /** Has the session use a model. What was chosen for a turn that runs is not what it has then. @param choice who has chosen it */
  use(model: RunningModel, choice: ModelChoice): void {
    const { choices, transcript } = this.parts;
    choices.use(model, choice);
    if (choices.ofTurn === undefined || choice.type === 'auto') return;
    const index = transcript.messages.findLastIndex(({ role }) => role === 'user');
    if (transcript.routingAt(index) !== undefined) transcript.noteRouting(index, undefined);
  }

  /** @returns whether it is stored how that turn came to its model */
  correct(index: number, kind: TaskKind): boolean {
    const { transcript } = this.parts;
    const routing = transcript.routingAt(index);
    if (routing === undefined) return false;
    transcript.noteRouting(index, { ...routing, corrected: kind });
    this.corrected = kind;
    return true;
  }

  /** How the turn of the user’s message at an index came to its model; `undefined` where that was not chosen for it, or is no longer known. */
  routingAt(index: number): StoredRouting | undefined {
    return this.parts.transcript.routingAt(index);
  }

  private take(routed: RoutedModel): void {
    const { choices, window, emit } = this.parts;
    if ('problem' in routed || modelKey(routed.running.model) === modelKey(choices.activeModel.model)) return;
    // Where the user has chosen the model of the session, it has that again after the turn.
    if (choices.choice.type === 'auto') choices.model = routed.running;
    else choices.ofTurn = { ...choices.ofTurn, model: routed.running };
    emit(choices.event);
    window.report(routed.running.model, emit);
  }

  /** @param isNew whether the content is not among the messages yet */
  private task(content: readonly UserContent[], isNew: boolean): RoutedTask {
    const { choices, transcript, window, clock } = this.parts;
    const current = choices.model.model;
    const more = isNew ? messageTokens({ role: 'user', content, timestamp: clock.timestamp() }) : 0;
    return {
      words: wordsOf({ content }),
      planOnly: choices.effectiveMode === 'plan',
      hasImages: hasImage(content) || transcript.sent.some((message) => hasImage(message.content)),
      current,
      tokens: window.nextTokens(current) + more,
    };
  }
}

/** What a task is, as far as that is known: what the user says counts. */
function kindIn(routing: StoredRouting | undefined): TaskKind | undefined {
  return routing?.corrected ?? routing?.kind;
}

/** Key of the model that the user has chosen for a message, in place of the one that was proposed. */
function pinIn(proposed: ProposedModel | undefined): string | undefined {
  const routing = proposed?.routing;
  return routing?.type === 'chosen' && routing.because === 'pinned' ? routing.key : undefined;
}

function hasImage(content: Message['content']): boolean {
  return content.some(({ type }: Message['content'][number]) => type === 'image');
}
