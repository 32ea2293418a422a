import { withQuery } from '../http/base-address.js';
import { noKey } from '../http/failures.js';
import { watchedFetch } from '../http/watched-fetch.js';
import { type Endpoint, type AnthropicOptions, SERVICE } from './endpoint.js';
import { BaseAnthropic } from '@anthropic-ai/sdk/client';
import { Models } from '@anthropic-ai/sdk/resources/models';

/**
 * Makes a client. The SDK retries nothing, logs nothing and traces nothing: the engine retries, and a log could contain
 * the conversation.
 * @throws ProviderError of kind `no_key`.
 */
export async function createClient(options: AnthropicOptions, endpoint: Endpoint): Promise<MessagesClient> {
  const apiKey = await options.apiKey(endpoint.namedKey?.name);
  if (apiKey === undefined || apiKey === '') throw noKey(SERVICE, endpoint);
  return new MessagesClient({
    apiKey,
    // null keeps the SDK from reading the environment itself.
    baseURL: endpoint.baseUrl ?? null,
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: false,
    fetch: withQuery(watchedFetch(options.fetch), endpoint.query),
    // The SDK sends the key as a bearer token. Some gateways read only the older header, so they get both.
    ...(endpoint.baseUrl === undefined ? {} : { defaultHeaders: { 'x-api-key': apiKey } }),
    // Another server than the one in the settings gets neither the key nor the conversation.
    fetchOptions: { redirect: 'manual' },
  });
}

export { APIConnectionError, APIError } from '@anthropic-ai/sdk/core/error';

/**
 * The SDK's client with the resource that is used, put together as the SDK's own clients for other platforms are. The
 * ready-made `Anthropic` class includes every resource and makes the bundle three times as large.
 */
class MessagesClient extends BaseAnthropic {
  /** `GET /v1/models`. */
  readonly models = new Models(this);
}
