import { Signal } from '../../concurrency/signal.js';
import type { SecretStorage } from '../../domain/host/secret-storage.js';
import { DEFAULT_KEY, keyAt, type KeyChoices, placeOf } from './key-choices.js';

/** Owner of a key, and the environment variable that may contain it. */
export interface KeyOwner {
  /** Name of the provider. */
  readonly id: string;
  readonly keyVariable?: string | undefined;
}

/**
 * API keys: in VS Code's secret storage, else in the environment; nowhere else. A provider can have several, each with a
 * name; the one in the environment stands in for a default that is not stored.
 */
export class Secrets {
  private readonly keyChanged = new Signal<string>();
  /** Calls back with the provider whose stored keys, or the use of them, have changed. Returns how to stop that. */
  readonly onDidChange = this.keyChanged.subscribe;
  /** Asking the storage is a round trip to the window, which every request to a model would wait for. */
  private readonly stored = new Map<string, PromiseLike<string | undefined>>();
  private places: PromiseLike<readonly string[]> | undefined;

  /** @param used takes each stored key that was used, so that nothing shows it */
  constructor(
    private readonly storage: SecretStorage,
    private readonly choices: KeyChoices,
    private readonly used: Set<string> = new Set(),
  ) {}

  /** Keeps up with changes, other windows' too. Returns how to stop that. */
  watch(): { dispose(): unknown } {
    return this.storage.onDidChange(({ key }) => {
      const changed = keyAt(key);
      if (changed !== undefined) this.changed(changed.provider);
    });
  }

  /**
   * A key of a provider: the stored one, else, for the default, that of its environment variable.
   * @param name default: the name of the one that the provider uses
   */
  async key({ id, keyVariable }: KeyOwner, name: string = this.choices.nameFor(id)): Promise<string | undefined> {
    const place = placeOf(id, name);
    const stored = this.stored.get(place) ?? this.storage.get(place);
    this.stored.set(place, stored);
    const own = await stored;
    if (own !== undefined && own !== '') this.used.add(own);
    const key = own ?? (keyVariable === undefined || name !== DEFAULT_KEY ? undefined : process.env[keyVariable]);
    return key === undefined || key === '' ? undefined : key;
  }

  /** The names of the stored keys of a provider, the default first. One in the environment does not count. */
  async names(provider: string): Promise<readonly string[]> {
    this.places ??= this.storage.keys();
    const names = (await this.places).map(keyAt).flatMap((key) => (key?.provider === provider ? [key.name] : []));
    return names.sort((a, b) => Number(b === DEFAULT_KEY) - Number(a === DEFAULT_KEY) || a.localeCompare(b));
  }

  /** Whether a provider has more than one key, with the one in the environment. */
  async hasSeveral(owner: KeyOwner): Promise<boolean> {
    const names = await this.names(owner.id);
    return names.length > 1 || (names.length === 1 && !names.includes(DEFAULT_KEY) && (await this.key(owner, DEFAULT_KEY)) !== undefined);
  }

  /** The name of the key for a model of a provider, or without a model for the provider. */
  nameFor(provider: string, model?: string): string {
    return this.choices.nameFor(provider, model);
  }

  /** The same where names matter; `undefined` where the default is the only key that there is or could be. */
  async nameWhereSeveral(owner: KeyOwner, model: string): Promise<string | undefined> {
    const name = this.nameFor(owner.id, model);
    return name !== DEFAULT_KEY || (await this.names(owner.id)).some((other) => other !== DEFAULT_KEY) ? name : undefined;
  }

  /** Stores a key of a provider. */
  async set(provider: string, key: string, name = DEFAULT_KEY): Promise<void> {
    this.used.add(key);
    await this.storage.store(placeOf(provider, name), key);
    this.changed(provider);
  }

  /** Has a model of a provider use a key, or without a model all of its models. */
  async use(provider: string, model: string | undefined, name: string): Promise<void> {
    await this.choices.use(provider, model, name);
    this.changed(provider);
  }

  /** Gives a stored key another name; what used it goes on doing so. */
  async rename(provider: string, from: string, to: string): Promise<void> {
    const key = await this.storage.get(placeOf(provider, from));
    if (key === undefined) return;
    await this.storage.store(placeOf(provider, to), key);
    await this.choices.rename(provider, from, to);
    await this.storage.delete(placeOf(provider, from));
    this.changed(provider);
  }

  /** Forgets a stored key of a provider; one in the environment stays in effect. */
  async clear(provider: string, name = DEFAULT_KEY): Promise<void> {
    await this.storage.delete(placeOf(provider, name));
    this.changed(provider);
  }

  private changed(provider: string): void {
    this.places = undefined;
    for (const place of this.stored.keys()) if (keyAt(place)?.provider === provider) this.stored.delete(place);
    this.keyChanged.emit(provider);
  }
}
