import { setTimeout as delay } from 'node:timers/promises';
import { type JSONRPCMessage, StreamableHTTPClientTransport, type Transport, type TransportSendOptions } from '@modelcontextprotocol/client';
import { MAX_TRAFFIC_CHARACTERS, type McpTraffic } from '../../../domain/mcp/connection.js';
import { type JsonRecord, jsonStart, record } from '../wire/json.js';

/** Milliseconds between two reports of the progress of a request. */
const PROGRESS_MS = 50;
/** Other notifications that are passed on in a second. No server that means well comes near. */
const NOTIFICATIONS = 500;
const SECOND_MS = 1_000;

/** Code of the error that stands for an answer that ended before it was complete. */
export const CUT_OFF = -32_098;
/** Code of JSON-RPC for what went wrong inside of the server. */
const INTERNAL_ERROR = -32_603;
/** The first revision of the modern era. */
const MODERN = '2026-07-28';

/** Where {@link serverResult} finds what the server sent. */
const RAW: unique symbol = Symbol('raw');

/** Valid results, by method. */
const EMPTY: Readonly<Record<string, object>> = {
  'tools/list': { tools: [] },
  'tools/call': { content: [] },
  'resources/list': { resources: [] },
  'resources/templates/list': { resourceTemplates: [] },
  'resources/read': { contents: [] },
  'prompts/list': { prompts: [] },
  'prompts/get': { messages: [] },
  'completion/complete': { completion: { values: [] } },
};

/** The raw result of a request, as the server sent it. */
export function serverResult(result: unknown): JsonRecord {
  const outer = typeof result === 'object' && result !== null && RAW in result ? result[RAW] : result;
  return record(outer) ?? {};
}

/** Lets so many notifications through in a second. */
class RateLimiter {
  private since = -Infinity;
  private passed = 0;

  /** Whether there is room for another one. */
  get open(): boolean {
    const now = performance.now();
    if (now - this.since >= SECOND_MS) {
      this.since = now;
      this.passed = 0;
    }
    return this.passed++ < NOTIFICATIONS;
  }
}

/** The progress of one request: what was held back, and when the next may be passed on. */
interface Progress {
  nextAt: number;
  held: JSONRPCMessage | undefined;
  timer: NodeJS.Timeout | undefined;
}

/**
 * A transport whose messages are shown in the inspector. It makes up for what the official client does not do with hostile or
 * careless servers:
 * - Reports of progress are held back before anything expensive is done with them: of each request, the newest is passed on 20 times a
 *   second. Of other notifications, those that come too often are dropped. What is held back for good is not shown either.
 * - A request whose stream ended without an answer fails, and does not wait for one.
 * - In the modern era, one item or block that is wrong would make the client refuse a whole result. It is given an empty one, with
 *   the server’s inside, which is read by {@link serverResult}. A result without a type is a complete one.
 */
