import type * as vscode from 'vscode';
import { Signal } from '../../concurrency/signal.js';

/** Owner of a key, and the environment variable that may contain it. */
export interface KeyOwner {
  /** Name of the provider. */
  readonly id: string;
  readonly keyVariable?: string | undefined;
}

/** What is used of VS Code's secret storage. */
export interface KeyStorage extends Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'> {
  onDidChange(listener: (event: vscode.SecretStorageChangeEvent) => void): { dispose(): unknown };
}

/** API keys: in VS Code's secret storage, else in the environment; nowhere else. */
export class Secrets {
  private readonly storage: KeyStorage;
  private readonly used: Set<string>;
  private readonly keyChanged = new Signal<string>();
  /** Calls back with the provider whose stored key has changed. Returns how to stop that. */
  readonly onDidChange = this.keyChanged.subscribe;
  /** Asking the storage is a round trip to the window, which every request to a model would wait for. */
  private readonly stored = new Map<string, Thenable<string | undefined>>();

  /** @param used takes each stored key that was used, so that nothing shows it */
  constructor(storage: KeyStorage, used: Set<string> = new Set()) {
    this.storage = storage;
    this.used = used;
  }

  /** Keeps up with changes, other windows' too. Returns how to stop that. */
  watch(): { dispose(): unknown } {
    return this.storage.onDidChange(({ key }) => {
      const provider = providerOf(key);
      if (provider !== undefined) this.changed(provider);
    });
  }

  /** The key of a provider: the stored one, else that of its environment variable. */
  async key({ id, keyVariable }: KeyOwner): Promise<string | undefined> {
    const stored = this.stored.get(id) ?? this.storage.get(nameOf(id));
    this.stored.set(id, stored);
    const own = await stored;
    if (own !== undefined && own !== '') this.used.add(own);
    const key = own ?? (keyVariable === undefined ? undefined : process.env[keyVariable]);
    return key === undefined || key === '' ? undefined : key;
  }

  /** Whether a key of a provider is stored; one in the environment does not count. */
  async isStored(provider: string): Promise<boolean> {
    return (await this.storage.get(nameOf(provider))) !== undefined;
  }

  /** Stores the key of a provider. */
  async set(provider: string, key: string): Promise<void> {
    this.used.add(key);
    await this.storage.store(nameOf(provider), key);
    this.changed(provider);
  }

  /** Forgets the stored key of a provider; one in the environment stays in effect. */
  async clear(provider: string): Promise<void> {
    await this.storage.delete(nameOf(provider));
    this.changed(provider);
  }

  private changed(provider: string): void {
    this.stored.delete(provider);
    this.keyChanged.emit(provider);
  }
}

function nameOf(provider: string): string {
  return `gnomon.${provider}.apiKey`;
}

function providerOf(name: string): string | undefined {
  return /^gnomon\.(.+)\.apiKey$/.exec(name)?.[1];
}
