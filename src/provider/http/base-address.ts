import type { ProviderError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { noAddress } from './failures.js';

/** The address of a server from a setting, in the parts that requests are made of. */
export interface BaseAddress {
  readonly origin: string;
  readonly host: string;
  /** Path without a slash at its end; empty where there is none. */
  readonly path: string;
  /** What every request has behind its `?`, as it is written in the setting; empty where there is none. */
  readonly query: string;
}

/**
 * Reads an address. A query belongs behind the path of every request: gateways have a key in it, and Azure its `api-version`.
 * @param setting its name, for the error
 * @returns `undefined` for what is no web address
 * @throws ProviderError of kind `network` for a part that is never sent: a fragment, and a user name or password. None of these is in its words.
 */
export function baseAddress(address: string, setting: string): BaseAddress | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  const { host, origin, pathname, search } = url;
  if (url.username !== '' || url.password !== '')
    throw refused(t('The base URL of {0} contains a user name or a password, which cannot be sent.', host), setting);
  if (address.includes('#')) throw refused(t('The base URL of {0} contains a part behind “#”, which is never sent.', host), setting);
  return { origin, host, path: pathname.replace(/\/+$/, ''), query: search.slice(1) };
}

function refused(what: string, setting: string): ProviderError {
  return noAddress(`${what} ${t('Remove it from the setting {0}.', setting)}`);
}

/** An address as it may be shown: without what can be a password or a key. */
export function shownAddress(address: string): string {
  return address.replace(/[?#].*$/s, '').replace(/^([a-z][a-z0-9+.-]*:\/*)?[^/]*@/i, '$1');
}

/** A `fetch` that adds the query of an address to each request, behind the path and what the request has of its own. */
export function withQuery(inner: typeof fetch, query: string): typeof fetch {
  if (query === '') return inner;
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    url.search = url.search === '' ? query : `${url.search}&${query}`;
    return inner(input instanceof Request ? new Request(url, input) : url.href, init);
  };
}

/** Names of this machine, as `URL` writes them. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether an address is of a server on this machine. */
export function isOnThisMachine(address: string): boolean {
  return URL.canParse(address) && LOOPBACK.test(new URL(address).hostname);
}
