import { errorMessage, ProviderError, type ProviderErrorKind } from '../domain/errors.js';
import type { Clock } from '../domain/clock.js';
import { t } from '../domain/l10n.js';
import type { Log } from '../domain/log.js';
import type { UserContent } from '../domain/model/content.js';
import type { Message } from '../domain/model/message.js';
import type { ModelChoice } from '../domain/model/model-choice.js';
import { modelKey } from '../domain/model/model-key.js';
import type { ChosenModels, RoutedModel, RoutedTask, Router } from '../domain/model/router.js';
import type { TaskKind } from '../domain/model/task-kind.js';
import { present } from '../domain/present.js';
import { wordsOf } from '../domain/session/attached.js';
import type { StoredRouting } from '../domain/session/session-store.js';
import type { Choices } from './choices.js';
import type { ContextWindow } from './context/context-window.js';
import { inCache } from './context/prompt-cache.js';
import type { EmittedEvent } from './events.js';
import type { Transcript } from './transcript.js';
import type { TurnRouting, TurnScope } from './turn/turn-scope.js';

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
  /** What the user has said that the last task was, until the next one. */
  private corrected: TaskKind | undefined;
  /** Whether the model of the session stands in for one that did not answer. */
  private standsIn = false;

  constructor(private readonly parts: AutoModelParts) {}

  /** Whether the next turn gets a model that is chosen for it. */
  isOn(): boolean {
    const { choices, router } = this.parts;
    return router !== undefined && choices.choice.type === 'auto' && choices.ofTurn?.model === undefined;
  }

  /** Who chooses the model of the session, where a turn has no other one. */
  get choice(): ModelChoice {
    return this.parts.choices.choice;
  }

  /** Chooses the model for a message, which the session has from then on. Does not reject. @param said default: the last message, which is answered again */
  async before(said: readonly UserContent[] | undefined, scope: Pick<TurnScope, 'signal' | 'routing'>): Promise<void> {
    const { router, transcript, window, clock } = this.parts;
    if (router === undefined) return;
    // What was chosen for another kind than the user says, or in place of another model, is no reason to keep it.
    const last = this.corrected === undefined && !this.standsIn ? transcript.lastRouting : undefined;
    const before = last && { kind: last.corrected ?? last.kind };
    const content = said ?? transcript.messages.findLast((message) => message.role === 'user')?.content ?? [];
    const task = {
      ...this.task(content),
      ...present({ kind: this.corrected, last: before, cache: inCache(window.cached, { summary: window.overlay, now: Date.parse(clock.timestamp()) }) }),
    };
    this.corrected = undefined;
    try {
      const routed = await router.choose(task, scope.signal);
      // The user may have chosen one meanwhile.
      if (!this.isOn()) return;
      this.standsIn = false;
      scope.routing = routed;
      this.take(routed);
    } catch (error) {
      this.parts.log.error('No model could be chosen', error);
      const problem = t('Gnomon could not choose a model: {0} Choose one yourself, or try again.', errorMessage(error));
      scope.routing = { routing: undefined, problem: new Error(problem, { cause: error }) };
    }
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
    if (!this.isOn() || this.standsIn || !router.mayStandIn() || message?.role !== 'user') return false;
    const { kind } = transcript.routingAt(index) ?? {};
    const routed = await router.choose({ ...this.task(message.content), failed, ...present({ kind }) }, signal).catch((problem: unknown) => {
      this.parts.log.error('No other model could be chosen', problem);
      return undefined;
    });
    if (!this.isOn() || routed === undefined || 'problem' in routed || modelKey(routed.running.model) === failed) return false;
    this.take(routed);
    this.standsIn = true;
    transcript.noteRouting(index, routed.routing);
    emit({ type: 'routed', routing: routed.routing, index, standsIn: { failed: model.label, model: routed.running.model.label } });
    return true;
  }

  /** Takes note that the model of the session has answered. */
  answered(): void {
    this.parts.router?.answered(modelKey(this.parts.choices.activeModel.model), true);
  }

  /** Stores what was chosen for a message that has its place by now. */
  note({ routing }: TurnRouting, index: number): void {
    if (routing === undefined) return;
    this.parts.transcript.noteRouting(index, routing);
    this.parts.emit({ type: 'routed', routing, index });
  }

  /** Takes the user’s word for what a task was: its model is chosen anew with the next message. That says nothing about how good a model is. */
  correct(index: number, kind: TaskKind): void {
    const { transcript, emit } = this.parts;
    const routing = transcript.routingAt(index);
    if (routing === undefined) return;
    const corrected = { ...routing, corrected: kind };
    const isLast = transcript.lastRouting === routing;
    transcript.noteRouting(index, corrected);
    if (isLast) this.corrected = kind;
    emit({ type: 'routed', routing: corrected, index });
  }

  /** How the turn of the user’s message at an index came to its model; `undefined` where that was not chosen for it, or is no longer known. */
  routingAt(index: number): StoredRouting | undefined {
    return this.parts.transcript.routingAt(index);
  }

  private take(routed: RoutedModel): void {
    const { choices, window, emit } = this.parts;
    if ('problem' in routed || modelKey(routed.running.model) === modelKey(choices.model.model)) return;
    choices.model = routed.running;
    emit(choices.event);
    window.report(routed.running.model, emit);
  }

  private task(content: readonly UserContent[]): RoutedTask {
    const { choices, transcript, window } = this.parts;
    const current = choices.model.model;
    return {
      words: wordsOf({ content }),
      planOnly: choices.effectiveMode === 'plan',
      hasImages: hasImage(content) || transcript.sent.some((message) => hasImage(message.content)),
      current,
      tokens: window.nextTokens(current),
    };
  }
}

function hasImage(content: Message['content']): boolean {
  return content.some(({ type }: Message['content'][number]) => type === 'image');
}
