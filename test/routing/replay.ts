import type { Candidate, Decision } from '../../src/domain/model/routing.js';
import type { TaskKind } from '../../src/domain/model/task-kind.js';
import type { Pricing } from '../../src/domain/model/usage.js';
import { present } from '../../src/domain/present.js';
import { withMean } from '../../src/routing/estimates.js';
import { type CandidateFacts, DEFAULT_FLOORS, type RouteFacts, type RouteRequest } from '../../src/routing/facts.js';
import { route } from '../../src/routing/route.js';

/** What differs in a rule that decisions are replayed by; what is absent is as it was. */
export interface OtherRule {
  /** US dollars that an attempt costs beside its tokens. */
  readonly attemptUsd?: number;
  readonly floors?: Partial<Readonly<Record<TaskKind, number>>>;
}

type Needs = NonNullable<Decision['needs']>;

/**
 * Decides again about a task of which a decision was stored, by the product’s own function and from what the decision says: the estimates, costs, and reasons
 * of that time. So it shows what another rule would have chosen, and nothing of what would have come of it.
 * @returns undefined where the decision does not say enough: it is of an earlier version, or has candidates that are not listed
 */
export function replay(decision: Decision, rule: OtherRule = {}): Decision | undefined {
  const { needs, kind, floor, candidates, leftOut } = decision;
  if (needs === undefined || leftOut > 0) return undefined;
  const { attemptUsd, ...wanted } = needs;
  const share = rule.floors?.[kind] ?? floor?.share ?? DEFAULT_FLOORS[kind];
  const pin = pinOf(decision);
  const request: RouteRequest = { ...wanted, kind, ...present({ pin }) };
  const facts: RouteFacts = {
    candidates: candidates.map((each) => factsOf(each, needs)),
    policy: candidates.flatMap(({ key, removed }) => (removed?.type === 'notAllowed' ? [{ by: removed.by, refused: [key] }] : [])),
    floors: { ...DEFAULT_FLOORS, [kind]: share },
    // What is expected of a model for a task is what was said of it, so that both of its parts are that.
    estimates: Object.fromEntries(
      candidates.map(({ key, estimate, expected }) => [key, { ...withMean({ [kind]: { ...estimate, blended: expected } }), mean: expected }]),
    ),
    attemptUsd: rule.attemptUsd ?? attemptUsd,
    halfLifeMs: halfLifeOf(candidates),
  };
  return route(request, facts);
}

function pinOf(decision: Decision): string | undefined {
  if (decision.type === 'chosen') return decision.because === 'pinned' ? decision.key : undefined;
  return decision.why.type === 'pinned' || decision.why.type === 'pinnedMissing' ? decision.why.key : undefined;
}

function halfLifeOf(candidates: readonly Candidate[]): number {
  return candidates.map(({ removed }) => (removed?.type === 'unavailable' ? removed.halfLifeMs : 0)).find((ms) => ms > 0) ?? 60_000;
}

function factsOf(candidate: Candidate, needs: Needs): CandidateFacts {
  const { key, host, label, removed } = candidate;
  return {
    ...{ key, label, maxOutputTokens: 0, hasKey: removed?.type !== 'noKey', tools: removed?.type !== 'noTools', images: removed?.type !== 'noImages' },
    contextWindow: removed?.type === 'windowTooSmall' ? removed.window : 0,
    unavailableForMs: removed?.type === 'unavailable' ? removed.forMs : 0,
    ...present({ host, price: priceOf(candidate, needs) }),
  };
}

/** Prices by which the task costs what was said. */
function priceOf({ costUsd, rewriteUsd = 0 }: Candidate, { inputTokens, expectedOutputTokens, cached }: Needs): Pricing | undefined {
  if (costUsd === undefined) return undefined;
  const perMillion = (usd: number, tokens: number): number => (tokens > 0 ? (usd * 1_000_000) / tokens : 0);
  if (inputTokens === 0) return { input: 0, output: perMillion(costUsd, expectedOutputTokens), cacheRead: 0, cacheWrite: 0 };
  const write = perMillion(costUsd, inputTokens);
  const read = Math.max(0, write - perMillion(rewriteUsd, Math.min(cached?.tokens ?? 0, inputTokens)));
  return { input: write, output: 0, cacheRead: read, cacheWrite: write };
}
