import { AbortError, ToolInputError } from '../../domain/errors.js';
import type { Amount, LimitReached, Purse, Reservation } from '../../domain/model/purse.js';
import { type ModelInfo, priceOf, type Provider, type Request } from '../../domain/model/provider.js';
import { costOf, NO_USAGE } from '../../domain/model/usage.js';
import type { Plan, ToolResult } from '../../domain/tool/tool.js';
import type { Answer } from './answer.js';
import { amountOf, amountSpent } from './spending.js';

/** Tokens that are reserved for an answer without a length limit. */
const UNKNOWN_ANSWER = 8_000;

/** A request that is about to be sent. */
interface NextRequest {
  readonly provider: Provider;
  readonly model: ModelInfo;
  readonly request: Request;
  /** Its tokens, as far as they can be counted here. */
  readonly tokens: number;
}

/**
 * Estimated maximum cost of a request: all that it reads at the highest price that reading can have, and the longest answer that it
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

/**
 * Reserves room in a purse, and waits where there may be some as soon as requests of others are over. Resolves to the limit that
 * leaves none, or to `aborted` when the signal aborts. Never rejects.
 */
export async function reserveIn(purse: Purse, estimate: Amount, signal: AbortSignal): Promise<Reservation | LimitReached | 'aborted'> {
  const stopped = aborted(signal);
  try {
    while (!signal.aborted) {
      const given = purse.reserve(estimate);
      if (!('reached' in given)) return given;
      if (given.freed === undefined) return given.reached;
      await Promise.race([given.freed, stopped.promise]);
    }
    return 'aborted';
  } finally {
    stopped.forget();
  }
}

/** Resolves when a signal aborts, until that is forgotten: a signal can live much longer than those who wait for it. */
function aborted(signal: AbortSignal): { readonly promise: Promise<void>; readonly forget: () => void } {
  let listener = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    listener = resolve;
  });
  signal.addEventListener('abort', listener, { once: true });
  return { promise, forget: () => signal.removeEventListener('abort', listener) };
}

/** The limit for which not even the smallest request could be sent, now or later; `undefined` where one could. */
export function reachedIn(purse: Purse, hasPrice: boolean): LimitReached | undefined {
  const given = purse.reserve({ costUsd: hasPrice ? 0 : undefined, tokens: 0, requests: 1 });
  if ('reached' in given) return given.freed === undefined ? given.reached : undefined;
  given.release();
  return undefined;
}

/** Waits for the answer to a request, and ends its reservation with its known usage, also after a failure. */
export async function settledBy(answer: Promise<Answer>, model: ModelInfo, reservation: Reservation): Promise<Answer> {
  try {
    const come = await answer;
    if (come.unsent !== true) reservation.settle(amountOf(come, model));
    return come;
  } finally {
    // Where nothing was sent; after a settlement it changes nothing.
    reservation.release();
  }
}

/** Purse that pays for a call, and the signal of the call. */
interface Payment {
  readonly purse: Purse;
  readonly signal: AbortSignal;
}

/**
 * Runs a call, which first gets room in the purse where its plan says that it will cost something. What it used is taken in any
 * case; of one that fails, that its request was sent.
 * @throws ToolInputError where a limit leaves no room, AbortError when the signal aborts before it runs, else what the call throws.
 */
export async function paidFor({ spends }: Plan, { purse, signal }: Payment, run: () => Promise<ToolResult>): Promise<ToolResult> {
  if (spends === undefined) {
    const result = await run();
    if (result.spent !== undefined) purse.take(amountSpent(result.spent));
    return result;
  }
  const room = await reserveIn(purse, spends, signal);
  if (room === 'aborted') throw new AbortError();
  if ('limit' in room) throw new ToolInputError('Not run: what may be spent in this chat does not allow it. Go on without it, or tell the user.');
  let actual: Amount = { costUsd: 0, tokens: 0, requests: spends.requests };
  try {
    const result = await run();
    if (result.spent !== undefined) actual = amountSpent(result.spent);
    return result;
  } finally {
    room.settle(actual);
  }
}
