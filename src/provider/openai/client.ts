import { withQuery } from '../http/base-address.js';
import { noKey } from '../http/failures.js';
import { watchedFetch } from '../http/watched-fetch.js';
import type { Endpoint } from './endpoint.js';
import type { OpenAiOptions } from './options.js';
import { ChatClient } from './sdk.js';

/** The SDK wants a key, and asks the environment for one otherwise. It never leaves the client. */
const NO_KEY = 'none';

/** The SDK's own limit until the headers come, in milliseconds: a day, because silence is watched for elsewhere. */
const NO_TIMEOUT_MS = 86_400_000;

/**
 * The longest silence of a server on the user's own machine: 20 minutes. It loads the model and reads a long prompt
 * without a sign of life, on a slow machine for longer than the usual limit.
 */
const LOCAL_IDLE_MS = 1_200_000;

/**
 * Makes a client. The SDK retries nothing and logs nothing: the engine retries, and a log could contain the
 * conversation. Everything that it would read from the environment is passed explicitly.
 * @throws ProviderError of kind `no_key`.
 */
export async function createClient(options: OpenAiOptions, endpoint: Endpoint): Promise<ChatClient> {
  const headers = { ...(await authorization(options, endpoint)), 'content-type': 'application/json', accept: 'text/event-stream' };
  const client = new ChatClient({
    apiKey: NO_KEY,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: endpoint.baseUrl,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    logLevel: 'off',
    fetch: withQuery(watchedFetch(options.fetch, endpoint.preset.local ? { idleMs: LOCAL_IDLE_MS } : {}), endpoint.query),
    // Another server than the one in the settings gets neither the key nor the conversation.
    fetchOptions: { redirect: 'manual' },
  });
  client.headerSource = () => headers;
  return client;
}

/**
 * The headers that say who asks.
 * @throws ProviderError of kind `no_key` when there is no key and the server needs one.
 */
export async function authorization(options: OpenAiOptions, endpoint: Endpoint): Promise<Readonly<Record<string, string>>> {
  const key = (await options.apiKey(endpoint.namedKey?.name))?.trim() ?? '';
  // Where several keys are used, doing without the chosen one would be a surprise.
  if (key === '' && (endpoint.preset.needsKey || endpoint.namedKey !== undefined)) throw noKey(endpoint.preset.label, endpoint);
  return { ...(key === '' ? {} : { authorization: `Bearer ${key}` }), ...options.headers };
}
