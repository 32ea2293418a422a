import type { ProviderErrorDetails } from '../../../domain/errors.js';
import { ProviderError } from '../../../domain/errors.js';
import { t } from '../../../domain/l10n.js';
import { isAboutPictures } from '../../http/kind-of-status.js';
import { errorText } from '../../http/error-text.js';
import { brokenOff, knownFailure, malformed, unreachable } from '../../http/failures.js';
import { errorCode } from '../../http/network-reason.js';
import { retryAfterMs } from '../../http/retry-after.js';
import type { Endpoint } from '../endpoint.js';
import { errorKind } from './error-kind.js';
import { errorWords } from './error-words.js';
import { APIConnectionError, APIError } from '../sdk.js';

/** What a server told of a failure. */
export interface FailedAnswer {
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
  readonly body: unknown;
  readonly cause?: unknown;
}

/** A failure before the answer began, for people. What was stopped on request stays an abort. */
export function requestError(error: unknown, endpoint: Endpoint): Error {
  const known = knownFailure(error);
  if (known !== undefined) return known;
  if (error instanceof APIConnectionError) return connectionError(error, endpoint);
  if (isApiError(error)) return apiError(error, endpoint);
  return new ProviderError('protocol', t('The request to {0} could not be made. Show the log for the cause.', endpoint.host), { cause: error });
}

/** A failure in the middle of the answer, for people. */
export function streamError(error: unknown, endpoint: Endpoint): Error {
  const known = knownFailure(error);
  if (known !== undefined) return known;
  // An `error` event in the stream; it has no status of its own.
  if (isApiError(error) && !(error instanceof APIConnectionError)) return apiError(error, endpoint);
  return error instanceof SyntaxError ? malformed(error, endpoint) : brokenOff(error, endpoint);
}

/** No connection came about. A server on this machine that refuses it is most often not running. */
export function connectionError(error: unknown, endpoint: Endpoint): Error {
  const { host, loopback, preset, addressSetting } = endpoint;
  if (!loopback || !preset.local || errorCode(error) !== 'ECONNREFUSED') return unreachable(error, endpoint);
  const message = t('Gnomon cannot reach {0} at {1}. Is it running? Start it and try again; if it listens somewhere else, correct the setting {2}.', preset.label, host, addressSetting);
  // Nothing is gained by asking again before the person has started it.
  return new ProviderError('network', message, { cause: error, retryAfterMs: Infinity });
}

/** A failure that the server told of. */
export function failedAnswer({ status: httpStatus, headers, body, cause }: FailedAnswer, endpoint: Endpoint): ProviderError {
  const words = errorWords(body);
  const status = httpStatus ?? words.status;
  const wait = retryAfterMs(headers) ?? words.retryAfterMs;
  const requestId = headers?.get('x-request-id') ?? undefined;
  const details: ProviderErrorDetails = {
    cause,
    ...(status === undefined ? {} : { status }),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    ...(requestId === undefined ? {} : { requestId }),
  };
  const other = otherApi(words.message, endpoint);
  if (other !== undefined) return new ProviderError('invalid_request', other, details);
  const kind = errorKind(words, status);
  const pictures: ProviderErrorDetails = isAboutPictures(kind, `${words.label} ${words.message}`) ? { refusedPictures: [] } : {};
  return new ProviderError(kind, errorText(kind, endpoint, { detail: words.message, ...details }), { ...details, ...pictures });
}

/** OpenAI's newest models take tools only through another of its APIs. */
function otherApi(message: string, { host }: Endpoint): string | undefined {
  if (!/function tools with reasoning_effort are not supported/i.test(message)) return undefined;
  return t('{0} takes no tools for this model over the chat completions that Gnomon speaks. Choose another model, such as gpt-5.6-terra, or reach this one through OpenRouter.', host);
}

/** Narrows without the type parameters that `instanceof` would leave open. */
function isApiError(error: unknown): error is APIError {
  return error instanceof APIError;
}

function apiError(error: APIError, endpoint: Endpoint): ProviderError {
  return failedAnswer({ status: error.status, headers: error.headers, body: error.error, cause: error }, endpoint);
}
