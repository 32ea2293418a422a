import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { McpConnection } from '../../../../src/domain/mcp/connection.js';
import type { McpToolInfo } from '../../../../src/domain/mcp/feature.js';
import type { McpElicitation } from '../../../../src/domain/mcp/request.js';
import { eventually } from '../../../support/eventually.js';
import { seen, serveModernHttp } from '../../../support/mcp/modern-server.mjs';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { connectTo, never, program, tool } from './connected.js';

const MODERN = 'test/support/mcp/modern-server.mjs';
const require = createRequire(import.meta.url);
const EVERYTHING = require.resolve('@modelcontextprotocol/server-everything/dist/index.js');
const FILESYSTEM = require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js');
const MEMORY = require.resolve('@modelcontextprotocol/server-memory/dist/index.js');
const options = { signal: never() };

const servers: { close(): Promise<void> }[] = [];
const processes: ChildProcess[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  for (const each of processes.splice(0)) each.kill();
});

async function modernHttp(serving?: Parameters<typeof serveModernHttp>[0]): Promise<Awaited<ReturnType<typeof serveModernHttp>>> {
  const server = await serveModernHttp(serving);
  servers.push(server);
  return server;
}

/** Port on which nothing listens, as far as can be known. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function everythingOverHttp(mode: 'streamableHttp' | 'sse'): Promise<string> {
  const port = await freePort();
  const child = spawn(process.execPath, [EVERYTHING, mode], { env: { ...process.env, PORT: String(port) }, stdio: ['ignore', 'pipe', 'pipe'] });
  processes.push(child);
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  await eventually(() => expect(output).toMatch(/listening|running on port/i));
  return `http://127.0.0.1:${port}`;
}

/** What every server of the modern era has to do the same way, over whatever transport. */
async function usesModernServer(connection: McpConnection, asked: McpElicitation[]): Promise<void> {
  expect(await connection.callTool(await tool(connection, 'add'), { a: 1, b: 2 }, options)).toEqual({
    content: [{ type: 'text', text: '3' }],
    structured: { sum: 3 },
    isError: false,
  });
  const answer = await connection.callTool(await tool(connection, 'ask'), {}, options);
  expect(answer.content).toEqual([{ type: 'text', text: 'accept {"name":"Grace","size":"m"}' }]);
  expect(asked).toEqual([
    {
      mode: 'form',
      message: 'Who are you?',
      fields: [
        { name: 'name', type: 'text', default: 'Ada', required: false },
        {
          name: 'size',
          type: 'choice',
          options: [
            { value: 's', title: 's' },
            { value: 'm', title: 'm' },
          ],
          required: true,
        },
      ],
    },
  ]);
  expect((await connection.callTool(await tool(connection, 'roots'), {}, options)).content).toEqual([{ type: 'text', text: 'file:///work' }]);
  expect((await connection.listResources(never())).items).toEqual([{ uri: 'note://one', name: 'note', mimeType: 'text/plain' }]);
  expect((await connection.listResourceTemplates(never())).items).toEqual([{ uriTemplate: 'note://{id}', name: 'notes' }]);
  expect(await connection.readResource('note://one', options)).toEqual([{ uri: 'note://one', text: 'first note' }]);
  expect((await connection.listPrompts(never())).items).toEqual([{ name: 'greet', arguments: [{ name: 'who', required: true }] }]);
  expect(await connection.getPrompt('greet', { who: 'Ada' }, options)).toEqual([{ role: 'user', content: { type: 'text', text: 'Greet Ada.' } }]);
  expect(await connection.complete({ type: 'prompt', name: 'greet' }, { name: 'who', value: 'Al' }, {}, never())).toEqual(['Alan']);
  expect(await connection.complete({ type: 'template', uriTemplate: 'note://{id}' }, { name: 'id', value: 't' }, {}, never())).toEqual(['two']);
}

function answering(asked: McpElicitation[]): {
  readonly elicit: (request: McpElicitation) => Promise<{ action: 'accept'; content: { name: string; size: string } }>;
} {
  return {
    elicit: (request) => {
      asked.push(request);
      return Promise.resolve({ action: 'accept', content: { name: 'Grace', size: 'm' } });
    },
  };
}

