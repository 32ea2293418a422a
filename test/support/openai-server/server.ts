import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Reply, type SseReply, type Step, frame, json } from './reply.js';

/** The body of a request, as far as tests look at it. */
export interface ChatBody {
  readonly [key: string]: unknown;
  readonly model?: string;
  readonly messages?: readonly Readonly<Record<string, unknown>>[];
}

/** A request as it arrived. */
export interface ChatRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: ChatBody;
  readonly raw: string;
  /** Resolves when the exchange is over; `true` when the client ended it before the server did. */
  readonly closedByClient: Promise<boolean>;
}

/** Decides the answer to a request; `undefined` is 404. */
type Script = (request: ChatRequest) => Reply | undefined | Promise<Reply | undefined>;

/** A running server on loopback that speaks chat completions. */
export interface OpenAiServer {
  /** Its address without a path. */
  readonly url: string;
  readonly requests: readonly ChatRequest[];
  setScript(script: Script): void;
  /** The request with a number, counted from 0, now or when it arrives. */
  request(n: number): Promise<ChatRequest>;
  close(): Promise<void>;
}

/** Starts a server. Nothing outside this machine can reach it. */
export async function startOpenAiServer(first: Script = () => undefined): Promise<OpenAiServer> {
  let script = first;
  const requests: ChatRequest[] = [];
  const waiting: (() => void)[] = [];
  const server = createServer((request, response) => {
    response.on('error', () => undefined); // A client that went away is seen in `closedByClient`.
    void arrived(request, response).then(async (seen) => {
      requests.push(seen);
      for (const tell of waiting.splice(0)) tell();
      return send((await script(seen)) ?? json({ error: { message: 'Not found' } }, 404), response);
    });
  });
  // Longer than any test pauses: a client must not find its connection closed in the moment it uses it again.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    setScript: (next) => {
      script = next;
    },
    request: async (n) => {
      while (requests[n] === undefined) await new Promise<void>((resolve) => waiting.push(resolve));
      return requests[n];
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/** Answers whose connection the server itself ends. */
const CUT = new WeakSet<ServerResponse>();

async function arrived(request: IncomingMessage, response: ServerResponse): Promise<ChatRequest> {
  const closed = new Promise<void>((resolve) => response.once('close', resolve));
  const chunks: Uint8Array[] = [];
  for await (const piece of request) chunks.push(piece as Uint8Array);
  const raw = Buffer.concat(chunks).toString('utf8');
  return {
    path: request.url ?? '',
    headers: request.headers,
    body: (raw === '' ? {} : JSON.parse(raw)) as ChatBody,
    raw,
    closedByClient: closed.then(() => !response.writableFinished && !CUT.has(response)),
  };
}

async function send(reply: Reply, response: ServerResponse): Promise<void> {
  switch (reply.kind) {
    case 'hang':
      return;
    case 'plain':
      response.writeHead(reply.status, reply.headers).end(reply.body);
      return;
    case 'sse':
      await stream(reply, response);
  }
}

async function stream(reply: SseReply, response: ServerResponse): Promise<void> {
  if (reply.steps.includes('cut')) CUT.add(response);
  const gone = new Promise<void>((resolve) => response.once('close', resolve));
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-request-id': 'req_test', ...reply.headers });
  response.flushHeaders();
  for (const step of reply.steps) {
    await play(step, response, gone);
    if (response.destroyed) return;
  }
  response.end();
}

async function play(step: Step, response: ServerResponse, gone: Promise<void>): Promise<void> {
  if (step === 'stay open') return gone;
  if (step === 'cut') {
    // What was written before must arrive, so that the cut is where the script says.
    await new Promise<void>((resolve) => {
      response.write('', () => setImmediate(resolve));
    });
    response.socket?.destroy();
    return gone;
  }
  if ('pass' in step) return Promise.race([step.pass(), gone]);
  response.write('raw' in step ? step.raw : frame(step.data));
}
