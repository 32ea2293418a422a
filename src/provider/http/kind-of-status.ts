import type { ProviderErrorKind } from '../../domain/errors.js';

const KINDS: Readonly<Record<number, ProviderErrorKind>> = {
  401: 'authentication',
  402: 'quota',
  403: 'permission',
  404: 'not_found',
  407: 'network',
  // A model's answer changes nothing on the server, so whatever may pass is asked for again: a conflict, a request that came too
  // early, and one that a proxy in between gave up (nginx).
  408: 'server',
  409: 'server',
  425: 'server',
  499: 'server',
  413: 'too_large',
  429: 'rate_limit',
  529: 'overloaded',
};

/** Whether a refused request was refused for a picture in it: too large, of the wrong kind, or damaged. */
export function isAboutPictures(kind: ProviderErrorKind, words: string | null | undefined): boolean {
  return kind === 'invalid_request' && /\bimages?\b|image_|\bmedia[ _]type/i.test(words ?? '');
}

/** The kind of failure that an HTTP status alone indicates. Without a status it came in the middle of an answer. */
export function kindOfStatus(status: number | undefined): ProviderErrorKind {
  if (status === undefined) return 'server';
  // Redirects are not followed: what asks for one is not the API.
  if (status < 400) return 'not_found';
  return KINDS[status] ?? (status >= 500 ? 'server' : 'invalid_request');
}

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
