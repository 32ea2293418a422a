import type * as vscode from 'vscode';

const ANTHROPIC_KEY = 'gnomon.anthropic.apiKey';

/** API keys: in VS Code's secret storage, else in the environment; nowhere else. */
export class Secrets {
  private readonly storage: vscode.SecretStorage;

  constructor(storage: vscode.SecretStorage) {
    this.storage = storage;
  }

  /** The Anthropic key: the stored one, else `ANTHROPIC_API_KEY`. */
  async anthropicKey(): Promise<string | undefined> {
    const stored = await this.storage.get(ANTHROPIC_KEY);
    const key = stored ?? process.env['ANTHROPIC_API_KEY'];
    return key === undefined || key === '' ? undefined : key;
  }

  /** Stores the Anthropic key. */
  async setAnthropicKey(key: string): Promise<void> {
    await this.storage.store(ANTHROPIC_KEY, key);
  }

  /** Forgets the stored Anthropic key; one in the environment stays in effect. */
  async clearAnthropicKey(): Promise<void> {
    await this.storage.delete(ANTHROPIC_KEY);
  }
}
