import { t } from '../../../src/protocol/l10n.js';

const SECOND_MS = 1_000;
const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;

/** Formats a wait for display: "12 s", from a minute on "1:05", from an hour on "1:00:05". */
export function waitText(milliseconds: number): string {
  const total = Math.max(0, Math.ceil(milliseconds / SECOND_MS));
  if (total < MINUTE_SECONDS) return t('{0} s', total);
  const two = (part: number): string => String(part).padStart(2, '0');
  const seconds = two(total % MINUTE_SECONDS);
  const minutes = Math.floor(total / MINUTE_SECONDS) % MINUTE_SECONDS;
  if (total < HOUR_SECONDS) return `${minutes}:${seconds}`;
  return `${Math.floor(total / HOUR_SECONDS)}:${two(minutes)}:${seconds}`;
}

/** Milliseconds after which {@link waitText} says something else; `undefined` when it never will. */
export function nextTick(milliseconds: number): number | undefined {
  if (milliseconds <= 0) return undefined;
  return milliseconds % SECOND_MS || SECOND_MS;
}
