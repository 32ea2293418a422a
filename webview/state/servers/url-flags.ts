import { t } from '../../../src/protocol/l10n.js';

const IP_V4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** Whether an address is that of a web page, which can be opened. */
export function isWebPage(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

/**
 * Warnings about an untrusted URL before it is opened, as sentences.
 * @param ownHost the stranger's own host, when the address leads to another one
 */
export function urlFlags(url: string, ownHost?: string): readonly string[] {
  if (!URL.canParse(url)) return [t('This is not a complete URL.')];
  const { protocol, hostname, username, password } = new URL(url);
  if (!isWebPage(url)) return [t('This does not lead to a web page. Gnomon opens only web pages.')];
  const flags: readonly (string | false)[] = [
    protocol === 'http:' && t('The connection is not encrypted. Others can read and change what you enter.'),
    (username !== '' || password !== '') && t('The text before the @ is not where this leads.'),
    (IP_V4.test(hostname) || hostname.startsWith('[')) && t('This leads to a number instead of a name. Services that you sign in to have names.'),
    hostname.split('.').some((label) => label.startsWith('xn--')) && t('The name contains letters that can look like others.'),
    ownHost !== undefined && t('This does not lead to the host of the server itself, which is {0}.', ownHost),
  ];
  return flags.filter((flag) => flag !== false);
}
