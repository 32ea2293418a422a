import { type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deferred } from './gate.js';
import { type Reply, httpError } from './reply.js';
import { sendMessage } from './send.js';
import { type KnownThinking, problemOf } from './validate.js';
import type { WireRequest } from './wire.js';

/** A request as it arrived. */
export interface RecordedRequest {
  /** Counts from 0. */
  readonly n: number;
  readonly headers: IncomingHttpHeaders;
  /** The parsed body; an empty object when it was not JSON. */
  readonly body: WireRequest;
  /** The body byte for byte. */
  readonly raw: string;
  /** `Date.now()` and `performance.timeOrigin + performance.now()` when the whole body was there, in milliseconds. */
  readonly time: number;
  readonly preciseTime: number;
  /** The client's port: equal for two requests that came over one connection. */
  readonly remotePort: number | undefined;
  /** Why the request was refused with 400 or 401; `undefined` when the script answered it. */
  readonly problem: string | undefined;
  /** Resolves when the exchange is over; with `true` when the client closed the connection before the end. */
  readonly closedByClient: Promise<boolean>;
}

/** Decides the answer to a request. `n` counts the requests that were not refused, from 0. */
export type Script = (request: RecordedRequest, n: number) => Reply | Promise<Reply>;

/** Options of {@link startModelServer}. */
export interface ModelServerOptions {
  /** Without one every request gets a 500 that says so. */
  readonly script?: Script;
  /** Default: any free port. */
  readonly port?: number;
  /** Another key than this is refused with 401. Default: any key will do, but there must be one. */
  readonly apiKey?: string;
  /** Takes thinking blocks that this server did not send, such as those of a stored conversation. */
  readonly foreignThinking?: boolean;
  /** Answers without looking at the rules of the API. */
  readonly lenient?: boolean;
}

/** A running server on loopback that speaks the wire format of Anthropic's Messages API. */
export interface ModelServer {
  /** Base address without a slash at the end; to be given as the base URL of a client. */
  readonly url: string;
  /** Every request to `POST /v1/messages`, those that were refused too. */
  readonly requests: readonly RecordedRequest[];
  /** Errors that scripts threw. A test that uses scripts with checks in them should look. */
  readonly errors: readonly unknown[];
  setScript(script: Script): void;
  /** Forgets the requests so far, for what measures memory. */
  forget(): void;
  /** The request with a number, now or when it arrives. */
  request(n: number): Promise<RecordedRequest>;
  /** Destroys every connection and stops listening. */
  close(): Promise<void>;
}

/** Starts a server. Nothing outside this machine can reach it. */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const state = new ServerState(options);
  const server = createServer((request, response) => {
    response.on('error', () => undefined); // A client that went away is seen in `closedByClient`.
    state.handle(request, response).catch((error: unknown) => {
      state.errors.push(error);
      response.destroy();
    });
  });
  server.keepAliveTimeout = 60_000;
  server.on('connection', (socket) => socket.setNoDelay(true));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests: state.requests,
    errors: state.errors,
    setScript: (script) => {
      state.script = script;
    },
    forget: () => void state.requests.splice(0),
    request: (n) => state.request(n),
    close: () => close(server),
  };
}

class ServerState {
  readonly requests: RecordedRequest[] = [];
  readonly errors: unknown[] = [];
  script: Script;
  private readonly signatures = new Map<string, string>();
  private readonly redacted = new Set<string>();
  private readonly waiting = new Map<number, ((request: RecordedRequest) => void)[]>();
  private answered = 0;

  constructor(private readonly options: ModelServerOptions) {
    this.script =
      options.script ??
      (() => {
        throw new Error('The model server has no script.');
      });
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await read(request);
    // Before anything is done with it: a long body takes a while to be decoded and parsed.
    const times = { time: Date.now(), preciseTime: performance.timeOrigin + performance.now() };
    const raw = bytes.toString('utf8');
    if (request.method !== 'POST' || request.url?.split('?')[0] !== '/v1/messages') {
      sendPlain(response, httpError(404, 'not_found_error', 'Not found'));
      return;
    }
    const recorded = this.record(request, { raw, ...times }, response);
    const answer = await this.answer(recorded);
    if (response.destroyed) return;
    await this.send(answer, recorded, response);
  }

