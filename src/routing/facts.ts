import type { PolicySource, TaskNeeds } from '../domain/model/routing.js';
import type { TaskKind } from '../domain/model/task-kind.js';
import type { Pricing } from '../domain/model/usage.js';
import type { Estimates } from './estimates.js';

/** A task that a model is chosen for. */
export interface RouteRequest extends TaskNeeds {
  readonly kind: TaskKind;
  /** Key of the model that the user wants in any case. */
  readonly pin?: string;
}

/** What is known of a model, at a host where a gateway has several. */
export interface CandidateFacts {
  /** `provider/model`. */
  readonly key: string;
  readonly host?: string;
  readonly label: string;
  /** Tokens of input and output together; 0 while only the server knows. */
  readonly contextWindow: number;
  /** 0 where it is not known. */
  readonly maxOutputTokens: number;
  readonly tools: boolean;
  readonly images: boolean;
  /** Absent: not known. */
  readonly price?: Pricing;
  /** Whether its key is there, or it needs none. */
  readonly hasKey: boolean;
  /** Milliseconds to the first text; absent: not known. */
  readonly latencyMs?: number;
  /** See `unavailableFor` in estimates.ts. */
  readonly unavailableForMs: number;
}

/** Models that somebody allows or refuses, by their keys (`provider/model`) or the names of their providers. */
export interface PolicyRule {
  readonly by: PolicySource;
  /** Only these; absent: all. */
  readonly allowed?: readonly string[];
  /** Not these, even if they are allowed. */
  readonly refused?: readonly string[];
}

/** What is known when a model is chosen. */
export interface RouteFacts {
  readonly candidates: readonly CandidateFacts[];
  readonly policy: readonly PolicyRule[];
  /** The share of the best estimate in each kind that is good enough, 0 to 1. */
  readonly floors: Readonly<Record<TaskKind, number>>;
  /** Of models without one, nothing is known: they are assumed to succeed in half of the tasks. */
  readonly estimates: Estimates;
  /** What an attempt costs beside its tokens, in US dollars: the user’s time to look at it. */
  readonly attemptUsd: number;
  /** Half-life of failures, for display. */
  readonly halfLifeMs: number;
}

/**
 * What an attempt costs the user beside its tokens: half a minute at 30 dollars for an hour. It is why a model that costs nothing is not better than any other
 * one, however seldom it succeeds.
 */
export const ATTEMPT_USD = 0.25;

/** The floors that count where the user has set none; reasons are in docs/routing.md. */
export const DEFAULT_FLOORS: Readonly<Record<TaskKind, number>> = Object.freeze({
  boilerplate: 0.75,
  generation: 0.85,
  refactor: 0.85,
  review: 0.85,
  unit_test: 0.85,
  planning: 0.9,
  orchestration: 0.9,
  security_review: 0.95,
  debug: 0.9,
  explain: 0.8,
});
