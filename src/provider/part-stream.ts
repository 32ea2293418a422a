import { Accumulator } from '../domain/model/accumulator.js';
import { AbortError, isAbortError } from '../domain/errors.js';
import type { EventStream, StreamState, StreamPart } from '../domain/model/event-stream.js';
import type { AssistantMessage, Timestamp } from '../domain/model/message.js';
import type { StreamEvent } from '../domain/model/stream-event.js';
import type { Usage } from '../domain/model/usage.js';
import type { AnswerEnd } from './http/request-log.js';

/** What a source yields: one part, or those that arrived together, in order; an empty list is skipped. */
export type PartBatch = StreamPart | readonly StreamPart[];

/** Opens a provider's connection and yields its parts. Called once, on the first pull; ends its work when aborted. */
export type PartSource = (signal: AbortSignal) => AsyncIterable<PartBatch>;

/** What is known of the requests that a source makes. */
interface SourceRequests {
  /** Takes how the answer ended, once. */
  readonly ended?: (end: AnswerEnd) => void;
  /** Whether anything of a request may have been sent. Default: it may have been as soon as the source was opened. */
  readonly sent?: () => boolean;
}

/** The promise of a pull that waits for its event. */
interface Pull {
  readonly promise: Promise<StreamEvent | undefined>;
  readonly resolve: (event: StreamEvent | undefined) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The {@link EventStream} of every provider: pulls parts from a source, assembles the message, yields the events.
 *
 * Cancellation and {@link close} reject a pending pull at once, also when the source is slow to notice or ignores it.
 * Pulls made while another one waits take their turn. Written with plain callbacks, because every `await` between the
 * socket and the listener counts at 20,000 deltas a second.
 */
export class PartStream implements EventStream {
  private readonly accumulator = new Accumulator();
  private readonly controller = new AbortController();
  private readonly outer: AbortSignal;
  private readonly requests: SourceRequests;
  private iterator: AsyncIterator<PartBatch> | undefined;
  private queue: readonly StreamPart[] = [];
  private queued = 0;
  private pending: Pull | undefined;
  private current: StreamState = 'new';
  private pulled = false;
  private opened = false;
  private failure = new Error('The stream has not failed.');
  private endedAt: Timestamp | undefined;
  private released: Promise<unknown> = Promise.resolve();

  /**
   * @param signal cancels the stream; its listener is gone when the stream has ended in any way.
   * @param now the time of the message, for tests.
   */
  constructor(
    private readonly parts: PartSource,
    signal: AbortSignal,
    private readonly now: () => Timestamp = () => new Date().toISOString(),
    requests: SourceRequests = {},
  ) {
    this.outer = signal;
    this.requests = requests;
    if (signal.aborted) this.cancel();
    else signal.addEventListener('abort', this.cancel, { once: true });
  }

  /** Where the stream is in its life. */
  get state(): StreamState {
    return this.current;
  }

  /** Whether nothing of the request can have left this machine. */
  get unsent(): boolean {
    return !this.opened || this.requests.sent?.() === false;
  }

  /** The next event, or `undefined` at the end. See {@link EventStream.next}. */
  next(): Promise<StreamEvent | undefined> {
    if (this.pending !== undefined) {
      const again = (): Promise<StreamEvent | undefined> => this.next();
      return this.pending.promise.then(again, again);
    }
    this.pulled = true;
    if (this.current === 'complete') return Promise.resolve(undefined);
    if (this.current === 'error' || this.current === 'closed') return Promise.reject(this.failure);
    this.current = 'streaming';
    const pull = newPull();
    this.pending = pull;
    this.advance();
    return pull.promise;
  }

  /** The message so far. See {@link EventStream.message}. */
  message(): AssistantMessage {
    if (!this.pulled) throw new Error('There is no message before the first next().');
    const timestamp = this.endedAt ?? this.now();
    if (this.current === 'complete' || this.current === 'streaming') return this.accumulator.message(timestamp);
    const reason = isAbortError(this.failure) ? 'aborted' : 'error';
    return this.accumulator.message(timestamp, { stopReason: reason, rawStopReason: reason });
  }

