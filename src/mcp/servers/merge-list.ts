import { isDeepStrictEqual } from 'node:util';

/**
 * A list of a server, read anew: what is the same stays the same object, and what was there before stays in its order, so that the
 * definitions that a model was sent do not move (M-07). Without any difference the result is the list before. What is listed twice is
 * taken once, as it came first.
 */
export function mergeList<Item>(before: readonly Item[], now: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  const found = new Map<string, Item>();
  for (const item of now) if (!found.has(keyOf(item))) found.set(keyOf(item), item);
  const merged: Item[] = [];
  for (const item of before) {
    const key = keyOf(item);
    const next = found.get(key);
    if (next === undefined) continue;
    merged.push(isDeepStrictEqual(item, next) ? item : next);
    found.delete(key);
  }
  merged.push(...found.values());
  const same = merged.length === before.length && merged.every((item, index) => item === before[index]);
  return same ? before : merged;
}
