/** Runs tasks with the same key one after the other, in the order in which they came. */
export type KeyedLock = <T>(key: string, task: () => Promise<T>) => Promise<T>;

/** A lock that holds nothing yet; keys without tasks take no memory. */
export function createKeyedLock(): KeyedLock {
  const tails = new Map<string, Promise<unknown>>();
  return async (key, task) => {
    const before = tails.get(key);
    // A task that failed reports to its own caller; the next one runs all the same.
    const run = before === undefined ? task() : before.then(task, task);
    tails.set(key, run);
    try {
      return await run;
    } finally {
      if (tails.get(key) === run) tails.delete(key);
    }
  };
}
