/** Runs tasks one after another, in the order in which they came. */
export class Queue {
  private tail: Promise<void> = Promise.resolve();
  private count = 0;

  /** Number of running and waiting tasks. */
  get size(): number {
    return this.count;
  }

  /** Runs a task when all before it have ended, however they ended: a task that failed rejects to its own caller. */
  run<T>(task: () => Promise<T> | T): Promise<T> {
    const ended = (): void => void (this.count -= 1);
    this.count += 1;
    const result = this.tail.then(task);
    this.tail = result.then(ended, ended);
    return result;
  }

  /** Resolves when all tasks that came until now have ended, however they ended. */
  idle(): Promise<void> {
    return this.tail;
  }
}

/** A {@link Queue} for each key; keys without tasks take no memory. */
export class KeyedQueue {
  private readonly queues = new Map<string, Queue>();

  /** Runs a task when all before it with the same key have ended; see {@link Queue.run}. */
  run<T>(key: string, task: () => Promise<T> | T): Promise<T> {
    const queue = this.queues.get(key) ?? new Queue();
    this.queues.set(key, queue);
    return queue.run(task).finally(() => {
      if (queue.size === 0) this.queues.delete(key);
    });
  }

  /**
   * Runs a task when all before it with any of the keys have ended. Others wait for it that share one of them. Keys are taken in their order, so
   * that two tasks cannot wait for each other.
   */
  runOn<T>(keys: readonly string[], task: () => Promise<T> | T): Promise<T> {
    const [first, ...rest] = [...new Set(keys)].sort();
    if (first === undefined) return Promise.resolve().then(task);
    return rest.length === 0 ? this.run(first, task) : this.run(first, () => this.runOn(rest, task));
  }
}
