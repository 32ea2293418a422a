/** Milliseconds without a change after which something is read: programs write files in several steps. */
const QUIET_MS = 100;
/** Milliseconds after which something that changes all the time is read all the same. */
const MAX_WAIT_MS = 2_000;

/**
 * Keeps up with something that is read and may change while it is read: one reading at a time, and once more for a change
 * that came meanwhile, so that what is known in the end is the latest.
 */
export class LatestState {
  private reading: Promise<void> | undefined;
  private again = false;
  private quiet: NodeJS.Timeout | undefined;
  /** When the first change came that nothing was read for yet. */
  private waitingSince: number | undefined;

  /** @param failed takes what a reading throws; what was known before stays */
  constructor(
    private readonly read: () => Promise<void>,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Reads, and resolves when that is done, also for every change meanwhile. Does not reject. */
  now(): Promise<void> {
    this.waitingSince = undefined;
    this.again = true;
    this.reading ??= this.readAll();
    return this.reading;
  }

  /** Reads once nothing has changed for a moment, or when changes do not end. */
  soon(): void {
    clearTimeout(this.quiet);
    this.waitingSince ??= performance.now();
    const left = this.waitingSince + MAX_WAIT_MS - performance.now();
    this.quiet = setTimeout(() => void this.now(), Math.min(QUIET_MS, Math.max(left, 0)));
  }

  /** Reads no more on its own. */
  dispose(): void {
    clearTimeout(this.quiet);
  }

  private async readAll(): Promise<void> {
    while (this.again) {
      this.again = false;
      await this.read().catch(this.failed);
    }
    // In the same step as the last look at the request: one that came between would be lost.
    this.reading = undefined;
  }
}
