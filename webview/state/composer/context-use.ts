import type { ContextUse } from '../../../src/domain/session/context.js';
import type { ViewItem } from '../../../src/protocol/view-state.js';
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

/** A part of the window, for users. */
export interface ContextPart {
  readonly kind: 'prefix' | 'messages' | 'files' | 'used' | 'free';
  readonly name: string;
  readonly tokens: number;
  /** Such as "12%". */
  readonly share: string;
}

/** What the window is filled with, and what is free. What it is filled with is one part where nothing more is known. */
export function contextParts({ used, limit, parts }: ContextUse): readonly ContextPart[] {
  const size = Math.max(used, limit, 1);
  const part = (kind: ContextPart['kind'], name: string, tokens: number): ContextPart => ({ kind, name, tokens, share: formatPercent(Math.floor((tokens / size) * 100) / 100) });
  const filled =
    parts === undefined
      ? [part('used', t('Used'), used)]
      : [part('messages', t('Messages'), parts.messages), part('files', t('Files and tool results'), parts.files), part('prefix', t('System prompt and tools'), parts.prefix)];
  return [...filled, part('free', t('Free'), Math.max(0, limit - used))];
}

/** Which part of its input the newest answer got from the cache, such as "84%"; `undefined` when that is not known. */
export function cachedShare(items: readonly ViewItem[]): string | undefined {
  const last = items.findLast((item) => item.kind === 'answer' && item.facts !== undefined);
  const usage = last?.kind === 'answer' ? last.facts?.usage : undefined;
  if (usage === undefined) return undefined;
  const total = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  return total === 0 ? undefined : formatPercent(Math.floor((usage.cacheReadTokens / total) * 100) / 100);
}
