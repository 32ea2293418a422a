const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Days after which a date says more than their number. */
const MOST_DAYS = 14;

/** How long ago a time was, or its date. @param now milliseconds since 1970 */
export function ageOf(time: string, now: number): string {
  const then = Date.parse(time);
  const age = now - then;
  if (!Number.isFinite(age)) return '?';
  if (age < MINUTE_MS) return 'just now';
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min ago`;
  if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)} h ago`;
  const days = Math.floor(age / DAY_MS);
  if (days > MOST_DAYS) return new Date(then).toISOString().slice(0, 10);
  return days === 1 ? '1 day ago' : `${days} days ago`;
}

/** What something has cost, in US dollars. */
export function costOf(usd: number | undefined): string {
  if (usd === undefined) return '–';
  return usd > 0 && usd < 0.01 ? '<$0.01' : `$${usd.toFixed(2)}`;
}
