import type Anthropic from '@anthropic-ai/sdk';
import type { WireTurn } from './wire-messages.js';

/** The API keeps what comes before such a mark, for 5 minutes from its last use. */
const BREAKPOINT: { readonly cache_control: Anthropic.CacheControlEphemeral } = { cache_control: { type: 'ephemeral' } };

/** How many user turns end with a mark. Together with system prompt or tools that is 3 of the 4 that the API allows. */
const MARKED_TURNS = 2;

/**
 * Marks the ends of the last user turns. The last one is what this request adds to the cache; the one before is where
 * the previous request ended, so that its cache is found however many blocks a round of tools added (the API looks
 * back only 20 blocks from a mark). Source: Anthropic, "Prompt caching".
 */
export function markTurns(turns: readonly WireTurn[]): Anthropic.MessageParam[] {
  const users = turns.flatMap((turn, index) => (turn.role === 'user' ? [index] : []));
  const marked = new Set(users.slice(-MARKED_TURNS));
  return turns.map((turn, index) => (marked.has(index) && turn.role === 'user' ? { ...turn, content: markLast(turn.content) } : turn));
}

/** Marks the last of a list of blocks or tools. */
export function markLast<T extends object>(list: readonly T[]): T[] {
  return list.map((item, index) => (index === list.length - 1 ? { ...item, ...BREAKPOINT } : item));
}
