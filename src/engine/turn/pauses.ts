/** Waits. Resolves after `ms` milliseconds, or as soon as the signal aborts; never rejects. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** The waits of one session, of which there is at most one at a time. */
export class Pauses {
  private skipping: AbortController | undefined;

  constructor(private readonly wait: Wait = waitOnTheClock) {}

  /** Waits until the time is over, {@link skip} is called, or the signal aborts. */
  async pause(ms: number, signal: AbortSignal): Promise<void> {
    const skipping = new AbortController();
    this.skipping = skipping;
    await this.wait(ms, AbortSignal.any([signal, skipping.signal]));
    this.skipping = undefined;
  }

  /** Ends the wait. Returns false when there is none. */
  skip(): boolean {
    const { skipping } = this;
    this.skipping = undefined;
    skipping?.abort();
    return skipping !== undefined;
  }
}

/** Time between two looks at the clock, in milliseconds. */
const LOOK_MS = 1_000;

/**
 * Waits by the clock on the wall: time in which the machine sleeps counts, as it does in the countdown that is shown.
 * A clock that is set back makes no wait longer than it is by the time that passes steadily.
 */
export function waitOnTheClock(ms: number, signal: AbortSignal): Promise<void> {
  const wall = Date.now();
  const steady = performance.now();
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const look = (): void => {
      const left = ms - Math.max(Date.now() - wall, performance.now() - steady);
      if (left <= 0) end();
      else timer = setTimeout(look, Math.min(left, LOOK_MS));
    };
    if (signal.aborted) return end();
    signal.addEventListener('abort', end, { once: true });
    look();
  });
}
