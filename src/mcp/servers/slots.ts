import type { McpDelay } from './ports.js';

/** Limits how many servers start at the same time; the rest wait in a queue, first in, first out. */
export class Slots {
  private free: number;
  private readonly queue: (() => void)[] = [];

  /** @param limitMs after which a start that is not done makes room for another, so that servers which hang keep none waiting */
  constructor(
    count: number,
    private readonly limitMs: number,
    private readonly wait: McpDelay,
  ) {
    this.free = count;
  }

  /**
   * Waits for a slot. `undefined` if the signal aborted before there was one.
   * @returns gives it back; the second time it does nothing
   */
  async enter(signal: AbortSignal): Promise<(() => void) | undefined> {
    if (signal.aborted) return undefined;
    if (this.free > 0) this.free -= 1;
    else if (!(await this.turn(signal))) return undefined;
    const used = new AbortController();
    const leave = (): void => {
      if (used.signal.aborted) return;
      used.abort();
      this.leave();
    };
    void this.wait(this.limitMs, used.signal).then(leave);
    return leave;
  }

  /** Waits in the queue. False if the signal took it out. */
  private turn(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const done = (has: boolean): void => {
        signal.removeEventListener('abort', out);
        resolve(has);
      };
      const next = (): void => done(true);
      const out = (): void => {
        this.queue.splice(this.queue.indexOf(next), 1);
        done(false);
      };
      this.queue.push(next);
      signal.addEventListener('abort', out, { once: true });
    });
  }

  /** Gives the slot to the next in the queue. */
  private leave(): void {
    const next = this.queue.shift();
    if (next === undefined) this.free += 1;
    else next();
  }
}
