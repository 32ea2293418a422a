import type { ContextUse } from '../../../src/domain/session/context.js';
import { formatNumber, formatPercent, t } from '../../../src/protocol/l10n.js';

/** Part of the window from which on a meter says that it gets full, and that it is almost full. */
const HIGH = 0.75;
const FULL = 0.9;

/** How full a context window is, for users. */
export interface ContextLevel {
  readonly level: 'normal' | 'high' | 'full';
  /** How much of it is used, from 0 to 1. */
  readonly part: number;
  /** Such as "62%"; never more than 100. */
  readonly short: string;
  /** Such as "62% of the context window used, 124,000 of 200,000 tokens". */
  readonly long: string;
}

/** Tells how full a context window is. One without a size counts as full. */
export function contextLevel({ used, limit }: ContextUse): ContextLevel {
  const part = limit > 0 ? Math.min(1, Math.max(0, used / limit)) : 1;
  // Rounded down, so that only what is full says so.
  const short = formatPercent(Math.floor(part * 100) / 100);
  const long = t('{0} of the context window used, {1} of {2} tokens', short, formatNumber(used), formatNumber(limit));
  return { level: part >= FULL ? 'full' : part >= HIGH ? 'high' : 'normal', part, short, long };
}
