import { noKey } from '../http/failures.js';
import { watchedFetch } from '../http/watched-fetch.js';
import type { Endpoint } from './endpoint.js';
import type { AnthropicOptions } from './options.js';
import { MessagesClient } from './sdk.js';

/**
 * Makes a client. The SDK retries nothing, logs nothing and traces nothing: the engine retries, and a log could contain
 * the conversation.
 * @throws ProviderError of kind `no_key`.
 */
export async function createClient(options: AnthropicOptions, endpoint: Endpoint): Promise<MessagesClient> {
  const apiKey = await options.apiKey();
  if (apiKey === undefined || apiKey === '') throw noKey('Anthropic', endpoint);
  return new MessagesClient({
    apiKey,
    // null keeps the SDK from reading the environment itself.
    baseURL: endpoint.baseUrl ?? null,
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: false,
    fetch: watchedFetch(options.fetch),
    // The SDK sends the key as a bearer token. Some gateways read only the older header, so they get both.
    ...(endpoint.baseUrl === undefined ? {} : { defaultHeaders: { 'x-api-key': apiKey } }),
    // Another server than the one in the settings gets neither the key nor the conversation.
    fetchOptions: { redirect: 'manual' },
  });
}
