// A server of the modern era, written with the official server library: `node modern-server.mjs` over standard input and output, or in
// a test over HTTP.
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { completable, createMcpHandler, inputRequired, inputResponse, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

/** State that shows whether it comes back as it was: with what a careless client would trim, decode or normalize. */
export const STATE = ' {"a": 1}\n=?base64?4pi6?= ü/%2F ';
/** What the tools of all servers of this process have been through. @type {string[]} */
export const seen = [];

/** @param {string} value */
const said = (value) => ({ content: [{ type: /** @type {const} */ ('text'), text: value }] });

/** @returns {McpServer} with a tool for each thing that the modern era does differently */
export function createModernServer() {
  const server = new McpServer(
    { name: 'modern', version: '1.2.3' },
    { instructions: 'Use add for sums.', capabilities: { logging: {}, tools: { listChanged: true }, resources: { subscribe: true, listChanged: true } } },
  );
  server.registerTool(
    'add',
    { inputSchema: z.object({ a: z.number(), b: z.number() }), outputSchema: z.object({ sum: z.number() }), annotations: { readOnlyHint: true } },
    ({ a, b }) => ({ ...said(String(a + b)), structuredContent: { sum: a + b } }),
  );
  server.registerTool('ask', { inputSchema: z.object({}) }, (_, { mcpReq }) => {
    seen.push(`ask ${mcpReq.id}`);
    const answer = inputResponse(mcpReq.inputResponses, 'name');
    if (answer.kind === 'missing')
      return inputRequired({
        inputRequests: {
          name: inputRequired.elicit({ message: 'Who are you?', requestedSchema: z.object({ name: z.string().default('Ada'), size: z.enum(['s', 'm']) }) }),
        },
        requestState: STATE,
      });
    if (mcpReq.requestState() !== STATE) return said(`state: ${JSON.stringify(mcpReq.requestState())}`);
    return said(answer.kind === 'elicit' ? `${answer.action} ${JSON.stringify(answer.content)}` : answer.kind);
  });
  server.registerTool('roots', { inputSchema: z.object({}) }, (_, { mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'roots');
    return answer.kind === 'roots' ? said(answer.roots.map(({ uri }) => uri).join()) : inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
  });
  server.registerTool('loop', { inputSchema: z.object({}) }, () => inputRequired({ inputRequests: { roots: inputRequired.listRoots() } }));
  server.registerTool('wait', { inputSchema: z.object({}) }, async (_, { mcpReq }) => {
    seen.push('waiting');
    await mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken: /** @type {any} */ (mcpReq._meta)?.progressToken, progress: 1, message: 'waiting' },
    });
    await new Promise((resolve) => mcpReq.signal.addEventListener('abort', () => resolve(seen.push('stopped')), { once: true }));
    return said('late');
  });
  server.registerTool('headers', { inputSchema: z.object({ city: z.string().meta({ 'x-mcp-header': 'City' }) }) }, (_, { http }) =>
    said(JSON.stringify(Object.fromEntries(http?.req?.headers ?? []))),
  );
  server.registerTool('log', { inputSchema: z.object({}) }, async (_, { mcpReq }) => {
    // oxlint-disable-next-line typescript/no-deprecated -- servers still log this way
    await mcpReq.log('warning', { hot: true }, 'stove');
    return said('logged');
  });
  server.registerResource('note', 'note://one', { mimeType: 'text/plain' }, (uri) => ({ contents: [{ uri: uri.href, text: 'first note' }] }));
  server.registerResource(
    'notes',
    new ResourceTemplate('note://{id}', { list: undefined, complete: { id: (value) => ['one', 'two'].filter((id) => id.startsWith(value)) } }),
    {},
    (uri) => ({ contents: [{ uri: uri.href, text: `note ${uri.href}` }] }),
  );
  server.registerPrompt(
    'greet',
    { argsSchema: z.object({ who: completable(z.string(), (value) => ['Ada', 'Alan'].filter((name) => name.startsWith(value))) }) },
    ({ who }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `Greet ${who}.` } }] }),
  );
  return server;
}

/**
 * Serves it over HTTP on a free port of this machine.
 * @param {{ legacy?: 'stateless' | 'reject' }} [options]
 */
export async function serveModernHttp(options = {}) {
  const handler = createMcpHandler(createModernServer, options);
  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  const serve = async (request, response) => {
    const stop = new AbortController();
    response.on('close', () => stop.abort());
    const body = request.method === 'POST' ? { body: /** @type {any} */ (Readable.toWeb(request)), duplex: 'half' } : {};
    const answer = await handler.fetch(
      new Request(`http://127.0.0.1${request.url}`, {
        method: request.method ?? 'GET',
        headers: /** @type {any} */ (request.headers),
        signal: stop.signal,
        ...body,
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body === null) response.end();
    else
      Readable.fromWeb(/** @type {any} */ (answer.body))
        .on('error', () => response.destroy())
        .pipe(response);
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    notify: handler.notify,
    close: async () => {
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) serveStdio(createModernServer, { legacy: process.argv.includes('--only-modern') ? 'reject' : 'serve' });