export class ObservedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;

  /** By the tokens of requests that are waiting for their answer and want to know. */
  private readonly progress = new Map<string | number, Progress>();
  /** Methods of requests that were sent and not answered, by their ids. */
  private readonly pending = new Map<string | number, string>();
  private readonly limiter = new RateLimiter();
  private modern = false;

  constructor(
    private readonly inner: Transport,
    private readonly traffic: (message: McpTraffic) => void,
  ) {
    inner.onclose = () => {
      for (const { timer } of this.progress.values()) clearTimeout(timer);
      this.progress.clear();
      this.pending.clear();
      this.onclose?.();
    };
    inner.onerror = (error) => this.onerror?.(error);
    inner.onmessage = (message) => this.receive(message);
  }

  get hasPerRequestStream(): boolean {
    return this.inner.hasPerRequestStream === true;
  }

  get sessionId(): string | undefined {
    return this.inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.modern = version >= MODERN;
    this.inner.setProtocolVersion?.(version);
  }

  start(): Promise<void> {
    return this.inner.start();
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  /** Tells a server of the legacy era that the session is over, if there is one. Never rejects, and waits no longer than given. */
  async goodbye(limitMs: number): Promise<void> {
    const { inner } = this;
    if (!(inner instanceof StreamableHTTPClientTransport) || inner.sessionId === undefined) return;
    // The server may be gone, or not interested.
    const told = inner.terminateSession().catch(() => undefined);
    await Promise.race([told, delay(limitMs, undefined, { ref: false })]);
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    this.show('sent', message);
    const id = this.watch(message, options?.requestSignal);
    await this.inner.send(message, id === undefined ? options : { onRequestStreamEnd: () => this.cutOff(id), ...options });
  }

  /** @returns the id of a request. */
  private watch(message: JSONRPCMessage, signal: AbortSignal | undefined): string | number | undefined {
    const { id, params, method } = message as Partial<Record<'id' | 'params' | 'method', unknown>>;
    const request = isToken(id) && typeof method === 'string' ? id : undefined;
    if (request !== undefined) this.pending.set(request, String(method));
    const token = record(record(params)?.['_meta'])?.['progressToken'];
    if (isToken(token)) {
      this.progress.set(token, { nextAt: 0, held: undefined, timer: undefined });
    }
    if (request !== undefined) signal?.addEventListener('abort', () => this.forget(request), { once: true });
    if (method === 'notifications/cancelled') this.forget(record(params)?.['requestId']);
    return request;
  }

  private cutOff(id: string | number): void {
    if (!this.pending.has(id)) return;
    this.forget(id);
    this.deliver({ jsonrpc: '2.0', id, error: { code: CUT_OFF, message: 'The stream ended.' } });
  }

  private receive(message: JSONRPCMessage): void {
    const { id, method, params } = message as Partial<Record<'id' | 'method' | 'params', unknown>>;
    if (method === 'notifications/progress') return this.receiveProgress(message, record(params)?.['progressToken']);
    if (method !== undefined) return id !== undefined || this.limiter.open ? this.pass(message) : undefined;
    const asked = isToken(id) ? this.pending.get(id) : undefined;
    this.forget(id);
    this.show('received', message);
    const answer = answerOf(message);
    this.deliver(this.modern ? lenient(answer, asked) : answer);
  }

  private receiveProgress(message: JSONRPCMessage, token: unknown): void {
    const progress = isToken(token) ? this.progress.get(token) : undefined;
    if (progress === undefined) return;
    progress.held = message;
    const wait = progress.nextAt - performance.now();
    if (wait <= 0) this.release(progress);
    else progress.timer ??= setTimeout(() => this.release(progress), wait);
  }

  /** Passes on the newest report. */
  private release(progress: Progress): void {
    clearTimeout(progress.timer);
    progress.timer = undefined;
    progress.nextAt = performance.now() + PROGRESS_MS;
    if (progress.held !== undefined) this.pass(progress.held);
    progress.held = undefined;
  }

  private forget(token: unknown): void {
    if (!isToken(token)) return;
    clearTimeout(this.progress.get(token)?.timer);
    this.progress.delete(token);
    this.pending.delete(token);
  }

  private pass(message: JSONRPCMessage): void {
    this.show('received', message);
    this.deliver(message);
  }

  /** Passes a message to the client. Errors must not become uncaught exceptions, which would end the whole extension host. */
  private deliver(message: JSONRPCMessage): void {
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private show(direction: McpTraffic['direction'], message: JSONRPCMessage): void {
    this.traffic({ direction, text: jsonStart(message, MAX_TRAFFIC_CHARACTERS) });
  }
}

/** An answer with nothing but what belongs into one: the client ignores all others, and the request would wait forever. */
function answerOf(message: JSONRPCMessage): JSONRPCMessage {
  const { id, result, error } = message as Partial<Record<'id' | 'result' | 'error', unknown>>;
  if (!isToken(id)) return message;
  const success = record(result);
  if (success !== undefined) return { jsonrpc: '2.0', id, result: { ...success } };
  const { code, message: text = 'The answer has no result.', data } = record(error) ?? {};
  return {
    jsonrpc: '2.0',
    id,
    error: { code: Number.isInteger(code) ? Number(code) : INTERNAL_ERROR, message: typeof text === 'string' ? text : '', ...(data !== undefined && { data }) },
  };
}

/** A complete result in a form that the client never refuses. */
function lenient(message: JSONRPCMessage, method: string | undefined): JSONRPCMessage {
  const result = 'result' in message ? record(message.result) : undefined;
  if (result === undefined) return message;
  if (result['resultType'] !== undefined && result['resultType'] !== 'complete') return message;
  const empty = method === undefined ? undefined : EMPTY[method];
  if (empty === undefined) return { ...message, result: { ...result, resultType: 'complete' } };
  return { ...message, result: { ...empty, resultType: 'complete', ttlMs: 0, cacheScope: 'private', [RAW]: result } };
}

/** A transport without HTTP behind it. The client knows by these two that silence is no outage: a server of the legacy era may ignore its question. */
export class ObservedPipe extends ObservedTransport {
  readonly stderr = undefined;
  readonly pid = undefined;
}

function isToken(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
