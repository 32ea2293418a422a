import { t } from '../../domain/l10n.js';

/** Why an address, without variables, cannot be one of a server; `undefined` when it can. */
export function urlProblem(url: string): string | undefined {
  if (url !== url.trim()) return t('The address begins or ends with a space.');
  const problem = schemeProblem(url);
  if (problem !== undefined) return problem;
  if (!URL.canParse(url)) return t('This is not a valid address.');
  const { username, password } = new URL(url);
  return username === '' && password === '' ? undefined : t('The address contains a user name or password. Put it into a header instead.');
}

/** Why an address, or its beginning up to `//`, is of a kind that Gnomon cannot connect to; `undefined` when it is not. */
export function schemeProblem(url: string): string | undefined {
  if (/^(?:unix|pipe):/i.test(url))
    return t('Gnomon cannot connect to sockets and named pipes. Only addresses with {0} or {1} are possible.', 'https://', 'http://');
  if (/^wss?:/i.test(url)) return t('Gnomon cannot connect to WebSockets. Only addresses with {0} or {1} are possible.', 'https://', 'http://');
  return /^https?:\/\//i.test(url) ? undefined : t('The address must begin with {0} or {1}.', 'https://', 'http://');
}

/** Whether an address, without variables, leads to this machine. */
export function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** Whether a name can be one of a header (RFC 9110, 5.6.2). */
export function isHeaderName(name: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && name !== '__proto__';
}

/** Whether a value can be one of a header: no line breaks, which would begin another one, and no characters that cannot be sent. */
export function isHeaderValue(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

/** Whether a name can be one of an environment variable on every system. */
export function isVariableName(name: string): boolean {
  return /^[^=\0\s][^=\0\r\n]*$/.test(name) && name !== '__proto__';
}
