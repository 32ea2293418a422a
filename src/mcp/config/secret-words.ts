import { redact } from '../../text/redact.js';
import { anyOf } from '../../text/any-of.js';

/** The last word of names of variables and headers whose values are credentials. What `redact` knows goes by what is around a value in a text. */
const SECRET_NAME = new RegExp(
  `(?:^|[^a-z])(?:${anyOf(
    'keys?|[a-z]*(?:apikeys?|tokens?|secrets?|passwords?)',
    'passwd|passphrase|pwd|[a-z]*pass',
    'credentials?|creds|auth(?:orization)?|cookies?|pat',
    'dsn|connection[_-]?string|signature',
  )})(?:$|[^a-z])`,
  'i',
);
/** Names that look like these and are the working directory. */
const NO_SECRET: ReadonlySet<string> = new Set(['PWD', 'OLDPWD']);
/** Values that say where a key is, or that there is none. */
const HARMLESS = /^(?:[\\/~]|\.{1,2}[\\/]|[A-Za-z]:[\\/]|(?:true|false|null|none|yes|no|on|off|\d{1,5})$|$)/i;

/** Whether the value of a variable or header looks like a credential, by its name or its form. */
export function looksSecret(name: string, value: string): boolean {
  if (HARMLESS.test(value) || NO_SECRET.has(name)) return false;
  return SECRET_NAME.test(name.replace(/([a-z\d])([A-Z])/g, '$1_$2')) || redact(value) !== value;
}
