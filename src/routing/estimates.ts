import type { Estimate } from '../domain/model/routing.js';
import { TASK_KINDS, type TaskKind } from '../domain/model/task-kind.js';

/** What is believed of a model in a kind before anything was observed. */
export type Prior = Pick<Estimate, 'source'> & { readonly value: number };
/** Something for some of the kinds. */
export type ByKind<T> = Readonly<Partial<Record<TaskKind, T>>>;
/** The same by the key of the model. */
export type ByModelAndKind<T> = Readonly<Record<string, ByKind<T>>>;
/** What is expected of a model. */
export interface ModelEstimates {
  readonly byKind: ByKind<Estimate>;
  /** The mean of what is expected in these kinds. */
  readonly mean: number;
}
/** By the key of the model. */
export type Estimates = Readonly<Record<string, ModelEstimates>>;

/** Outcomes of a model in a kind, in which older ones count less. */
export interface Observations {
  readonly solved: number;
  /** How many, older ones counting less. */
  readonly seen: number;
}

/** Nothing was observed. */
export const NO_OBSERVATIONS: Observations = Object.freeze({ solved: 0, seen: 0 });

/** As how many observations a published prior counts while it predicts what happens, and any other one. */
const PRIOR_WEIGHT = { right: 60, wrong: 4 };
/** How likely it is that a published prior predicts what happens, before anything was observed. */
const LIKELY_RIGHT = 0.9;
/** The share that comes from all kinds: a kind may be guessed wrongly, and less is known of a model in one kind than in all. */
const SHARE_OF_ALL = 0.35;
const NOTHING_KNOWN: Estimate = Object.freeze({ prior: 0.5, source: 'assumed', observed: 0, blended: 0.5 });

/** The estimates of all models that something is believed of. */
export function estimatesOf(priors: ByModelAndKind<Prior>, observations: ByModelAndKind<Observations>): Estimates {
  return Object.fromEntries(
    Object.entries(priors).map(([key, byKind]) => {
      const seen = Object.hasOwn(observations, key) ? observations[key] : undefined;
      const estimates = TASK_KINDS.flatMap((kind) => (byKind[kind] === undefined ? [] : [[kind, estimateOf(byKind[kind], seen?.[kind])]]));
      return [key, withMean(Object.fromEntries(estimates) as ByKind<Estimate>)];
    }),
  );
}

/** The estimates of a model in some kinds, with their mean. */
export function withMean(byKind: ByKind<Estimate>): ModelEstimates {
  const all = Object.values(byKind).flatMap(({ blended }) => (isShare(blended) ? [blended] : []));
  return { byKind, mean: all.length === 0 ? NOTHING_KNOWN.blended : all.reduce((sum, each) => sum + each, 0) / all.length };
}

/**
 * What is expected of a model in a kind: the mean of two estimates by how well each predicted what was observed. For one, the prior is right; for the other,
 * it is little more than a place to begin. So what was believed is given up soon where it is wrong, and chance changes little where it is right.
 */
export function estimateOf(prior: Prior, observations: Observations = NO_OBSERVATIONS): Estimate {
  const value = isShare(prior.value) ? prior.value : 0.5;
  const { solved, seen } = isPossible(observations) ? observations : NO_OBSERVATIONS;
  const mean = (weight: number): number => (weight * value + solved) / (weight + seen);
  const wrong = mean(PRIOR_WEIGHT.wrong);
  const share = prior.source === 'assumed' ? 0 : likelyRight(value, { solved, seen });
  return { prior: value, source: prior.source, observed: seen, blended: share * mean(PRIOR_WEIGHT.right) + (1 - share) * wrong };
}

/** The estimate of a model in a kind. */
export function estimateIn(estimates: Estimates, key: string, kind: TaskKind): Estimate {
  const known = Object.hasOwn(estimates, key) ? estimates[key]?.byKind[kind] : undefined;
  return known !== undefined && isShare(known.blended) ? known : NOTHING_KNOWN;
}

