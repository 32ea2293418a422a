import { AbortError, isAbortError } from '../domain/errors.js';

/** A limited number of slots for work; what finds none free waits for one, in order. */
export class Slots {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  /** @param count how much may run at a time; at least 1 */
  constructor(count: number) {
    this.free = count;
  }

  /**
   * Runs work in a slot.
   * @throws AbortError when the signal is aborted while it waits for one; what the work throws.
   */
  async use<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    await this.take(signal);
    try {
      return await work();
    } finally {
      this.give();
    }
  }

  /** Gives the slot of work that waits for something to others, until {@link takeBack}. */
  lend(): void {
    this.give();
  }

  /** Takes it again as soon as one is free. When the signal is aborted, the work goes on without one: it is about to end. */
  async takeBack(signal: AbortSignal): Promise<void> {
    try {
      await this.take(signal);
    } catch (error) {
      if (!isAbortError(error)) throw error;
      this.free -= 1;
    }
  }

  private give(): void {
    const next = this.free < 0 ? undefined : this.waiting.shift();
    if (next === undefined) this.free += 1;
    else next();
  }

  private take(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(new AbortError());
    if (this.free > 0) {
      this.free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.waiting.splice(this.waiting.indexOf(take), 1);
        reject(new AbortError());
      };
      const take = (): void => {
        signal.removeEventListener('abort', stop);
        resolve();
      };
      signal.addEventListener('abort', stop, { once: true });
      this.waiting.push(take);
    });
  }
}
