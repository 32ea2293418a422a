import { t } from '../../domain/l10n.js';
import { baseAddress, shownAddress } from '../http/base-address.js';
import { noAddress, type ServerNames } from '../http/failures.js';
import type { RequestLog } from '../http/request-log.js';

/** Where requests go. */
export interface Endpoint extends ServerNames {
  /** Address for the client, without `/v1` at its end; `undefined` is Anthropic itself. */
  readonly baseUrl: string | undefined;
  /** What each request has in its query beside its own; empty where there is none. */
  readonly query: string;
}

/** The environment variable for the key. */
export const KEY_VARIABLE = 'ANTHROPIC_API_KEY';

const NAMES = { addressSetting: 'gnomon.anthropic.baseUrl', keyVariable: KEY_VARIABLE } as const;

const DEFAULT_HOST = 'api.anthropic.com';

/** The display name of the service. */
export const SERVICE = 'Anthropic';

/**
 * Reads the address from the settings. A `/v1` or `/v1/messages` at its end is dropped, because the client adds its own.
 * @param keyName which of several keys is used
 * @throws ProviderError of kind `network` when it is not a web address.
 */
export function parseEndpoint(baseUrl: string | undefined, keyName?: string): Endpoint {
  const names = { ...NAMES, ...(keyName === undefined ? {} : { namedKey: { name: keyName, of: SERVICE } }) };
  if (baseUrl === undefined || baseUrl.trim() === '') return { baseUrl: undefined, query: '', host: DEFAULT_HOST, ...names };
  const address = baseAddress(baseUrl.trim(), NAMES.addressSetting);
  if (address === undefined) {
    throw noAddress(
      t(
        '“{0}” is not a valid base URL. It must start with https:// or http://. Correct the setting {1} (or ANTHROPIC_BASE_URL).',
        shownAddress(baseUrl),
        NAMES.addressSetting,
      ),
    );
  }
  const { origin, path, query, host } = address;
  return { baseUrl: origin + path.replace(/\/v1(?:\/messages)?$/, ''), query, host, ...names };
}

/** Whether an address leads to Anthropic's own servers, which can do what gateways may not know of. */
export function isAnthropicItself(baseUrl: string | undefined): boolean {
  const address = baseUrl?.trim() ?? '';
  return address === '' || (URL.canParse(address) && new URL(address).host === DEFAULT_HOST);
}

/** How long the API keeps a prompt in its cache after each use. */
export type CacheDuration = '5m' | '1h';

/** Where the provider gets what it needs; asked again for every request, so that a change takes effect at once. */
export interface AnthropicOptions {
  /**
   * The API key; `undefined` when there is none. It is given to the SDK's client and to nothing else.
   * @param name which of several; default: the one that the provider uses
   */
  apiKey(name?: string): Promise<string | undefined>;
  /** Which of several keys a model uses, `''` for the list of models; `undefined` where there is only one. */
  keyName?(model: string): Promise<string | undefined>;
  /** Address of the endpoint; `undefined` is Anthropic itself. */
  baseUrl(): string | undefined;
  /** How long prompts stay in the cache. Default: 5 minutes. */
  readonly cacheDuration?: () => CacheDuration;
  /** The time of messages, as RFC 3339. Default: the system's. */
  readonly now?: () => string;
  /** Where requests are noted for the user. Default: nowhere. */
  readonly requests?: RequestLog;
  /** Default: the platform's. */
  readonly fetch?: typeof fetch;
}
