import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { isAbortError } from '../../domain/errors.js';
import type { AnswerEnd, RequestLog, Sender, SentBody } from './request-log.js';
import { namedSecrets, type SecretsToLeaveOut, type SentHeader, sentHeader, sentUrl } from './sent-text.js';

/** Options of a provider, as far as they are about its requests. */
interface RequestOptions {
  /** Where requests are noted for the user. Default: nowhere. */
  readonly requests?: RequestLog;
  /** Headers from the user's settings, any of which may be a secret. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: typeof fetch;
}

/** What the requests of one answer are made with. */
export interface Recorded<Options> {
  /** The options at this time, with a `fetch` that notes what goes out. */
  readonly options: Options;
  /** Says how the answer ended. */
  readonly ended: (end: AnswerEnd) => void;
  /** Whether anything of a request may have been sent. */
  readonly sent: () => boolean;
}

/**
 * Has the requests of one answer noted: there is a second one where the first is repeated in another form. Bodies are kept
 * as they were made for the connection, so that nothing is copied.
 */
export function recorded<Options extends RequestOptions>(options: Options, sender: Sender): Recorded<Options> {
  const { requests } = options;
  const { fetch: watched, sent } = watchedSending(options.fetch);
  const now = { ...options, fetch: watched };
  if (requests === undefined) return { options: now, ended: () => undefined, sent };
  const recorder = new Recorder(requests, sender, now);
  return { options: { ...now, fetch: recorder.fetch }, ended: recorder.ended, sent };
}

/**
 * A `fetch` that tells whether it was ever used. What it is given may have been sent, whatever comes of it; only a request that
 * is over before it begins is certain not to go out.
 */
function watchedSending(inner: typeof fetch | undefined): { readonly fetch: typeof fetch; readonly sent: () => boolean } {
  let used = false;
  const watched: typeof fetch = async (input, init) => {
    init?.signal?.throwIfAborted();
    used = true;
    return (inner ?? fetch)(input, init);
  };
  return { fetch: watched, sent: () => used };
}

/** Waits for an answer that comes as a whole, and says how it ended. */
export async function withEnd<T>(answer: Promise<T>, ended: (end: AnswerEnd) => void): Promise<T> {
  try {
    const whole = await answer;
    ended({ outcome: 'complete' });
    return whole;
  } catch (error) {
    ended({ outcome: isAbortError(error) ? 'stopped' : 'failed' });
    throw error;
  }
}

/** Names and values of headers, in the order in which they were sent. */
type HeaderLines = readonly (readonly [name: string, value: string])[];

/** A request whose headers the connection will report. */
interface Awaited {
  readonly method: string;
  readonly url: URL;
  /** Length of the body in bytes; `undefined` when it is not known beforehand. */
  readonly size: number | undefined;
  readonly take: (headers: HeaderLines) => void;
}

/** A request inside the platform's `fetch`, as far as it is looked at. */
interface PlatformRequest {
  readonly method?: unknown;
  readonly origin?: unknown;
  readonly path?: unknown;
  readonly contentLength?: unknown;
}

/** Awaited requests, and the platform's own requests that they turned out to be. */
const waiting = new Map<Awaited, PlatformRequest | undefined>();

/**
 * Records the headers of a request as they are sent, until the returned function is called. The platform's `fetch` adds
 * some of its own, which only its diagnostics report; another `fetch` may report nothing.
 * Source: github.com/nodejs/undici, docs/docs/api/DiagnosticsChannel.md.
 */
function awaitHeaders(awaited: Awaited): () => void {
  if (waiting.size === 0) {
    subscribe('undici:request:create', created);
    subscribe('undici:client:sendHeaders', sent);
  }
  waiting.set(awaited, undefined);
  return () => {
    if (!waiting.delete(awaited) || waiting.size > 0) return;
    unsubscribe('undici:request:create', created);
    unsubscribe('undici:client:sendHeaders', sent);
  };
}

/** Other extensions make requests in this process, too: one is ours when method, address, and length of the body say so. */
function created(message: unknown): void {
  const request = requestIn(message);
  if (request === undefined) return;
  const alike = [...waiting].filter(([awaited]) => isFor(request, awaited));
  const [awaited] = alike.find(([, known]) => known === undefined) ?? alike[0] ?? [];
  if (awaited !== undefined) waiting.set(awaited, request);
}

function isFor({ method, origin, path, contentLength }: PlatformRequest, { url, size, ...awaited }: Awaited): boolean {
  return method === awaited.method && String(origin) === url.origin && path === url.pathname + url.search && (contentLength ?? undefined) === size;
}

function sent(message: unknown): void {
  const request = requestIn(message);
  const [awaited] = [...waiting].find(([, known]) => known !== undefined && known === request) ?? [];
  const text: unknown = Reflect.get(Object(message), 'headers');
  if (awaited === undefined || typeof text !== 'string') return;
  // The length of the body is written with the body, after all that is recorded here.
  const length = awaited.size === undefined ? (['transfer-encoding', 'chunked'] as const) : (['content-length', String(awaited.size)] as const);
  awaited.take([...linesOf(text), length]);
}

function requestIn(message: unknown): PlatformRequest | undefined {
  const request: unknown = Reflect.get(Object(message), 'request');
  return typeof request === 'object' && request !== null ? request : undefined;
}

/** The headers in the text that goes out, whose first line is the request line. */
function linesOf(text: string): HeaderLines {
  return text
    .split('\r\n')
    .slice(1)
    .flatMap((line) => {
      const colon = line.indexOf(':');
      return colon < 1 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()] as const];
    });
}

