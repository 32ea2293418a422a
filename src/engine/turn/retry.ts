import type { EmittedEvent } from '../events.js';
import type { Pauses } from './pauses.js';
import { type ProviderErrorKind, ProviderError } from '../../domain/errors.js';
import { EmptyAnswerError } from './outcome.js';

/** The retry limit and backoff of one request; the signal ends a pause early. */
export interface RetryDeps {
  /** The most attempts after the first request; 0 for none. */
  readonly maxRetries: number;
  readonly pauses: Pauses;
  readonly signal: AbortSignal;
  readonly emit: (event: EmittedEvent) => void;
}

/** The attempts to get one answer: counts the failures and waits between them. */
export class Retries {
  private attempt = 0;
  private onceUsed = false;

  constructor(private readonly deps: RetryDeps) {}

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

/** Decision after a failed request: retry or give up. */
type RetryDecision =
  /** Retry after `delayMs` milliseconds. */
  | { readonly type: 'retry'; readonly delayMs: number }
  /** It is of no use, or was tried often enough. */
  | { readonly type: 'stop' };

/** Count and limit of retries. */
interface Tries {
  /** Counts the failures in a row, this one included: at least 1. */
  readonly attempt: number;
  /** The most attempts after the first request. */
  readonly maxRetries: number;
  /** Whether a failure that is tried again only once had its try. */
  readonly onceUsed: boolean;
}

/** Longest wait between two attempts that Gnomon chooses itself: 30 seconds. */
export const MAX_BACKOFF_MS = 30_000;
/** Longest wait that a server may ask for: 10 minutes. With a longer one, the request is not retried. */
export const MAX_RETRY_AFTER_MS = 600_000;

const FIRST_BACKOFF_MS = 1_000;
/** Added at random to the wait that a server asked for, so that not all clients retry at the same moment. */
const SPREAD_MS = 1_000;

/** Retry policy by kind of error. */
const TRIES: Readonly<Record<ProviderErrorKind, 'never' | 'once' | 'many'>> = {
  rate_limit: 'many',
  overloaded: 'many',
  server: 'many',
  network: 'many',
  interrupted: 'many',
  // Another silence of many minutes is not worth waiting for.
  stalled: 'once',
  no_key: 'never',
  authentication: 'never',
  permission: 'never',
  not_found: 'never',
  invalid_request: 'never',
  too_large: 'never',
  context_length: 'never',
  refused_content: 'never',
  quota: 'never',
  consent: 'never',
  not_a_stream: 'never',
  // One damaged piece of an answer need not end an unattended turn.
  protocol: 'once',
};

/** Permanent HTTP errors among 5xx: `Not Implemented`, `HTTP Version Not Supported`. */
const LASTING: ReadonlySet<number | undefined> = new Set([501, 505]);

/** Retry policy of an error. */
function triesFor(error: unknown): 'never' | 'once' | 'many' {
  if (error instanceof EmptyAnswerError) return 'once';
  return error instanceof ProviderError && !LASTING.has(error.status) ? TRIES[error.kind] : 'never';
}

/**
 * Whether and when a failed request is made again. The wait doubles from 1 second on up to
 * {@link MAX_BACKOFF_MS} and lies, at random, between half of that and all of it. A server's `Retry-After` is a lower bound:
 * it never shortens the wait, so that a server which asks for none is not hammered.
 * @param random in [0, 1).
 */
export function retryDecision(error: unknown, tries: Tries, random: number): RetryDecision {
  const often = triesFor(error);
  if (often === 'never' || tries.attempt > tries.maxRetries) return { type: 'stop' };
  if (often === 'once' && tries.onceUsed) return { type: 'stop' };
  const asked = error instanceof ProviderError ? (error.retryAfterMs ?? 0) : 0;
  if (asked > MAX_RETRY_AFTER_MS) return { type: 'stop' };
  const backoff = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (tries.attempt - 1)) * (0.5 + random / 2);
  return { type: 'retry', delayMs: Math.round(asked > backoff ? asked + random * SPREAD_MS : backoff) };
}
