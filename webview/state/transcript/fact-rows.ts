import { assertNever } from '../../../src/protocol/assert-never.js';
import { formatCost, formatNumber, formatPercent, t, textLanguage } from '../../../src/protocol/l10n.js';
import type { ViewAnswerFacts } from '../../../src/protocol/view-state.js';
import type { Usage } from '../../../src/domain/model/usage.js';
import { lasted } from './lasted.js';

/** A line of what an answer took. */
export interface FactRow {
  readonly name: string;
  readonly value: string;
}

/** Cost and duration of an answer, line by line; unknown values except for the cost are left out. @param time RFC 3339. */
export function factRows(facts: ViewAnswerFacts, time: string, model: string | undefined): readonly FactRow[] {
  const { usage, rounds, durationMs, costUsd } = facts;
  const at = Date.parse(time);
  const rows: readonly (FactRow | false)[] = [
    !Number.isNaN(at) && { name: t('Time'), value: new Date(at).toLocaleString(textLanguage(), { dateStyle: 'medium', timeStyle: 'short' }) },
    model !== undefined && { name: t('Model'), value: model },
    { name: t('Steps'), value: formatNumber(rounds) },
    durationMs !== undefined && { name: t('Duration'), value: lasted(durationMs) },
    { name: t('Input tokens'), value: formatNumber(inputTokens(usage)) },
    ...cacheRows(usage),
    { name: t('Output tokens'), value: formatNumber(usage.outputTokens) },
    costUsd !== 0 && { name: t('Cost'), value: costUsd === undefined ? t('Unknown') : formatCost(costUsd) },
  ];
  return rows.filter((row) => row !== false);
}

/** Tokens read from the provider's cache, with their share of the input, and tokens written to it; empty without a cache. */
export function cacheRows(usage: Usage): readonly FactRow[] {
  const { cacheReadTokens: read, cacheWriteTokens: written } = usage;
  if (read === 0 && written === 0) return [];
  // Rounded down, so that only what is all says so.
  const share = formatPercent(Math.floor((read / inputTokens(usage)) * 100) / 100);
  return [
    { name: t('Read from cache'), value: `${formatNumber(read)} (${share})` },
    ...(written === 0 ? [] : [{ name: t('Written to cache'), value: formatNumber(written) }]),
  ];
}

/** Everything that a model read: uncached, from the cache, and into it. */
function inputTokens({ inputTokens: uncached, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return uncached + cacheReadTokens + cacheWriteTokens;
}

/** Says why a response read much anew that had been in the provider's cache. */
export function cacheBreakText({ reason, tokens }: NonNullable<ViewAnswerFacts['cacheBreak']>): string {
  const many = formatNumber(tokens);
  switch (reason) {
    case 'model':
      return t('The cache was written anew: the model was changed ({0} tokens).', many);
    case 'summary':
      return t('The cache was written anew: the chat was summarized ({0} tokens).', many);
    case 'summary_undone':
      return t('The cache was written anew: a summary was undone ({0} tokens).', many);
    case 'tools':
      return t('The cache was written anew: the available tools changed ({0} tokens).', many);
    case 'system_prompt':
      return t('The cache was written anew: the system prompt changed ({0} tokens).', many);
    case 'images':
      return t('The cache was written anew: older images were left out ({0} tokens).', many);
    case 'effort':
      return t('The cache was written anew: the thinking effort was changed ({0} tokens).', many);
    case 'expired':
      return t('The cache was written anew: it had expired ({0} tokens).', many);
    case 'unknown':
      return t('The cache was written anew, and the provider does not say why ({0} tokens).', many);
    default:
      return assertNever(reason);
  }
}
