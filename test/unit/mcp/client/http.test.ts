import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { guardedFetch } from '../../../../src/mcp/client/transport/guarded-fetch.js';
import { eventually } from '../../../support/eventually.js';
import { connectTo, never } from './connected.js';

const options = { signal: never() };
const RUN = { name: 'run', inputSchema: { type: 'object' }, annotations: {} };

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

type Answer = (message: Message, response: ServerResponse, request: IncomingMessage) => void;

/** A server; its `log` has what it got: the method of JSON-RPC, or of HTTP. */
async function serve(answer: Answer): Promise<{ readonly origin: string; readonly log: string[]; readonly headers: IncomingMessage['headers'][] }> {
  const log: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const message = (body === '' ? {} : JSON.parse(body)) as Message;
      log.push(message.method ?? request.method ?? '');
      headers.push(request.headers);
      answer(message, response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, log, headers };
}

function json(response: ServerResponse, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** A server of the legacy era that does something with calls of tools. */
function legacy(call: Answer, session?: () => string): Answer {
  return (message, response, request) => {
    const { id, method } = message;
    if (method === 'server/discover') response.writeHead(400).end();
    else if (method === 'initialize')
      json(
        response,
        {
          jsonrpc: '2.0',
          id,
          result: { protocolVersion: '2025-11-25', capabilities: { tools: {}, resources: { subscribe: true } }, serverInfo: { name: 's', version: '1' } },
        },
        session === undefined ? {} : { 'mcp-session-id': session() },
      );
    else if (method === undefined) response.writeHead(405).end();
    else if (id === undefined) response.writeHead(202).end();
    else call(message, response, request);
  };
}

describe('M-25: a server over HTTP', () => {
  it('that wants the user to sign in is asked once', async () => {
    const { origin, log } = await serve((_, response) => response.writeHead(401, { 'www-authenticate': 'Bearer' }).end());
    await expect(connectTo({ type: 'http', url: origin, headers: {} })).rejects.toMatchObject({
      kind: 'unauthorized',
      code: 401,
      message: 'The server wants you to sign in.',
    });
    expect(log).toEqual(['server/discover']);
    await expect(connectTo({ type: 'sse', url: origin, headers: {} })).rejects.toMatchObject({ kind: 'unauthorized', code: 401 });
    expect(log).toEqual(['server/discover', 'GET']);
  });

  it('that wants it in the middle says so, without a loop', async () => {
    const { origin, log } = await serve(legacy((_, response) => response.writeHead(401).end()));
    const { connection } = await connectTo({ type: 'http', url: origin, headers: {} });
    await expect(connection.callTool(RUN, {}, options)).rejects.toMatchObject({ kind: 'unauthorized' });
    expect(log.filter((method) => method === 'tools/call')).toHaveLength(1);
  });

  it('that has forgotten the session gets a new one, once for all calls, and the calls again', async () => {
    let session = 0;
    let forgotten = false;
    const { origin, log } = await serve(
      legacy(
        ({ id, method }, response, request) => {
          if (forgotten && request.headers['mcp-session-id'] === 'session-1') response.writeHead(404).end();
          else
            json(response, {
              jsonrpc: '2.0',
              id,
              result: method === 'tools/call' ? { content: [{ type: 'text', text: String(request.headers['mcp-session-id']) }] } : {},
            });
        },
        () => `session-${++session}`,
      ),
    );
    const { connection, told } = await connectTo({ type: 'http', url: origin, headers: {} });
    await connection.subscribe('note://one', never());
    forgotten = true;
    const results = await Promise.all([1, 2, 3].map(() => connection.callTool(RUN, {}, options)));
    for (const result of results) expect(result.content).toEqual([{ type: 'text', text: 'session-2' }]);
    expect(log.filter((method) => method === 'initialize')).toHaveLength(2);
    expect(log.filter((method) => method === 'server/discover')).toHaveLength(1);
    await eventually(() => expect(told.changed.toSorted()).toEqual(['resources', 'tools']));
    await eventually(() => expect(log.filter((method) => method === 'resources/subscribe')).toHaveLength(2));
    expect(told.closed).toEqual([]);
    await connection.close();
    expect(log.at(-1)).toBe('DELETE');
    expect(told.closed).toEqual([{ reason: 'Gnomon closed the connection.', wanted: true }]);
  });

  it('that forgets every session fails after the second', async () => {
    const { origin, log } = await serve(
      legacy(
        (_, response) => response.writeHead(404).end(),
        () => 's',
      ),
    );
    const { connection } = await connectTo({ type: 'http', url: origin, headers: {} });
    await expect(connection.callTool(RUN, {}, options)).rejects.toMatchObject({ kind: 'answered', code: 404 });
    expect(log.filter((method) => method === 'tools/call')).toHaveLength(2);
  });

  it('that is broken, or not there, says so', async () => {
    const { origin } = await serve((_, response) => response.writeHead(503).end('secret details'));
    await expect(connectTo({ type: 'http', url: origin, headers: {} })).rejects.toMatchObject({
      kind: 'unreachable',
      code: 503,
      message: 'The server is not able to answer now (HTTP 503).',
    });
    await expect(connectTo({ type: 'http', url: 'http://127.0.0.1:9/?token=secret', headers: {} })).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.not.stringContaining('secret') as string,
    });
    await expect(connectTo({ type: 'http', url: 'file:///etc/passwd', headers: {} })).rejects.toMatchObject({ kind: 'refused' });
  });

  it('that breaks off its answer leaves nobody waiting', async () => {
    const { origin } = await serve(
      legacy((_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(': hello\n\n', () => response.destroy());
      }),
    );
    const { connection } = await connectTo({ type: 'http', url: origin, headers: {} });
    await expect(connection.callTool(RUN, {}, options)).rejects.toMatchObject({ kind: 'closed', message: 'The server broke off its answer.' });
  });

  it.each(['application/json', 'text/event-stream'])('that sends too much as %s is stopped', async (type) => {
    const { origin } = await serve(
      legacy(({ id }, response) => {
        response.writeHead(200, { 'content-type': type });
        response.end(
          `${type.endsWith('json') ? '' : 'data: '}${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'x'.repeat(300_000) }] } })}\n\n`,
        );
      }),
    );
    const { connection } = await connectTo({ type: 'http', url: origin, headers: {} }, { deps: { limits: { messageBytes: 200_000 } } });
    await expect(connection.callTool(RUN, {}, options)).rejects.toMatchObject({ name: 'McpError' });
  });
});

