/** How much of a result is compared: what says whether it is another one stands at its beginning or end. */
const COMPARED = 4_000;

/** What is another one each time and says nothing of whether something is different now, in this order. */
const TIMES: readonly RegExp[] = [
  // 2026-11-27T06:09:50.123Z, 27/Nov/2026:06:09:50 +0000
  /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g,
  /\b\d\d\/\w{3}\/\d{4}(?::\d\d){3}/g,
  /\b\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?\b(?:\s?[ap]m\b)?/gi,
  // 3.2 s, 120ms, 2 minutes
  /\b\d+(?:[.,]\d+)?\s?(?:ns|[µu]s|ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b/g,
  // Seconds or milliseconds since 1970, addresses in memory, ids
  /\b1\d{9}(?:\d{3}){0,3}\b/g,
  /\b0x[\da-f]+\b/gi,
  /\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/gi,
  /(?<=\b(?:pid|process|port|request[ _-]?id)[\s:=#]{1,3})\w+/gi,
];

/** How far something has come: that a number in it changes is progress. */
const PROGRESS = /\d+(?:\.\d+)?\s?(?:%|of\s+\d+|\/\s?\d+)/g;

/** A text without the times and ids in it. */
export function withoutTimes(text: string): string {
  return TIMES.reduce((left, pattern) => left.replace(pattern, '#'), ends(text));
}

/** A text without any numbers but those of progress. */
export function withoutNumbers(text: string): string {
  const kept = withoutTimes(text).split(PROGRESS);
  const progress = withoutTimes(text).match(PROGRESS) ?? [];
  return kept.map((part, index) => part.replace(/\d+(?:[.,]\d+)*/g, '#') + (progress[index] ?? '')).join('');
}

function ends(text: string): string {
  return text.length <= 2 * COMPARED ? text : `${text.slice(0, COMPARED)}\n${text.length}\n${text.slice(-COMPARED)}`;
}
