import { formatAbout, formatCost, formatNumber, t } from '../../domain/l10n.js';
import { type Usage, totalInputTokens } from '../../domain/model/usage.js';
import type { ColdCache } from '../../domain/session/context.js';
import type { Turn } from '../../engine/events.js';

/** A turn in a line, such as "3 rounds · 1,204 tokens · $0.012". */
export function summaryOf(turn: Turn): string {
  const rounds = turn.rounds === 1 ? t('1 round') : t('{0} rounds', turn.rounds);
  const seconds = t('{0} s', formatNumber(turn.durationMs / 1000, 1));
  return [rounds, seconds, usageText(turn.usage, turn.costUsd)].filter((part) => part !== '').join(' · ');
}

/** Formats tokens and cost, also that the cost is not known. What costs nothing has no cost; empty when nothing was used. */
export function usageText(usage: Usage, costUsd: number | undefined): string {
  const tokens = totalInputTokens(usage) + usage.outputTokens;
  if (tokens === 0) return '';
  const cost = costUsd === undefined ? [t('cost unknown')] : costUsd === 0 ? [] : [formatCost(costUsd)];
  return [t('{0} tokens', formatNumber(tokens)), ...cost].join(' · ');
}

/** Says what the next message costs in a chat that is not in the provider's cache any more. */
export function coldCacheText({ reason, tokens, costUsd }: ColdCache): string {
  const many = formatAbout(tokens);
  if (reason === 'model') {
    if (costUsd === undefined)
      return t('This model does not have the chat in its cache yet. With the next message, {0} tokens are read at the full price.', many);
    return t('This model does not have the chat in its cache yet. The next message costs about {0} ({1} tokens).', formatCost(costUsd), many);
  }
  if (costUsd === undefined)
    return t('This chat is no longer in the provider’s cache. With the next message, {0} tokens are read again at the full price.', many);
  return t('This chat is no longer in the provider’s cache. The next message costs about {0} ({1} tokens).', formatCost(costUsd), many);
}
