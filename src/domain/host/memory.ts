/**
 * Key-value storage that survives restarts and that no workspace or tool can change: of the user, or of the user for one workspace. Values are
 * what JSON can say; what was stored by another version is untrusted.
 */
export interface Memory {
  get(key: string): unknown;
  /** @param value `undefined` forgets the key */
  update(key: string, value: unknown): PromiseLike<void>;
}

/** A memory that lists its keys. */
export interface ListedMemory extends Memory {
  keys(): readonly string[];
}

/** The list that a memory has under a key; empty where it has anything else. */
export function listIn(memory: Pick<Memory, 'get'>, key: string): readonly unknown[] {
  const kept = memory.get(key);
  return Array.isArray(kept) ? (kept as unknown[]) : [];
}
