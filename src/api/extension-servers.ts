import { Signal } from '../concurrency/signal.js';
import type { McpEntry } from '../domain/mcp/config.js';
import type { SdkChannel, SdkServers } from '../mcp/client/transport/in-process-transport.js';

/** Events of a connection with a server inside an extension. */
export type ServerEvents = Parameters<SdkServers>[1];

/** A server inside an extension, as it can be connected with. */
export interface ExtensionServer {
  /** Id of the extension, as it says. */
  readonly caller: string;
  readonly name: string;
  open(events: ServerEvents): SdkChannel;
}

/** The MCP servers that other extensions offer in this window. */
export class ExtensionServers {
  private readonly byKey = new Map<string, ExtensionServer>();
  private readonly changed = new Signal();
  /** Calls back after each change of {@link ExtensionServers.entries}. Returns how to stop that. */
  readonly onDidChange = this.changed.subscribe;

  /** Their configurations, plain data as those of files, in an order that does not depend on which extension starts first. */
  get entries(): readonly McpEntry[] {
    const servers = [...this.byKey].sort(([a], [b]) => (a < b ? -1 : 1));
    return servers.map(([key, { caller, name }]) => ({
      name,
      source: { scope: 'extension', format: 'gnomon', file: caller },
      config: { type: 'sdk', name: key },
    }));
  }

  /** The way to them, for the connector. */
  readonly connect: SdkServers = (key, events) => this.byKey.get(key)?.open(events);

  /** Whether an extension offers one under a name. */
  has(caller: string, name: string): boolean {
    return this.byKey.has(keyOf(caller, name));
  }

  /** Number of servers that an extension offers. */
  count(caller: string): number {
    return [...this.byKey.values()].filter((server) => server.caller === caller).length;
  }

  /** Offers a server. Returns what takes it back. */
  add(server: ExtensionServer): () => void {
    const key = keyOf(server.caller, server.name);
    this.byKey.set(key, server);
    this.changed.emit();
    return () => {
      if (this.byKey.get(key) !== server) return;
      this.byKey.delete(key);
      this.changed.emit();
    };
  }
}

/** Ids of extensions contain no `/`. */
function keyOf(caller: string, name: string): string {
  return `${caller}/${name}`;
}
