/** Storage for secrets such as API keys, encrypted where the system supports that. */
export interface SecretStorage {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
  /** The keys that something is stored for. */
  keys(): PromiseLike<readonly string[]>;
  /** Tells of changes, also of those that another window makes. */
  onDidChange(listener: (event: { readonly key: string }) => void): { dispose(): unknown };
}
