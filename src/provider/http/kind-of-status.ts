import type { ProviderErrorKind } from '../../domain/errors.js';

const KINDS: Readonly<Record<number, ProviderErrorKind>> = {
  401: 'authentication',
  402: 'quota',
  403: 'permission',
  404: 'not_found',
  407: 'network',
  408: 'server',
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
