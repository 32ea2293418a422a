import type { McpEntry } from '../../domain/mcp/config.js';
import type { McpTarget } from '../../domain/mcp/connection.js';
import type { McpWait } from '../../domain/mcp/server.js';
import type { McpVerdict } from '../../mcp/servers/ports.js';
import type { McpServers } from '../../mcp/servers/servers.js';
import type { Approvals } from './approvals.js';

/** A server that the user approved. */
export interface ApprovedServer {
  readonly entry: McpEntry;
  /** Changes with everything that the user approved; VS Code reads the tools anew then. */
  readonly version: string;
  /** Judges it anew and replaces its variables, when VS Code starts it; `undefined` when it may not start any more. */
  resolve(): Promise<McpTarget | undefined>;
}

/** The servers that the user approved in this window. */
export interface ApprovedServers {
  /** Without those inside extensions, which VS Code cannot reach. */
  readonly all: () => readonly ApprovedServer[];
  /** Calls back after each change. Returns how to stop that. */
  readonly onDidChange: (listener: () => void) => () => void;
}

/** Servers that wait for one of these may not start. */
const HELD: ReadonlySet<McpWait | undefined> = new Set<McpWait>(['trust', 'approval', 'changed']);

/**
 * The servers of a window that the user approved and has not switched off, but those of agents, which no other chat may have. Each is judged again when it is
 * resolved.
 */
export function approvedServersOf(servers: Pick<McpServers, 'states' | 'subscribe'>, approvals: Pick<Approvals, 'ofEntry' | 'verdict'>): ApprovedServers {
  const all = (): readonly ApprovedServer[] =>
    servers.states.flatMap(({ entry, status, waitsFor }) => {
      const version = approvals.ofEntry(entry)?.hash;
      if (version === undefined || entry.source.agents !== undefined || status === 'disabled' || HELD.has(waitsFor)) return [];
      return [{ entry, version, resolve: async () => targetOf(await approvals.verdict(entry)) }];
    });
  return {
    all,
    onDidChange: (listener) => {
      let told = namesOf(all());
      return servers.subscribe(() => {
        const now = namesOf(all());
        if (now === told) return;
        told = now;
        listener();
      });
    },
  };
}

/** Comparison key of the servers as VS Code sees them. Most events of a server do not change it. */
function namesOf(servers: readonly ApprovedServer[]): string {
  return JSON.stringify(servers.map(({ entry, version }) => [entry.name, version]));
}

function targetOf(verdict: McpVerdict): McpTarget | undefined {
  return verdict.may ? verdict.target : undefined;
}
