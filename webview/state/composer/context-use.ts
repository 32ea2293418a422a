import type { ContextUse } from '../../../src/domain/session/context.js';
import { formatAbout, formatNumber, formatPercent, t } from '../../../src/protocol/l10n.js';

/** Part of the window from which on a meter says that it gets full, and that it is almost full. */
const HIGH = 0.75;
const FULL = 0.9;

/** Usage of a context window, for display. */
export interface ContextLevel {
  readonly level: 'normal' | 'high' | 'full';
  /** Used share, from 0 to 1. */
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

/** Usage of a window in words, such as "about 124,000 of 200,000 tokens". */
export function contextTokens({ used, limit, exact }: ContextUse): string {
  return exact === true
    ? t('{0} of {1} tokens', formatNumber(used), formatNumber(limit))
    : t('about {0} of {1} tokens', formatAbout(used), formatNumber(limit));
}

/** A part of the window, for users. */
export interface ContextPart {
  readonly kind: 'systemPrompt' | 'tools' | 'instructions' | 'messages' | 'images' | 'toolResults' | 'used' | 'free';
  readonly name: string;
  readonly tokens: number;
  /** Such as "about 12,400". */
  readonly amount: string;
  /** Such as "12%", "< 1%". */
  readonly share: string;
}

const PERCENT = 0.01;

/** Rounded down, so that only what is all says so. */
function shareText(part: number): string {
  return part > 0 && part < PERCENT ? t('< {0}', formatPercent(PERCENT)) : formatPercent(Math.floor(part * 100) / 100);
}

/** Parts of a context window, with the free part. The used part is a single one where no details are known. */
export function contextParts({ used, limit, exact, parts }: ContextUse): readonly ContextPart[] {
  const size = Math.max(used, limit, 1);
  const part = (kind: ContextPart['kind'], name: string, tokens: number, isExact = false): ContextPart => {
    const amount = isExact || tokens === 0 ? formatNumber(tokens) : t('about {0}', formatAbout(tokens));
    return { kind, name, tokens, amount, share: shareText(tokens / size) };
  };
  const filled =
    parts === undefined
      ? [part('used', t('Used'), used, exact === true)]
      : [
          part('systemPrompt', t('System prompt'), parts.systemPrompt),
          part('tools', t('Tools'), parts.tools),
          part('instructions', t('Instructions'), parts.instructions),
          part('messages', t('Messages'), parts.messages),
          part('images', t('Images'), parts.images),
          part('toolResults', t('Tool results'), parts.toolResults),
        ];
  return [...filled.filter(({ tokens }) => tokens > 0), part('free', t('Free'), Math.max(0, limit - used), exact === true)];
}
