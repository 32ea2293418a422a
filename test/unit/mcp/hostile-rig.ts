import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { McpConfig } from '../../../src/domain/mcp/config.js';
import type { McpCallOptions } from '../../../src/domain/mcp/connection.js';
import type { McpCallResult, McpToolInfo } from '../../../src/domain/mcp/feature.js';
import type { McpServerState } from '../../../src/domain/mcp/server.js';
import type { McpConnectorDeps } from '../../../src/mcp/client/link.js';
import { createMcpConnector } from '../../../src/mcp/client/connector.js';
import type { McpLimits } from '../../../src/mcp/client/limits.js';
import type { McpDelay, McpQuestions } from '../../../src/mcp/servers/ports.js';
import { McpServers } from '../../../src/mcp/servers/servers.js';
import { systemClock } from '../../../src/node/system-clock.js';
import { startServerProcess } from '../../../src/node/process/server-process.js';
import { eventually } from '../../support/eventually.js';
import { type HostileTrickName, hostileStdio, startHostileHttp } from '../../support/mcp/hostile/index.js';

/** How a trick is played. */
interface Play {
  readonly over?: 'stdio' | 'http' | 'sse';
  readonly argument?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly questions?: Partial<McpQuestions>;
  /** A server that means well, in the same window. */
  readonly beside?: McpConfig;
  /** What proves the user's identity; without it, there is no way to sign in. */
  readonly auth?: NonNullable<McpConnectorDeps['auth']>;
  /** Whether the pauses between attempts are short. */
  readonly hurried?: true;
  readonly limits?: Partial<McpLimits>;
}

type HostileHttp = Awaited<ReturnType<typeof startHostileHttp>>;

/** Waits in real time. */
const wait: McpDelay = (ms, signal) => delay(ms, undefined, { signal, ref: false }).then(undefined, () => undefined);
/** The same, but the pauses of 1, 2 and 4 seconds between attempts are short. */
const hurry: McpDelay = (ms, signal) => wait([1_000, 2_000, 4_000].includes(ms) ? 20 : ms, signal);

/** Plays a trick with the product's own servers and client. The server is wanted, and is gone after the test. */
export async function play(trick: HostileTrickName, options: Play = {}): Promise<Game> {
  const { over = 'stdio', argument, env = {}, headers = {}, beside, auth, limits } = options;
  const http = over === 'stdio' ? undefined : await startHostileHttp(trick, argument);
  if (http !== undefined) onTestFinished(() => http.close());
  const config: McpConfig =
    http === undefined
      ? hostileStdio(trick, argument, env)
      : over === 'sse'
        ? { type: 'sse', url: http.sseUrl, headers }
        : { type: 'http', url: http.url, headers };
  const servers = new McpServers({
    connector: createMcpConnector({
      client: { name: 'gnomon-test', version: '0.0.1' },
      startProcess: startServerProcess,
      fetch,
      ...(auth !== undefined && { auth }),
      ...(limits !== undefined && { limits }),
    }),
    gate: (entry) => Promise.resolve({ may: true, target: { name: entry.name, config: entry.config, cwd: process.cwd() }, secrets: options.secrets ?? [] }),
    clock: systemClock,
    wait: options.hurried === true ? hurry : wait,
    secrets: () => [],
    questions: () => ({ roots: () => [], ...options.questions }),
  });
  onTestFinished(() => servers.dispose());
  const source = { scope: 'workspace', format: 'claude', file: '/w/.mcp.json' } as const;
  const entries = [
    { id: 'hostile', entry: { name: 'hostile', source, config } },
    ...(beside === undefined ? [] : [{ id: 'beside', entry: { name: 'beside', source, config: beside } }]),
  ];
  await servers.update(entries);
  servers.want();
  return new Game(servers, http);
}

/** A server that plays a trick, and what Gnomon knows of it. */
export class Game {
  constructor(
    readonly servers: McpServers,
    private readonly site: HostileHttp | undefined,
  ) {}

  /** The server over HTTP. Throws if it is a process. */
  get http(): HostileHttp {
    if (this.site === undefined) throw new Error('It is not played over HTTP.');
    return this.site;
  }

  get state(): McpServerState {
    return this.stateOf('hostile');
  }

  /** How often Gnomon has sent a request, as far as the inspector remembers. */
  sent(method: string): number {
    return this.servers.traffic('hostile').filter((line) => line.direction === 'sent' && line.method === method).length;
  }

  stateOf(id: string): McpServerState {
    const state = this.servers.state(id);
    if (state === undefined) throw new Error(`There is no server ${id}.`);
    return state;
  }

  /** Waits until it is in a status, and gives what it offers then. */
  async reached(status: McpServerState['status'], id = 'hostile'): Promise<McpServerState> {
    await eventually(() => {
      const state = this.stateOf(id);
      if (state.status !== status) throw new Error(`It is ${state.status}/${state.waitsFor}: ${state.problem}`);
    });
    return this.stateOf(id);
  }

  /** A tool of the server by its name, when that is connected. */
  async tool(name: string, id = 'hostile'): Promise<McpToolInfo> {
    const { tools } = await this.reached('connected', id);
    const found = tools.find((tool) => tool.name === name);
    if (found === undefined) throw new Error(`There is no tool ${name}, only ${tools.map((tool) => tool.name).join(', ')}.`);
    return found;
  }

  /** Calls a tool with a text. */
  async call(name = 'echo', text = 'hello', options: Partial<McpCallOptions> = {}): Promise<McpCallResult> {
    return this.servers.call('hostile', await this.tool(name), { text }, { signal: new AbortController().signal, ...options });
  }

  /** Calls a tool, and gives the text of its result. */
  async text(name = 'echo', text = 'hello', options: Partial<McpCallOptions> = {}): Promise<string> {
    const [block] = (await this.call(name, text, options)).content;
    if (block?.type !== 'text') throw new Error('The result is no text.');
    return block.text;
  }
}
