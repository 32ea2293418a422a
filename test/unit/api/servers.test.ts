import { describe, expect, onTestFinished, test } from 'vitest';
import { McpError } from '../../../src/domain/mcp/connection.js';
import type { GnomonMcpConnection, GnomonMcpServer } from '../../../src/api/gnomon-api.js';
import { connectTo, never } from '../mcp/client/connected.js';
import { Rig } from '../mcp/asking/rig.js';
import { type ApiWindow, apiWindow } from './rig.js';
import { eventually } from '../../support/eventually.js';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** A server of the legacy era, written by hand as an extension may do it: it answers in JSON, and asks the user when its tool is called. */
class Server implements GnomonMcpServer {
  readonly name: string = 'notes';
  readonly heard: Message[] = [];
  closed = 0;
  connection: GnomonMcpConnection | undefined;
  /** What the tool asks the user before it answers. */
  asks: Readonly<Record<string, unknown>> | undefined;
  private waiting: number | string | undefined;

  handleMessage(bytes: Uint8Array, connection: GnomonMcpConnection): string | undefined {
    const message = JSON.parse(new TextDecoder().decode(bytes)) as Message;
    this.heard.push(message);
    this.connection = connection;
    const reply = (result: unknown, id = message.id): string => JSON.stringify({ jsonrpc: '2.0', id, result });
    switch (message.method) {
      case 'initialize':
        return reply({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'notes', version: '1' } });
      case 'tools/list':
        return reply({ tools: [{ name: 'add', description: 'Adds a note.', inputSchema: { type: 'object' } }] });
      case 'tools/call':
        if (message.params?.['name'] === 'fails') throw new Error('secret reason');
        if (this.asks === undefined) return reply({ content: [{ type: 'text', text: 'added' }] });
        this.waiting = message.id;
        return JSON.stringify({ jsonrpc: '2.0', id: 'ask', method: 'elicitation/create', params: this.asks });
      case undefined:
        return reply({ content: [{ type: 'text', text: JSON.stringify(message.error?.message ?? message.result) }] }, this.waiting);
      default:
        return message.id === undefined ? undefined : JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'no such method' } });
    }
  }

  close(): void {
    this.closed += 1;
  }
}

async function registered(server: GnomonMcpServer, window?: ApiWindow) {
  const { api, servers, log } = window ?? apiWindow();
  const offer = await api.registerMcpServer(server);
  const [entry] = servers.entries;
  if (entry === undefined) throw new Error('It is not listed.');
  return { offer, servers, entry, log, connect: (handlers = {}) => connectTo(entry.config, { handlers, deps: { sdkServers: servers.connect } }) };
}

const add = { name: 'add', inputSchema: { type: 'object' }, annotations: {} };

