import type { Usage } from '../../domain/model/usage.js';
import { count, record } from './json.js';

/** Totals as they come over the wire. */
interface WireTotals {
  prompt: number;
  output: number;
  cached: number;
  written: number;
}

/**
 * Token counts of one answer. They come in the last chunk, in one of their own after it, in every chunk, or never, and
 * each time they are totals; so the largest of each counts.
 */
export class UsageCounter {
  private readonly totals: WireTotals = { prompt: 0, output: 0, cached: 0, written: 0 };

  /** Takes the `usage` of a chunk. @returns the totals so far when they changed. */
  add(value: unknown): Usage | undefined {
    const usage = record(value);
    if (usage === undefined) return undefined;
    const details = record(usage['prompt_tokens_details']);
    const prompt = count(usage['prompt_tokens']);
    // Gemini leaves the tokens of its thoughts out of the one number and counts them in the total.
    const beyondPrompt = prompt === undefined ? 0 : (count(usage['total_tokens']) ?? 0) - prompt;
    const grown = [
      this.raise('prompt', prompt ?? 0),
      this.raise('output', Math.max(count(usage['completion_tokens']) ?? 0, beyondPrompt)),
      this.raise('cached', count(details?.['cached_tokens']) ?? count(usage['prompt_cache_hit_tokens']) ?? 0),
      this.raise('written', count(details?.['cache_write_tokens']) ?? 0),
    ];
    return grown.includes(true) ? this.usage() : undefined;
  }

  private usage(): Usage {
    const { prompt, output, cached, written } = this.totals;
    return { inputTokens: Math.max(0, prompt - cached - written), outputTokens: output, cacheReadTokens: cached, cacheWriteTokens: written };
  }

  private raise(key: keyof WireTotals, value: number): boolean {
    if (value <= this.totals[key]) return false;
    this.totals[key] = value;
    return true;
  }
}
