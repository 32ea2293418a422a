import { type McpConnection, McpError } from '../../../src/domain/mcp/connection.js';
import type { McpServerState } from '../../../src/domain/mcp/server.js';
import type { ConnectedServers } from '../../../src/mcp/connected-servers.js';
import type { McpServersEvent } from '../../../src/mcp/servers/ports.js';
import { FAKE_AGREEMENT } from './fake-connector.js';

/** What a connection does that a test is about; everything else fails. */
export type FakeWork = Partial<Pick<McpConnection, 'readResource' | 'subscribe' | 'getPrompt' | 'complete' | 'callTool'>>;

/** The servers of a window whose states and answers a test decides. */
export class FakeServers implements ConnectedServers {
  private readonly servers = new Map<string, { state: McpServerState; work: FakeWork }>();
  private readonly listeners = new Set<(event: McpServersEvent) => void>();
  readonly subscribe = (listener: (event: McpServersEvent) => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  get states(): readonly McpServerState[] {
    return [...this.servers.values()].map(({ state }) => state);
  }

  /** How many listen. */
  get listening(): number {
    return this.listeners.size;
  }

  state(id: string): McpServerState | undefined {
    return this.servers.get(id)?.state;
  }

  /** Sets what a server is like, and tells of it. It is connected unless something else is said. */
  set(id: string, state: Partial<McpServerState> = {}, work: FakeWork = this.servers.get(id)?.work ?? {}): this {
    const whole = { ...(this.state(id) ?? stateOf(id)), ...state };
    this.servers.set(id, { state: whole, work });
    this.tell({ type: 'state', state: whole });
    return this;
  }

  tell(event: McpServersEvent): void {
    for (const listener of this.listeners) listener(event);
  }

  async use<T>(id: string, work: (connection: McpConnection) => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const server = this.servers.get(id);
    if (server?.state.status !== 'connected') throw new McpError('closed', `The MCP server “${id}” is not connected.`);
    return work({ ...NOTHING, ...server.work });
  }
}

function stateOf(id: string): McpServerState {
  const source = { scope: 'workspace', format: 'claude', file: '/ws/.mcp.json' } as const;
  const entry = { name: id, source, config: { type: 'stdio', command: id, args: [], env: {} } } as const;
  return {
    id,
    entry,
    status: 'connected',
    agreement: FAKE_AGREEMENT,
    tools: [],
    prompts: [],
    resources: [],
    templates: [],
    warnings: [],
    stderr: [],
    restarts: 0,
  };
}

function missing(): Promise<never> {
  return Promise.reject(new McpError('answered', 'Method not found.', { code: -32601 }));
}

const NOTHING: McpConnection = {
  agreement: FAKE_AGREEMENT,
  listTools: missing,
  callTool: missing,
  listResources: missing,
  listResourceTemplates: missing,
  readResource: missing,
  subscribe: missing,
  listPrompts: missing,
  getPrompt: missing,
  complete: missing,
  close: () => Promise.resolve(),
};
