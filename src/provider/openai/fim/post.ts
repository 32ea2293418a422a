import { AbortError, ProviderError } from '../../../domain/errors.js';
import { t } from '../../../domain/l10n.js';
import { withQuery } from '../../http/base-address.js';
import { limitedText } from '../../http/body.js';
import { authorization } from '../client.js';
import type { Endpoint } from '../endpoint.js';
import { connectionError, failedAnswer } from '../errors/errors.js';
import { parsed } from '../json.js';
import type { OpenAiOptions } from '../options.js';

/** The largest answer that is read, in bytes. */
const MAX_BYTES = 1024 * 1024;
/** How long a server may take; what comes later is of no use to a user who types. In milliseconds. */
const TIME_LIMIT_MS = 20_000;

/** Where a question goes, and with whose key. */
export interface Target {
  readonly options: OpenAiOptions;
  readonly endpoint: Endpoint;
  readonly url: string;
  /** Default: 20 seconds. */
  readonly timeLimitMs?: number;
}

/**
 * Sends a JSON document and gives the one that is answered.
 * @throws ProviderError, or AbortError when the signal fired.
 */
export async function post({ options, endpoint, url, timeLimitMs = TIME_LIMIT_MS }: Target, body: object, signal: AbortSignal): Promise<unknown> {
  const headers = { accept: 'application/json', 'content-type': 'application/json', ...(await authorization(options, endpoint)) };
  const late = AbortSignal.timeout(timeLimitMs);
  let response: Response;
  let said: string;
  try {
    response = await withQuery(options.fetch ?? fetch, endpoint.query)(url, {
      method: 'POST',
      body: JSON.stringify(body),
      headers,
      redirect: 'manual',
      signal: AbortSignal.any([signal, late]),
    });
    said = await limitedText(response, MAX_BYTES);
  } catch (error) {
    if (signal.aborted) throw new AbortError(undefined, error);
    throw late.aborted ? tooLate(endpoint, timeLimitMs, error) : connectionError(error, endpoint);
  }
  const document = parsed(said);
  if (!response.ok) throw failedAnswer({ status: response.status, headers: response.headers, body: document ?? '' }, endpoint);
  return document;
}

function tooLate({ host }: Endpoint, timeLimitMs: number, cause: unknown): ProviderError {
  return new ProviderError('stalled', t('{0} did not respond within {1} seconds.', host, timeLimitMs / 1_000), { cause });
}
