import type { StreamPart } from '../../domain/model/event-stream.js';
import { type KnownAnswer, knownAnswer } from '../http/answer-form.js';
import { limitedText } from '../http/body.js';
import { notAStream } from '../http/failures.js';
import { jsonBody } from '../http/json-body.js';
import { EventBatches, partsInOrder, type ServerSentEvent } from '../http/event-batches.js';
import type { PartBatch, Parts } from '../part-stream.js';
import { createClient } from './client.js';
import type { Request } from '../../domain/model/provider.js';
import { type BodyField, bodyWithout } from '../refusal/body-fields.js';
import type { LeftOut } from '../refusal/left-out.js';
import type { Sent } from '../refusal/refused-in.js';
import { type Endpoint, parseEndpoint } from './endpoint.js';
import { failedAnswer, requestError, streamError } from './errors/errors.js';
import { parsed, record } from './json.js';
import type { OpenAiOptions } from './options.js';

/** Translates the events of one answer. */
export interface AnswerReader {
  /** Whether the model has said that it is done. Usage may still follow. */
  readonly stopped: boolean;
  /** The stop reason, if it indicates a failure of the server. */
  readonly failure?: string | undefined;
  /** The parts of an event, in order. @throws ProviderError of kind `protocol` */
  read(event: unknown): PartBatch;
  /** What is known only at the end; empty when the model did not say that it is done. */
  finish(): readonly StreamPart[];
}

/** A request, and what its body does without. */
export interface AskedOver {
  readonly request: Request;
  readonly leftOut: LeftOut;
}

/** One of the two APIs, for one answer. */
export interface AnswerApi extends AskedOver {
  /** What the body can do without. */
  readonly fields: readonly BodyField[];
  /** Behind the base URL, such as `/chat/completions`. */
  readonly path: string;
  /** What the base URL should point to, for an error about it. */
  readonly expected: string;
  readonly reader: AnswerReader;
  /** The body of the request. @throws ProviderError or InvalidDataError when there is none that could be sent */
  body(): object;
  /** What the server says of a failure in an event, for {@link failedAnswer}; `undefined` when it says nothing of one. */
  failureIn(event: unknown): unknown;
  /** The events of an answer that came in one piece; `undefined` for what is no answer. */
  eventsOf(whole: unknown): readonly unknown[] | undefined;
}

type Step = IteratorResult<PartBatch, undefined>;

const DONE: Step = { done: true, value: undefined };

/** How long a server may be silent after the model is done, in milliseconds, before the answer counts as complete. */
const LATE_MS = 15_000;

/** The largest answer that comes in one piece, in bytes. */
const MAX_WHOLE_BYTES = 16 * 1024 * 1024;

/** How a stream ends that its server does not just close. */
const END_MARK = '[DONE]';

/** The parts of one answer. */
export class AnswerParts implements Parts {
  private readonly connection = new AbortController();
  private parts: Parts | undefined;
  private endpoint: Endpoint | undefined;
  private sent: Sent | undefined;
  /** Whether the mark has come behind which nothing is of the answer. */
  private marked = false;
  private ended = false;

  constructor(
    private readonly options: OpenAiOptions,
    private readonly api: AnswerApi,
    signal: AbortSignal,
  ) {
    if (signal.aborted) this.connection.abort();
    else signal.addEventListener('abort', () => this.connection.abort(), { once: true });
  }

  /** The parts of the next events. @throws ProviderError, or AbortError when the signal fired. */
  next(): Promise<Step> {
    if (this.ended) return Promise.resolve(DONE);
    if (this.parts === undefined) return this.open().then(() => this.next());
    const pull = this.parts.next();
    return (this.api.reader.stopped ? this.untilLate(pull) : pull).then(this.arrived, this.failed);
  }

  /** Closes the connection. */
  return(): Promise<Step> {
    this.connection.abort();
    return Promise.resolve(DONE);
  }

