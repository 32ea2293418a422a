import { present } from '../../../domain/present.js';
import { AbortError, ProviderError, type ProviderErrorDetails, type ProviderErrorKind } from '../../../domain/errors.js';
import { t } from '../../../domain/l10n.js';
import { brokenOff, isAboutImages, kindOfStatus, knownFailure, malformed, retryAfterMs, unreachable, unsent } from '../../http/failures.js';
import { errorHelp, errorText } from '../../http/error-text.js';
import { errorCode } from '../../http/network-reason.js';
import type { Endpoint } from '../endpoint.js';
import { APIConnectionError, APIError, APIUserAbortError } from '../sdk.js';
import { isAgainstPolicy, isSlipOfModel, saidBy } from '../../refusal/said-by.js';
import { refusedIn, type Sent } from '../../refusal/refused-in.js';
import { isTooLong } from '../../refusal/too-long.js';
import { count, list, parsed, record, text } from '../json.js';

/** What a server reported about a failure. */
export interface FailedAnswer {
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
  readonly body: unknown;
  readonly cause?: unknown;
  /** The request that failed. */
  readonly sent?: Sent | undefined;
}

/** Turns a failure before the answer began into an error for the user. An abort stays an abort. */
export function requestError(error: unknown, endpoint: Endpoint, sent?: Sent): Error {
  const known = knownOrAbort(error);
  if (known !== undefined) return known;
  if (error instanceof APIConnectionError) return connectionError(error, endpoint);
  if (isApiError(error)) return apiError(error, endpoint, sent);
  return unsent(error, endpoint);
}

/** Turns a failure in the middle of the answer into an error for the user. */
export function streamError(error: unknown, endpoint: Endpoint, sent?: Sent): Error {
  const known = knownOrAbort(error);
  if (known !== undefined) return known;
  // An `error` event in the stream; it has no status of its own.
  if (isApiError(error) && !(error instanceof APIConnectionError)) return apiError(error, endpoint, sent);
  return error instanceof SyntaxError ? malformed(error, endpoint) : brokenOff(error, endpoint);
}

/** An abort of this SDK has the name of any error, other than those of the platform and of Anthropic's SDK. */
function knownOrAbort(error: unknown): Error | undefined {
  return error instanceof APIUserAbortError ? new AbortError(undefined, error) : knownFailure(error);
}

/** No connection came about. A server on this machine that refuses it is most often not running. */
export function connectionError(error: unknown, endpoint: Endpoint): Error {
  const { host, loopback, preset, addressSetting } = endpoint;
  if (!loopback || !preset.local || errorCode(error) !== 'ECONNREFUSED') return unreachable(error, endpoint);
  const message = t(
    'Gnomon cannot reach {0} at {1}. Make sure that it is running, then try again. If it listens on a different host or port, correct the setting {2}.',
    preset.label,
    host,
    addressSetting,
  );
  // Nothing is gained by asking again before the user has started it.
  return new ProviderError('network', message, { cause: error, retryAfterMs: Infinity });
}

/** A failure that the server reported. */
export function failedAnswer({ status: httpStatus, headers, body, cause, sent }: FailedAnswer, endpoint: Endpoint): ProviderError {
  const words = errorWords(body);
  const said = saidBy([body, cause instanceof Error ? cause.message : undefined]);
  const status = httpStatus ?? words.status;
  const wait = retryAfterMs(headers) ?? words.retryAfterMs;
  const requestId = headers?.get('x-request-id') ?? undefined;
  const details: ProviderErrorDetails = { cause, ...present({ status, retryAfterMs: wait, requestId }) };
  const other = otherApi(words.message, endpoint);
  if (other !== undefined) return new ProviderError('invalid_request', other, details);
  const kind = errorKind(said.words, status);
  const refused = sent && refusedIn(said, kind, sent);
  const images: ProviderErrorDetails = isAboutImages(kind, `${words.label} ${words.message}`) ? { refusedImages: [] } : {};
  const facts = { detail: words.message, ...details };
  return new ProviderError(kind, errorText(kind, endpoint, facts), { ...details, ...images, ...present({ refused }), ...errorHelp(kind, endpoint, facts) });
}

/** Of OpenAI's newest models some take tools over Responses only, and some are there for nothing else. */
const RESPONSES_ONLY = /function tools with reasoning_effort are not supported|only supported in v1\/responses|not a chat model/i;

/** A model that is asked over the wrong API, which the user can set. */
function otherApi(message: string, { host, addressSetting }: Endpoint): string | undefined {
  if (!RESPONSES_ONLY.test(message)) return undefined;
  return t(
    '{0} supports this model only in the Responses API. Set “api” to “responses” for this provider in the setting {1}, or choose another model.',
    host,
    addressSetting,
  );
}

/** Narrows without the type parameters that `instanceof` would leave open. */
function isApiError(error: unknown): error is APIError {
  return error instanceof APIError;
}

