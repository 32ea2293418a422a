import type { TextBlock } from '../../domain/model/content.js';
import type { Message } from '../../domain/model/message.js';
import type { Request } from '../../domain/model/provider.js';
import { type Usage, totalInputTokens } from '../../domain/model/usage.js';
import { messagesTokens } from './message-tokens.js';

/** Fewer tokens than that say nothing: no server has so small a window, and some report a number only to report one. */
export const LEAST_REPORTED = 1_000;
/** How many more words were sent than tokens read: so many, and a share of what was read. */
const MARGIN_TOKENS = 2_000;
const MARGIN_SHARE = 0.25;
/** Characters of a token at most in any usual text: with no more than that, nothing was cut, and no words need to be counted. */
const CHARACTERS = 5;
/** How far the estimate of a part may be too low: a factor, and tokens beside. */
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
export function isFarLess(reported: number, words: number): boolean {
  return words - reported >= Math.max(MARGIN_TOKENS, reported * MARGIN_SHARE);
}

/** Words of all that is sent. */
export function wordsIn({ messages, systemPrompt }: Request): number {
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
