import { AbortError } from '../../domain/errors.js';

/** Work by key that those who want the same share. It is stopped when none of them wants it any more. */
export class JoinedWork<T> {
  private readonly running = new Map<string, Shared<T>>();

  /**
   * Starts work, or joins what runs under the same key.
   * @throws AbortError as soon as the signal is aborted, also while the work goes on for others
   */
  async join(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const shared = this.running.get(key) ?? this.start(key, work);
    shared.users += 1;
    let stop = (): void => undefined;
    const stopped = new Promise<never>((_, fail) => {
      stop = () => fail(new AbortError());
      signal.addEventListener('abort', stop, { once: true });
    });
    try {
      return await Promise.race([shared.result, stopped]);
    } finally {
      signal.removeEventListener('abort', stop);
      shared.users -= 1;
      if (shared.users === 0) {
        // Whoever comes now starts anew instead of joining what is being stopped.
        if (this.running.get(key) === shared) this.running.delete(key);
        shared.control.abort();
      }
    }
  }

  private start(key: string, work: (signal: AbortSignal) => Promise<T>): Shared<T> {
    const control = new AbortController();
    const result = work(control.signal).finally(() => {
      if (this.running.get(key) === shared) this.running.delete(key);
    });
    const shared: Shared<T> = { control, result, users: 0 };
    this.running.set(key, shared);
    // After the last user left, nobody hears of its end.
    result.catch(() => undefined);
    return shared;
  }
}

interface Shared<T> {
  readonly control: AbortController;
  readonly result: Promise<T>;
  users: number;
}
