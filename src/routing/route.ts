import type { AskReason, Candidate, Decision, Removal, RunnerUp } from '../domain/model/routing.js';
import { present } from '../domain/present.js';
import { estimateIn, expectedIn, isShare } from './estimates.js';
import { cachedTokens, expectedCost, type ExpectedCost } from './expected-cost.js';
import { ATTEMPT_USD, type CandidateFacts, DEFAULT_FLOORS, type RouteFacts, type RouteRequest } from './facts.js';
import { notForUse, notGoodEnough, notNow, notPossible } from './filters.js';

/** Candidates that a decision lists. */
const LISTED = 12;
const LEAST_USD = 1e-9;

/** A candidate on its way through the filters. */
interface Considered {
  readonly facts: CandidateFacts;
  readonly expected: number;
  /** Absent where its price is not known. */
  readonly cost: ExpectedCost | undefined;
  /** What is expected for what it costs; absent where its price is not known. */
  readonly worth: number | undefined;
  readonly removed: Removal | undefined;
}

/**
 * Chooses the model for a task: of those that are allowed, can do it, answer, and are good enough, the one that succeeds most for what it costs. Where none is,
 * the user has to be asked: a weaker one is never taken instead. The order of filters, and what each number means, is in docs/routing.md.
 */
export function route(request: RouteRequest, facts: RouteFacts): Decision {
  const { all, usable, share, least } = consider(request, facts);
  const ranked = all.filter(({ removed }) => removed === undefined).sort(betterFor(request));
  const removed = all.filter((each) => each.removed !== undefined).sort(byEstimate);
  const listed = (first?: Considered): Considerations => ({
    kind: request.kind,
    ...(usable > 0 ? { floor: { share, least } } : {}),
    ...list(first, [...ranked, ...removed], { request, facts }),
  });
  if (request.pin !== undefined) {
    const pinned = pinnedOf(request.pin, all, { request, facts });
    return 'type' in pinned ? { ...listed(), type: 'ask', why: pinned } : { ...listed(pinned), ...choice(pinned, request), because: 'pinned' };
  }
  const [best, second] = ranked;
  if (best === undefined) return { ...listed(), type: 'ask', why: whyNone(usable, removed) };
  const runnerUp = second === undefined ? nearest(removed, { best, least, attemptUsd: attemptOf(facts) }) : after(best, second, attemptOf(facts));
  return { ...listed(best), ...choice(best, request), because: 'ranked', ...(runnerUp === undefined ? {} : { runnerUp }) };
}

/** Whether a model can be chosen for a task, be it the best one or not: it may be used, can do it, answers, and is good enough. */
export function isAdmissible(key: string, request: RouteRequest, facts: RouteFacts): boolean {
  return consider(request, facts).all.some((each) => each.facts.key === key && each.removed === undefined);
}

/** All candidates, how many may be used, and the floor. */
function consider(
  request: RouteRequest,
  facts: RouteFacts,
): { readonly all: readonly Considered[]; readonly usable: number; readonly share: number; readonly least: number } {
  const share = isShare(facts.floors[request.kind]) ? facts.floors[request.kind] : DEFAULT_FLOORS[request.kind];
  const expected = facts.candidates.map(({ key }) => expectedIn(facts.estimates, key, request.kind));
  const usable = expected.filter((_, at) => isForUse(facts.candidates[at], facts));
  // Of all that may be used, not only of those that answer now or are large enough: an outage of the best does not make the others good enough.
  const least = share * usable.reduce((best, each) => Math.max(best, each), 0);
  const all = facts.candidates.map((candidate, at) => considered(candidate, { request, facts, least, expected: expected[at] ?? 0 }));
  return { all, usable: usable.length, share, least };
}

type Choice = Pick<Extract<Decision, { type: 'chosen' }>, 'type' | 'key' | 'host' | 'rewrite'>;
type Considerations = Omit<Extract<Decision, { type: 'ask' }>, 'type' | 'why'>;

interface Context {
  readonly request: RouteRequest;
  readonly facts: RouteFacts;
}

function isForUse(candidate: CandidateFacts | undefined, facts: RouteFacts): boolean {
  return candidate !== undefined && notForUse(candidate, facts) === undefined;
}

function considered(of: CandidateFacts, { request, facts, least, expected }: Context & { readonly least: number; readonly expected: number }): Considered {
  const cost = expectedCost(of, request);
  const worth = cost === undefined ? undefined : expected / (cost.usd + attemptOf(facts));
  const removed = notForUse(of, facts) ?? notPossible(of, request) ?? notNow(of, facts) ?? notGoodEnough(expected, least);
  return { facts: of, expected, cost, worth, removed };
}

/** Above 0, as nothing is worth infinitely much, even if it costs nothing. */
function attemptOf({ attemptUsd }: RouteFacts): number {
  return Number.isFinite(attemptUsd) ? Math.max(attemptUsd, LEAST_USD) : ATTEMPT_USD;
}

