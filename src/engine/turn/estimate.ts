import type { ModelInfo, Provider, Request } from '../../domain/model/provider.js';
import { priceOf } from '../../domain/model/provider.js';
import type { Amount } from '../../domain/model/purse.js';
import { costOf, NO_USAGE } from '../../domain/model/usage.js';

/** Tokens that are reserved for an answer where nobody says how long it may get. */
const UNKNOWN_ANSWER = 8_000;

/** A request that is about to be sent. */
export interface NextRequest {
  readonly provider: Provider;
  readonly model: ModelInfo;
  readonly request: Request;
  /** Its tokens, as far as they can be counted here. */
  readonly tokens: number;
}

/**
 * What a request will take at most: all that it reads at the highest price that reading can have, and the longest answer that it
 * lets the model give. What of it is in a cache, and how long the answer gets, is known only behind it, so this is often several
 * times too high: see {@link Purse.reserve} for what that does. It can be too low where the tokenizer of a model makes more of
 * the text, or where an answer is longer than the model is said to be able to give.
 */
export function estimateOf({ provider, model, request, tokens }: NextRequest): Amount {
  const answer = answerTokens(model, request, tokens);
  const price = priceOf(model);
  const amount = { tokens: tokens + answer, requests: 1 };
  if (price === undefined) return { ...amount, costUsd: undefined };
  const hour = provider.promptCache?.(model.id)?.forHour === true ? { hourCacheWriteTokens: tokens } : {};
  const read = { ...NO_USAGE, inputTokens: tokens, outputTokens: answer };
  const kept = { ...NO_USAGE, cacheWriteTokens: tokens, outputTokens: answer, ...hour };
  return { ...amount, costUsd: Math.max(costOf(read, price), costOf(kept, price)) };
}

function answerTokens({ maxTokens, maxOutputTokens, contextWindow }: ModelInfo, request: Request, tokens: number): number {
  const [asked = UNKNOWN_ANSWER] = [request.maxTokens ?? 0, maxTokens ?? 0, maxOutputTokens].filter((most) => most > 0);
  return contextWindow > 0 ? Math.max(0, Math.min(asked, contextWindow - tokens)) : asked;
}
