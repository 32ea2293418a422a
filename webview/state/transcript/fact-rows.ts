import { formatCost, formatNumber, t, textLanguage } from '../../../src/protocol/l10n.js';
import type { ViewAnswerFacts } from '../../../src/protocol/view-state.js';
import { lasted } from './lasted.js';

/** A line of what an answer took. */
export interface FactRow {
  readonly name: string;
  readonly value: string;
}

/** What an answer took, line by line; what is not known is left out. @param time RFC 3339. */
export function factRows(facts: ViewAnswerFacts, time: string, model: string | undefined): readonly FactRow[] {
  const { usage, rounds, durationMs, costUsd } = facts;
  const at = Date.parse(time);
  const rows: readonly (FactRow | false)[] = [
    !Number.isNaN(at) && { name: t('Time'), value: new Date(at).toLocaleString(textLanguage(), { dateStyle: 'medium', timeStyle: 'short' }) },
    model !== undefined && { name: t('Model'), value: model },
    { name: t('Steps'), value: formatNumber(rounds) },
    durationMs !== undefined && { name: t('Duration'), value: lasted(durationMs) },
    { name: t('Input tokens'), value: formatNumber(usage.inputTokens) },
    usage.cacheReadTokens > 0 && { name: t('Read from cache'), value: formatNumber(usage.cacheReadTokens) },
    usage.cacheWriteTokens > 0 && { name: t('Written to cache'), value: formatNumber(usage.cacheWriteTokens) },
    { name: t('Output tokens'), value: formatNumber(usage.outputTokens) },
    costUsd !== undefined && { name: t('Cost'), value: formatCost(costUsd) },
  ];
  return rows.filter((row) => row !== false);
}
