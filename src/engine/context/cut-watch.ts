import type { Request } from '../../domain/model/provider.js';
import { type Usage, totalInputTokens } from '../../domain/model/usage.js';
import { isFarLess, LEAST_REPORTED, wordsIn } from './cut-check.js';
import { messagesTokens } from './message-tokens.js';

/** What one request was, and what the server reported of it. */
interface Observation {
  readonly model: string;
  /** Tokens that the server says that it read. */
  readonly reported: number;
  /** Words of all that was sent. */
  readonly words: number;
  /** Estimated tokens since the last answer, with it: what a gateway reports that does not count what it has in a cache. */
  readonly fresh: number;
}

/** Requests that are looked at together. */
const LOOKED_AT = 3;
/** How much more is sent for a request to count as longer, in words. */
const GROWTH_WORDS = 100;
/** From which share on two estimates of what is new say that it is not the same. */
const OTHER_SIZE = 0.05;
/** Windows are such a multiple of tokens; another number is one in as many times. */
const WINDOW_STEP = 256;
/** How much what is new varies, at least, and what is reported, at most, where the one does not follow the other. */
const FRESH_VARIES = 2;
const REPORTED_VARIES = 1.25;

/**
 * Notices a server that reads no more than fits, where a single request does not show it: what it reports is the same to
 * the token, or does not grow, while the requests do. Prompt caches are no reason for that: those that are counted grow with
 * the request, and a gateway that does not count them reports what is new, which varies.
 */
export class CutWatch {
  private seen: readonly Observation[] = [];

  /** Takes a request that was answered. @returns whether the server has surely read only a part of it */
  take(model: string, request: Request, usage: Usage): boolean {
    const reported = totalInputTokens(usage);
    if (reported < LEAST_REPORTED) return false;
    const last = request.messages.findLastIndex(({ role }) => role === 'assistant');
    const now = { model, reported, words: wordsIn(request), fresh: messagesTokens(request.messages.slice(Math.max(0, last))) };
    const before = this.seen.at(-1);
    const isLonger = before?.model === model && now.words >= before.words + GROWTH_WORDS;
    this.seen = [...(isLonger ? this.seen : []), now].slice(-LOOKED_AT);
    return isFarLess(reported, now.words) && (isSame(this.seen) || stands(this.seen));
  }
}

/** The same to the token twice, for other words. */
function isSame(seen: readonly Observation[]): boolean {
  const [now, before] = [seen.at(-1), seen.at(-2)];
  if (now === undefined || before === undefined || now.reported !== before.reported) return false;
  const differs = Math.abs(now.fresh - before.fresh) > OTHER_SIZE * Math.max(now.fresh, before.fresh);
  return differs || now.reported % WINDOW_STEP === 0;
}

/** About the same over three longer and longer requests, however much is new in each. */
function stands(seen: readonly Observation[]): boolean {
  if (seen.length < LOOKED_AT) return false;
  const [reported, fresh] = [seen.map((each) => each.reported), seen.map((each) => each.fresh)];
  return Math.max(...reported) <= Math.min(...reported) * REPORTED_VARIES && Math.max(...fresh) >= Math.min(...fresh) * FRESH_VARIES;
}
