import { ProviderError } from '../../../domain/errors.js';
import { t } from '../../../domain/l10n.js';
import { withQuery } from '../../http/base-address.js';
import { limitedText } from '../../http/body.js';
import type { Endpoint } from '../endpoint.js';
import { connectionError, failedAnswer } from '../errors/errors.js';
import { parsed } from '../json.js';

/** The largest list that is read, in bytes. */
const MAX_BYTES = 5 * 1024 * 1024;

/** One question to a server that is answered with JSON. */
export interface Question {
  readonly endpoint: Endpoint;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly fetch: typeof fetch | undefined;
}

/**
 * Asks for a JSON document; with `body` by POST.
 * @throws ProviderError, also when the signal fired.
 */
export async function askJson({ endpoint, headers, signal, fetch: inner }: Question, url: string, body?: object): Promise<unknown> {
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  let response: Response;
  let said: string;
  try {
    response = await withQuery(inner ?? fetch, endpoint.query)(url, {
      ...sent,
      headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
      redirect: 'manual',
      signal,
    });
    said = await limitedText(response, MAX_BYTES);
  } catch (error) {
    throw signal.aborted ? stopped(endpoint, error) : connectionError(error, endpoint);
  }
  const document = parsed(said);
  if (!response.ok) throw failedAnswer({ status: response.status, headers: response.headers, body: document ?? '' }, endpoint);
  if (document !== undefined) return document;
  throw new ProviderError('protocol', t('{0} returned an invalid list of models. Check the setting {1}.', endpoint.host, endpoint.addressSetting));
}

function stopped({ host, addressSetting }: Endpoint, cause: unknown): ProviderError {
  return new ProviderError('network', t('{0} did not return its list of models in time. Try again, or check the setting {1}.', host, addressSetting), {
    cause,
  });
}
