import type { Usage } from '../../domain/model/usage.js';

/** Token counts as the API sends them; from outside, so nothing is certain. */
export interface WireUsage {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
}

/**
 * Token counts of one answer. `message_start` and `message_delta` both hold totals and not additions, and some
 * endpoints send 0 in one of them, so the largest of each counts.
 */
export class UsageCounter {
  private usage: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

  /** Takes counts and gives the totals so far. */
  add(wire: WireUsage | null | undefined): Usage {
    const { usage } = this;
    this.usage = {
      inputTokens: larger(usage.inputTokens, wire?.input_tokens),
      outputTokens: larger(usage.outputTokens, wire?.output_tokens),
      cacheReadTokens: larger(usage.cacheReadTokens, wire?.cache_read_input_tokens),
      cacheWriteTokens: larger(usage.cacheWriteTokens, wire?.cache_creation_input_tokens),
    };
    return this.usage;
  }
}

function larger(known: number, count: unknown): number {
  return Number.isSafeInteger(count) && (count as number) > known ? (count as number) : known;
}
