import * as z from 'zod/mini';
import type { Routing } from '../domain/model/routing.js';
import { TASK_KINDS } from '../domain/model/task-kind.js';

/** Longer names and lists are not from here. */
const NAME = z.string().check(z.maxLength(500));
const SHARE = z.number().check(z.minimum(0), z.maximum(1));
const AMOUNT = z.number().check(z.minimum(0));
const HOST = z.exactOptional(NAME);

const REMOVAL = z.discriminatedUnion('type', [
  z.object({ type: z.literal('noKey') }),
  z.object({ type: z.literal('notAllowed'), by: z.enum(['settings', 'agentFile', 'organization', 'workspace']) }),
  z.object({ type: z.literal('noTools') }),
  z.object({ type: z.literal('noImages') }),
  z.object({ type: z.literal('windowTooSmall'), window: AMOUNT, needed: AMOUNT }),
  z.object({ type: z.literal('unavailable'), forMs: AMOUNT, halfLifeMs: AMOUNT }),
  z.object({ type: z.literal('belowFloor'), estimate: SHARE, floor: SHARE }),
]);

const CANDIDATE = z.object({
  ...{ key: NAME, host: HOST, label: NAME, expected: SHARE },
  estimate: z.object({ prior: SHARE, source: z.enum(['published', 'assumed']), observed: AMOUNT, blended: SHARE }),
  costUsd: z.exactOptional(AMOUNT),
  rewriteUsd: z.exactOptional(AMOUNT),
  removed: z.exactOptional(REMOVAL),
});

const NEEDS = z.object({
  ...{ inputTokens: AMOUNT, reservedOutputTokens: AMOUNT, expectedOutputTokens: AMOUNT, attemptUsd: AMOUNT },
  ...{ needsTools: z.boolean(), needsImages: z.boolean(), current: z.exactOptional(NAME) },
  cached: z.exactOptional(z.object({ tokens: AMOUNT, key: NAME, host: HOST })),
});

const CONSIDERED = {
  kind: z.enum(TASK_KINDS),
  needs: z.exactOptional(NEEDS),
  floor: z.exactOptional(z.object({ share: SHARE, least: SHARE })),
  candidates: z.array(CANDIDATE).check(z.maxLength(100)),
  leftOut: AMOUNT,
};

const ROUTING = z.discriminatedUnion('type', [
  z.object({ type: z.literal('kept'), kind: z.enum(TASK_KINDS), key: NAME, cachedTokens: AMOUNT }),
  z.object({
    ...CONSIDERED,
    type: z.literal('chosen'),
    key: NAME,
    host: HOST,
    because: z.enum(['pinned', 'ranked']),
    rewrite: z.exactOptional(z.object({ tokens: AMOUNT, usd: z.exactOptional(AMOUNT) })),
    runnerUp: z.exactOptional(z.object({ key: NAME, host: HOST, cheaperByUsd: z.exactOptional(AMOUNT), betterBy: z.exactOptional(SHARE) })),
  }),
  z.object({
    ...CONSIDERED,
    type: z.literal('ask'),
    why: z.discriminatedUnion('type', [
      z.object({ type: z.literal('noneAllowed') }),
      z.object({ type: z.literal('noneFits') }),
      z.object({ type: z.literal('belowFloor'), key: NAME, estimate: SHARE, floor: SHARE }),
      z.object({ type: z.literal('pinned'), key: NAME, removed: REMOVAL }),
      z.object({ type: z.literal('pinnedMissing'), key: NAME }),
    ]),
  }),
]);

/** Reads how a turn came to its model, as it was stored; `undefined` when it is not that. Fields that it does not have are left out. */
export function readRouting(stored: unknown): Routing | undefined {
  return ROUTING.safeParse(stored).data;
}
