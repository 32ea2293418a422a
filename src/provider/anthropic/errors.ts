import { present } from '../../domain/present.js';
import { ProviderError, type ProviderErrorDetails, type ProviderErrorKind } from '../../domain/errors.js';
import { errorHelp, errorText } from '../http/error-text.js';
import { brokenOff, isAboutImages, kindOfStatus, knownFailure, malformed, retryAfterMs, type ServerNames, unreachable, unsent } from '../http/failures.js';
import { isAgainstPolicy, isSlipOfModel, type Said, saidBy } from '../refusal/said-by.js';
import { refusedIn, type Sent } from '../refusal/refused-in.js';
import { isTooLong } from '../refusal/too-long.js';
import { namedImages, type PlacedImage } from './placed-images.js';
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

/** The request that failed, and the images in it. */
export interface FailedRequest extends Sent {
  readonly images: readonly PlacedImage[];
}

/** Turns a failure before the answer began into an error for the user. An abort stays an abort. */
export function requestError(error: unknown, server: ServerNames, failed?: FailedRequest): Error {
  const known = knownFailure(error);
  if (known !== undefined) return known;
  if (error instanceof APIConnectionError) return unreachable(error, server);
  if (isApiError(error)) return apiError(error, server, failed);
  return unsent(error, server);
}

/**
 * Turns a failure in the middle of the answer into an error for the user.
 * @param begun whether something of the answer had come: then the request was a good one, whatever the server calls it now
 */
export function streamError(error: unknown, server: ServerNames, failed?: FailedRequest, begun = false): Error {
  const known = knownFailure(error);
  if (known !== undefined) return known;
  // An `error` event in the stream; it has a type and no status.
  if (isApiError(error) && !(error instanceof APIConnectionError)) return apiError(error, server, failed, begun);
  return error instanceof SyntaxError ? malformed(error, server) : brokenOff(error, server);
}

/** Narrows without the type parameters that `instanceof` would leave open. */
function isApiError(error: unknown): error is APIError {
  return error instanceof APIError;
}

function apiError(error: APIError, server: ServerNames, failed: FailedRequest | undefined, begun = false): ProviderError {
  const said = saidBy([error.error, error.apiMessage, error.message]);
  const found = kindOf(error, said);
  const kind = begun && found === 'invalid_request' ? 'server' : found;
  const details: ProviderErrorDetails = {
    cause: error,
    ...present({ status: error.status }),
    ...optional('retryAfterMs', retryAfterMs(error.headers)),
    ...optional('requestId', error.requestID ?? undefined),
    ...(isAboutImages(kind, `${error.type ?? ''} ${error.apiMessage ?? ''}`) ? { refusedImages: namedImages(error, failed?.images ?? []) } : {}),
    ...optional('refused', failed && refusedIn(said, kind, failed)),
  };
  const facts = { detail: error.apiMessage, ...details };
  return new ProviderError(kind, errorText(kind, server, facts), { ...details, ...errorHelp(kind, server, facts) });
}

/** Statuses that say more than the type that gateways put beside them. */
const PASSES: ReadonlySet<number | undefined> = new Set([408, 409, 425, 429, 499, 529]);

/** Kinds that say nothing of what the request contains. */
const BESIDE_THE_REQUEST: ReadonlySet<ProviderErrorKind> = new Set<ProviderErrorKind>(['authentication', 'quota', 'rate_limit', 'overloaded']);

/** To the API a conversation that is too long is an invalid request, as is one without credit; to a user they are something else. */
function kindOf({ type, status }: APIError, { words }: Said): ProviderErrorKind {
  const known = type === null ? undefined : KIND_OF_TYPE[type];
  const kind = known === undefined || (known === 'invalid_request' && PASSES.has(status)) ? kindOfStatus(status) : known;
  if (BESIDE_THE_REQUEST.has(kind)) return kind;
  if (isTooLong(words, status)) return 'context_length';
  if (isAgainstPolicy(words)) return 'refused_content';
  if (isSlipOfModel(words)) return 'protocol';
  return kind === 'invalid_request' && /credit balance is too low/i.test(words) ? 'quota' : kind;
}

function optional<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, V>);
}