  private readonly arrived = (step: Step): Step => (step.done === true ? this.end() : step);

  /**
   * The parts of an event of the stream. Format: platform.openai.com, "Streaming API responses"; other servers write errors in
   * the field `error` of any event.
   */
  private inStream({ data }: ServerSentEvent, headers: Headers): PartBatch {
    this.marked ||= data.startsWith(END_MARK);
    if (this.marked || data === '') return [];
    const event: unknown = JSON.parse(data);
    const error = record(event)?.['error'];
    if (error) this.fail(error, headers);
    return this.read(event);
  }

  private read(event: unknown): PartBatch {
    const failure = this.api.failureIn(event);
    if (failure !== undefined) this.fail(failure);
    return this.api.reader.read(event);
  }

  /** What breaks after the model was done, and before the connection was, is not of the answer. */
  private readonly failed = (error: unknown): Step => {
    if (this.api.reader.stopped) return this.end();
    throw this.endpoint === undefined ? error : streamError(error, this.endpoint, this.sent);
  };

  private end(): Step {
    const { reader } = this.api;
    this.ended = true;
    if (reader.failure !== undefined) this.fail({ code: reader.failure, message: 'the model broke off' });
    return { done: false, value: reader.finish() };
  }

  private fail(body: unknown, headers?: Headers): never {
    const endpoint = this.endpoint ?? parseEndpoint(this.options);
    throw failedAnswer({ status: undefined, headers, body, sent: this.sent }, endpoint);
  }

  /** Some servers leave the connection open after the last event and never say that it was the last. */
  private untilLate<T>(pull: Promise<T>): Promise<T> {
    const late = setTimeout(() => this.connection.abort(), LATE_MS);
    return pull.finally(() => {
      clearTimeout(late);
    });
  }

  private async open(): Promise<void> {
    const { request, fields, leftOut, path } = this.api;
    const body = bodyWithout(this.api.body(), fields, leftOut.fields);
    this.sent = { request, body, fields, leftOut };
    const endpoint = parseEndpoint(this.options, await this.options.keyName?.(request.model));
    const client = await createClient(this.options, endpoint);
    try {
      const response = await client.post(path, { body: jsonBody(body, request.cacheKey), signal: this.connection.signal, stream: true }).asResponse();
      const answer = await fromBody(knownAnswer(response), endpoint);
      const whole = answer.form === 'events' ? undefined : await this.wholeAnswer(answer, endpoint);
      this.endpoint = endpoint;
      const { headers } = response;
      this.parts = whole ?? new EventBatches(answer.response.body, (event) => this.inStream(event, headers));
    } catch (error) {
      throw requestError(error, endpoint, this.sent);
    }
  }

  /** An answer in one piece: from a server that does not stream it, or that reports a failure with a success status. */
  private async wholeAnswer(known: KnownAnswer, endpoint: Endpoint): Promise<Parts> {
    const { form, response } = known;
    const { headers } = response;
    const body = form === 'json' ? parsed(await fromBody(limitedText(response, MAX_WHOLE_BYTES), endpoint)) : undefined;
    const answer = record(Array.isArray(body) ? body[0] : body);
    const events = this.api.eventsOf(answer);
    if (events !== undefined) return partsInOrder(events, (event) => this.read(event));
    if ((answer?.['error'] ?? undefined) !== undefined || answer?.['object'] === 'error') {
      throw failedAnswer({ status: undefined, headers, body, sent: this.sent }, endpoint);
    }
    // The stream that this is a part of aborts the signal on every failure, and with it this connection.
    throw notAStream(known, this.api.expected, endpoint);
  }
}

/** What is read from the body of an answer, which breaks off as a stream does. */
async function fromBody<T>(read: Promise<T>, endpoint: Endpoint): Promise<T> {
  try {
    return await read;
  } catch (error) {
    throw streamError(error, endpoint);
  }
}
