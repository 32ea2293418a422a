/** An address in three parts that make the whole of it, so that its host can stand out. */
export interface UrlParts {
  readonly before: string;
  /** Host and port as written; empty when the address does not show where it leads. */
  readonly host: string;
  readonly after: string;
  /** Host and port as a browser takes them, when that is not what is written: letters of other scripts, tricks. */
  readonly actual?: string;
}

/** Scheme, authority and rest. A backslash ends an authority as a slash does. */
const SHAPE = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#\\]*)([^]*)$/i;

/** Takes an address apart. Where its host is says the browser's own parser, never a look at the text alone. */
export function urlParts(url: string): UrlParts {
  const actual = URL.canParse(url) ? new URL(url).host : '';
  const [, scheme = '', authority = '', after = ''] = SHAPE.exec(url) ?? [];
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const parts = { before: url.slice(0, url.length - after.length - host.length), host, after };
  if (scheme === '' || host === '') return { before: url, host: '', after: '', ...(actual === '' ? {} : { actual }) };
  return isSame(host, actual) ? parts : { ...parts, actual };
}

function isSame(written: string, actual: string): boolean {
  const plain = written.toLowerCase();
  return plain === actual || plain.replace(/:(?:80|443)$/, '') === actual;
}
