import type { NoModelError } from '../errors.js';
import type { UserContent } from './content.js';
import type { StoredRouting } from '../session/session-store.js';
import type { ModelChoice } from './model-choice.js';
import type { ModelInfo, Provider } from './provider.js';
import type { Routing } from './routing.js';
import type { TaskKind } from './task-kind.js';

/** A task that a model is wanted for. */
export interface RoutedTask {
  /** What the user wrote. */
  readonly words: string;
  /** The kind that the user has said it is of; absent: it is guessed. */
  readonly kind?: TaskKind;
  /** Key of the model that the user wants for it, whatever would be chosen. */
  readonly pin?: string;
  /** Whether nothing may be changed. */
  readonly planOnly: boolean;
  readonly hasImages: boolean;
  /** The model that the session has. */
  readonly current: ModelInfo;
  /** Tokens that the next request to it takes. */
  readonly tokens: number;
  /** The kind of the task before, which this one is taken for where its own is not recognized; absent for none. */
  readonly last?: TaskKind;
  /** Whether the model of the session is no choice of its own: it did not answer, stands in for another one, or was chosen for another kind. */
  readonly isAnew?: boolean;
  /** What a server has of the session in its cache; absent for nothing. */
  readonly cache?: SessionCache;
  /** The one that did not answer in an earlier turn, and is to be tried again. */
  readonly triesAgain?: string;
}

/** What a server has of a session in its cache. */
export interface SessionCache {
  /** `provider/model`. */
  readonly key: string;
  readonly tokens: number;
  readonly ageMs: number;
  /** Milliseconds for which it lives after its last use; absent: not known. */
  readonly lifetimeMs?: number;
}

/** The model for a task, with how it came to it, or why the user has to choose one. */
export type RoutedModel =
  | {
      readonly routing: Exclude<Routing, { type: 'ask' }>;
      readonly running: { readonly provider: Provider; readonly model: ModelInfo };
      /** What the task is expected to cost in US dollars; absent: the price is not known. */
      readonly costUsd?: number;
      /** Keys of all that would do now, best first. */
      readonly suitable: readonly string[];
    }
  | { readonly routing: Extract<Routing, { type: 'ask' }>; readonly problem: NoModelError };

/** The same for a message that is not sent yet; without `routing`: nothing could be decided. */
export type ProposedModel = RoutedModel | { readonly routing: undefined; readonly problem: Error };

/** What the user says about a message before a model is chosen for it. */
export type TaskWish = Pick<RoutedTask, 'kind' | 'pin'>;

/** Work beside the messages of chats that a model is asked for in a single request. */
export type SideWork = 'title' | 'summary' | 'suggestion' | 'commitMessage' | 'names' | 'agentPrompt';

/** The model for such work. */
export interface WorkModel {
  readonly provider: Provider;
  readonly model: ModelInfo;
  /** Why it is this one, for the details of the request. */
  readonly reason: string;
}

/** Chooses models for the tasks of sessions. */
export interface Router {
  /** The model for a task. Does not take long; rejects where what it needs cannot be loaded. */
  choose(task: RoutedTask, signal: AbortSignal): Promise<RoutedModel>;
  /** Whether choosing has to wait for lists of models first, which may take seconds. */
  readonly waits: boolean;
  /** Whether a task may still have the model that was chosen for it a moment ago. */
  holds(routing: RoutedModel['routing'], task: RoutedTask): boolean;
  /**
   * The model for work beside the messages, which never asks: where none is good enough, it is the given one. Does not reject.
   * @param inputTokens that are sent. Default: what such work usually sends
   */
  forWork(work: SideWork, own: Pick<WorkModel, 'provider' | 'model'>, signal: AbortSignal, inputTokens?: number): Promise<WorkModel>;
  /** Whether another model that is good enough may go on where one does not answer. */
  mayStandIn(): boolean;
  /** Takes note of whether a model answered a request. It says nothing about how good it is. */
  answered(key: string, well: boolean): void;
}

/** How a session comes to its models. */
export interface ChosenModels {
  /** Who chooses the model, where a turn has no other one. */
  readonly choice: ModelChoice;
  /** `provider/model` of that. */
  readonly key: string;
  /** Whether the next turn gets a model that is chosen for it, where its message has none. */
  isOn(): boolean;
  /** Whether choosing has to wait for lists of models first, which may take seconds. */
  readonly waits: boolean;
  /** Chooses the model for a message that is not sent yet, which changes nothing: it gets that where it is sent with it. Does not reject. */
  propose(said: readonly UserContent[], wish: TaskWish, signal: AbortSignal): Promise<ProposedModel>;
  /** Whether a message may still have what was proposed for it a moment ago. */
  holds(proposed: ProposedModel, said: readonly UserContent[]): boolean;
  /** How the turn of the user’s message at an index came to its model; `undefined` where that was not chosen for it, or is no longer known. */
  routingAt(index: number): StoredRouting | undefined;
  /**
   * Takes the user’s word for what kind of task such a message was: a model is chosen anew with the next one. It says nothing about how good models are.
   * @returns whether it is stored how that turn came to its model
   */
  correct(index: number, kind: TaskKind): boolean;
}
