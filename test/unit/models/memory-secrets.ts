import type { SecretStorage } from '../../../src/domain/host/secret-storage.js';

/** A secret storage in memory that counts how often it is asked. */
export interface MemorySecrets extends SecretStorage {
  readonly values: Map<string, string>;
  readonly asked: number;
}

export function memorySecrets(initial: Readonly<Record<string, string>> = {}): MemorySecrets {
  const values = new Map(Object.entries(initial));
  const listeners = new Set<(event: { key: string }) => void>();
  let asked = 0;
  const fire = (key: string): Promise<void> => {
    for (const listener of listeners) listener({ key });
    return Promise.resolve();
  };
  return {
    values,
    get asked() {
      return asked;
    },
    get: (key) => {
      asked += 1;
      return Promise.resolve(values.get(key));
    },
    keys: () => Promise.resolve([...values.keys()]),
    store: (key, value) => {
      values.set(key, value);
      return fire(key);
    },
    delete: (key) => {
      values.delete(key);
      return fire(key);
    },
    onDidChange: (listener) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  };
}