/** Notes the requests of one answer. */
class Recorder {
  private readonly own: Readonly<Record<string, string>>;
  private readonly inner: typeof fetch | undefined;
  /** Number of the last request; 0 before the first one. */
  private id = 0;

  constructor(
    private readonly log: RequestLog,
    private readonly sender: Sender,
    { headers = {}, fetch: inner }: RequestOptions,
  ) {
    this.own = headers;
    this.inner = inner;
  }

  readonly ended = (end: AnswerEnd): void => {
    const request = this.log.request(this.id);
    if (request !== undefined && request.end === undefined) this.log.note(this.id, { end: { ...end, afterMs: Date.now() - request.sentAt } });
  };

  readonly fetch: typeof fetch = async (input, init) => {
    const body = init?.body;
    // The clients give address and body apart. What has no body asks a server about itself.
    if (input instanceof Request || !isBody(body)) return this.send(input, init);
    this.ended({ outcome: 'failed' });
    const sentAt = Date.now();
    const about = { method: init?.method ?? 'GET', url: new URL(input), size: sizeOf(body) };
    this.log.learn(namedSecrets(about.url, this.own));
    const secrets = { secrets: this.log.secrets(), headers: new Set(Object.keys(this.own).map((name) => name.toLowerCase())) };
    const parts: Uint8Array[] = [];
    const id = this.log.add({
      sender: this.sender,
      method: about.method,
      url: sentUrl(about.url.href, secrets),
      headers: headersOf([...new Headers(init?.headers)], secrets),
      allHeaders: false,
      body: keptBody(body, parts),
      size: about.size ?? 0,
      sentAt,
    });
    this.id = id;
    const forget = awaitHeaders({ ...about, take: (lines) => this.log.note(id, { headers: headersOf(lines, secrets), allHeaders: true }) });
    try {
      const response = await this.send(input, body instanceof ReadableStream ? { ...init, body: this.passing(body, id, parts) } : init);
      this.log.note(id, { answer: { status: response.status, afterMs: Date.now() - sentAt } });
      return response;
    } finally {
      forget();
    }
  };

  private send(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
    return (this.inner ?? fetch)(input, init);
  }

  /** The same stream. What passes is noted, as long as there is room for it. */
  private passing(body: ReadableStream<Uint8Array>, id: number, parts: Uint8Array[]): ReadableStream<Uint8Array> {
    const transform = (part: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>): void => {
      controller.enqueue(part);
      const size = this.log.request(id)?.size;
      if (size === undefined) return;
      parts.push(part);
      this.log.note(id, { size: size + part.byteLength });
    };
    return body.pipeThrough(new TransformStream({ transform }));
  }
}

/** The bodies that the clients here send. */
type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

function isBody(body: unknown): body is Body {
  return typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream;
}

/** @param parts of a stream, which come later */
function keptBody(body: Body, parts: readonly Uint8Array[]): SentBody {
  if (body instanceof ReadableStream) return parts;
  return body instanceof Uint8Array ? [body] : body;
}

/** Length in bytes; `undefined` for a stream. */
function sizeOf(body: Body): number | undefined {
  if (typeof body === 'string') return Buffer.byteLength(body);
  return body instanceof Uint8Array ? body.byteLength : undefined;
}

function headersOf(lines: HeaderLines, secrets: SecretsToLeaveOut): readonly SentHeader[] {
  return lines.map(([name, value]) => sentHeader(name, value, secrets));
}