describe('an MCP server inside another extension', () => {
  test('M-03: is plain data in the configuration, and answers through the connector like any server', async () => {
    const server = new Server();
    const { entry, connect } = await registered(server);
    expect(entry).toEqual({
      name: 'notes',
      source: { scope: 'extension', format: 'gnomon', file: 'acme.words' },
      config: { type: 'sdk', name: 'acme.words/notes' },
    });
    expect(structuredClone(entry)).toEqual(entry);
    const { connection } = await connect();
    expect(connection.agreement).toMatchObject({ transport: 'sdk', revision: '2025-11-25', server: { name: 'notes' } });
    expect((await connection.listTools(never())).items.map(({ name }) => name)).toEqual(['add']);
    await expect(connection.callTool(add, {}, { signal: never() })).resolves.toMatchObject({ content: [{ type: 'text', text: 'added' }], isError: false });
  });

  test('M-12: asks the user through the window, and gets the answer or a clear refusal', async () => {
    const server = new Server();
    const rig = new Rig();
    const { connect } = await registered(server);
    const { connection } = await connect(rig.asking.questions('notes'));
    onTestFinished(() => rig.asking.dispose());
    server.asks = { mode: 'form', message: 'Which one?', requestedSchema: { type: 'object', properties: { which: { type: 'string' } }, required: ['which'] } };
    const call = rig.calls.during('notes', 'background', () => connection.callTool(add, {}, { signal: never() }));
    await eventually(() => expect(rig.asking.open('background')).toHaveLength(1));
    rig.asking.answer(rig.asking.open('background')[0]?.id ?? '', { action: 'accept', content: { which: 'this' } });
    await expect(call).resolves.toMatchObject({ content: [{ text: '{"action":"accept","content":{"which":"this"}}' }] });
    server.asks = { mode: 'url', message: 'Sign in', url: 'file:///etc/passwd', elicitationId: 'e1' };
    await expect(connection.callTool(add, {}, { signal: never() })).resolves.toMatchObject({
      content: [{ text: expect.stringContaining('Only addresses with https: or http: can be opened.') as string }],
    });
    server.asks = { mode: 'url', message: 'Sign in', url: 'https://example.com/', elicitationId: 'e2' };
    const done = connection.callTool(add, {}, { signal: never() });
    await eventually(() => expect(rig.asking.open('chat')).toHaveLength(1));
    server.connection?.send(
      new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/elicitation/complete', params: { elicitationId: 'e2' } })),
    );
    await expect(done).resolves.toMatchObject({ content: [{ text: '{"action":"cancel"}' }] });
    expect(rig.opened).toEqual([]);
  });

  test('ends its connections when it is taken back, and a call that is open fails', async () => {
    const server = new Server();
    const { offer, servers, connect, entry } = await registered(server);
    let changes = 0;
    servers.onDidChange(() => (changes += 1));
    // Nobody answers it.
    const { connection, told } = await connect({ elicit: () => new Promise(() => undefined) });
    server.asks = { mode: 'form', message: '', requestedSchema: { type: 'object', properties: {} } };
    const call = connection.callTool(add, {}, { signal: never() });
    call.catch(() => undefined);
    await eventually(() => expect(server.heard.some(({ method }) => method === 'tools/call')).toBe(true));
    offer.dispose();
    offer.dispose();
    await expect(call).rejects.toBeInstanceOf(McpError);
    await eventually(() => expect(server.closed).toBe(1));
    expect(told.closed).toHaveLength(1);
    expect(servers.entries).toEqual([]);
    expect(changes).toBe(1);
    server.connection?.send('{"jsonrpc":"2.0","method":"late"}');
    await expect(connectTo(entry.config, { deps: { sdkServers: servers.connect } })).rejects.toMatchObject({ kind: 'unreachable' });
  });

  test('that throws makes its call fail; why is in the log and nowhere else', async () => {
    const { connect, log } = await registered(new Server());
    const { connection } = await connect();
    const failure = await connection.callTool({ ...add, name: 'fails' }, {}, { signal: never() }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(McpError);
    expect(String(failure)).not.toContain('secret reason');
    expect(JSON.stringify(log)).toContain('The MCP server notes of acme.words failed');
  });

  test('sends nothing but messages that are JSON and not too large', async () => {
    const server = new Server();
    const { connect } = await registered(server);
    await connect();
    const { connection } = server;
    expect(() => connection?.send('{')).toThrow(expect.objectContaining({ code: 'invalid' }));
    expect(() => connection?.send(3 as never)).toThrow(expect.objectContaining({ code: 'invalid' }));
    expect(() => connection?.send(`"${'x'.repeat(8 * 1024 * 1024)}"`)).toThrow(expect.objectContaining({ code: 'limit' }));
    expect(() => connection?.send(new Uint8Array(8 * 1024 * 1024 + 1))).toThrow(expect.objectContaining({ code: 'limit' }));
  });

  test('M-52: has a plain name of its own, two functions, and not too many beside it', async () => {
    const window = apiWindow();
    const { api } = window;
    for (const name of ['', 'a b', 'a__b', '../x', '__proto__', 'x'.repeat(41), '😀'])
      await expect(api.registerMcpServer(Object.assign(new Server(), { name }))).rejects.toMatchObject({ name: 'GnomonApiError', code: 'invalid' });
    await expect(api.registerMcpServer({ name: 'x', close: () => undefined } as never)).rejects.toMatchObject({ code: 'invalid' });
    await expect(api.registerMcpServer(undefined as never)).rejects.toMatchObject({ code: 'invalid' });
    for (let index = 0; index < 8; index += 1) await api.registerMcpServer(Object.assign(new Server(), { name: `s${index}` }));
    await expect(api.registerMcpServer(Object.assign(new Server(), { name: 's1' }))).rejects.toMatchObject({ code: 'invalid' });
    await expect(api.registerMcpServer(Object.assign(new Server(), { name: 's9' }))).rejects.toMatchObject({ code: 'limit' });
    // Another extension may use the same name.
    await window.exports.getApi(1, 'other.ext').registerMcpServer(Object.assign(new Server(), { name: 's1' }));
    expect(window.servers.entries.map(({ config }) => config.type === 'sdk' && config.name)).toEqual([
      ...Array.from({ length: 8 }, (_, index) => `acme.words/s${index}`),
      'other.ext/s1',
    ]);
    expect(window.loads()).toBe(0);
  });
});
