import { redact } from '../../text/redact.js';

/** Names of variables and headers whose values are credentials, in whatever way words are put together. */
const SECRET_NAME = /(?:^|[^a-z])(?:api|access|secret|private|signing|encryption|master|account|subscription|auth)?[_-]?(?:keys?|apikey|tokens?|secrets?|passwords?|passwd|passphrase|pwd|pass|credentials?|creds|auth(?:orization)?|cookies?|pat|dsn|connection[_-]?string|session(?:[_-]?id)?|signature)(?:$|[^a-z])/i;
/** Names that look like these and are the working directory. */
const NO_SECRET: ReadonlySet<string> = new Set(['PWD', 'OLDPWD']);
/** Values that say where a key is, or that there is none. */
const HARMLESS = /^(?:[\\/~]|\.{1,2}[\\/]|[A-Za-z]:[\\/]|(?:true|false|null|none|yes|no|on|off|\d{1,5})$|$)/i;

/** Whether the value of a variable or header looks like a credential, by its name or by itself. */
export function looksSecret(name: string, value: string): boolean {
  if (HARMLESS.test(value) || NO_SECRET.has(name)) return false;
  return SECRET_NAME.test(name) || redact(value) !== value;
}
