import { AbortError, isAbortError, ProviderError, type ProviderErrorKind } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { KnownAnswer } from './answer-form.js';
import { networkProblem } from './network-reason.js';

/** Names of a server in messages for the user. */
export interface ServerNames {
  /** Name and port, such as `api.example.com`. */
  readonly host: string;
  /** The setting with its address, such as `gnomon.anthropic.baseUrl`. */
  readonly addressSetting: string;
  /** The environment variable for its key; absent when it takes none. */
  readonly keyVariable?: string;
  /** Which key is used, and whose it is, such as `work` of `Anthropic`; absent where there is only one. */
  readonly namedKey?: { readonly name: string; readonly of: string };
}

const DEPTH = 5;

/** `retryAfterMs` of a failure that no wait ends: the user has to put something right first. */
const NO_WAIT_HELPS = Infinity;

/**
 * Finds an error that already has a message for the user, or an abort, through the causes that libraries wrap it in.
 * `undefined` for every other error.
 */
export function knownFailure(error: unknown, depth = DEPTH): Error | undefined {
  if (!(error instanceof Error) || depth === 0) return undefined;
  if (error instanceof ProviderError) return error;
  return isAbortError(error) ? new AbortError(undefined, error) : knownFailure(error.cause, depth - 1);
}

/** There is no key for a server that takes one. `whose` is the server's display name, such as `Anthropic`. */
export function noKey(whose: string, { keyVariable, namedKey }: ServerNames): ProviderError {
  if (namedKey !== undefined) {
    return new ProviderError('no_key', t('The API key “{0}” for {1} is not there anymore. Set it again, or use another key.', namedKey.name, whose), {
      keyName: namedKey.name,
    });
  }
  const words =
    keyVariable === undefined
      ? t('No API key is set for {0}. Run “Gnomon: Set API Key”.', whose)
      : t('No API key is set for {0}. Run “Gnomon: Set API Key”, or set the environment variable {1} and restart VS Code.', whose, keyVariable);
  return new ProviderError('no_key', words);
}

/** No connection came about. */
export function unreachable(error: unknown, { host, addressSetting }: ServerNames): ProviderError {
  const {
    reason,
    passes,
    advice = t('Check your network connection, the proxy, and the setting {0}, then try again.', addressSetting),
  } = networkProblem(error);
  const message = t('Gnomon cannot reach {0}: {1}. {2}', host, reason, advice);
  const fact = t('Gnomon cannot reach {0}: {1}.', host, reason);
  return new ProviderError('network', message, { cause: error, fact, ...(passes ? {} : { retryAfterMs: NO_WAIT_HELPS }) });
}

/** The request did not get as far as the connection, for a reason that is not the server's. */
export function unsent(error: unknown, { host }: ServerNames): ProviderError {
  const fact = t('The request to {0} could not be sent.', host);
  return new ProviderError('protocol', t('The request to {0} could not be sent. See the log for details.', host), { cause: error, fact });
}

/** The address in a setting is invalid. `says` names it and what is wrong with it, in whole sentences. */
export function noAddress(says: string): ProviderError {
  return new ProviderError('network', says, { retryAfterMs: NO_WAIT_HELPS, wrongSetting: true });
}

/** The connection broke while the answer came. */
export function brokenOff(error: unknown, { host }: ServerNames): ProviderError {
  const message = t('The connection to {0} was lost during the response. The part received is kept.', host);
  return new ProviderError('interrupted', message, { cause: error, fact: t('The connection to {0} was lost during the response.', host) });
}

/** Something in the middle of an answer that is not part of the format. */
export function malformed(error: unknown, { host }: ServerNames): ProviderError {
  const fact = t('{0} sent an invalid response.', host);
  return new ProviderError('protocol', t('{0} sent an invalid response. The part received is kept. Try again.', host), { cause: error, fact });
}

/**
 * An answer with a good status that is no event stream, such as the login page of a proxy.
 * `api` names what was expected, such as `the Messages API`.
 */
export function notAStream(
  { form, contentType }: Pick<KnownAnswer, 'form' | 'contentType'>,
  api: string,
  { host, addressSetting }: ServerNames,
): ProviderError {
  const what = form === 'page' ? t('a web page') : form === 'json' ? t('a JSON document') : t('other content');
  return new ProviderError(
    'not_a_stream',
    t(
      '{0} responded with {1} (content type {2}) instead of an event stream. ' +
        'A proxy or a login page may be in the way, or {3} does not point to {4}. Correct this, then try again.',
      ...[host, what, contentType.slice(0, 100) || t('not given'), addressSetting, api],
    ),
  );
}

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

/** Whether a refused request was refused for an image in it: too large, of the wrong kind, or damaged. */
export function isAboutImages(kind: ProviderErrorKind, words: string | null | undefined): boolean {
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
