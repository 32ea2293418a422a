import { formatCost, formatNumber, t } from '../../../domain/l10n.js';
import { type Usage, totalInputTokens } from '../../../domain/model/usage.js';
import type { Turn } from '../../../engine/events.js';

/** A turn in a line, such as "3 rounds · 1,204 tokens · $0.012". */
export function summaryOf(turn: Turn): string {
  const rounds = turn.rounds === 1 ? t('1 round') : t('{0} rounds', turn.rounds);
  const seconds = t('{0} s', formatNumber(turn.durationMs / 1000, 1));
  return [rounds, seconds, usageText(turn.usage, turn.costUsd)].filter((part) => part !== '').join(' · ');
}

/** Formats tokens and cost, also that the cost is not known; empty when nothing was used. */
export function usageText(usage: Usage, costUsd: number | undefined): string {
  const tokens = totalInputTokens(usage) + usage.outputTokens;
  if (tokens === 0) return '';
  return [t('{0} tokens', formatNumber(tokens)), costUsd === undefined ? t('cost unknown') : formatCost(costUsd)].join(' · ');
}
