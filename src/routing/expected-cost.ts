import type { Pricing } from '../domain/model/usage.js';
import type { CandidateFacts, RouteRequest } from './facts.js';

/** What a task is expected to cost, in US dollars. */
export interface ExpectedCost {
  /** All of it. */
  readonly usd: number;
  /** The part that it costs more because the cache is that of another model or host; 0 for none. */
  readonly rewriteUsd: number;
}

/** What a task costs with a candidate: input that is cached there is read, the rest is written to its cache. `undefined`: its price is not known. */
export function expectedCost({ key, host, price }: CandidateFacts, request: RouteRequest): ExpectedCost | undefined {
  if (price === undefined || !isPrice(price)) return undefined;
  const { cached, inputTokens, expectedOutputTokens } = request;
  const tokens = cachedTokens(request);
  const isThere = cached?.key === key && cached.host === host;
  // Servers that charge nothing for writing to a cache charge for the input.
  const write = Math.max(price.input, price.cacheWrite);
  const asCached = (tokens * price.cacheRead + (inputTokens - tokens) * write + expectedOutputTokens * price.output) / 1_000_000;
  const rewriteUsd = isThere ? 0 : Math.max(0, (tokens * (write - price.cacheRead)) / 1_000_000);
  const usd = asCached + rewriteUsd;
  return Number.isFinite(usd) && usd >= 0 ? { usd, rewriteUsd } : undefined;
}

/** How much of the input is in a cache, of whatever model. */
export function cachedTokens({ cached, inputTokens }: RouteRequest): number {
  const tokens = Math.min(cached?.tokens ?? 0, inputTokens);
  return tokens > 0 && tokens < Infinity ? tokens : 0;
}

function isPrice({ input, output, cacheRead, cacheWrite }: Pricing): boolean {
  return [input, output, cacheRead, cacheWrite].every((price) => Number.isFinite(price) && price >= 0);
}
