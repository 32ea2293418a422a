import { Accumulator } from '../domain/accumulator.js';
import { AbortError, isAbortError } from '../domain/errors.js';
import type { EventStream, StreamState } from '../domain/event-stream.js';
import type { AssistantMessage, Timestamp } from '../domain/message.js';
import type { StreamEvent } from '../domain/stream-event.js';
import type { StreamPart } from '../domain/stream-part.js';

/** Opens a provider's connection and yields its parts. Called once, on the first pull; ends its work when aborted. */
export type PartSource = (signal: AbortSignal) => AsyncIterable<StreamPart>;

/**
 * The {@link EventStream} of every provider: pulls parts from a source, assembles the message, yields the events.
 * Cancellation rejects a pending pull at once, also when the source is slow to notice it.
 */
export class PartStream implements EventStream {
  private readonly accumulator = new Accumulator();
  private readonly controller = new AbortController();
  private readonly parts: PartSource;
  private readonly outer: AbortSignal;
  private readonly now: () => Timestamp;
  private iterator: AsyncIterator<StreamPart> | undefined;
  private current: StreamState = 'new';
  private pulled = false;
  private failure: unknown;
  private endedAt: Timestamp | undefined;
  private rejectPending: ((error: unknown) => void) | undefined;

  constructor(parts: PartSource, signal: AbortSignal, now: () => Timestamp = () => new Date().toISOString()) {
    this.parts = parts;
    this.outer = signal;
    this.now = now;
    if (signal.aborted) this.abort();
    else signal.addEventListener('abort', this.abort, { once: true });
  }

  get state(): StreamState {
    return this.current;
  }

  async next(): Promise<StreamEvent | undefined> {
    this.pulled = true;
    if (this.current === 'complete') return undefined;
    if (this.current === 'error') throw this.failure;
    if (this.current === 'closed') throw new AbortError('The stream is closed.');
    try {
      return await this.pull();
    } catch (error) {
      throw this.fail(error);
    }
  }

  message(): AssistantMessage {
    if (!this.pulled) throw new Error('There is no message before the first next().');
    const timestamp = this.endedAt ?? this.now();
    if (this.current === 'complete') return this.accumulator.message(timestamp);
    const aborted = this.current === 'closed' || isAbortError(this.failure);
    const reason = aborted ? 'aborted' : 'error';
    return this.accumulator.message(timestamp, this.current === 'streaming' ? undefined : { stopReason: reason, rawStopReason: reason });
  }

  async close(): Promise<void> {
    if (this.current === 'new' || this.current === 'streaming') {
      this.settle('closed');
      this.abort();
    }
    const iterator = this.iterator;
    this.iterator = undefined;
    await iterator?.return?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamEvent, void, undefined> {
    try {
      for (let event = await this.next(); event !== undefined; event = await this.next()) yield event;
    } finally {
      await this.close();
    }
  }

  private async pull(): Promise<StreamEvent | undefined> {
    this.current = 'streaming';
    this.iterator ??= this.parts(this.controller.signal)[Symbol.asyncIterator]();
    for (;;) {
      const step = await this.step(this.iterator);
      if (step.done === true) {
        this.accumulator.finish();
        this.settle('complete');
        return undefined;
      }
      const event = this.accumulator.add(step.value);
      if (event !== undefined) return event;
    }
  }

  private step(iterator: AsyncIterator<StreamPart>): Promise<IteratorResult<StreamPart>> {
    return new Promise((resolve, reject) => {
      this.rejectPending = reject;
      if (this.controller.signal.aborted) reject(new AbortError());
      else iterator.next().then(resolve, reject);
    });
  }

  private fail(error: unknown): unknown {
    const failure = this.controller.signal.aborted && !isAbortError(error) ? new AbortError(undefined, error) : error;
    if (this.current === 'streaming') {
      this.failure = failure;
      this.settle('error');
      this.controller.abort();
    }
    return failure;
  }

  private settle(state: StreamState): void {
    this.current = state;
    this.endedAt = this.now();
    this.outer.removeEventListener('abort', this.abort);
  }

  private readonly abort = (): void => {
    this.controller.abort();
    this.rejectPending?.(new AbortError());
  };
}
