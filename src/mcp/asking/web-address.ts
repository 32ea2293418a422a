/** Characters of an address that can be read before it is opened. */
const MAX_ADDRESS = 2_000;
// oxlint-disable-next-line no-control-regex -- controls are what it looks for
const UNSEEN = /[\x00-\x20\x7f-\xa0\\]|\p{Cf}|\p{Zl}|\p{Zp}|\p{Zs}/u;

/** What a server wants to have opened: refused, with a reason for the server's author, or an address as the browser will read it. */
export type WebAddress = { readonly refused: string } | { readonly url: string };

/**
 * Judges an address that a server wants to have opened, without opening it. Only what can do nothing but show a web page is left, and
 * only in the form in which the user is shown where it leads. The part of the specification about elicitation in URL mode (2025-11-25).
 */
export function readWebAddress(address: string): WebAddress {
  if (address.length > MAX_ADDRESS) return { refused: `The address is longer than ${MAX_ADDRESS} characters.` };
  // Browsers leave some of these out and take others for slashes, so that what is read is not what is opened.
  if (UNSEEN.test(address)) return { refused: 'The address contains spaces, backslashes, or characters that cannot be seen.' };
  if (!URL.canParse(address)) return { refused: 'The address is not a complete URL.' };
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { refused: 'Only addresses with https: or http: can be opened.' };
  // Also where both are empty, as in `https://@host`.
  if (/^https?:\/*[^/?#]*@/i.test(address)) return { refused: 'The address contains a user name.' };
  if (url.href.length > MAX_ADDRESS) return { refused: `The address is longer than ${MAX_ADDRESS} characters.` };
  return { url: url.href };
}

/** The host of a server when an address leads to another one. `undefined` for the server's own host, its subdomains, and a server that has none. */
export function otherHostThan(url: string, own: string | undefined): string | undefined {
  if (own === undefined || own === '') return undefined;
  const { hostname } = new URL(url);
  return hostname === own || hostname.endsWith(`.${own}`) ? undefined : own;
}
