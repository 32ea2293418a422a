import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import type { ChatBody } from '../openai-server/index.js';

/** The shortest beginning that is kept, and the steps in which more of it is, in tokens. */
const LEAST = 1_024;
const STEP = 128;

/** How much of the input of one request was in the cache, in tokens. */
export interface PrefixUsage {
  readonly read: number;
  readonly total: number;
  /** What the next request could read if it began in the same way. */
  readonly cacheable: number;
}

/**
 * OpenAI's automatic prompt cache: what a request has in common with the beginning of an earlier one, from 1,024 tokens
 * on in steps of 128. Tools and messages count, in this order. Source: developers.openai.com, "Prompt caching".
 */
export class PrefixCache {
  private readonly earlier: (readonly number[])[] = [];

  /** Takes a request and says what of it was kept. */
  take({ tools, messages }: ChatBody): PrefixUsage {
    const tokens = encode(JSON.stringify(tools) + JSON.stringify(messages).slice(0, -1));
    const read = Math.max(0, ...this.earlier.map((before) => kept(common(before, tokens))));
    this.earlier.push(tokens);
    return { read, total: tokens.length, cacheable: kept(tokens.length) };
  }
}

function common(a: readonly number[], b: readonly number[]): number {
  const end = a.findIndex((token, index) => token !== b[index]);
  return end < 0 ? a.length : end;
}

function kept(tokens: number): number {
  return tokens < LEAST ? 0 : tokens - ((tokens - LEAST) % STEP);
}
