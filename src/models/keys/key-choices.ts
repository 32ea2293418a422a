import { hiddenCharacters } from '../../domain/hidden-characters.js';
import type { Memory } from '../../domain/host/memory.js';
import { t } from '../../domain/l10n.js';
import { redact } from '../../text/redact.js';

/** The name of the key that a provider has as long as it has only one; the one in the environment has it too. */
export const DEFAULT_KEY = 'default';

/** Longest name of a key, in characters. */
const LONGEST = 40;

/** Texts that look like the key of a service: by their prefix, or long and without spaces. */
const LIKE_A_KEY = /^(?:sk|xai|gsk)[-_]\S{6}|^AIza|\S{30}/;

/** Where a key is in the secret storage. Names of keys have no colon. */
export function placeOf(provider: string, name: string): string {
  return `gnomon.${provider}.apiKey${name === DEFAULT_KEY ? '' : `:${name}`}`;
}

/** Provider and name of the key at a place of the secret storage; `undefined` for other secrets. */
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

/** Names of keys by what uses them: a provider, or a model as `provider/model`. */
type Choices = Readonly<Record<string, string>>;

/** Where the choices are in the storage of the application. */
const PLACE = 'gnomon.keyChoices';

/**
 * The key in use of each provider, and of models with another one. Kept in the storage of the application and not in
 * the settings, so that no workspace can decide which account pays.
 */
export class KeyChoices {
  constructor(private readonly storage: Memory) {}

  /** The name of the key for a model, or without one for a provider. */
  nameFor(provider: string, model = ''): string {
    const choices = this.read();
    return choices.get(`${provider}/${model}`) ?? choices.get(provider) ?? DEFAULT_KEY;
  }

  /** Has a model use a key; without a model, every model of the provider, those with a key of their own too. */
  async use(provider: string, model: string | undefined, name: string): Promise<void> {
    const others = [...this.read()].filter(([user]) => (model === undefined ? !isOf(user, provider) : user !== `${provider}/${model}`));
    await this.write([...others, [model === undefined ? provider : `${provider}/${model}`, name]]);
  }

  /** Has everything that used a key use it under its new name. */
  async rename(provider: string, from: string, to: string): Promise<void> {
    const own = new Map([...this.read()].filter(([user]) => isOf(user, provider)));
    const others = [...this.read()].filter(([user]) => !isOf(user, provider));
    // A provider that has chosen none uses the default.
    if (!own.has(provider)) own.set(provider, DEFAULT_KEY);
    await this.write([...others, ...[...own].map(([user, name]): [string, string] => [user, name === from ? to : name])]);
  }

  /** Stored choices, without invalid ones. */
  private read(): ReadonlyMap<string, string> {
    const stored: unknown = this.storage.get(PLACE);
    if (typeof stored !== 'object' || stored === null) return new Map();
    return new Map(Object.entries(stored).filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== ''));
  }

  private async write(choices: readonly (readonly [string, string])[]): Promise<void> {
    const stored: Choices = Object.fromEntries(choices);
    await this.storage.update(PLACE, stored);
  }
}

function isOf(user: string, provider: string): boolean {
  return user === provider || user.startsWith(`${provider}/`);
}
