import type { Clock } from '../../domain/clock.js';

/** Milliseconds between two recordings of an answer that is being streamed. */
const PARTIAL_INTERVAL_MS = 1_000;

/** Lets an answer be recorded while it grows: at most once a second, and no later than a second after each change. */
export class PartialAnswers {
  private readonly clock: Clock;
  private readonly record: () => Promise<void>;
  private last: number;
  private timer: NodeJS.Timeout | undefined;
  private writing = false;

  constructor(clock: Clock, record: () => Promise<void>) {
    this.clock = clock;
    this.record = record;
    this.last = clock.monotonic();
  }

  /** Notes that the answer has grown. */
  changed(): void {
    if (this.timer !== undefined) return;
    const wait = Math.max(0, this.last + PARTIAL_INTERVAL_MS - this.clock.monotonic());
    this.timer = setTimeout(() => this.due(), wait);
  }

  /** Ends the recording. */
  stop(): void {
    clearTimeout(this.timer);
  }

  private due(): void {
    this.timer = undefined;
    this.last = this.clock.monotonic();
    // A slow disk gets one write at a time.
    if (this.writing) return this.changed();
    this.writing = true;
    void this.record().finally(() => {
      this.writing = false;
    });
  }
}
