import type * as vscode from 'vscode';

const ANTHROPIC_KEY = 'gnomon.anthropic.apiKey';

/** API keys: in VS Code's secret storage, else in the environment; nowhere else. */
export class Secrets {
  private readonly storage: vscode.SecretStorage;
  /** Asking the storage is a round trip to the window, which every request to a model would wait for. */
  private stored: Thenable<string | undefined> | undefined;

  constructor(storage: vscode.SecretStorage) {
    this.storage = storage;
  }

  /** Keeps up with changes, other windows' too. Returns how to stop that. */
  watch(): vscode.Disposable {
    return this.storage.onDidChange(() => {
      this.stored = undefined;
    });
  }

  /** The Anthropic key: the stored one, else `ANTHROPIC_API_KEY`. */
  async anthropicKey(): Promise<string | undefined> {
    this.stored ??= this.storage.get(ANTHROPIC_KEY);
    const key = (await this.stored) ?? process.env['ANTHROPIC_API_KEY'];
    return key === undefined || key === '' ? undefined : key;
  }

  /** Stores the Anthropic key. */
  async setAnthropicKey(key: string): Promise<void> {
    await this.storage.store(ANTHROPIC_KEY, key);
    this.stored = undefined;
  }

  /** Forgets the stored Anthropic key; one in the environment stays in effect. */
  async clearAnthropicKey(): Promise<void> {
    await this.storage.delete(ANTHROPIC_KEY);
    this.stored = undefined;
  }
}
