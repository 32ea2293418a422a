import { createParser } from 'eventsource-parser';
import { malformedAnswer } from '../../domain/model/accumulator.js';
import type { StreamPart } from '../../domain/model/event-stream.js';
import type { PartBatch, Parts } from '../part-stream.js';

/** An event of a stream. */
export interface ServerSentEvent {
  /** Its type; absent where the server names none. */
  readonly event?: string | undefined;
  readonly data: string;
}

/** The longest event that is read, in characters: far more than any answer, and no more than there is room for. */
const MAX_EVENT_CHARACTERS = 64 * 1024 * 1024;

type Step = IteratorResult<PartBatch, undefined>;

const DONE: Step = { done: true, value: undefined };

/**
 * The parts of an answer that comes as a stream of events, those together that came in one piece of the body: at 20,000 deltas a
 * second, promises for each of them would be most of what reading costs. A failure comes behind the parts before it.
 * Format: WHATWG HTML, "Server-sent events"; an incomplete event at the end of the stream is dropped.
 */
export class EventBatches implements Parts {
  private readonly reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  private readonly decoder = new TextDecoder();
  private readonly parser = createParser({
    maxBufferSize: MAX_EVENT_CHARACTERS,
    onEvent: (event) => this.take(event),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') this.failure ??= { error: malformedAnswer('a part of it is too long') };
    },
  });
  private endsInReturn = false;
  private batch: StreamPart[] = [];
  private failure: { readonly error: unknown } | undefined;

  /**
   * @param body is read as far as events are asked for
   * @param read gives the parts of an event, called in their order; what it throws ends the stream
   */
  constructor(
    body: ReadableStream<Uint8Array> | null,
    private readonly read: (event: ServerSentEvent) => PartBatch,
  ) {
    this.reader = body?.getReader();
  }

  /** The parts of what came next, which may be none. @throws what reading the body or an event throws */
  next(): Promise<Step> {
    if (this.failure !== undefined) return Promise.reject(asError(this.failure.error));
    return this.reader === undefined ? Promise.resolve(DONE) : this.reader.read().then(this.arrived);
  }

  private readonly arrived = ({ done, value }: Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>>): Step | Promise<Step> => {
    const text = done ? this.decoder.decode() : this.decoder.decode(value, { stream: true });
    // The parser waits for what follows a CR, which at the end is nothing.
    this.parser.feed(done && this.endsInReturn ? `${text}\n` : text);
    if (text !== '') this.endsInReturn = text.endsWith('\r');
    const { batch } = this;
    this.batch = [];
    if (this.failure !== undefined && batch.length === 0) return this.next();
    return done && batch.length === 0 ? DONE : { done: false, value: batch };
  };

  private take(event: ServerSentEvent): void {
    if (this.failure !== undefined) return;
    try {
      const parts = this.read(event);
      if ('type' in parts) this.batch.push(parts);
      else this.batch.push(...parts);
    } catch (error) {
      this.failure = { error };
    }
  }
}

/** The same of events that came as a whole, one after the other. */
export function partsInOrder<Event>(events: readonly Event[], read: (event: Event) => PartBatch): Parts {
  const left = [...events];
  const next = (): Step => {
    const [value] = left.splice(0, 1).map(read);
    return value === undefined ? DONE : { done: false, value };
  };
  return { next: () => new Promise((resolve) => resolve(next())) };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