describe('M-25: what a configuration has requests carry', () => {
  const headers = { Authorization: 'Bearer canary', 'X-Key': 'canary' };

  it('goes to the server, also where it redirects to within its origin', async () => {
    const { origin, headers: got } = await serve((message, response, request) => {
      if (request.url === '/old') response.writeHead(307, { location: '/new' }).end();
      else legacy(() => undefined)(message, response, request);
    });
    const { connection } = await connectTo({ type: 'http', url: `${origin}/old`, headers });
    expect(connection.agreement.era).toBe('legacy');
    for (const each of got) expect(each).toMatchObject({ authorization: 'Bearer canary', 'x-key': 'canary' });
  });

  it('never goes anywhere else', async () => {
    const other = await serve((_, response) => response.writeHead(200).end());
    const { origin } = await serve((_, response) => response.writeHead(307, { location: `${other.origin}/take?secret=1` }).end());
    await expect(connectTo({ type: 'http', url: origin, headers })).rejects.toMatchObject({
      kind: 'refused',
      code: 307,
      message: `The server redirects to another address, ${other.origin}. If that is right, put it into the configuration.`,
    });
    expect(other.log).toEqual([]);
    const fetched = guardedFetch({ url: new URL(origin), headers, messageBytes: 1_000 }, fetch);
    await fetched(`${other.origin}/token`, { method: 'POST', body: '{}', headers: { 'x-own': 'yes' } });
    expect(other.headers[0]).not.toHaveProperty('authorization');
    expect(other.headers[0]).not.toHaveProperty('x-key');
    expect(other.headers[0]).toHaveProperty('x-own', 'yes');
  });

  it('does not replace what the client sets', async () => {
    const { origin, headers: got } = await serve((_, response) => response.writeHead(200).end());
    await guardedFetch({ url: new URL(origin), headers, messageBytes: 1_000 }, fetch)(origin, { headers: { authorization: 'Bearer token' } });
    expect(got[0]).toMatchObject({ authorization: 'Bearer token', 'x-key': 'canary' });
  });

  it('is not in the messages that the inspector gets', async () => {
    const { origin } = await serve(legacy(() => undefined));
    const { told } = await connectTo({ type: 'http', url: origin, headers });
    expect(JSON.stringify(told)).not.toContain('canary');
  });
});

describe('a stream of events', () => {
  const stream = (chunks: readonly string[]): ((url: string | URL) => Promise<Response>) => {
    const body = new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
        controller.close();
      },
    });
    return () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  };
  const read = async (chunks: readonly string[]): Promise<string> =>
    (await guardedFetch({ url: new URL('http://x'), headers: {}, messageBytes: 20 }, stream(chunks))('http://x')).text();

  it.each([
    ['\n', ['data: 123456789\n\ndata: 123456789\n\n']],
    ['\r\n', ['data: 1234567\r\n\r\n', 'data: 1234567\r\n\r\n']],
    ['pieces', ['data: 12', '34567\n', '\n', 'data: 1234567\n', '\nda', 'ta: 1\n\n']],
  ])('may be as long as it wants, if its events are not (%s)', async (_, chunks) => {
    expect(await read(chunks)).toBe(chunks.join(''));
  });

  it('is ended at an event that is too long', async () => {
    await expect(read(['data: 12345678901', '234567890\n\n'])).rejects.toMatchObject({ kind: 'protocol' });
    await expect(read(['data: 1\ndata: 2\ndata: 3\n\n'])).rejects.toMatchObject({ kind: 'protocol' });
  });
});
