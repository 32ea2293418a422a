import { formatRelative } from '../../../src/protocol/l10n.js';

/** Relative time, such as "2 hours ago". `now` in milliseconds since 1970; empty for an invalid time. */
export function relativeTime(time: string, now: number): string {
  const at = Date.parse(time);
  return Number.isNaN(at) ? '' : formatRelative(at, now);
}
