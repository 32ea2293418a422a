import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../support/eventually.js';
import { connectTo, never, program, scripted, tool } from './connected.js';

const QUICK = { deps: { limits: { probeMs: 300 } } };
const MODERN_ANSWER = `{ resultType: 'complete', ttlMs: 0, cacheScope: 'private', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }`;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A message of JSON-RPC as a server gets it over HTTP. */
interface Received {
  readonly id?: number | string;
  readonly method?: string;
  readonly headers: IncomingMessage['headers'];
}

/** A server over HTTP; what it gets is written down. */
async function http(answer: (message: Received, response: ServerResponse) => void): Promise<{ readonly url: string; readonly got: string[] }> {
  const got: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const message = { ...(body === '' ? {} : (JSON.parse(body) as object)), headers: request.headers } as Received;
      got.push(message.method ?? request.method ?? '');
      answer(message, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, got };
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Answers of a server of the legacy era, other than to the question which era it is of. */
function legacy({ id, method }: Received, response: ServerResponse): void {
  if (method === 'initialize')
    json(response, 200, { jsonrpc: '2.0', id, result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'old', version: '1' } } });
  else if (id === undefined) response.writeHead(method === undefined ? 405 : 202).end();
  else json(response, 200, { jsonrpc: '2.0', id, result: {} });
}

describe('M-04: a process that is asked for its era', () => {
  it.each([
    ['with “Method not found”', `on['server/discover'] = ({ id }) => fail(id, -32601);`],
    ['with “Invalid request”', `on['server/discover'] = ({ id }) => fail(id, -32600);`],
    ['never', `on['server/discover'] = () => undefined;`],
    ['with a line of HTML', `on['server/discover'] = () => process.stdout.write('<html>502</html>\\n');`],
  ])('is of the legacy era if it answers %s', async (_, source) => {
    const { connection } = await connectTo(scripted(source), QUICK);
    expect(connection.agreement).toMatchObject({ era: 'legacy', revision: '2025-11-25' });
  });

  it('is of the modern era if it says so', async () => {
    const { connection } = await connectTo(scripted(`on['server/discover'] = ({ id }) => reply(id, ${MODERN_ANSWER});`));
    expect(connection.agreement).toMatchObject({ era: 'modern', revision: '2026-07-28' });
  });

  it('is started again, without being asked, if it ended because of that', async () => {
    const { connection, told } = await connectTo(scripted(`on['server/discover'] = () => process.exit(3);`));
    expect(connection.agreement.era).toBe('legacy');
    expect(told.traffic.filter(({ text }) => text.includes('server/discover'))).toHaveLength(1);
    expect(told.closed).toEqual([]);
  });

  it('is waited for if it is slow and knows nothing but the modern era', async () => {
    const source = `on['server/discover'] = ({ id }) => setTimeout(() => reply(id, ${MODERN_ANSWER}), 400); on.initialize = ({ id }) => setTimeout(() => fail(id, -32601), 400);`;
    const { connection } = await connectTo(scripted(source), { deps: { limits: { probeMs: 200 } } });
    expect(connection.agreement.era).toBe('modern');
  });

  it('M-24: is waited for if it is slow to answer at all, and its tools are there then', async () => {
    const source = `on['server/discover'] = () => undefined; on.initialize = ({ id }) => setTimeout(() => reply(id, hello()), 800);
      on['tools/list'] = ({ id }) => reply(id, { tools: [{ name: 'late', inputSchema: { type: 'object' } }] });`;
    const { connection } = await connectTo(scripted(source), { deps: { limits: { probeMs: 100 } } });
    expect(await tool(connection, 'late')).toEqual({ name: 'late', inputSchema: { type: 'object' }, annotations: {} });
  });

  it('is given up when the caller does, with nothing left running', async () => {
    const stop = new AbortController();
    const pids: string[] = [];
    const connecting = connectTo(scripted(`console.error(process.pid); for (const method of Object.keys(on)) on[method] = () => undefined;`), {
      signal: stop.signal,
      handlers: { stderr: (line) => void pids.push(line) },
    });
    await eventually(() => expect(pids).toHaveLength(1));
    stop.abort();
    await expect(connecting).rejects.toMatchObject({ name: 'AbortError' });
    expect(() => process.kill(Number(pids[0]), 0)).toThrow();
  });

  it('is refused if it claims a revision that does not exist, and accepted with any that does', async () => {
    const claiming = (version: string): string => `on.initialize = ({ id }) => reply(id, hello({}, '${version}'));`;
    await expect(connectTo(scripted(claiming('1999-01-01')))).rejects.toMatchObject({
      kind: 'protocol',
      message: 'The server speaks revision “1999-01-01” of the protocol, which Gnomon does not know.',
    });
    for (const version of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
      const { connection } = await connectTo(scripted(claiming(version)));
      expect(connection.agreement.revision).toBe(version);
    }
  });

  it('may tell things before it has answered `initialize`', async () => {
    const { connection, told } = await connectTo(
      scripted(`on.initialize = ({ id }) => { send({ method: 'notifications/tools/list_changed' }); reply(id, hello()); };`),
    );
    expect(connection.agreement.era).toBe('legacy');
    expect(told.closed).toEqual([]);
  });

  it('is not there if there is no such program', async () => {
    const missing = { type: 'stdio' as const, command: 'no-such-program-anywhere', args: [], env: {} };
    await expect(connectTo(missing)).rejects.toMatchObject({
      kind: 'unreachable',
      message: 'There is no program “no-such-program-anywhere”. Install it, or correct the command.',
    });
    await expect(connectTo({ ...program('x'), cwd: '/no/such/folder' })).rejects.toMatchObject({
      kind: 'unreachable',
      message: 'There is no folder “/no/such/folder” to start the server in.',
    });
  });

  it('M-20: says with which code it ended before anything was agreed on', async () => {
    await expect(connectTo(scripted('process.exit(7);'))).rejects.toMatchObject({ kind: 'closed', message: 'The process ended with exit code 7.' });
  });
});