describe('a server of the modern era', () => {
  it('M-04, M-11: over stdio is found to be one, and everything works', async () => {
    const asked: McpElicitation[] = [];
    const { connection } = await connectTo(program(MODERN), { handlers: answering(asked) });
    expect(connection.agreement).toEqual({
      era: 'modern',
      revision: '2026-07-28',
      transport: 'stdio',
      server: { name: 'modern', version: '1.2.3' },
      instructions: 'Use add for sums.',
      capabilities: { tools: true, resources: true, subscriptions: true, prompts: true, completions: true, logging: true },
    });
    await usesModernServer(connection, asked);
  });

  it('M-05, M-11: over HTTP is found to be one, and everything works', async () => {
    const asked: McpElicitation[] = [];
    const { url } = await modernHttp({ legacy: 'reject' });
    const { connection } = await connectTo({ type: 'http', url, headers: { 'x-team': 'blue' } }, { handlers: answering(asked) });
    expect(connection.agreement).toMatchObject({ era: 'modern', revision: '2026-07-28', transport: 'http' });
    await usesModernServer(connection, asked);
    const { content } = await connection.callTool(await tool(connection, 'headers'), { city: 'Zürich' }, options);
    expect(content).toMatchObject([{ text: expect.stringContaining(`"mcp-param-city":"=?base64?${Buffer.from('Zürich').toString('base64')}?="`) as string }]);
    expect(content).toMatchObject([{ text: expect.stringContaining('"x-team":"blue"') as string }]);
  });

  it('M-10: learns over HTTP that a call was stopped, by the end of the stream', async () => {
    const { url } = await modernHttp();
    const { connection } = await connectTo({ type: 'http', url, headers: {} });
    const wait = await tool(connection, 'wait');
    const stop = new AbortController();
    seen.length = 0;
    const progress: string[] = [];
    const call = connection.callTool(wait, {}, { signal: stop.signal, progress: ({ message = '' }) => void progress.push(message) });
    await eventually(() => expect(progress).toEqual(['waiting']));
    stop.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    await eventually(() => expect(seen).toEqual(['waiting', 'stopped']));
  });

  it('M-11: asks for input only so often within one call', async () => {
    const { connection } = await connectTo(program(MODERN), { deps: { limits: { rounds: 3 } } });
    await expect(connection.callTool(await tool(connection, 'loop'), {}, options)).rejects.toMatchObject({
      kind: 'protocol',
      message: 'The server asked for input again and again without finishing.',
    });
    expect((await connection.listTools(never())).items.length).toBeGreaterThan(3);
  });

  it('logs what it does for a call', async () => {
    const { connection, told } = await connectTo(program(MODERN));
    await connection.callTool(await tool(connection, 'log'), {}, options);
    await eventually(() => expect(told.log).toEqual([{ level: 'warning', text: 'stove: {"hot":true}' }]));
  });

  it('M-07: tells of changed lists and resources', async () => {
    const { url, notify } = await modernHttp();
    const { connection, told } = await connectTo({ type: 'http', url, headers: {} });
    const end = await connection.subscribe('note://one', never());
    await eventually(() => {
      notify.toolsChanged();
      expect(told.changed).toContain('tools');
    });
    notify.resourceUpdated('note://one');
    await eventually(() => expect(told.updated).toContain('note://one'));
    await end();
  });
});

describe('server-everything', () => {
  it('M-04: of the legacy era works over stdio', async () => {
    const { connection, told } = await connectTo(program(EVERYTHING, 'stdio'));
    expect(connection.agreement).toMatchObject({ era: 'legacy', revision: '2025-11-25', transport: 'stdio' });
    await usesEverything(connection);
    await connection.close();
    expect(told.closed).toEqual([{ reason: 'Gnomon closed the connection.', wanted: true }]);
  });

  it('M-05: of the legacy era works over Streamable HTTP', async () => {
    const { connection } = await connectTo({ type: 'http', url: `${await everythingOverHttp('streamableHttp')}/mcp`, headers: {} });
    expect(connection.agreement).toMatchObject({ era: 'legacy', revision: '2025-11-25', transport: 'http' });
    await usesEverything(connection);
  });

  it('M-05: works over the transport before Streamable HTTP, also if that is not configured', async () => {
    const url = `${await everythingOverHttp('sse')}/sse`;
    const { connection } = await connectTo({ type: 'http', url, headers: {} });
    expect(connection.agreement).toMatchObject({ era: 'legacy', transport: 'sse' });
    await usesEverything(connection);
    const { connection: other } = await connectTo({ type: 'sse', url, headers: {} });
    expect(other.agreement.transport).toBe('sse');
  });

  async function usesEverything(connection: McpConnection): Promise<void> {
    expect((await connection.callTool(await tool(connection, 'echo'), { message: 'hello' }, options)).content).toEqual([{ type: 'text', text: 'Echo: hello' }]);
    const resources = (await connection.listResources(never())).items;
    const [first] = resources;
    expect(first).toBeDefined();
    if (first !== undefined) expect((await connection.readResource(first.uri, options)).length).toBeGreaterThan(0);
    expect((await connection.listPrompts(never())).items.length).toBeGreaterThan(1);
    const progress: number[] = [];
    const long = await tool(connection, 'trigger-long-running-operation');
    await connection.callTool(long, { duration: 0.3, steps: 3 }, { ...options, progress: (each) => void progress.push(each.progress) });
    expect(progress.at(-1)).toBeGreaterThan(0);
  }
});

describe('servers that people have', () => {
  it('server-filesystem reads the folder that it may', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'note.txt'), 'a note');
    const { connection } = await connectTo(program(FILESYSTEM, folder), { handlers: { roots: () => [{ uri: `file://${folder}`, name: 'folder' }] } });
    const result = await connection.callTool(await tool(connection, 'read_text_file'), { path: join(folder, 'note.txt') }, options);
    expect(result).toMatchObject({ content: [{ type: 'text', text: 'a note' }], isError: false });
    expect(result.mismatch).toBeUndefined();
  });

  it('server-memory keeps what it is told', async () => {
    const { connection } = await connectTo({ ...program(MEMORY), env: { MEMORY_FILE_PATH: join(temporaryFolder(), 'memory.jsonl') } });
    const entities = [{ name: 'Gnomon', entityType: 'assistant', observations: ['codes'] }];
    await connection.callTool(await tool(connection, 'create_entities'), { entities }, options);
    const graph: McpToolInfo = await tool(connection, 'read_graph');
    expect((await connection.callTool(graph, {}, options)).structured).toMatchObject({ entities: [{ name: 'Gnomon' }] });
  });
});
