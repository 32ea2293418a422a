import type { McpConfig, McpEntry, McpSource } from '../../../../src/domain/mcp/config.js';
import type { McpConnector } from '../../../../src/domain/mcp/connection.js';
import type { McpServerState } from '../../../../src/domain/mcp/server.js';
import type { McpServerEntry, McpServersEvent, McpStartGate } from '../../../../src/mcp/servers/ports.js';
import { McpServers } from '../../../../src/mcp/servers/servers.js';
import { type FakeConnection, FakeConnector } from '../../../support/mcp/fake-connector.js';
import { VirtualTime } from '../../../support/virtual-time.js';

/** Where the entries below are written. */
export const SOURCE: McpSource = { scope: 'workspace', format: 'claude', file: '/w/.mcp.json', folder: '/w', line: 3 };

/** An entry of a workspace's `.mcp.json`, whose id is its name. */
export function entryOf(name: string, more: Partial<McpEntry> = {}): McpServerEntry {
  return { id: name, entry: { name, source: SOURCE, config: stdio(name), ...more } };
}

/** A process that would be started. */
export function stdio(command: string, ...args: readonly string[]): McpConfig {
  return { type: 'stdio', command, args, env: {} };
}

/** A server on the net. */
export function http(url: string): McpConfig {
  return { type: 'http', url, headers: {} };
}

/** Lets everything start. */
export const OPEN_GATE: McpStartGate = (entry) => Promise.resolve({ may: true, target: { name: entry.name, config: entry.config, cwd: '/w' }, secrets: [] });

/** Servers whose time, gate and connections a test decides. */
export class Rig {
  readonly time = new VirtualTime();
  readonly connector = new FakeConnector();
  readonly events: McpServersEvent[] = [];
  readonly servers: McpServers;
  /** Secrets beside those that the gate names. */
  readonly tokens: string[] = [];
  /** What the gate says from now on. */
  gate: McpStartGate = OPEN_GATE;

  constructor(connector?: McpConnector) {
    this.servers = new McpServers({
      connector: connector ?? this.connector,
      gate: (entry) => this.gate(entry),
      clock: { timestamp: () => new Date(this.time.now).toISOString(), monotonic: () => this.time.now },
      wait: this.time.wait,
      secrets: () => this.tokens,
      questions: () => ({ roots: () => [] }),
    });
    this.servers.subscribe((event) => this.events.push(event));
  }

  /** Lets all that is ready happen. */
  settle(): Promise<void> {
    return this.time.pass(0);
  }

  /** The state of a server. Throws when there is none. */
  state(id = 'db'): McpServerState {
    const state = this.servers.state(id);
    if (state === undefined) throw new Error(`There is no server ${id}.`);
    return state;
  }

  /** What a server is in, such as `pending/start`, with its problem behind. */
  phase(id = 'db'): string {
    const { status, waitsFor, problem } = this.state(id);
    return [waitsFor === undefined ? status : `${status}/${waitsFor}`, ...(problem === undefined ? [] : [problem])].join(': ');
  }

  /** What a server was in, without repetitions. */
  phases(id = 'db'): readonly string[] {
    const all = this.events.flatMap((event) => (event.type === 'state' && event.state.id === id ? [event.state.waitsFor ?? event.state.status] : []));
    return all.filter((phase, index) => phase !== all[index - 1]);
  }

  /** A server that is connected. @param prepare changes what its connection gives, before anything is read */
  async connected(name = 'db', prepare: (connection: FakeConnection) => void = () => undefined): Promise<FakeConnection> {
    await this.servers.update([entryOf(name)]);
    this.servers.want();
    await this.settle();
    return this.answer(prepare);
  }

  /** Lets the newest attempt succeed. */
  async answer(prepare: (connection: FakeConnection) => void = () => undefined): Promise<FakeConnection> {
    const connection = this.connector.last.succeed();
    prepare(connection);
    await this.settle();
    return connection;
  }
}

/** How a call is made that nobody stops. */
export const CALL = { signal: new AbortController().signal };