/** What is expected of a model for a task: its estimate in the kind, and partly its mean in all kinds. */
export function expectedIn(estimates: Estimates, key: string, kind: TaskKind): number {
  const { blended } = estimateIn(estimates, key, kind);
  const mean = Object.hasOwn(estimates, key) ? estimates[key]?.mean : undefined;
  return mean === undefined ? blended : (1 - SHARE_OF_ALL) * blended + SHARE_OF_ALL * mean;
}

/** How likely the prior is to be right after what was observed, by Bayes’ rule for beta distributions around it. */
function likelyRight(prior: number, observations: Observations): number {
  if (observations.seen === 0) return LIKELY_RIGHT;
  // A prior of 0 or 1 would be refuted by one outcome.
  const value = Math.min(0.99, Math.max(0.01, prior));
  const against = logLikelihood(value, PRIOR_WEIGHT.wrong, observations) - logLikelihood(value, PRIOR_WEIGHT.right, observations);
  return 1 / (1 + (Math.exp(against) * (1 - LIKELY_RIGHT)) / LIKELY_RIGHT);
}

function logLikelihood(prior: number, weight: number, { solved, seen }: Observations): number {
  const [for_, against] = [weight * prior, weight * (1 - prior)];
  return logGamma(for_ + solved) + logGamma(against + seen - solved) - logGamma(weight + seen) - logGamma(for_) - logGamma(against) + logGamma(weight);
}

/** The logarithm of the gamma function above 0: Stirling’s series from 7 on, to 9 digits. A few lines, for which a library of statistics would be loaded. */
function logGamma(value: number): number {
  let at = value;
  let product = 1;
  for (; at < 7; at += 1) product *= at;
  const inverse = 1 / at;
  return (at - 0.5) * Math.log(at) - at + 0.918_938_533_204_673 + inverse * (1 / 12 - (inverse * inverse) / 360) - Math.log(product);
}

/** Whether a number is a share: not `NaN`, which is in no order. */
export function isShare(value: number): boolean {
  return value >= 0 && value <= 1;
}

function isPossible({ solved, seen }: Observations): boolean {
  return Number.isFinite(seen) && solved >= 0 && seen >= solved;
}

/** How reliably a model has answered lately, apart from how good its answers are. */
export interface Availability {
  /** Failures, each counting half as much after each {@link HALF_LIFE_MS}. */
  readonly failures: number;
  /** When that was so, in the milliseconds of any one clock. */
  readonly at: number;
}

/** Milliseconds after which a failure counts half as much. */
export const HALF_LIFE_MS = 60_000;
/** Failures from which on a model is not asked: a single one counts for one half-life. */
const TOO_MANY = 0.5;
/** More count no more, so that it is tried again after six half-lives at the latest. */
const MOST_FAILURES = 32;

/** After a request that failed by no fault of the model: too many requests, server error, time-out. An answer resets it: then there is nothing to remember. */
export function afterFailure(before: Availability | undefined, now: number, halfLifeMs = HALF_LIFE_MS): Availability {
  return { failures: Math.min(MOST_FAILURES, (before === undefined ? 0 : failuresAt(before, now, halfLifeMs)) + 1), at: now };
}

/** Milliseconds for which a model is still not asked; 0 when it is. */
export function unavailableFor(availability: Availability | undefined, now: number, halfLifeMs = HALF_LIFE_MS): number {
  if (availability === undefined) return 0;
  const failures = failuresAt(availability, now, halfLifeMs);
  return failures > TOO_MANY ? Math.log2(failures / TOO_MANY) * halfLifeMs : 0;
}

function failuresAt({ failures, at }: Availability, now: number, halfLifeMs: number): number {
  // A clock that was set back makes nothing older.
  const age = Math.max(0, now - at);
  const left = Math.min(MOST_FAILURES, failures) * 2 ** (-age / halfLifeMs);
  return left > 0 ? left : 0;
}
