import { t } from '../../domain/l10n.js';
import { cutOff } from '../../domain/model/accumulator.js';
import type { Request } from '../../domain/model/provider.js';
import { knownAnswer } from '../http/answer-form.js';
import { limitedText } from '../http/body.js';
import { EventBatches, partsInOrder, type ServerSentEvent } from '../http/event-batches.js';
import { jsonBody } from '../http/json-body.js';
import { notAStream } from '../http/failures.js';
import { APIError, createClient } from './client.js';
import { type AnthropicOptions, type Endpoint, parseEndpoint } from './endpoint.js';
import type { PartBatch, Parts } from '../part-stream.js';
import { type BodyField, bodyWithout } from '../refusal/body-fields.js';
import type { LeftOut } from '../refusal/left-out.js';
import { type FailedRequest, requestError, streamError } from './errors.js';
import { placedImages } from './placed-images.js';
import { RepeatedDeltas } from './repeated-deltas.js';
import { EventReader, type RawEvent } from './stream.js';
import { type RequestParams, requestParams, SAMPLING_VERSION } from './request.js';
import type Anthropic from '@anthropic-ai/sdk';

type Step = IteratorResult<PartBatch, undefined>;

/** An answer that has begun to arrive. */
interface Answer {
  readonly endpoint: Endpoint;
  readonly parts: Parts;
}

const DONE: Step = { done: true, value: undefined };

/** How long the body may take to end after the answer has, in milliseconds, before the connection is closed. */
const DRAIN_MS = 200;

/** The largest answer that comes in one piece, in bytes. */
const MAX_WHOLE_BYTES = 16 * 1024 * 1024;

/** Where a body has marks for the cache. */
const MARKED = ['tools.*', 'system.*', 'messages.*.content.*'];

/** Tokens of an answer where the server says only that those asked for are too many: every model has as many. */
const SAFE_TOKENS = 4_096;

/** What a request can do without. Gateways, and older or newer models, do not know all of it, and say so by its name. */
export const BODY_FIELDS: readonly BodyField[] = [
  { name: 'temperature' },
  { name: 'thinking.display' },
  { name: 'thinking', words: /\b(?:adaptive|extended) thinking\b|\bthinking (?:mode )?is not\b|not support thinking/i },
  { name: 'output_config.effort', words: /\beffort\b.{0,40}\bnot\b|\bnot\b.{0,40}\beffort\b/i },
  { name: 'output_config.format', holds: 'output', words: /\bstructured[ _-]outputs?\b|\boutput[ _](?:format|schema)\b|\bjson[ _]schema\b/i },
  // Refused as a whole by gateways that know neither (anthropics/anthropic-sdk-csharp#132): the schema goes in words first, then the effort goes.
  { name: 'output_config', holds: 'output' },
  { name: 'cache_control.ttl', paths: MARKED.map((place) => `${place}.cache_control.ttl`) },
  { name: 'cache_control', paths: MARKED.map((place) => `${place}.cache_control`), words: /prompt caching/i },
  { name: 'eager_input_streaming', paths: ['tools.*.eager_input_streaming'] },
  // The API demands it.
  { name: 'max_tokens', instead: (words, sent) => ({ value: smaller(words, Number(sent)) }) },
];

/** The largest number in a refusal that is smaller than what was asked for, and no status. */
function smaller(words: string, asked: number): number {
  const named = [...words.matchAll(/\d{4,}/g)].map(([digits]) => Number(digits)).filter((tokens) => tokens < asked);
  return named.length > 0 ? Math.max(...named) : asked > SAFE_TOKENS ? SAFE_TOKENS : Math.ceil(asked / 2);
}

/** The parts of one answer. */
export class MessageParts implements Parts {
  private readonly request: Request;
  private readonly leftOut: LeftOut;
  private sent: FailedRequest | undefined;
  private readonly connection = new AbortController();
  private readonly reader = new EventReader();
  private readonly repeated = new RepeatedDeltas();
  private answer: Answer | undefined;

  /** @param asked the request, and which fields of its body are left out */
  constructor(
    private readonly options: AnthropicOptions,
    asked: { readonly request: Request; readonly leftOut: LeftOut },
    signal: AbortSignal,
  ) {
    this.request = asked.request;
    this.leftOut = asked.leftOut;
    if (signal.aborted) this.connection.abort();
    else signal.addEventListener('abort', () => this.connection.abort(), { once: true });
  }

  /** The parts of the next events. @throws ProviderError, or AbortError when the signal fired. */
  next(): Promise<Step> {
    const { answer } = this;
    if (answer === undefined) return this.open().then(() => this.next());
    return this.reader.ended ? this.drain() : answer.parts.next().then(this.arrived, this.failed);
  }

  /** Closes the connection. */
  return(): Promise<Step> {
    this.connection.abort();
    return Promise.resolve(DONE);
  }

  private readonly arrived = (step: Step): Step => {
    // What is done for a call cannot be taken back: it is whole only when the endpoint says so.
    if (step.done === true && !this.reader.ended && this.reader.hasCalls) throw cutOff();
    return step;
  };

  private readonly failed = (error: unknown): never => {
    throw this.answer === undefined ? error : streamError(error, this.answer.endpoint, this.sent, this.reader.begun);
  };

