import type { Estimate } from '../../../src/domain/model/routing.js';
import { TASK_KINDS } from '../../../src/domain/model/task-kind.js';
import type { Pricing } from '../../../src/domain/model/usage.js';
import { present } from '../../../src/domain/present.js';
import { type ByKind, withMean } from '../../../src/routing/estimates.js';
import { ATTEMPT_USD, type CandidateFacts, DEFAULT_FLOORS, type RouteFacts, type RouteRequest } from '../../../src/routing/facts.js';

/** A candidate that can do everything, for 1 dollar per million tokens of input and 4 of output; `undefined`: its price is not known. */
export function candidate(key: string, more: Omit<Partial<CandidateFacts>, 'price'> & { readonly price?: Pricing | undefined } = {}): CandidateFacts {
  return present({
    ...{ key, label: key, contextWindow: 200_000, maxOutputTokens: 32_000, tools: true, images: true, hasKey: true, unavailableForMs: 0 },
    ...{ price: { input: 1, output: 4, cacheRead: 0.1, cacheWrite: 1.25 } },
    ...more,
  });
}

/** A task of 10,000 tokens. */
export function request(more: Partial<RouteRequest> = {}): RouteRequest {
  return {
    ...{ kind: 'generation', inputTokens: 10_000, reservedOutputTokens: 8_000, expectedOutputTokens: 1_000, needsTools: true, needsImages: false },
    ...more,
  };
}

/** The same estimate in all kinds. */
export function everywhere(blended: number): ByKind<Estimate> {
  return Object.fromEntries(TASK_KINDS.map((kind) => [kind, { prior: blended, source: 'published', observed: 0, blended }]));
}

/** Facts about candidates, each with its estimate in all kinds. */
export function facts(candidates: readonly (readonly [CandidateFacts, number])[], more: Partial<RouteFacts> = {}): RouteFacts {
  return {
    ...{ candidates: candidates.map(([each]) => each), policy: [], floors: DEFAULT_FLOORS, attemptUsd: ATTEMPT_USD, halfLifeMs: 60_000 },
    estimates: Object.fromEntries(candidates.map(([{ key }, blended]) => [key, withMean(everywhere(blended))])),
    ...more,
  };
}
