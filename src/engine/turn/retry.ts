import type { SessionEvent } from '../events.js';
import type { Pauses } from './pauses.js';
import { retryDecision, triesFor } from './retry-policy.js';

/** Dependencies of {@link Retries}. */
export interface RetryDeps {
  /** The most attempts after the first request; 0 for none. */
  readonly maxRetries: number;
  readonly pauses: Pauses;
  readonly signal: AbortSignal;
  readonly emit: (event: SessionEvent) => void;
}

/** The attempts to get one answer: counts the failures and waits between them. */
export class Retries {
  private readonly deps: RetryDeps;
  private attempt = 0;
  private onceUsed = false;

  constructor(deps: RetryDeps) {
    this.deps = deps;
  }

  /** Takes a failure and waits when the request should be made again. Resolves with false when it should not, or was stopped. */
  async again(error: unknown): Promise<boolean> {
    const { maxRetries, pauses, signal, emit } = this.deps;
    this.attempt += 1;
    const decision = retryDecision(error, { attempt: this.attempt, maxRetries, onceUsed: this.onceUsed }, Math.random());
    if (decision.type === 'stop' || signal.aborted) return false;
    const once = triesFor(error) === 'once';
    this.onceUsed ||= once;
    const maxAttempts = once ? this.attempt : maxRetries;
    emit({ type: 'retry_scheduled', attempt: this.attempt, maxAttempts, delayMs: decision.delayMs, error });
    await pauses.pause(decision.delayMs, signal);
    emit({ type: 'retry_ended' });
    return !signal.aborted;
  }
}
