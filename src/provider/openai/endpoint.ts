import { t } from '../../domain/l10n.js';
import { noAddress } from '../http/failures.js';
import type { ServerNames } from '../http/server-names.js';
import { isOnThisMachine } from '../http/this-machine.js';
import type { OpenAiOptions } from './options.js';
import type { Preset } from './models/presets.js';

/** Where requests go. */
export interface Endpoint extends ServerNames {
  /** Address that the path of an API is added to, such as `/chat/completions`, without a slash at its end. */
  readonly baseUrl: string;
  readonly preset: Preset;
  /** Whether it is on this machine. */
  readonly loopback: boolean;
}

/**
 * Reads the address from the settings. One without a path gets the path of the preset, and one of
 * `…/chat/completions` or `…/responses` itself is understood too.
 * @param keyName which of several keys is used
 * @throws ProviderError of kind `network` when it is not a web address.
 */
export function parseEndpoint(options: Pick<OpenAiOptions, 'preset' | 'baseUrl'>, keyName?: string): Endpoint {
  const { preset } = options;
  const wanted = (options.baseUrl() ?? '').trim();
  const url = addressOf(wanted === '' ? preset.baseUrl : wanted);
  const addressSetting = 'gnomon.providers';
  if (url === undefined) {
    throw noAddress(t('“{0}” is not a valid base URL. It must start with https:// or http://. Correct the setting {1}.', wanted, addressSetting));
  }
  const path = url.pathname.replace(/\/+$/, '').replace(/\/(chat\/completions|responses)$/, '');
  return {
    baseUrl: url.origin + (path === '' ? new URL(preset.baseUrl).pathname.replace(/\/+$/, '') : path),
    host: url.host,
    addressSetting,
    ...(preset.keyVariable === undefined ? {} : { keyVariable: preset.keyVariable }),
    ...(keyName === undefined ? {} : { namedKey: { name: keyName, of: preset.label } }),
    preset,
    loopback: isOnThisMachine(url.origin),
  };
}

function addressOf(address: string): URL | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) ? url : undefined;
}
