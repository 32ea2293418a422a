import type Anthropic from '@anthropic-ai/sdk';
import type * as AnthropicSdk from '@anthropic-ai/sdk';
import { ProviderError } from '../../domain/errors.js';
import type { Endpoint } from './endpoint.js';
import { parseEndpoint } from './endpoint.js';

/** The SDK as a loaded module. */
export type Sdk = typeof AnthropicSdk;

/** Where the provider gets what it needs; asked again for every request, so that a change takes effect at once. */
export interface AnthropicOptions {
  /** The API key; `undefined` when there is none. It is given to the SDK's client and to nothing else. */
  apiKey(): Promise<string | undefined>;
  /** Address of the endpoint; `undefined` is Anthropic itself. */
  baseUrl(): string | undefined;
  /** The time of messages, as RFC 3339. Default: the system's. */
  readonly now?: () => string;
  /** Default: the platform's. */
  readonly fetch?: typeof fetch;
}

/** A client and what belongs to it. */
export interface Connection {
  readonly client: Anthropic;
  readonly sdk: Sdk;
  readonly endpoint: Endpoint;
}

/**
 * Loads the SDK and makes a client. The SDK repeats nothing, logs nothing and traces nothing: retries are the engine's,
 * and a log could hold the conversation.
 * @throws ProviderError of kind `no_key` or, for an address that is none, `network`.
 */
export async function connect(options: AnthropicOptions): Promise<Connection> {
  const endpoint = parseEndpoint(options.baseUrl());
  const apiKey = await options.apiKey();
  if (apiKey === undefined || apiKey === '') {
    throw new ProviderError(
      'no_key',
      'There is no API key for Anthropic. Run “Gnomon: Set API Key”, or set the environment variable ANTHROPIC_API_KEY and start VS Code again.',
    );
  }
  const sdk = await import('@anthropic-ai/sdk');
  const client = new sdk.Anthropic({
    apiKey,
    // null keeps the SDK from reading the environment itself.
    baseURL: endpoint.baseUrl ?? null,
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: false,
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  });
  return { client, sdk, endpoint };
}
