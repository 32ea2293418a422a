import { hiddenCharacters } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import { redact } from '../../text/redact.js';

/** The name of the key that a provider has as long as it has only one; the one in the environment has it too. */
export const DEFAULT_KEY = 'default';

/** Longest name of a key, in characters. */
const LONGEST = 40;

/** What begins like the key of a service, or is as long as one without any space. */
const LIKE_A_KEY = /^(?:sk|xai|gsk)[-_]\S{6}|^AIza|\S{30}/;

/** Where a key is in the secret storage. Names of keys have no colon. */
export function placeOf(provider: string, name: string): string {
  return `gnomon.${provider}.apiKey${name === DEFAULT_KEY ? '' : `:${name}`}`;
}

/** Whose key is at a place of the secret storage, and which; `undefined` for what is no key. */
export function keyAt(place: string): { readonly provider: string; readonly name: string } | undefined {
  const [, provider, name = DEFAULT_KEY] = /^gnomon\.(.+?)\.apiKey(?::([^:]+))?$/.exec(place) ?? [];
  return provider === undefined ? undefined : { provider, name };
}

/**
 * Why a name cannot be given to a key; `undefined` when it can. What looks like a key is refused: names are shown, keys never.
 * @param taken the names of the provider's other keys
 */
export function nameProblem(value: string, taken: readonly string[]): string | undefined {
  const name = value.trim();
  if (name === '') return t('The name cannot be empty.');
  if (name.length > LONGEST) return t('The name cannot be longer than {0} characters.', LONGEST);
  if (hiddenCharacters(name) !== undefined || /[\p{Cc}:]/u.test(name)) return t('The name cannot contain colons or invisible characters.');
  if (redact(name) !== name || LIKE_A_KEY.test(name)) return t('This looks like an API key. Enter a name for it first, such as “work”.');
  return taken.some((other) => other.toLowerCase() === name.toLowerCase()) ? t('There is already a key with this name.') : undefined;
}
