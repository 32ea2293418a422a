/**
 * How long a server asked to wait, in milliseconds: `retry-after-ms`, or `retry-after` as seconds or as a date.
 * `undefined` when it did not ask, or for the past. Source: RFC 9110, 10.2.3.
 */
export function retryAfterMs(headers: Headers | undefined, now: number = Date.now()): number | undefined {
  const exact = headers?.get('retry-after-ms') ?? '';
  if (isNumber(exact)) return positive(Number(exact));
  const after = headers?.get('retry-after') ?? '';
  if (isNumber(after)) return positive(Number(after) * 1000);
  return after === '' ? undefined : positive(Date.parse(after) - now);
}

function isNumber(value: string): boolean {
  return /^\s*-?\d+(\.\d+)?\s*$/.test(value);
}

function positive(milliseconds: number): number | undefined {
  return milliseconds >= 0 ? milliseconds : undefined;
}