/** The pinned model at its best host, or why it cannot be used: neither the floor nor that it did not answer lately counts. */
function pinnedOf(pin: string, all: readonly Considered[], { request, facts }: Context): Considered | AskReason {
  const hosts = all.filter(({ facts: { key } }) => key === pin).sort(betterFor(request));
  const refusals = hosts.map(({ facts: of }) => notForUse(of, facts) ?? notPossible(of, request));
  const [first] = refusals;
  return (
    hosts.find((_, at) => refusals[at] === undefined) ??
    (first === undefined ? { type: 'pinnedMissing', key: pin } : { type: 'pinned', key: pin, removed: first })
  );
}

/** The order of what can be chosen: what is expected for its cost, unknown costs last; of equals the quicker one, then the chat’s own, then by name. */
function betterFor({ current }: RouteRequest): (a: Considered, b: Considered) => number {
  const isThere = ({ facts: { key } }: Considered): number => (key === current ? 0 : 1);
  const preferred = (a: Considered, b: Considered): number => quicker(a, b) || isThere(a) - isThere(b) || byName(a, b);
  return (a, b) => {
    if (a.worth !== undefined && b.worth !== undefined) return b.worth - a.worth || preferred(a, b);
    if (a.worth !== b.worth) return a.worth === undefined ? 1 : -1;
    return b.expected - a.expected || preferred(a, b);
  };
}

function quicker(a: Considered, b: Considered): number {
  const [one, other] = [latencyOf(a), latencyOf(b)];
  return one === other ? 0 : one - other;
}

function latencyOf({ facts: { latencyMs } }: Considered): number {
  return latencyMs !== undefined && latencyMs >= 0 ? latencyMs : Infinity;
}

function byEstimate(a: Considered, b: Considered): number {
  return b.expected - a.expected || byName(a, b);
}

function byName({ facts: a }: Considered, { facts: b }: Considered): number {
  const [one, other] = a.key === b.key ? [a.host ?? '', b.host ?? ''] : [a.key, b.key];
  return one < other ? -1 : one > other ? 1 : 0;
}

function choice({ facts: { key, host }, cost }: Considered, request: RouteRequest): Choice {
  const tokens = cachedTokens(request);
  const isChange = tokens > 0 && (request.cached?.key !== key || request.cached.host !== host);
  return { type: 'chosen', ...present({ key, host, rewrite: isChange ? present({ tokens, usd: cost?.rewriteUsd }) : undefined }) };
}

function whyNone(usable: number, removed: readonly Considered[]): AskReason {
  if (usable === 0) return { type: 'noneAllowed' };
  for (const { facts, removed: by } of removed)
    if (by?.type === 'belowFloor') return { type: 'belowFloor', key: facts.key, estimate: by.estimate, floor: by.floor };
  return { type: 'noneFits' };
}

/** Where only one could be chosen: the next one, which is not good enough. By how much it would have to be better to be chosen, where that is possible. */
function nearest(
  removed: readonly Considered[],
  { best, least, attemptUsd }: { readonly best: Considered; readonly least: number; readonly attemptUsd: number },
): RunnerUp | undefined {
  const near = removed.find((each) => each.removed?.type === 'belowFloor');
  if (near === undefined) return undefined;
  const { facts, expected, cost } = near;
  const worthAsMuch = best.worth === undefined || cost === undefined ? 0 : best.worth * (cost.usd + attemptUsd);
  const wanted = Math.max(least, worthAsMuch);
  return present({ key: facts.key, host: facts.host, betterBy: wanted <= 1 ? wanted - expected : undefined });
}

/** What the second one lacks: both are worth the same where expected / (cost + attempt) is. */
function after(best: Considered, { facts: { key, host }, expected, cost }: Considered, attemptUsd: number): RunnerUp {
  if (best.worth === undefined || cost === undefined) return present({ key, host });
  const betterBy = best.worth * (cost.usd + attemptUsd) - expected;
  const cheaperByUsd = cost.usd + attemptUsd - expected / best.worth;
  return present({
    ...{ key, host },
    cheaperByUsd: cheaperByUsd >= 0 && cheaperByUsd <= cost.usd ? cheaperByUsd : undefined,
    betterBy: betterBy >= 0 && expected + betterBy <= 1 ? betterBy : undefined,
  });
}

/** What is chosen first, then the others in their order. */
function list(first: Considered | undefined, all: readonly Considered[], context: Context): Pick<Decision, 'candidates' | 'leftOut'> {
  const inOrder = first === undefined || first === all[0] ? all : [first, ...all.filter((each) => each !== first)];
  return { candidates: inOrder.slice(0, LISTED).map((each) => candidateOf(each, context)), leftOut: Math.max(0, all.length - LISTED) };
}

/** Not with `present`, which takes as long as everything else together: the simulation makes millions of decisions. */
function candidateOf({ facts: { key, host, label }, expected, cost, removed }: Considered, { request, facts }: Context): Candidate {
  const candidate: { -readonly [K in keyof Candidate]: Candidate[K] } = { key, label, estimate: estimateIn(facts.estimates, key, request.kind), expected };
  if (host !== undefined) candidate.host = host;
  if (cost !== undefined) candidate.costUsd = cost.usd;
  if (cost !== undefined && cost.rewriteUsd > 0) candidate.rewriteUsd = cost.rewriteUsd;
  if (removed !== undefined) candidate.removed = removed;
  return candidate;
}