  /** Ends the stream. See {@link EventStream.close}. */
  async close(): Promise<void> {
    this.stop('closed', new AbortError('The stream is closed.'));
    await this.released;
  }

  /** `for await` over {@link next}; leaving the loop early closes the stream. */
  [Symbol.asyncIterator](): AsyncIterator<StreamEvent, undefined> {
    return {
      next: () => this.next().then(iteratorResult),
      return: async () => {
        await this.close();
        return { done: true, value: undefined };
      },
    };
  }

  /** Serves the pending pull from what arrived, or asks the source for more. */
  private advance(): void {
    try {
      while (this.queued < this.queue.length) {
        if (this.take(this.queue[this.queued++] as StreamPart)) return;
      }
      this.opened = true;
      this.iterator ??= this.parts(this.controller.signal)[Symbol.asyncIterator]();
      this.iterator.next().then(this.arrived, this.failed);
    } catch (error) {
      this.failed(error);
    }
  }

  private readonly arrived = (step: IteratorResult<PartBatch, unknown>): void => {
    // Parts that a source delivers after it was stopped are dropped.
    if (this.current !== 'streaming') return;
    if (step.done === true) {
      this.complete();
      return;
    }
    try {
      if ('type' in step.value) {
        if (this.take(step.value)) return;
      } else {
        this.queue = step.value;
        this.queued = 0;
      }
    } catch (error) {
      this.failed(error);
      return;
    }
    this.advance();
  };

  /** Adds a part to the message. @returns whether it had an event for the pending pull. */
  private take(part: StreamPart): boolean {
    const event = this.accumulator.add(part);
    if (event === undefined) return false;
    this.settlePull()?.resolve(event);
    return true;
  }

  private complete(): void {
    this.iterator = undefined;
    try {
      this.accumulator.finish();
    } catch (error) {
      this.failed(error);
      return;
    }
    this.settle('complete');
    this.settlePull()?.resolve(undefined);
  }

  private readonly failed = (error: unknown): void => {
    this.stop('error', error instanceof Error ? error : new Error(String(error)));
  };

  private readonly cancel = (): void => {
    this.stop('error', new AbortError());
  };

  /** Ends the stream before its end, once. */
  private stop(state: 'error' | 'closed', failure: Error): void {
    if (this.current !== 'new' && this.current !== 'streaming') return;
    this.failure = failure;
    this.settle(state);
    this.controller.abort();
    this.release();
    this.settlePull()?.reject(failure);
  }

  /** Lets the source clean up. A source that is still in a pull may ignore the signal, so it is not awaited. */
  private release(): void {
    const ended = this.iterator?.return?.();
    this.iterator = undefined;
    // The connection is gone already, and the stream has its own error: a failure to tidy up changes nothing.
    const quiet = ended?.then(undefined, () => undefined);
    if (quiet !== undefined && this.pending === undefined) this.released = quiet;
  }

  private settle(state: 'complete' | 'error' | 'closed'): void {
    this.current = state;
    this.endedAt = this.now();
    this.outer.removeEventListener('abort', this.cancel);
    if (this.pulled) this.requests.ended?.(this.end(state));
  }

  private end(state: 'complete' | 'error' | 'closed'): AnswerEnd {
    const outcome = state === 'complete' ? 'complete' : isAbortError(this.failure) ? 'stopped' : 'failed';
    const { usage } = this.message();
    return addedUp(usage) === 0 ? { outcome } : { outcome, usage };
  }

  private settlePull(): Pull | undefined {
    const pull = this.pending;
    this.pending = undefined;
    return pull;
  }
}

function addedUp({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
}

function newPull(): Pull {
  let resolve: Pull['resolve'] = () => undefined;
  let reject: Pull['reject'] = () => undefined;
  const promise = new Promise<StreamEvent | undefined>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

function iteratorResult(event: StreamEvent | undefined): IteratorResult<StreamEvent, undefined> {
  return event === undefined ? { done: true, value: undefined } : { done: false, value: event };
}

/** What yields the parts of one answer. */
export type Parts = AsyncIterator<PartBatch, undefined>;
