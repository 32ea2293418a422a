import type { Timestamp } from '../../domain/model/message.js';

/** What Pipe has for a time that a file does not give: Go's zero time. */
export const ZERO_TIME: Timestamp = '0001-01-01T00:00:00Z';

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|[+-](\d\d):(\d\d))$/;

/** Whether a text is an RFC 3339 time with zone, as strict as Go's own writer: real dates, `T` and `Z` in capitals. */
export function isTimestamp(value: string): boolean {
  const match = RFC3339.exec(value);
  if (match === null) return false;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [number, number, number, number, number, number];
  const zone = Number(match[8] ?? 0) <= 23 && Number(match[9] ?? 0) <= 59;
  return zone && month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month) && hour <= 23 && minute <= 59 && second <= 59;
}

function daysOf(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/** A time as Go's writer has it: no zeros at the end of the fraction, so `.120Z` is `.12Z` and `.000Z` is `Z`. */
export function trimFraction(value: Timestamp): Timestamp {
  return value.replace(/\.(\d*?)0*(?=Z|[+-]\d\d:\d\d$)/, (_match, digits: string) => (digits === '' ? '' : `.${digits}`));
}

/** The order of two times, whatever their zones: below zero when `a` is earlier. Exact to the nanosecond and beyond. */
export function compareTimes(a: Timestamp, b: Timestamp): number {
  const seconds = wholeSeconds(a) - wholeSeconds(b);
  if (seconds !== 0) return seconds;
  const [x, y] = [fraction(a), fraction(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** The later of two times; the first when they are equal. */
export function laterTime(a: Timestamp, b: Timestamp): Timestamp {
  return compareTimes(a, b) >= 0 ? a : b;
}

function wholeSeconds(value: Timestamp): number {
  return Date.parse(value.replace(/\.\d+/, ''));
}

function fraction(value: Timestamp): string {
  return (RFC3339.exec(value)?.[7] ?? '').replace(/0+$/, '');
}
