import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Client } from '@modelcontextprotocol/client';
import { Listening } from '../../../../src/mcp/client/listening.js';
import { LineReader, type LongLine } from '../../../../src/mcp/client/transport/line-reader.js';
import { eventually } from '../../../support/eventually.js';
import { connectTo, never, scripted } from './connected.js';

describe('a server in the same process', () => {
  it('M-03: is found by the name that it is registered under', async () => {
    let closed = 0;
    const sdkServers: NonNullable<NonNullable<Parameters<typeof connectTo>[1]>['deps']>['sdkServers'] = (name, { message }) =>
      name !== 'inner'
        ? undefined
        : {
            send: (value) => {
              const { id, method } = value as { readonly id?: number; readonly method: string };
              if (id === undefined) return;
              const results: Readonly<Record<string, object>> = {
                initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'inner', version: '1' } },
                'tools/list': { tools: [{ name: 'inside', inputSchema: { type: 'object' } }] },
              };
              const result = results[method];
              message(result === undefined ? { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } } : { jsonrpc: '2.0', id, result });
            },
            close: () => void closed++,
          };
    const { connection, told } = await connectTo({ type: 'sdk', name: 'inner' }, { deps: { sdkServers } });
    expect(connection.agreement).toMatchObject({ era: 'legacy', transport: 'sdk' });
    expect((await connection.listTools(never())).items).toEqual([{ name: 'inside', inputSchema: { type: 'object' }, annotations: {} }]);
    await connection.close();
    expect(closed).toBe(1);
    expect(told.closed).toEqual([{ reason: 'Gnomon closed the connection.', wanted: true }]);
    await expect(connectTo({ type: 'sdk', name: 'other' }, { deps: { sdkServers } })).rejects.toMatchObject({
      kind: 'unreachable',
      message: 'No server is registered under the name “other”.',
    });
  });
});

describe('the transport before Streamable HTTP', () => {
  it('ends the connection when its stream does', async () => {
    const streams: (() => void)[] = [];
    const server = createServer((request, response) => {
      if (request.method === 'GET') {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: endpoint\ndata: /messages\n\n');
        streams.push(() => response.end());
        const send = (message: object): void => void response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
        server.on('message', (id: number, method: string) => {
          if (method === 'initialize')
            send({ id, result: { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } } });
        });
        return;
      }
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        response.writeHead(202).end();
        const { id, method } = JSON.parse(body) as { readonly id: number; readonly method: string };
        server.emit('message', id, method);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`;
    const { connection, told } = await connectTo({ type: 'sse', url, headers: {} });
    expect(connection.agreement).toMatchObject({ revision: '2024-11-05', transport: 'sse' });
    const call = connection.callTool({ name: 'x', inputSchema: {}, annotations: {} }, {}, { signal: never() });
    for (const end of streams) end();
    await expect(call).rejects.toMatchObject({ kind: 'closed', message: 'The server closed the connection.' });
    expect(told.closed).toEqual([{ reason: 'The server closed the connection.', wanted: false }]);
    server.closeAllConnections();
    server.close();
  });
});

describe('listening in the modern era', () => {
  it('starts again after the stream broke, and says that something may have been missed', async () => {
    const ends: ((how: 'local' | 'remote') => void)[] = [];
    const client = {
      transport: {},
      listen: () =>
        Promise.resolve({
          closed: new Promise((resolve) => void ends.push(resolve)),
          close: () => {
            ends.at(-1)?.('local');
            return Promise.resolve();
          },
        }),
    } as unknown as Client;
    let missed = 0;
    const listening = await Listening.start(client, { toolsListChanged: true }, () => void missed++, { timeoutMs: 1_000 });
    expect(ends).toHaveLength(1);
    ends[0]?.('remote');
    await eventually(() => expect(ends).toHaveLength(2));
    await eventually(() => expect(missed).toBe(1));
    await listening.end();
    expect(ends).toHaveLength(2);
  });
});

describe('lines of bytes', () => {
  const read = (limit: number, ...chunks: readonly string[]): { readonly lines: string[]; readonly long: LongLine[] } => {
    const lines: string[] = [];
    const long: LongLine[] = [];
    const reader = new LineReader(limit, { line: (line) => void lines.push(line), tooLong: (line) => void long.push(line) });
    for (const chunk of chunks) reader.push(Buffer.from(chunk, 'latin1'));
    return { lines, long };
  };
  const latin1 = (text: string): string => Buffer.from(text).toString('latin1');

  it('are put together from chunks, also within a character', () => {
    const bytes = latin1('grün\r\n\nzwei\n');
    for (let cut = 0; cut <= bytes.length; cut++) expect(read(100, bytes.slice(0, cut), bytes.slice(cut)).lines).toEqual(['grün', '', 'zwei']);
  });

  it('are cut to their edges when they are too long, and the next ones are read', () => {
    const { lines, long } = read(1_000, 'a\n', 'x'.repeat(900), 'y'.repeat(900), `${'z'.repeat(900)}\nb\n`);
    expect(lines).toEqual(['a', 'b']);
    expect(long).toEqual([{ head: 'x'.repeat(512), tail: 'z'.repeat(512), bytes: 2_700 }]);
  });
});

describe('messages that are none', () => {
  it.each([
    ['legacy', 'fail(id, -32601)'],
    ['modern', `reply(id, { resultType: 'complete', ttlMs: 0, cacheScope: 'private', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } })`],
  ])('harm nothing in the %s era', async (_, discover) => {
    const odd = `[{ result: null }, { result: [] }, { result: 1 }, { error: null }, { error: { code: 'x' } }, {}, { id: null, result: {} }, { id: {}, result: {} }, { id: 'x', result: {} }, { id: 1.5, error: {} },
      { method: 1 }, { method: null, params: null }, { method: 'notifications/progress' }, { method: 'notifications/progress', params: { progressToken: {} } }, { method: 'notifications/cancelled', params: null },
      { method: 'notifications/message', params: [] }, { method: 'notifications/resources/updated', params: { uri: 1 } }, { id: 7, method: 'roots/list', params: 'x' }, { id: 8, method: '__proto__' }, { id: 9, method: 'elicitation/create' }]`;
    const { connection, told } = await connectTo(
      scripted(`on['server/discover'] = ({ id }) => ${discover};
      on['tools/call'] = ({ id }) => { for (const message of ${odd}) send(message); process.stdout.write('[' + JSON.stringify({ jsonrpc: '2.0' }) + ']\\n'); reply(id, { content: [] }); };
      on['tools/list'] = ({ id }) => send({ id, result: null });`),
    );
    const tool = { name: 'x', inputSchema: {}, annotations: {} };
    for (const round of [1, 2]) expect(await connection.callTool(tool, { round }, { signal: never() })).toEqual({ content: [], isError: false });
    await expect(connection.listTools(AbortSignal.timeout(2_000))).rejects.toThrow();
    expect(await connection.callTool(tool, {}, { signal: never() })).toEqual({ content: [], isError: false });
    expect(told.closed).toEqual([]);
  });
});

describe('a flood of notifications', () => {
  it('is stemmed, and answers still come through', async () => {
    const { connection, told } = await connectTo(
      scripted(
        `on['tools/call'] = ({ id }) => { process.stdout.write((JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } }) + '\\n').repeat(50_000), () => reply(id, { content: [] })); };`,
      ),
    );
    expect(await connection.callTool({ name: 'x', inputSchema: {}, annotations: {} }, {}, { signal: never() })).toEqual({ content: [], isError: false });
    expect(told.traffic.length).toBeLessThan(5_000);
  });
});
