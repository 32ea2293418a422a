import type { TaskKind } from './task-kind.js';

/** Who allows or refuses models. */
export type PolicySource = 'settings' | 'agentFile' | 'organization' | 'workspace';

/** How well a model is expected to do work of a kind: shares of tasks that succeed, 0 to 1. */
export interface Estimate {
  /** What was believed before anything was observed. */
  readonly prior: number;
  /** Where that comes from: a published table, or only the position of the model’s price among those of the user’s models. */
  readonly source: 'published' | 'assumed';
  /** Observations, older ones counting less. */
  readonly observed: number;
  /** The prior and the observations together. */
  readonly blended: number;
}

/** Why a candidate cannot be chosen. Tokens, shares from 0 to 1, and milliseconds. */
export type Removal =
  | { readonly type: 'noKey' }
  | { readonly type: 'notAllowed'; readonly by: PolicySource }
  | { readonly type: 'noTools' }
  | { readonly type: 'noImages' }
  | { readonly type: 'windowTooSmall'; readonly window: number; readonly needed: number }
  | { readonly type: 'unavailable'; readonly forMs: number; readonly halfLifeMs: number }
  | { readonly type: 'belowFloor'; readonly estimate: number; readonly floor: number };

/** A model that could be chosen, at a host where a gateway has several. */
export interface Candidate {
  /** `provider/model`. */
  readonly key: string;
  readonly host?: string;
  readonly label: string;
  readonly estimate: Estimate;
  /** What is expected of it for this task: partly {@link Estimate.blended}, partly the same in all kinds. */
  readonly expected: number;
  /** Expected cost of the task in US dollars, with {@link rewriteUsd}; absent: its price is not known. */
  readonly costUsd?: number;
  /** The part of the cost that comes from writing to a cache what another model or host has there; absent for none. */
  readonly rewriteUsd?: number;
  readonly removed?: Removal;
}

/** The candidate that would be chosen next, and what it lacks: any one of these would change the choice. */
export interface RunnerUp {
  readonly key: string;
  readonly host?: string;
  /** US dollars by which it would have to cost less; absent where no price would do. */
  readonly cheaperByUsd?: number;
  /** By how much more of its tasks would have to succeed, 0 to 1; absent where not even all of them would do. */
  readonly betterBy?: number;
}

/** Why no model was chosen. The candidates have what removed each of them. */
export type AskReason =
  /** No model is there, has a key, and is allowed. */
  | { readonly type: 'noneAllowed' }
  /** None of those can do it now: tools, images, window, availability. */
  | { readonly type: 'noneFits' }
  /** Those that could do it now are not good enough. */
  | { readonly type: 'belowFloor'; readonly key: string; readonly estimate: number; readonly floor: number }
  /** The pinned model cannot do it, or is not allowed. */
  | { readonly type: 'pinned'; readonly key: string; readonly removed: Removal }
  /** The pinned model is not there. */
  | { readonly type: 'pinnedMissing'; readonly key: string };

/** How a model was chosen for a task, or why none was: stored with the turn, for “Why this model?”. */
export type Decision = Considered & (Chosen | { readonly type: 'ask'; readonly why: AskReason });

/** The session keeps the model that an earlier task was given, as a server has what was said in its cache. */
export interface Kept {
  readonly type: 'kept';
  readonly kind: TaskKind;
  readonly key: string;
  /** Tokens in that cache, as far as that is known. */
  readonly cachedTokens: number;
}

/** How a turn came to its model, as it is stored with it. */
export type Routing = Decision | Kept;

/** What a task needs of a model. */
export interface TaskNeeds {
  /** Tokens that the model will read, with what is cached. */
  readonly inputTokens: number;
  /** Tokens that are kept free for its answer. */
  readonly reservedOutputTokens: number;
  /** Tokens that it will probably write. */
  readonly expectedOutputTokens: number;
  readonly needsTools: boolean;
  readonly needsImages: boolean;
  /** Input that a server has in its cache, for one model at one host; absent for none. */
  readonly cached?: { readonly tokens: number; readonly key: string; readonly host?: string };
  /** Key of the model that the chat has; absent for none. */
  readonly current?: string;
}

/** What was looked at. */
interface Considered {
  readonly kind: TaskKind;
  /** What was wanted, with what an attempt costs beside its tokens in US dollars: for decisions to be replayed. Absent where that is not known. */
  readonly needs?: TaskNeeds & { readonly attemptUsd: number };
  /** The share of the best estimate that is good enough, and what that is here; absent where no model is allowed. */
  readonly floor?: { readonly share: number; readonly least: number };
  /** Those that could be chosen, best first, then those that were removed. */
  readonly candidates: readonly Candidate[];
  /** Candidates that are not listed. */
  readonly leftOut: number;
}

interface Chosen {
  readonly type: 'chosen';
  readonly key: string;
  readonly host?: string;
  readonly because: 'pinned' | 'ranked';
  /** What changing to it costs more, as another model or host has the cache; absent where it keeps it, or nothing is cached. */
  readonly rewrite?: { readonly tokens: number; readonly usd?: number };
  readonly runnerUp?: RunnerUp;
}
