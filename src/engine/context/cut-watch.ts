import type { TextBlock } from '../../domain/model/content.js';
import type { Message } from '../../domain/model/message.js';
import type { Request } from '../../domain/model/provider.js';
import { totalInputTokens, type Usage } from '../../domain/model/usage.js';
import { messagesTokens } from './message-tokens.js';

/** Estimated and reported size of one request. */
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
/** Words by which a request must grow to count as longer. */
const GROWTH_WORDS = 100;
/** From which share on two estimates of what is new say that it is not the same. */
const OTHER_SIZE = 0.05;
/** Windows are such a multiple of tokens; another number is one in as many times. */
const WINDOW_STEP = 256;
/** Minimum variation of new content, and maximum variation of reported tokens, for these to count as unrelated. */
const FRESH_VARIES = 2;
const REPORTED_VARIES = 1.25;

/** Fewer tokens than that say nothing: no server has so small a window, and some report a number only to report one. */
const LEAST_REPORTED = 1_000;
/** Excess of words sent over tokens read: an absolute number, and a share of the tokens. */
const MARGIN_TOKENS = 2_000;
const MARGIN_SHARE = 0.25;
/** Characters of a token at most in any usual text: with no more than that, nothing was cut, and no words need to be counted. */
const CHARACTERS = 5;
/** Tolerance for an estimate that is too low: a factor, and an absolute number of tokens. */
const FACTOR = 2;
const BESIDE = 1_000;

/**
 * Whether a server read less than it was sent, and did not say so. Compared is what no tokenizer could make less of:
 * each word is a token of its own at least, in none of them does a token span two. Images, thinking, arguments and the
 * tools count as nothing, so an honest server is never suspected, whatever its tokenizer.
 *
 * Some gateways do not count what they read from a cache. A number that fits what is new since the last answer, or
 * all but the system prompt, may be of one of those and is believed.
 */
export function wasCut(request: Request, usage: Usage): boolean {
  const reported = totalInputTokens(usage);
  if (reported < LEAST_REPORTED || charactersOf(request.messages) < reported * CHARACTERS) return false;
  if (!isFarLess(reported, wordsIn(request))) return false;
  const last = request.messages.findLastIndex(({ role }) => role === 'assistant');
  const fresh = wordsOf(request.messages.slice(last + 1));
  const most = FACTOR * messagesTokens(request.messages.slice(Math.max(0, last))) + BESIDE;
  return reported < fresh || reported > most;
}

/** Whether a reported number is so far below the words that were sent that no tokenizer explains it. */
function isFarLess(reported: number, words: number): boolean {
  return words - reported >= Math.max(MARGIN_TOKENS, reported * MARGIN_SHARE);
}

/** Words of all that is sent. */
function wordsIn({ messages, systemPrompt }: Request): number {
  return wordsOf(messages) + countWords(systemPrompt);
}

function charactersOf(messages: readonly Message[]): number {
  return messages.reduce((total, { content }) => content.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), total), 0);
}

function wordsOf(messages: readonly Message[]): number {
  return messages.reduce((total, { content }) => content.reduce((sum, block) => sum + (block.type === 'text' ? wordsOfBlock(block) : 0), total), 0);
}

/** Words by block: a conversation is looked at after each answer, and blocks never change. */
const counted = new WeakMap<TextBlock, number>();

function wordsOfBlock(block: TextBlock): number {
  const known = counted.get(block);
  if (known !== undefined) return known;
  const words = countWords(block.text);
  counted.set(block, words);
  return words;
}

/** Runs of letters, digits and what may be within a word. */
function countWords(text: string): number {
  return text.match(/[\p{L}\p{M}\p{N}_'’\u200C\u200D]+/gu)?.length ?? 0;
}

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
