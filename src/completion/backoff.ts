import type { Clock } from '../domain/clock.js';
import { ProviderError } from '../domain/errors.js';

/** The first wait after a failure, and the longest, in milliseconds. */
const FIRST_MS = 2_000;
const LONGEST_MS = 5 * 60_000;
/** A failure that only the user can put right is tried again after this time, in milliseconds. */
const HOPELESS_MS = 5 * 60_000;
/** Failures that continue until the user does something. */
const HOPELESS: ReadonlySet<string> = new Set(['no_key', 'authentication', 'permission', 'not_found', 'invalid_request', 'quota', 'consent']);

/** Keeps suggestions from asking a model that fails again and again. */
export class Backoff {
  private failures = 0;
  private until = 0;

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  /** Whether a model may be asked now. */
  get ready(): boolean {
    return this.clock.monotonic() >= this.until;
  }

  /** Notes an answer: nothing has to be waited for any more. */
  succeeded(): void {
    this.failures = 0;
    this.until = 0;
  }

  /** Notes a failure. The wait doubles with each in a row, and is as long as the server asks for at least. */
  failed(error: unknown): void {
    const doubled = Math.min(LONGEST_MS, FIRST_MS * 2 ** this.failures);
    this.failures += 1;
    this.until = this.clock.monotonic() + waitFor(error, doubled);
  }
}

function waitFor(error: unknown, doubled: number): number {
  if (!(error instanceof ProviderError)) return doubled;
  if (HOPELESS.has(error.kind)) return HOPELESS_MS;
  return Math.min(LONGEST_MS, Math.max(doubled, error.retryAfterMs ?? 0));
}
