import type { Context } from '../context.js';
import type { Word } from './word.js';

/** Names of variables that by convention contain passwords or keys. */
const SECRET_NAME = /(?:TOKEN|SECRET|PASSW|PASSPHRASE|PWD_|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|AUTH|COOKIE|SIGNING|DSN|DATABASE_URL|CONNECTION_STRING)/i;

/** Whether a name is that of a variable which contains a password or a key. */
export function isSecretVariable(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Whether a word expands a variable that likely contains a secret. */
export function holdsSecret({ start, end, risk }: Pick<Word, 'start' | 'end' | 'risk'>, { source }: Context): boolean {
  return risk !== 'none' && (source.text.slice(start, end).match(/\$\{?[!#]?\w+/g) ?? []).some((name) => isSecretVariable(name));
}
