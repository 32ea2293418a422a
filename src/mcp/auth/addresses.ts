import { t } from '../../domain/l10n.js';
import { McpError } from '../../domain/mcp/connection.js';
import { isThisMachine } from '../../domain/mcp/sign-in.js';

/** Longest address of an authorization server, in characters. */
const MAX_ADDRESS = 8_000;
/** Allowed characters of a URL, so that no program on the way to the browser can misread it, such as a shell. */
const HARMLESS = /^https?:\/\/[A-Za-z0-9.:[\]-]+(?:\/[A-Za-z0-9._~@:+,=%/-]*)?(?:\?[A-Za-z0-9._~@:+,=%/?&*-]*)?$/;

/**
 * The address of a server to sign in to.
 * @throws McpError `refused` where a token would be readable on its way.
 */
export function serverAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '' || !isSecure(url)) {
    throw new McpError('refused', t('Gnomon signs in to servers with https: addresses only, or http: on this machine.'));
  }
  url.hash = '';
  return url;
}

/**
 * The address of the page on which a user signs in, as the metadata of an authorization server names it. The
 * metadata is not trusted: the address is opened in a browser, so it must not start a program or lead elsewhere.
 * @param mayBeLocal whether the server itself is on this machine
 * @throws McpError `refused` for everything but a plain address of the web.
 */
export function authorizationAddress(text: string, mayBeLocal: boolean): URL {
  if (text.length <= MAX_ADDRESS && HARMLESS.test(text) && isEndpoint(text, mayBeLocal)) return new URL(text);
  throw new McpError('refused', t('The authorization server wants to open what is not a plain https: address. Gnomon does not open it.'));
}

/** Whether secrets may be sent to an address that metadata name. Where it leads is checked with each request. */
export function isEndpoint(text: string, mayBeLocal: boolean): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && url.username === '' && url.password === '' && isSecure(url) && (mayBeLocal || !isThisMachine(url.hostname));
}

function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isThisMachine(hostname));
}

/** Whether an address is that of a resource or beneath it. */
export function isWithin(address: URL, resource: URL): boolean {
  const folder = (path: string): string => (path.endsWith('/') ? path : `${path}/`);
  return address.origin === resource.origin && folder(address.pathname).startsWith(folder(resource.pathname));
}
