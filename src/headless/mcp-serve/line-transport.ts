import type { Readable, Writable } from 'node:stream';
import { isJSONRPCRequest, type JSONRPCMessage, parseJSONRPCMessage, ProtocolErrorCode, type RequestId, type Transport } from '@modelcontextprotocol/server';
import { errorMessage } from '../../domain/errors.js';
import { present } from '../../domain/present.js';
import { LineReader, type LongLine } from '../../mcp/client/transport/line-reader.js';

/** Bytes of a message at most, as Gnomon takes them of servers: more than the largest arguments of a tool. */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
/** Requests of the client that may be open at a time. */
const MAX_REQUESTS = 128;
/** Bytes of input that are held while the client reads nothing: the end of the input is noticed only by reading on. */
const MAX_HELD_BYTES = 1024 * 1024;
/** What the server says of a request that comes when too many are open: of the codes that JSON-RPC 2.0 leaves to servers. */
const TOO_MANY = -32_000;

/** The streams that messages come and go on. */
export interface MessageStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * Messages of the protocol, one a line. What is no message is answered with an error, and the next line is read: not the transport of the official
 * library, which closes the connection at a long line, and says nothing at one that it cannot read. Of a client that does not read, no more is taken either.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  /** Resolves when it is over. */
  readonly closed: Promise<void>;
  private readonly requests = new Set<RequestId>();
  private readonly reader = new LineReader(MAX_MESSAGE_BYTES, { line: (text) => this.line(text), tooLong: (line) => this.tooLong(line) });
  private isClosed = false;
  private ended: () => void = () => undefined;
  /** Resolves when the client has read what waits for it; absent while nothing does. */
  private drained: Promise<void> | undefined;
  private drain: () => void = () => undefined;
  /** What came since then. */
  private readonly backlog: Buffer[] = [];
  private held = 0;

  constructor(private readonly streams: MessageStreams) {
    this.closed = new Promise((resolve) => (this.ended = resolve));
  }

  start(): Promise<void> {
    const { input, output } = this.streams;
    input.on('data', this.read);
    input.once('end', this.end);
    for (const stream of [input, output]) stream.on('error', this.broken);
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (this.isClosed) return Promise.resolve();
    this.isClosed = true;
    const { input } = this.streams;
    input.off('data', this.read);
    input.off('end', this.end);
    input.pause();
    this.drain();
    this.onclose?.();
    this.ended();
    return Promise.resolve();
  }

  /** Resolves when the client has room for more. @throws Error when the connection is over */
  send(message: JSONRPCMessage): Promise<void> {
    if (this.isClosed) return Promise.reject(new Error('The connection is over.'));
    if (!('method' in message) && message.id !== undefined) this.requests.delete(message.id);
    return this.write(message);
  }

  private readonly read = (bytes: Buffer): void => {
    if (!this.isBlocked()) return this.reader.push(bytes);
    this.backlog.push(bytes);
    this.held += bytes.length;
    if (this.held >= MAX_HELD_BYTES) this.streams.input.pause();
  };

  private readonly end = (): void => {
    this.reader.end();
    void this.close();
  };

  private readonly broken = (error: Error): void => {
    this.onerror?.(error);
    void this.close();
  };

  private write(message: object): Promise<void> {
    const { output } = this.streams;
    // For a reader that takes these for the ends of lines.
    const line = JSON.stringify(message).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
    if (output.write(`${line}\n`)) return Promise.resolve();
    this.drained ??= new Promise((resolve) => {
      this.drain = resolve;
      output.once('drain', () => {
        resolve();
        this.goOn();
      });
    });
    return this.drained;
  }

  /** Takes what came while the client read nothing, as far as it has room for the answers. */
  private goOn(): void {
    this.drained = undefined;
    for (let next = this.backlog.shift(); next !== undefined; next = this.backlog.shift()) {
      this.held -= next.length;
      this.reader.push(next);
      if (this.isBlocked()) return;
    }
    if (!this.isClosed) this.streams.input.resume();
  }

  private isBlocked(): boolean {
    return this.drained !== undefined;
  }

  private line(text: string): void {
    if (text.trim() === '' || this.isClosed) return;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.refuse(undefined, ProtocolErrorCode.ParseError, 'The line is no JSON.');
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      const [id, problem] = [idIn(value), 'The line is no message of JSON-RPC 2.0, which is one object.'];
      // Who asked the client, such as whether a call may run, would wait for the answer that this was to be.
      if (id !== undefined && isAnswer(value)) this.pass({ jsonrpc: '2.0', id, error: { code: ProtocolErrorCode.InvalidRequest, message: problem } });
      else this.refuse(id, ProtocolErrorCode.InvalidRequest, problem);
      return;
    }
    if (this.admits(message)) this.pass(message);
  }

  /** Whether a message is passed on. A request that is not is answered. */
  private admits(message: JSONRPCMessage): boolean {
    if ('method' in message && message.method === 'notifications/cancelled') this.forget(message.params?.['requestId']);
    if (!isJSONRPCRequest(message)) return true;
    const { id } = message;
    if (this.requests.has(id)) {
      this.refuse(undefined, ProtocolErrorCode.InvalidRequest, `A request with the id ${JSON.stringify(id)} is open already.`);
      return false;
    }
    if (this.requests.size >= MAX_REQUESTS) {
      this.refuse(id, TOO_MANY, `More than ${MAX_REQUESTS} requests are open. Wait for answers before you send more.`);
      return false;
    }
    this.requests.add(id);
    return true;
  }

  /** One that was cancelled is not answered. */
  private forget(id: unknown): void {
    if (typeof id === 'string' || typeof id === 'number') this.requests.delete(id);
  }

  private pass(message: JSONRPCMessage): void {
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(errorMessage(error)));
    }
  }

  private tooLong({ bytes }: LongLine): void {
    if (!this.isClosed)
      this.refuse(undefined, ProtocolErrorCode.InvalidRequest, `A line of ${bytes} bytes is too long: at most ${MAX_MESSAGE_BYTES} are read.`);
  }

  private refuse(id: RequestId | undefined, code: number, message: string): void {
    void this.write({ jsonrpc: '2.0', ...present({ id }), error: { code, message } });
  }
}

function idIn(value: unknown): RequestId | undefined {
  const id: unknown = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

function isAnswer(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !('method' in value) && ('result' in value || 'error' in value);
}
