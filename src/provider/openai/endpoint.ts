import { present } from '../../domain/present.js';
import { t } from '../../domain/l10n.js';
import { type BaseAddress, baseAddress, isOnThisMachine, shownAddress } from '../http/base-address.js';
import { noAddress, type ServerNames } from '../http/failures.js';
import type { OpenAiOptions } from './options.js';
import type { Preset } from './models/presets.js';

/** Where requests go. */
export interface Endpoint extends ServerNames {
  /** Address that the path of an API is added to, such as `/chat/completions`, without a slash at its end. */
  readonly baseUrl: string;
  /** What each request has in its query; empty where there is none. */
  readonly query: string;
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
  const addressSetting = 'gnomon.providers';
  const address = baseAddress(wanted === '' ? preset.baseUrl : wanted, addressSetting);
  if (address === undefined) {
    throw noAddress(t('“{0}” is not a valid base URL. It must start with https:// or http://. Correct the setting {1}.', shownAddress(wanted), addressSetting));
  }
  return {
    baseUrl: address.origin + pathOf(address, preset),
    query: address.query,
    host: address.host,
    addressSetting,
    ...present({ keyVariable: preset.keyVariable }),
    ...(keyName === undefined ? {} : { namedKey: { name: keyName, of: preset.label } }),
    preset,
    loopback: isOnThisMachine(address.origin),
  };
}

function pathOf({ path }: BaseAddress, preset: Preset): string {
  const own = path.replace(/\/(chat\/completions|responses)$/, '');
  return own === '' ? new URL(preset.baseUrl).pathname.replace(/\/+$/, '') : own;
}