describe('M-05: a server over HTTP that is asked for its era', () => {
  it('stays modern if it only does not know the revision that it was asked with', async () => {
    const discover = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', supportedVersions: ['2026-07-28'], capabilities: {} };
    let asked = 0;
    const { url, got } = await http(({ id }, response) => {
      if (asked++ === 0)
        json(response, 400, { jsonrpc: '2.0', id, error: { code: -32022, message: 'no', data: { supported: ['2026-07-28'], requested: 'x' } } });
      else json(response, 200, { jsonrpc: '2.0', id, result: discover });
    });
    const { connection } = await connectTo({ type: 'http', url, headers: {} });
    expect(connection.agreement).toMatchObject({ era: 'modern', transport: 'http' });
    expect(got).toEqual(['server/discover', 'server/discover']);
  });

  it.each([
    [400, 'a body that is no message', 'Bad Request'],
    [400, 'another error', { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Session required' } }],
    [404, 'nothing', ''],
    [405, 'nothing', ''],
  ])('is of the legacy era if it answers with %i and %s', async (status, _, body) => {
    const { url, got } = await http((message, response) => {
      if (message.method === 'server/discover') json(response, status, body);
      else legacy(message, response);
    });
    const { connection } = await connectTo({ type: 'http', url, headers: {} });
    expect(connection.agreement).toMatchObject({ era: 'legacy', revision: '2025-06-18', transport: 'http' });
    expect(got.slice(0, 2)).toEqual(['server/discover', 'initialize']);
  });

  it('is tried with the transport before Streamable HTTP if it takes no message there', async () => {
    const { url, got } = await http((_, response) => response.writeHead(404).end());
    await expect(connectTo({ type: 'http', url, headers: {} })).rejects.toMatchObject({ kind: 'answered', code: 404 });
    expect(got).toEqual(['server/discover', 'initialize', 'GET']);
  });

  it('is asked again after a new connection, and not within one', async () => {
    const { url, got } = await http((message, response) => {
      if (message.method === 'server/discover') json(response, 400, 'no');
      else legacy(message, response);
    });
    for (const round of [1, 2]) {
      const { connection } = await connectTo({ type: 'http', url, headers: {} });
      await connection.listTools(never());
      await connection.close();
      expect(got.filter((method) => method === 'server/discover')).toHaveLength(round);
    }
  });
});