  request(n: number): Promise<RecordedRequest> {
    const present = this.requests[n];
    if (present !== undefined) return Promise.resolve(present);
    return new Promise((resolve) => {
      this.waiting.set(n, [...(this.waiting.get(n) ?? []), resolve]);
    });
  }

  private record(
    request: IncomingMessage,
    { raw, ...times }: Pick<RecordedRequest, 'raw' | 'time' | 'preciseTime'>,
    response: ServerResponse,
  ): RecordedRequest {
    const over = deferred();
    response.once('close', over.resolve);
    const body = parsed(raw);
    const n = this.requests.length;
    const recorded: RecordedRequest = {
      n,
      headers: request.headers,
      body: (body ?? {}) as WireRequest,
      raw,
      ...times,
      remotePort: request.socket.remotePort,
      problem: this.refusal(request.headers) ?? (this.options.lenient === true ? undefined : problemOf(body, request.headers, this.known())),
      closedByClient: over.promise.then(() => !response.writableFinished && !CUT.has(response)),
    };
    this.requests.push(recorded);
    for (const tell of this.waiting.get(n) ?? []) tell(recorded);
    this.waiting.delete(n);
    return recorded;
  }

  private refusal(headers: IncomingHttpHeaders): string | undefined {
    // Clients since API version 2026-10-21 send the key as a bearer token, older ones in a header of its own.
    const key = headers['x-api-key'] ?? /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
    if (headers['anthropic-version'] === undefined) return 'anthropic-version: header is required';
    if (key === undefined) return NO_KEY;
    return this.options.apiKey !== undefined && key !== this.options.apiKey ? WRONG_KEY : undefined;
  }

  private async answer(recorded: RecordedRequest): Promise<Reply> {
    if (recorded.problem === NO_KEY || recorded.problem === WRONG_KEY) return httpError(401, 'authentication_error', recorded.problem);
    if (recorded.problem !== undefined) return httpError(400, 'invalid_request_error', recorded.problem);
    this.answered += 1;
    try {
      return await this.script(recorded, this.answered - 1);
    } catch (error) {
      this.errors.push(error);
      return httpError(500, 'api_error', `The script failed: ${String(error)}`);
    }
  }

  private async send(answer: Reply, recorded: RecordedRequest, response: ServerResponse): Promise<void> {
    switch (answer.kind) {
      case 'plain':
        sendPlain(response, answer);
        return;
      case 'reset':
        CUT.add(response);
        response.socket?.destroy();
        return;
      case 'hang':
        return;
      case 'stream':
        this.learn(answer);
        if (answer.parts.steps.some((step) => step.kind === 'cut')) CUT.add(response);
        await sendMessage(answer, recorded.body, response);
    }
  }

  private learn(answer: Extract<Reply, { kind: 'stream' }>): void {
    for (const block of answer.parts.blocks) {
      if (block.type === 'thinking') this.signatures.set(String(block['signature']), String(block['thinking']));
      if (block.type === 'redacted_thinking') this.redacted.add(String(block['data']));
    }
  }

  private known(): KnownThinking | undefined {
    return this.options.foreignThinking === true ? undefined : { signatures: this.signatures, redacted: this.redacted };
  }
}

const NO_KEY = 'Could not resolve authentication method. Expected either x-api-key or authorization headers.';
const WRONG_KEY = 'invalid x-api-key';

/** Answers whose connection the server itself destroys. */
const CUT = new WeakSet<ServerResponse>();

function sendPlain(response: ServerResponse, answer: Extract<Reply, { kind: 'plain' }>): void {
  response.writeHead(answer.status, answer.headers);
  response.end(answer.body);
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined; // The validation says that it is not JSON.
  }
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    server.closeAllConnections();
  });
}
