import type { ProviderErrorDetails, ProviderErrorKind } from '../../domain/errors.js';
import { AbortError, isAbortError, ProviderError } from '../../domain/errors.js';
import type { Endpoint } from './endpoint.js';
import { errorText } from './error-text.js';
import { networkReason } from './network-reason.js';
import { retryAfterMs } from './retry-after.js';
import { APIConnectionError, APIError } from './sdk.js';

/** Kinds by the API's own error types. Source: platform.claude.com, "Errors". */
const KIND_OF_TYPE: Readonly<Record<string, ProviderErrorKind>> = {
  invalid_request_error: 'invalid_request',
  authentication_error: 'authentication',
  billing_error: 'permission',
  permission_error: 'permission',
  not_found_error: 'not_found',
  request_too_large: 'too_large',
  rate_limit_error: 'rate_limit',
  timeout_error: 'server',
  api_error: 'server',
  overloaded_error: 'overloaded',
};

/** Kinds by HTTP status, for answers that do not come from the API itself. */
const KIND_OF_STATUS: Readonly<Record<number, ProviderErrorKind>> = {
  401: 'authentication',
  402: 'permission',
  403: 'permission',
  404: 'not_found',
  407: 'network',
  408: 'server',
  413: 'too_large',
  429: 'rate_limit',
  529: 'overloaded',
};

/** A failure before the answer began, for people. What was stopped on request stays an abort. */
export function requestError(error: unknown, endpoint: Endpoint): Error {
  if (error instanceof ProviderError) return error;
  if (isAbortError(error)) return new AbortError(undefined, error);
  if (error instanceof APIConnectionError) {
    const reason = networkReason(error);
    return new ProviderError(
      'network',
      `Gnomon cannot reach ${endpoint.host}: ${reason}. Check the network, the proxy and the setting gnomon.anthropic.baseUrl, then try again.`,
      { cause: error },
    );
  }
  if (isApiError(error)) return apiError(error, endpoint.host);
  return new ProviderError('protocol', `The request to ${endpoint.host} could not be made. Show the log for the cause.`, { cause: error });
}

/** A failure in the middle of the answer, for people. */
export function streamError(error: unknown, endpoint: Endpoint): Error {
  if (error instanceof ProviderError) return error;
  if (isAbortError(error)) return new AbortError(undefined, error);
  // An `error` event in the stream; it has a type and no status.
  if (isApiError(error) && !(error instanceof APIConnectionError)) return apiError(error, endpoint.host);
  if (error instanceof SyntaxError) {
    return new ProviderError('protocol', `${endpoint.host} sent something that is not part of an answer. What arrived is kept. Try again.`, {
      cause: error,
    });
  }
  const message = `The connection to ${endpoint.host} broke in the middle of the answer. What arrived is kept. Try again, or ask to continue.`;
  return new ProviderError('interrupted', message, { cause: error });
}

/** An answer with a good status that is no event stream, such as the login page of a proxy. */
export function notAStream(contentType: string, endpoint: Endpoint): ProviderError {
  const what = contentType.includes('html') ? 'a web page' : contentType.includes('json') ? 'a JSON document' : 'something else';
  return new ProviderError(
    'not_a_stream',
    `${endpoint.host} answered with ${what} (content type ${contentType.slice(0, 100)}) and not with a stream of events. A proxy or a login page may be in between, or gnomon.anthropic.baseUrl names something that is not the Messages API. Correct that and try again.`,
  );
}

/** Narrows without the type parameters that `instanceof` would leave open. */
function isApiError(error: unknown): error is APIError {
  return error instanceof APIError;
}

function apiError(error: APIError, host: string): ProviderError {
  const kind = kindOf(error);
  const details: ProviderErrorDetails = {
    cause: error,
    ...(error.status === undefined ? {} : { status: error.status }),
    ...optional('retryAfterMs', retryAfterMs(error.headers)),
    ...optional('requestId', error.requestID ?? undefined),
  };
  return new ProviderError(kind, errorText(kind, { host, detail: error.apiMessage, ...details }), details);
}

function kindOf({ type, status, apiMessage }: APIError): ProviderErrorKind {
  const known = type === null ? undefined : KIND_OF_TYPE[type];
  const kind = known ?? (status === undefined ? 'server' : KIND_OF_STATUS[status] ?? (status >= 500 ? 'server' : 'invalid_request'));
  // A conversation that outgrew the model is an invalid request to the API, and something else to a person.
  return kind === 'invalid_request' && /prompt is too long|context (window|limit)/i.test(apiMessage ?? '') ? 'context_length' : kind;
}

function optional<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, V>);
}
