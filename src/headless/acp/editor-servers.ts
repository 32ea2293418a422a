import type { McpServer } from '@agentclientprotocol/sdk';
import type { McpConfig, McpEntry } from '../../domain/mcp/config.js';
import type { HostWish } from '../open-host.js';

/** How users know where these servers are configured. */
const EDITOR = 'the settings of the editor';

/**
 * What an editor brings to a session: MCP servers that its user has configured there, and approved by that.
 * @param servers as ACP v1 has them (agentclientprotocol.com, “Session setup”, “MCP servers”)
 */
export function broughtBy(servers: readonly McpServer[]): HostWish['driven'] {
  const entries = servers.map((server): McpEntry => ({
    name: server.name,
    source: { scope: 'program', format: 'gnomon', file: EDITOR },
    config: configOf(server),
  }));
  return {
    callbacks: { definitions: () => [], call: () => Promise.reject(new Error('An editor has no hooks.')) },
    servers: { entries, connect: () => undefined, onDidChange: () => () => undefined },
  };
}

function configOf(server: McpServer): McpConfig {
  if (!('type' in server)) return { type: 'stdio', command: server.command, args: server.args, env: valuesOf(server.env) };
  return { type: server.type, url: server.url, headers: valuesOf(server.headers) };
}

function valuesOf(pairs: readonly { readonly name: string; readonly value: string }[]): Readonly<Record<string, string>> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}