function apiError(error: APIError, endpoint: Endpoint, sent: Sent | undefined): ProviderError {
  return failedAnswer({ status: error.status, headers: error.headers, body: error.error, cause: error, sent }, endpoint);
}

/** A rule: the kind of a failure whose message fits. */
interface Rule {
  readonly kind: ProviderErrorKind;
  readonly fits: (words: string, status: number | undefined) => boolean;
}

function rule(kind: ProviderErrorKind, words: RegExp): Rule {
  return { kind, fits: (said) => words.test(said) };
}

/**
 * Kinds by the messages of the servers, the first that fits. The same status means different things to them: a
 * conversation that is too long is 400, 413, 422 or 500, a wrong key 400 or 401, an unknown model 400 or 404.
 */
const RULES: readonly Rule[] = [
  // One request takes more than a minute's tokens: it never can pass, however long one waits.
  rule('too_large', /request too large\b.*\b(?:tokens per min|TPM)/is),
  { kind: 'context_length', fits: isTooLong },
  rule('rate_limit', /RESOURCE_EXHAUSTED/),
  rule('quota', /insufficient_quota|exceeded your current quota|billing_hard_limit|insufficient (balance|credits|funds)|requires more credits/i),
  rule('authentication', /invalid_api_key|API_KEY_INVALID|API key not valid|authentication_error|incorrect api key/i),
  { kind: 'refused_content', fits: isAgainstPolicy },
  rule(
    'not_found',
    /model_not_found|invalid_model|not a valid model|model\b.{0,200}\b(not found|does not exist|is not found)|no endpoints found|try pulling it/i,
  ),
  // Responses report these in the middle of an answer, without a status; asking again changes nothing.
  rule('invalid_request', /\bdata_residency_mismatch|\b(?:invalid|empty|unsupported)_(?:base64_)?image|\bimage_(?:too|file|parse)_|invalid_encrypted_content/i),
  { kind: 'protocol', fits: isSlipOfModel },
  rule('overloaded', /overloaded|insufficient_system_resource|server_busy/i),
  rule('rate_limit', /rate_limit/i),
];

/** What kind of failure a server reports. Without a status it was reported in the middle of an answer. */
function errorKind(words: string, status: number | undefined): ProviderErrorKind {
  return RULES.find(({ fits }) => fits(words, status))?.kind ?? kindOfStatus(status);
}

/** What a server says of a failure, gathered from the forms that servers use. */
interface ErrorWords {
  readonly message: string;
  /** `code`, `type` and `status` together, for telling kinds apart. */
  readonly label: string;
  /** The status of the failure, where the body contains it. */
  readonly status?: number;
  /** Milliseconds to wait, as Google writes them into the body. */
  readonly retryAfterMs?: number;
}

/** How deep an error may be wrapped in others. */
const DEPTH = 4;

/**
 * Parses the body of a failure: `{error: {message, type, code}}` (OpenAI and most), `{error: "…"}` (Ollama, LM Studio),
 * `{object: "error", message}` (Mistral, older vLLM), `[{error}]` (Gemini), `{detail: [{msg}]}` (FastAPI), and
 * OpenRouter's, which contains the message of the upstream server in `metadata.raw`.
 */
function errorWords(body: unknown, depth = DEPTH): ErrorWords {
  const error = record(Array.isArray(body) ? body[0] : body);
  if (error === undefined || depth === 0) return { message: text(body), label: '' };
  const inner = error['error'] ?? error['detail'];
  if (text(error['message']) === '' && inner !== undefined && inner !== null) return errorWords(inner, depth - 1);
  const behind = innerWords(error, depth);
  const status = count(error['code']) ?? count(Number(text(error['code']) || Number.NaN));
  const wait = retryDelay(error['details']);
  return {
    message: behind ?? (text(error['message']) || text(error['msg'])),
    label: ['code', 'type', 'status', 'reason'].map((key) => text(error[key])).join(' '),
    ...(status !== undefined && status >= 400 && status < 600 ? { status } : {}),
    ...present({ retryAfterMs: wait }),
  };
}

/** The message of the server behind a gateway. */
function innerWords(error: Readonly<Record<string, unknown>>, depth: number): string | undefined {
  const raw = text(record(error['metadata'])?.['raw']);
  const { message } = errorWords(parsed(raw), depth - 1);
  return message === '' ? undefined : message;
}

/** Google's `RetryInfo`: `{"retryDelay": "34s"}`. Source: cloud.google.com, "google.rpc.RetryInfo". */
function retryDelay(details: unknown): number | undefined {
  for (const detail of list(details)) {
    const seconds = /^(\d+(?:\.\d+)?)s$/.exec(text(record(detail)?.['retryDelay']))?.[1];
    if (seconds !== undefined) return Number(seconds) * 1_000;
  }
  return undefined;
}
