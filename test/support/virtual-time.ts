interface Timer {
  readonly at: number;
  readonly fire: () => void;
}

/** Time that passes only when a test says so. */
export class VirtualTime {
  private time = 0;
  private timers: Timer[] = [];

  /** Milliseconds since the beginning. */
  get now(): number {
    return this.time;
  }

  /** Resolves after so many milliseconds, or as soon as the signal aborts. */
  readonly wait = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const end = (): void => {
        this.timers = this.timers.filter((other) => other !== timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer: Timer = { at: this.time + ms, fire: end };
      this.timers.push(timer);
      signal?.addEventListener('abort', end);
    });

  /** Lets time pass, with everything that waits for it in order. */
  async pass(ms: number): Promise<void> {
    const end = this.time + ms;
    await settled();
    for (let next = this.next(end); next !== undefined; next = this.next(end)) {
      this.time = next.at;
      next.fire();
      await settled();
    }
    this.time = end;
  }

  private next(end: number): Timer | undefined {
    const due = this.timers.filter(({ at }) => at <= end);
    return due.reduce<Timer | undefined>((first, timer) => (first === undefined || timer.at < first.at ? timer : first), undefined);
  }
}

/** Lets promises that are ready be carried on. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
