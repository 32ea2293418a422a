import { ProviderError } from '../../domain/errors.js';

/** Where requests go. */
export interface Endpoint {
  /** Address for the client, without `/v1` at its end; `undefined` is Anthropic itself. */
  readonly baseUrl: string | undefined;
  /** Name and port for messages. */
  readonly host: string;
}

/**
 * Reads the address from the settings. A `/v1` at its end is dropped, because the client adds its own.
 * @throws ProviderError of kind `network` when it is not a web address.
 */
export function parseEndpoint(baseUrl: string | undefined): Endpoint {
  if (baseUrl === undefined || baseUrl.trim() === '') return { baseUrl: undefined, host: 'api.anthropic.com' };
  const trimmed = baseUrl.trim().replace(/\/+$/, '').replace(/\/v1$/, '');
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new ProviderError(
      'network',
      `The address “${baseUrl}” is not a web address. Correct the setting gnomon.anthropic.baseUrl (or ANTHROPIC_BASE_URL): it begins with https:// or http://.`,
    );
  }
  return { baseUrl: trimmed, host: url.host };
}
