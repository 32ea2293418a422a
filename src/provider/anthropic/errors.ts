import { type ProviderErrorDetails, type ProviderErrorKind, ProviderError } from '../../domain/errors.js';
import { errorHelp, errorText } from '../http/error-text.js';
import { brokenOff, knownFailure, malformed, unreachable, unsent } from '../http/failures.js';
import { isAboutPictures, kindOfStatus, retryAfterMs } from '../http/kind-of-status.js';
import type { ServerNames } from '../http/server-names.js';
import { type PlacedPicture, namedPictures } from './placed-pictures.js';
import { APIConnectionError, APIError } from './client.js';

/** Kinds by the API's own error types. Source: platform.claude.com, "Errors". */
const KIND_OF_TYPE: Readonly<Record<string, ProviderErrorKind>> = {
  invalid_request_error: 'invalid_request',
  authentication_error: 'authentication',
  billing_error: 'quota',
  permission_error: 'permission',
  not_found_error: 'not_found',
  request_too_large: 'too_large',
  rate_limit_error: 'rate_limit',
  timeout_error: 'server',
  api_error: 'server',
  overloaded_error: 'overloaded',
};

/**
 * Turns a failure before the answer began into an error for the user. An abort stays an abort.
 * @param pictures those of the request
 */
export function requestError(error: unknown, server: ServerNames, pictures: readonly PlacedPicture[] = []): Error {
  const known = knownFailure(error);
  if (known !== undefined) return known;
  if (error instanceof APIConnectionError) return unreachable(error, server);
  if (isApiError(error)) return apiError(error, server, pictures);
  return unsent(error, server);
}

/** Turns a failure in the middle of the answer into an error for the user. */
export function streamError(error: unknown, server: ServerNames): Error {
  const known = knownFailure(error);
  if (known !== undefined) return known;
  // An `error` event in the stream; it has a type and no status.
  if (isApiError(error) && !(error instanceof APIConnectionError)) return apiError(error, server, []);
  return error instanceof SyntaxError ? malformed(error, server) : brokenOff(error, server);
}

/** Narrows without the type parameters that `instanceof` would leave open. */
function isApiError(error: unknown): error is APIError {
  return error instanceof APIError;
}

function apiError(error: APIError, server: ServerNames, pictures: readonly PlacedPicture[]): ProviderError {
  const kind = kindOf(error);
  const details: ProviderErrorDetails = {
    cause: error,
    ...(error.status === undefined ? {} : { status: error.status }),
    ...optional('retryAfterMs', retryAfterMs(error.headers)),
    ...optional('requestId', error.requestID ?? undefined),
    ...(isAboutPictures(kind, `${error.type ?? ''} ${error.apiMessage ?? ''}`) ? { refusedPictures: namedPictures(error, pictures) } : {}),
  };
  const facts = { detail: error.apiMessage, ...details };
  return new ProviderError(kind, errorText(kind, server, facts), { ...details, ...errorHelp(kind, server, facts) });
}

function kindOf({ type, status, apiMessage }: APIError): ProviderErrorKind {
  const known = type === null ? undefined : KIND_OF_TYPE[type];
  const kind = known ?? kindOfStatus(status);
  // To the API these are invalid requests; to a user they are something else. The second wording is that of Bedrock behind a gateway.
  if (kind === 'invalid_request' && /prompt is too long|input is too long|context (window|limit)/i.test(apiMessage ?? '')) return 'context_length';
  return kind === 'invalid_request' && /credit balance is too low/i.test(apiMessage ?? '') ? 'quota' : kind;
}

function optional<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, V>);
}
