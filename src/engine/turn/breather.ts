import type { Clock } from '../../domain/clock.js';

/** Milliseconds that a loop may keep the host to itself: less than a frame. */
const LONGEST_HOLD_MS = 8;

/**
 * Gives timers, input and output their turn while a fast stream is read.
 *
 * The events of a stream whose bytes have arrived follow one another without a turn of the event loop between them.
 * Without a pause nothing would be shown, and no Stop be heard, before the last one.
 */
export class Breather {
  private readonly clock: Clock;
  private since: number;

  constructor(clock: Clock) {
    this.clock = clock;
    this.since = clock.monotonic();
  }

  /** A pause to wait for, when it is time for one. */
  pause(): Promise<void> | undefined {
    if (this.clock.monotonic() - this.since < LONGEST_HOLD_MS) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        this.since = this.clock.monotonic();
        resolve();
      });
    });
  }
}
