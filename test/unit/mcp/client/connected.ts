import { onTestFinished } from 'vitest';
import type { McpConfig, McpStdioConfig } from '../../../../src/domain/mcp/config.js';
import type { McpClosed, McpConnection, McpHandlers, McpLogLine, McpTraffic } from '../../../../src/domain/mcp/connection.js';
import type { McpToolInfo } from '../../../../src/domain/mcp/feature.js';
import { createMcpConnector } from '../../../../src/mcp/client/connector.js';
import type { McpConnectorDeps } from '../../../../src/mcp/client/link.js';
import { startServerProcess } from '../../../../src/node/process/server-process.js';

/** What a connection told, as far as it did. */
export interface Told {
  readonly changed: string[];
  readonly updated: string[];
  readonly log: McpLogLine[];
  readonly traffic: McpTraffic[];
  readonly stderr: string[];
  readonly closed: McpClosed[];
}

/** How long a server may take to start on a machine with much else to do, before it is taken for one of the legacy era. */
const PATIENCE_MS = 20_000;

/** Connects with a server through the product's own connector; the connection is closed after the test. */
export async function connectTo(
  config: McpConfig,
  options: { readonly handlers?: Partial<McpHandlers>; readonly deps?: Partial<McpConnectorDeps>; readonly signal?: AbortSignal } = {},
): Promise<{ readonly connection: McpConnection; readonly told: Told }> {
  const told: Told = { changed: [], updated: [], log: [], traffic: [], stderr: [], closed: [] };
  const connector = createMcpConnector({
    client: { name: 'gnomon-test', version: '0.0.1' },
    startProcess: startServerProcess,
    fetch,
    ...options.deps,
    limits: { probeMs: PATIENCE_MS, ...options.deps?.limits },
  });
  const connection = await connector.connect(
    { name: 'server', config, cwd: process.cwd() },
    { ...listening(told), ...options.handlers },
    options.signal ?? never(),
  );
  onTestFinished(() => connection.close());
  return { connection, told };
}

/** Handlers that write down what they are told. */
export function listening(told: Told): McpHandlers {
  return {
    roots: () => [{ uri: 'file:///work', name: 'work' }],
    changed: (list) => void told.changed.push(list),
    resourceUpdated: (uri) => void told.updated.push(uri),
    logged: (line) => void told.log.push(line),
    traffic: (message) => void told.traffic.push(message),
    stderr: (line) => void told.stderr.push(line),
    closed: (closed) => void told.closed.push(closed),
  };
}

/** A signal that nobody uses. */
export function never(): AbortSignal {
  return new AbortController().signal;
}

/** A program of Node as a server. */
export function program(path: string, ...args: readonly string[]): McpStdioConfig {
  return { type: 'stdio', command: process.execPath, args: [path, ...args], env: {} };
}

/** What the servers below start with: messages by line, and a legacy handshake that can be replaced. */
const PRELUDE = `
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const reply = (id, result) => send({ id, result });
const fail = (id, code, message = 'no') => send({ id, error: { code, message } });
const hello = (capabilities = { tools: {} }, protocolVersion = '2025-11-25') => ({ protocolVersion, capabilities, serverInfo: { name: 'script', version: '1' } });
const on = {
  'server/discover': ({ id }) => fail(id, -32601),
  initialize: ({ id }) => reply(id, hello()),
};
let input = '';
process.stdin.on('data', (chunk) => {
  input += chunk;
  for (let end = input.indexOf('\\n'); end >= 0; end = input.indexOf('\\n')) {
    const message = JSON.parse(input.slice(0, end));
    input = input.slice(end + 1);
    on[message.method]?.(message);
  }
});
`;

/** A server of a few lines: `on[method] = (message) => …`, with `send`, `reply`, `fail` and `hello`. */
export function scripted(source: string): McpStdioConfig {
  return { type: 'stdio', command: process.execPath, args: ['-e', PRELUDE + source], env: {} };
}

/** A tool by its name, as the server lists it. */
export async function tool(connection: McpConnection, name: string): Promise<McpToolInfo> {
  const found = (await connection.listTools(never())).items.find((each) => each.name === name);
  if (found === undefined) throw new Error(`There is no tool ${name}.`);
  return found;
}
