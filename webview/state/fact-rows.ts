import type { ViewAnswerFacts } from '../../src/protocol/view-state.js';
import { lasted } from './lasted.js';

/** A line of what an answer took. */
export interface FactRow {
  readonly name: string;
  readonly value: string;
}

/** Below this many dollars more digits are shown. */
const SMALL_COST_USD = 0.1;

/** What an answer took, line by line; what is not known is left out. @param time RFC 3339. */
export function factRows(facts: ViewAnswerFacts, time: string, model: string | undefined): readonly FactRow[] {
  const { usage, rounds, durationMs, costUsd } = facts;
  const at = Date.parse(time);
  const rows: readonly (FactRow | false)[] = [
    !Number.isNaN(at) && { name: 'Time', value: new Date(at).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' }) },
    model !== undefined && { name: 'Model', value: model },
    { name: 'Rounds', value: rounds.toLocaleString('en') },
    durationMs !== undefined && { name: 'Duration', value: lasted(durationMs) },
    { name: 'Input tokens', value: usage.inputTokens.toLocaleString('en') },
    usage.cacheReadTokens > 0 && { name: 'Read from cache', value: usage.cacheReadTokens.toLocaleString('en') },
    usage.cacheWriteTokens > 0 && { name: 'Written to cache', value: usage.cacheWriteTokens.toLocaleString('en') },
    { name: 'Output tokens', value: usage.outputTokens.toLocaleString('en') },
    costUsd !== undefined && { name: 'Cost', value: `$${costUsd.toFixed(costUsd < SMALL_COST_USD ? 4 : 2)}` },
  ];
  return rows.filter((row) => row !== false);
}
