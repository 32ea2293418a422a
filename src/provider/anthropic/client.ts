import { ProviderError } from '../../domain/errors.js';
import type { Endpoint } from './endpoint.js';
import type { AnthropicOptions } from './options.js';
import { MessagesClient } from './sdk.js';

/**
 * Makes a client. The SDK repeats nothing, logs nothing and traces nothing: retries are the engine's, and a log could
 * hold the conversation.
 * @throws ProviderError of kind `no_key`.
 */
export async function createClient(options: AnthropicOptions, endpoint: Endpoint): Promise<MessagesClient> {
  const apiKey = await options.apiKey();
  if (apiKey === undefined || apiKey === '') {
    throw new ProviderError(
      'no_key',
      'There is no API key for Anthropic. Run “Gnomon: Set API Key”, or set the environment variable ANTHROPIC_API_KEY and start VS Code again.',
    );
  }
  return new MessagesClient({
    apiKey,
    // null keeps the SDK from reading the environment itself.
    baseURL: endpoint.baseUrl ?? null,
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: false,
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  });
}
