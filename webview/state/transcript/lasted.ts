import { formatNumber, t } from '../../../src/protocol/l10n.js';

const SECOND_MS = 1_000;
const MINUTE_SECONDS = 60;
/** Below this, tenths of seconds are shown. */
const PRECISE_SECONDS = 9.95;

/** Formats a duration for display: "0.4 s", "1.2 s", "12 s", from a minute on "2 min 5 s". */
export function lasted(milliseconds: number): string {
  const seconds = milliseconds / SECOND_MS;
  if (seconds < PRECISE_SECONDS) return t('{0} s', formatNumber(Math.max(0.1, Math.round(seconds * 10) / 10)));
  return elapsed(Math.round(seconds));
}

/** Formats whole seconds: "12 s", from a minute on "2 min 5 s". */
export function elapsed(whole: number): string {
  if (whole < MINUTE_SECONDS) return t('{0} s', whole);
  const rest = whole % MINUTE_SECONDS;
  const minutes = Math.floor(whole / MINUTE_SECONDS);
  return rest === 0 ? t('{0} min', minutes) : t('{0} min {1} s', minutes, rest);
}
