import type { PromptCache } from '../../domain/model/provider.js';
import type { SessionCache } from '../../domain/model/router.js';
import { present } from '../../domain/present.js';
import { type Pricing, type Usage, costOf, NO_USAGE, totalInputTokens } from '../../domain/model/usage.js';
import type { CacheBreak, ColdCache, Compaction } from '../../domain/session/context.js';
import type { Transcript } from '../transcript.js';

/** Fewer tokens that are read anew cost nothing worth telling. */
const LEAST_BREAK = 10_000;
/** Cold caches that are smaller are written again without a word. */
const LEAST_COLD = 50_000;

/** One request that was answered, as far as it decides what the next one reads from the provider's cache. */
export interface CachedRequest {
  /** `provider/model`. */
  readonly model: string;
  /** Milliseconds since 1970. The time in a cache begins with a request, not with the end of its answer. */
  readonly sentAt: number;
  readonly usage: Usage;
  /** Documented properties of the cache, if any. */
  readonly cache?: PromptCache | undefined;
  /** The summary that it began with. */
  readonly summary: Compaction | undefined;
  /** Prefix and options of the request; absent where they were not stored. */
  readonly asked?: { readonly systemPrompt: string; readonly tools: string; readonly images: number; readonly effort: string };
}

/** The last request of a stored conversation; `undefined` where it is not known how it was answered. */
export function storedRequest(transcript: Pick<Transcript, 'messages' | 'modelOf'>, compactions: readonly Compaction[]): CachedRequest | undefined {
  const { messages } = transcript;
  const index = messages.findLastIndex((message) => message.role === 'assistant' && totalInputTokens(message.usage) > 0);
  const [answer, model] = [messages[index], transcript.modelOf(index)];
  if (answer?.role !== 'assistant' || model === undefined) return undefined;
  return { model, sentAt: Date.parse(answer.timestamp), usage: answer.usage, summary: compactions.findLast(({ at }) => at <= index) };
}

/**
 * Tokens that a request could have read from the provider's cache and did not; `undefined` for few, or where the
 * requests do not show that anything was in a cache.
 */
export function cacheBreak(before: CachedRequest, now: CachedRequest): CacheBreak | undefined {
  const { cacheReadTokens: read, cacheWriteTokens: written } = now.usage;
  const hasCache = now.cache !== undefined || now.model === before.model || read + written > 0;
  const tokens = Math.min(kept(before.usage), totalInputTokens(now.usage)) - read;
  if (!hasCache || tokens < LEAST_BREAK) return undefined;
  const reason = reasonOf(before, now);
  // A server that does not say how long it keeps prompts may drop them, or write them anew, at any time.
  return reason === 'unknown' && now.cache === undefined ? undefined : { reason, tokens };
}

/** What a provider has in its cache after a request, as far as that is known; nothing where the next one begins with other messages. */
export function inCache(last: CachedRequest | undefined, { summary, now }: Pick<NextRequest, 'summary' | 'now'>): SessionCache | undefined {
  if (last === undefined || last.summary !== summary) return undefined;
  return { key: last.model, tokens: kept(last.usage), ageMs: Math.max(0, now - last.sentAt), ...present({ lifetimeMs: last.cache?.lifetimeMs }) };
}

/** The next request of a chat, as far as it decides what it costs. */
export interface NextRequest extends Pick<CachedRequest, 'model' | 'cache' | 'summary'> {
  /** Tokens that it takes. */
  readonly tokens: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly pricing: Pricing | undefined;
}

/**
 * Extra cost of the next request because its provider does not have the chat in its cache: it comes too late, goes to another
 * model, or begins with other messages, as a summary was undone. `undefined` where it has it, where that is not known, and
 * where it costs little.
 * @param last the request before, of whatever model
 * @param own the last one of the model that is asked next, if there was one
 */
export function coldCache(
  last: CachedRequest,
  next: NextRequest,
  own: CachedRequest | undefined = last.model === next.model ? last : undefined,
): ColdCache | undefined {
  const reason = reasonOfCold(last, next);
  if (reason === undefined || next.pricing?.input === 0) return undefined;
  const read = own !== undefined && own.summary === next.summary && isWarm(own, next) ? Math.min(kept(own.usage), next.tokens) : 0;
  // What was in no cache before cannot have left it.
  const lost = reason === 'expired' ? Math.min(kept(last.usage), next.tokens) : next.tokens - read;
  if (lost <= LEAST_COLD) return undefined;
  return { reason, tokens: next.tokens - read, ...(next.pricing === undefined ? {} : { costUsd: costOf(coldUsage(next, read), next.pricing) }) };
}

function reasonOfCold(last: CachedRequest, next: NextRequest): ColdCache['reason'] | undefined {
  if (last.model !== next.model) return 'model';
  if (last.summary !== next.summary) return (next.summary?.at ?? 0) < (last.summary?.at ?? 0) ? 'summary_undone' : undefined;
  const cache = last.cache ?? next.cache;
  return cache !== undefined && next.now - last.sentAt >= cache.lifetimeMs ? 'expired' : undefined;
}

function isWarm(own: CachedRequest, next: NextRequest): boolean {
  const cache = own.cache ?? next.cache;
  return cache !== undefined && next.now - own.sentAt < cache.lifetimeMs;
}

/** A server that keeps no prompts, or does so on its own, takes the price of the input. */
function coldUsage({ cache, tokens }: NextRequest, read: number): Usage {
  const rest = tokens - read;
  const written = cache === undefined ? { inputTokens: rest } : { cacheWriteTokens: rest, ...(cache.forHour === true ? { hourCacheWriteTokens: rest } : {}) };
  return { ...NO_USAGE, cacheReadTokens: read, ...written };
}

/**
 * Minimum of tokens that a request left in the cache. Servers that keep prompts on their own report no writing, and may have kept more.
 */
function kept({ cacheReadTokens, cacheWriteTokens }: Usage): number {
  return cacheReadTokens + cacheWriteTokens;
}

function reasonOf(before: CachedRequest, now: CachedRequest): CacheBreak['reason'] {
  if (before.model !== now.model) return 'model';
  if (before.summary !== now.summary) return (now.summary?.at ?? 0) < (before.summary?.at ?? 0) ? 'summary_undone' : 'summary';
  if (before.asked !== undefined && now.asked !== undefined) {
    if (before.asked.tools !== now.asked.tools) return 'tools';
    if (before.asked.systemPrompt !== now.asked.systemPrompt) return 'system_prompt';
    if (before.asked.images > now.asked.images) return 'images';
    // Source: Anthropic, "Prompt caching": other thinking parameters invalidate the messages in the cache.
    if (before.asked.effort !== now.asked.effort) return 'effort';
  }
  const lifetimeMs = (before.cache ?? now.cache)?.lifetimeMs ?? Infinity;
  return now.sentAt - before.sentAt >= lifetimeMs ? 'expired' : 'unknown';
}
