import { ToolInputError } from '../errors.js';

/** A document of the web. */
export interface WebPage {
  /** The address that answered, after redirects. */
  readonly url: string;
  readonly status: number;
  /** Media type without parameters, in lower case, such as `text/html`. */
  readonly contentType: string;
  /** The decoded text, cut at the size limit; empty for a PDF document. */
  readonly text: string;
  /** Present where what is not ASCII could not be read, as the encoding is not known; with its name, if there is one. */
  readonly unread?: { readonly encoding: string | undefined };
  /** The bytes of a PDF document; absent for text. */
  readonly pdf?: Uint8Array;
  readonly truncated: boolean;
}

/** Gets documents from the public web. */
export interface WebPages {
  /**
   * @param url http or https.
   * @throws ToolInputError for an address that is private, local or not of the web, for a redirect to another host
   *   (naming it, so that it can be asked for), too many redirects, what is neither text nor a whole PDF document, and what did not answer in time.
   */
  get(url: string, signal: AbortSignal): Promise<WebPage>;
}

/** Longest address, in characters. */
const MAX_ADDRESS = 2_000;
/** Ports that other protocols listen on; those below 1024 but 80 and 443 are refused anyway. Source: WHATWG Fetch, "bad port". */
const BAD_PORTS: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/**
 * The one spelling of an address of the web: the host in ASCII (so a look-alike shows as `xn--…`), numbers of hosts in
 * their usual form, no fragment.
 * @throws ToolInputError for what is no address, has a name or password in it, or is not of the web.
 */
export function webAddress(text: string): URL {
  if (text.length > MAX_ADDRESS) throw new ToolInputError(`The address is longer than ${MAX_ADDRESS} characters.`);
  if (!URL.canParse(text)) throw new ToolInputError('This is no address. It must be whole, such as https://example.com/page.');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new ToolInputError('Only addresses with https: and http: can be fetched.');
  if (url.username !== '' || url.password !== '') {
    throw new ToolInputError(`The address has a name or password before the host ${url.hostname}. Leave it out.`);
  }
  const port = Number(url.port);
  if (url.port !== '' && ((port < 1024 && port !== 80 && port !== 443) || BAD_PORTS.has(port))) {
    throw new ToolInputError(`Port ${port} is not one of the web.`);
  }
  url.hash = '';
  return url;
}