  private async open(): Promise<void> {
    const { request, leftOut } = this;
    const params = bodyWithout(requestParams(request, this.options.cacheDuration?.()), BODY_FIELDS, leftOut.fields);
    this.sent = { request, body: params, fields: BODY_FIELDS, leftOut, images: placedImages(request.messages, params.messages) };
    const endpoint = parseEndpoint(this.options.baseUrl(), await this.options.keyName?.(this.request.model));
    const client = await createClient(this.options, endpoint);
    try {
      const response = await client
        .post('/v1/messages', { body: jsonBody(params, this.request.cacheKey), stream: true, ...this.requestOptions(params) })
        .asResponse();
      this.answer = { endpoint, parts: await this.partsIn(response, endpoint) };
    } catch (error) {
      throw requestError(error, endpoint, this.sent);
    }
  }

  private async partsIn(response: Response, endpoint: Endpoint): Promise<Parts> {
    const known = await fromBody(knownAnswer(response), endpoint);
    const { headers } = response;
    if (known.form === 'events') return new EventBatches(known.response.body, (event) => this.inStream(event, headers));
    const whole = known.form === 'json' ? eventsOf(await fromBody(wholeBody(known.response), endpoint)) : undefined;
    // The stream that this is a part of aborts the signal on every failure, and with it this connection.
    if (whole === undefined) throw notAStream(known, t('the Messages API'), endpoint);
    return partsInOrder(whole, (event) => this.reader.read(event));
  }

  /** The parts of an event of the stream. What follows the end of the answer is not of it, whatever it is. */
  private inStream(received: ServerSentEvent, headers: Headers): PartBatch {
    if (this.reader.ended) return [];
    const repeated = received.event === 'content_block_delta' ? this.repeated.read(received.data) : undefined;
    const event = repeated ?? eventIn(received, headers);
    if (event === undefined) return [];
    const parts = this.reader.read(event);
    if (repeated === undefined && event.type === 'content_block_delta' && 'type' in parts && parts.type === 'text')
      this.repeated.note(received.data, { index: event.index, text: parts.delta });
    return parts;
  }

  private requestOptions({ temperature }: RequestParams): { signal: AbortSignal; headers: Record<string, string> } {
    const version: Record<string, string> = temperature === undefined ? {} : { 'anthropic-version': SAMPLING_VERSION };
    return { signal: this.connection.signal, headers: { 'content-type': 'application/json', ...version } };
  }

  /**
   * Reads on after the answer, so that the connection can be used again. Normally the end of the body is there already;
   * what comes instead of it, an error too, is not of the answer.
   */
  private async drain(): Promise<Step> {
    const late = setTimeout(() => this.connection.abort(), DRAIN_MS);
    await this.readOn().catch(() => this.connection.abort());
    clearTimeout(late);
    return DONE;
  }

  private async readOn(): Promise<void> {
    while ((await this.answer?.parts.next())?.done === false);
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

/** Parses a body as JSON; `undefined` when it is invalid. @throws Error when it is too large, or the connection breaks */
async function wholeBody(response: Response): Promise<unknown> {
  const body = await limitedText(response, MAX_WHOLE_BYTES);
  try {
    return JSON.parse(body);
  } catch {
    // It only says that it is JSON.
    return undefined;
  }
}

/**
 * The events of an answer that came in one piece, as some gateways send it though a stream was asked for. Format:
 * platform.claude.com, "Messages".
 * @returns `undefined` for what is no such answer
 */
function eventsOf(body: unknown): readonly RawEvent[] | undefined {
  if (!isMessage(body)) return undefined;
  const { content, stop_reason, stop_sequence, usage } = body;
  const blocks = content.flatMap((block, index): readonly RawEvent[] => [
    { type: 'content_block_start', index, content_block: block },
    { type: 'content_block_stop', index },
  ]);
  const end = { stop_reason, stop_sequence, container: null, stop_details: null };
  return [
    { type: 'message_start', message: { ...body, content: [] } },
    ...blocks,
    { type: 'message_delta', delta: end, usage: { ...usage, output_tokens_details: null } },
    { type: 'message_stop' },
  ];
}

/** Whether it looks like a message; its blocks are validated where they are read. */
function isMessage(body: unknown): body is Anthropic.Message {
  if (typeof body !== 'object' || body === null || !('type' in body) || body.type !== 'message' || !('content' in body) || !('usage' in body)) return false;
  return Array.isArray(body.content) && typeof body.usage === 'object' && body.usage !== null;
}

/** How streams of another API end; some gateways end every stream so. */
const END_OF_OTHER_API = '[DONE]';

/**
 * The event of the API in an event of the stream. Its type is in its data too, so the stream of a gateway that leaves out the
 * lines `event:` reads the same; the SDK's own reader would pass over all of it.
 * @returns `undefined` for a sign of life, and for what is not of this API
 * @throws APIError for an error in the stream, SyntaxError for data that is not JSON
 */
function eventIn({ event, data }: ServerSentEvent, headers: Headers): RawEvent | undefined {
  if (event === 'error') throw new APIError(undefined, errorBody(data), undefined, headers);
  if (event === 'ping' || data === '' || data === END_OF_OTHER_API) return undefined;
  const value: unknown = JSON.parse(data);
  if (isError(value)) throw new APIError(undefined, value, undefined, headers);
  // Its fields are validated where they are read.
  return value as RawEvent;
}

function isError(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'error';
}

/** The body of an error. Data in another form than the API's becomes the message. */
function errorBody(data: string): object {
  try {
    const body: unknown = JSON.parse(data);
    if (typeof body === 'object' && body !== null) return body;
  } catch {
    // Told below.
  }
  return { error: { message: data } };
}
