import type { Removal } from '../domain/model/routing.js';
import type { CandidateFacts, RouteFacts, RouteRequest } from './facts.js';

/** Why a candidate could never be chosen here, whatever the task: the first filters, and the models that pass them are the ones that a floor is a share of. */
export function notForUse({ key, hasKey }: CandidateFacts, { policy }: RouteFacts): Removal | undefined {
  if (!hasKey) return { type: 'noKey' };
  const by = policy.find(({ allowed, refused }) => (allowed !== undefined && !names(allowed, key)) || (refused !== undefined && names(refused, key)))?.by;
  return by === undefined ? undefined : { type: 'notAllowed', by };
}

/** Why a candidate cannot do this task: what also holds for a pinned one. */
export function notPossible({ tools, images, contextWindow, maxOutputTokens }: CandidateFacts, request: RouteRequest): Removal | undefined {
  if (request.needsTools && !tools) return { type: 'noTools' };
  if (request.needsImages && !images) return { type: 'noImages' };
  const reserved = maxOutputTokens > 0 ? Math.min(request.reservedOutputTokens, maxOutputTokens) : request.reservedOutputTokens;
  const needed = Math.min(request.inputTokens + reserved, Number.MAX_SAFE_INTEGER);
  // 0: only the server knows.
  return contextWindow > 0 && needed > contextWindow ? { type: 'windowTooSmall', window: contextWindow, needed } : undefined;
}

/** Why a candidate that could do this task is not asked now. */
export function notNow({ unavailableForMs }: CandidateFacts, { halfLifeMs }: RouteFacts): Removal | undefined {
  return unavailableForMs > 0 ? { type: 'unavailable', forMs: Math.min(unavailableForMs, Number.MAX_SAFE_INTEGER), halfLifeMs } : undefined;
}

/** Why a candidate that could do this task now is not good enough. */
export function notGoodEnough(expected: number, floor: number): Removal | undefined {
  return expected < floor ? { type: 'belowFloor', estimate: expected, floor } : undefined;
}

function names(list: readonly string[], key: string): boolean {
  return list.includes(key) || list.includes(key.slice(0, Math.max(0, key.indexOf('/'))));
}
