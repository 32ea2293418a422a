import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import type { McpConnection, McpHandlers } from '../../src/domain/mcp/connection.js';
import { offeredTo } from '../../src/engine/model-advice.js';
import { createMcpConnector } from '../../src/mcp/client/connector.js';
import { createToolset, type ToolLoading } from '../../src/mcp/tools/toolset.js';
import { startServerProcess } from '../../src/node/process/server-process.js';
import { TEST_MODEL } from '../support/scripted-provider/index.js';
import { twoHundredTools } from '../unit/mcp/tools/two-hundred-tools.js';
import { type Figure, median } from './figure.js';

const CALLS = 200;
const WARM_UP = 20;
const SERVER = 'test/support/mcp/modern-server.mjs';
/** Reports of progress, sent in two seconds. */
const REPORTS = 20_000;
const NANOSECONDS = 1e6;

/** A server of the legacy era whose tool reports progress 10,000 times a second. */
const NOISY = `
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'server/discover') send({ id, error: { code: -32601, message: 'no' } });
  if (method === 'initialize') send({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'noisy', version: '1' } } });
  if (method !== 'tools/call') return;
  const start = Date.now();
  let sent = 0;
  const timer = setInterval(() => {
    for (const due = Math.min(${REPORTS}, (Date.now() - start) * 10); sent < due; sent++) send({ method: 'notifications/progress', params: { progressToken: params._meta.progressToken, progress: sent, message: 'working' } });
    if (sent < ${REPORTS}) return;
    clearInterval(timer);
    send({ id, result: { content: [] } });
  }, 5);
});
`;

const handlers: McpHandlers = {
  roots: () => [],
  changed: () => undefined,
  resourceUpdated: () => undefined,
  logged: () => undefined,
  traffic: () => undefined,
  stderr: () => undefined,
  closed: () => undefined,
};
const signal = new AbortController().signal;

/** What Gnomon adds to a call of a tool, what many tools add to a request, and how long a server that reports its progress too often keeps the host from working. */
export async function measureMcp(): Promise<readonly Figure[]> {
  return [await measureCalls(), await measureProgress(), measureDefinitions()];
}

/** What 200 tools of four servers add to each request. */
function measureDefinitions(): Figure {
  const tokensOf = (loading: ToolLoading): number => {
    const tools = offeredTo(createToolset(twoHundredTools(loading)).tools, TEST_MODEL, false);
    return encode(JSON.stringify(tools.map(({ spec: { name, description, parameters } }) => ({ name, description, parameters })))).length;
  };
  return {
    name: 'mcp_200_tools_tokens',
    value: tokensOf('auto'),
    unit: 'tokens',
    goal: 1_500,
    note: `o200k; ${tokensOf('always').toLocaleString('en')} when all are sent`,
  };
}

async function measureCalls(): Promise<Figure> {
  const connection = await connectTo([SERVER]);
  const bare = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await bare.connect(new StdioClientTransport({ command: process.execPath, args: [SERVER], stderr: 'ignore' }));
  const tool = (await connection.listTools(signal)).items.find(({ name }) => name === 'add');
  if (tool === undefined) throw new Error('The server has no tool.');
  await bare.listTools();
  const own: number[] = [];
  const other: number[] = [];
  // In turn, so that both have the same machine.
  for (let call = 0; call < WARM_UP + CALLS; call++) {
    own.push(await timed(() => connection.callTool(tool, { a: call, b: 1 }, { signal })));
    other.push(await timed(() => bare.callTool({ name: 'add', arguments: { a: call, b: 1 } })));
  }
  await Promise.all([connection.close(), bare.close()]);
  const [ours, theirs] = [own, other].map((times) => median(times.slice(WARM_UP)));
  if (ours === undefined || theirs === undefined) throw new Error('Nothing was measured.');
  return {
    name: 'mcp_call_overhead_ms',
    value: ours - theirs,
    unit: 'ms',
    goal: 3,
    note: `${ours.toFixed(2)} ms, ${theirs.toFixed(2)} ms with the bare client, ${CALLS} calls each`,
  };
}

async function measureProgress(): Promise<Figure> {
  const connection = await connectTo(['-e', NOISY]);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  let reports = 0;
  delay.enable();
  await connection.callTool({ name: 'run', inputSchema: {}, annotations: {} }, {}, { signal, progress: () => void reports++ });
  delay.disable();
  await connection.close();
  return {
    name: 'mcp_progress_delay_ms',
    value: delay.percentile(99) / NANOSECONDS,
    unit: 'ms',
    goal: 50,
    note: `99th percentile of the event loop's delay at 10,000 reports a second, of which ${reports} were passed on`,
  };
}

function connectTo(args: readonly string[]): Promise<McpConnection> {
  const connector = createMcpConnector({ client: { name: 'bench', version: '1' }, startProcess: startServerProcess, fetch });
  return connector.connect({ name: 'bench', config: { type: 'stdio', command: process.execPath, args, env: {} }, cwd: process.cwd() }, handlers, signal);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
