import { escapeHidden } from '../../domain/hidden-characters.js';
import type { McpServerState } from '../../domain/mcp/server.js';
import type { Disposable } from '../../domain/host/disposable.js';
import type { McpServers } from '../../mcp/servers/servers.js';

/** Lines kept for a log that has not been opened yet. */
const KEPT = 500;

/** Where users read a log. */
export interface LogChannel extends Disposable {
  appendLine(line: string): void;
  show(): void;
}

/** Logs of servers, each in its own output channel, which is created when the user first opens it. */
export class ServerLogs implements Disposable {
  private readonly kept = new Map<string, string[]>();
  private readonly channels = new Map<string, LogChannel>();
  private readonly stop: () => void;

  /** @param open opens an empty log under a name */
  constructor(
    servers: McpServers,
    private readonly open: (name: string) => LogChannel,
  ) {
    this.stop = servers.subscribe((event) => {
      if (event.type === 'log') this.add(event.id, `[${escapeHidden(event.line.level)}] ${event.line.text}`);
      if (event.type === 'removed') this.forget(event.id);
    });
  }

  /** Shows the log of a server, with the last lines of its standard error output. */
  show({ id, entry, stderr }: McpServerState): void {
    let channel = this.channels.get(id);
    if (channel === undefined) {
      channel = this.open(`Gnomon MCP: ${escapeHidden(entry.name)}`);
      this.channels.set(id, channel);
      for (const line of this.kept.get(id) ?? []) channel.appendLine(line);
      this.kept.delete(id);
    }
    for (const line of stderr) channel.appendLine(`[stderr] ${line}`);
    channel.show();
  }

  dispose(): void {
    this.stop();
    for (const channel of this.channels.values()) channel.dispose();
  }

  private add(id: string, line: string): void {
    const channel = this.channels.get(id);
    if (channel !== undefined) {
      channel.appendLine(line);
      return;
    }
    const lines = this.kept.get(id) ?? [];
    this.kept.set(id, lines);
    lines.push(line);
    if (lines.length > KEPT * 2) lines.splice(0, KEPT);
  }

  private forget(id: string): void {
    this.kept.delete(id);
    this.channels.get(id)?.dispose();
    this.channels.delete(id);
  }
}
