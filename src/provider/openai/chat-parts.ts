import { t } from '../../domain/l10n.js';
import type { Request } from '../../domain/model/provider.js';
import type { StreamPart } from '../../domain/model/event-stream.js';
import { notAStream } from '../http/failures.js';
import { limitedText } from '../http/body.js';
import { jsonBody } from '../http/json-body.js';
import { createClient } from './client.js';
import { type Endpoint, parseEndpoint } from './endpoint.js';
import { failedAnswer, requestError, streamError } from './errors/errors.js';
import { list, parsed, record } from './json.js';
import type { OpenAiOptions } from './options.js';
import { requestParams } from './request.js';
import { Stream } from './sdk.js';
import { ChunkReader } from './stream.js';

type Step = IteratorResult<readonly StreamPart[], undefined>;

const DONE: Step = { done: true, value: undefined };

/** How long a server may be silent after the model is done, in milliseconds, before the answer counts as complete. */
const LATE_MS = 15_000;

/** The largest answer that comes in one piece, in bytes. */
const MAX_WHOLE_BYTES = 16 * 1024 * 1024;

/**
 * The parts of one answer, pulled chunk by chunk. An iterator written by hand: an `async function*` would add three
 * promises to every delta.
 */
export class ChatParts implements AsyncIterator<readonly StreamPart[], undefined> {
  private readonly options: OpenAiOptions;
  private readonly request: Request;
  private readonly connection = new AbortController();
  private readonly reader: ChunkReader;
  private chunks: AsyncIterator<unknown> | undefined;
  private endpoint: Endpoint | undefined;
  private ended = false;

  constructor(options: OpenAiOptions, request: Request, signal: AbortSignal) {
    this.options = options;
    this.request = request;
    const { dialect, local } = options.preset;
    this.reader = new ChunkReader(dialect, local ? request : undefined);
    if (signal.aborted) this.connection.abort();
    else signal.addEventListener('abort', () => this.connection.abort(), { once: true });
  }

  /** The parts of the next chunk. @throws ProviderError, or AbortError when the signal fired. */
  next(): Promise<Step> {
    if (this.ended) return Promise.resolve(DONE);
    if (this.chunks === undefined) return this.open().then(() => this.next());
    const pull = this.chunks.next();
    return (this.reader.stopped ? this.untilLate(pull) : pull).then(this.arrived, this.failed);
  }

  /** Closes the connection. */
  return(): Promise<Step> {
    this.connection.abort();
    return Promise.resolve(DONE);
  }

  private readonly arrived = (step: IteratorResult<unknown, unknown>): Step => {
    if (step.done === true) return this.end();
    // The SDK knows errors by the field `error`; some servers write them in another form.
    if (record(step.value)?.['object'] === 'error') this.fail(step.value);
    return { done: false, value: this.reader.read(step.value) };
  };

  /** What breaks after the model was done, and before the connection was, is not of the answer. */
  private readonly failed = (error: unknown): Step => {
    if (this.reader.stopped) return this.end();
    throw this.endpoint === undefined ? error : streamError(error, this.endpoint);
  };

  private end(): Step {
    this.ended = true;
    if (this.reader.failure !== undefined) this.fail({ code: this.reader.failure, message: 'the model broke off' });
    return { done: false, value: this.reader.finish() };
  }

  private fail(body: unknown): never {
    const endpoint = this.endpoint ?? parseEndpoint(this.options);
    throw failedAnswer({ status: undefined, headers: undefined, body }, endpoint);
  }

  /** Some servers leave the connection open after the last chunk and never say that it was the last. */
  private untilLate<T>(pull: Promise<T>): Promise<T> {
    const late = setTimeout(() => this.connection.abort(), LATE_MS);
    return pull.finally(() => {
      clearTimeout(late);
    });
  }

  private async open(): Promise<void> {
    const params = requestParams(this.request, this.options.preset);
    const endpoint = parseEndpoint(this.options);
    const client = await createClient(this.options, endpoint);
    const { signal } = this.connection;
    try {
      const response = await client.post('/chat/completions', { body: jsonBody(params), signal, stream: true }).asResponse();
      const contentType = response.headers.get('content-type') ?? '';
      // A stream without any content type is given the benefit of the doubt.
      const streamed = contentType === '' || contentType.includes('text/event-stream');
      const whole = streamed ? undefined : await wholeAnswer(response, contentType, endpoint);
      this.endpoint = endpoint;
      this.chunks = whole ?? Stream.fromSSEResponse<unknown>(response, this.connection, client)[Symbol.asyncIterator]();
    } catch (error) {
      throw requestError(error, endpoint);
    }
  }
}

/** An answer in one piece: from a server that does not stream it, or that reports a failure with a success status. */
async function wholeAnswer(response: Response, contentType: string, endpoint: Endpoint): Promise<AsyncIterator<unknown>> {
  const { headers } = response;
  const body = contentType.includes('json') ? parsed(await wholeText(response, endpoint)) : undefined;
  const answer = record(Array.isArray(body) ? body[0] : body);
  if (list(answer?.['choices']).length > 0) return once(answer);
  if ((answer?.['error'] ?? undefined) !== undefined || answer?.['object'] === 'error') {
    throw failedAnswer({ status: undefined, headers, body }, endpoint);
  }
  // The stream that this is a part of aborts the signal on every failure, and with it this connection.
  throw notAStream(contentType, t('a Chat Completions API'), endpoint);
}

async function wholeText(response: Response, endpoint: Endpoint): Promise<string> {
  try {
    return await limitedText(response, MAX_WHOLE_BYTES);
  } catch (error) {
    throw streamError(error, endpoint);
  }
}

function once(value: unknown): AsyncIterator<unknown> {
  const left = [value];
  return { next: () => Promise.resolve(left.length === 0 ? { done: true, value: undefined } : { done: false, value: left.shift() }) };
}
