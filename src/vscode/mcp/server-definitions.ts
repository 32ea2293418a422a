import * as vscode from 'vscode';
import type { McpTarget } from '../../domain/mcp/connection.js';
import type { ApprovedServer } from '../../agent-host/servers/approved-servers.js';

/** Label prefix of Gnomon's servers in VS Code. The names of its tools come from it, by which Gnomon leaves them out of those that it is offered. */
const LABEL = 'Gnomon: ';
/** The address of a server whose own is not known before it starts, because there are variables in it. Nothing is ever there (RFC 6761). */
const NO_ADDRESS = 'https://variable.invalid/';

/** The servers as VS Code lists them. */
export function definitionsOf(servers: readonly ApprovedServer[]): vscode.McpServerDefinition[] {
  return servers.flatMap((server) => bareDefinition(server) ?? []);
}

/** A definition with all that is needed to start it; `undefined` when a definition that was registered earlier may no longer start. */
export async function startable(definition: vscode.McpServerDefinition, servers: readonly ApprovedServer[]): Promise<vscode.McpServerDefinition | undefined> {
  // What VS Code starts is what was approved, not what was once provided.
  const server = servers.find((each) => labelOf(each) === definition.label && each.version === definition.version);
  const target = await server?.resolve();
  return target === undefined ? undefined : filledIn(definition, target);
}

function labelOf({ entry }: ApprovedServer): string {
  return `${LABEL}${entry.name}`;
}

/** A server as VS Code lists it: arguments, variables, headers and the rest of an address can contain secrets, and are left out. */
function bareDefinition(server: ApprovedServer): vscode.McpServerDefinition | undefined {
  const { config } = server.entry;
  switch (config.type) {
    case 'stdio':
      return new vscode.McpStdioServerDefinition(labelOf(server), config.command, [], {}, server.version);
    case 'http':
    case 'sse':
      return new vscode.McpHttpServerDefinition(labelOf(server), vscode.Uri.parse(originOf(config.url)), {}, server.version);
    case 'sdk':
      return undefined;
  }
}

function originOf(url: string): string {
  return URL.canParse(url) && !url.includes('${') ? `${new URL(url).origin}/` : NO_ADDRESS;
}

/** The same definition with all that is needed to start it; `undefined` when it is of another kind by now. */
function filledIn(definition: vscode.McpServerDefinition, { config, cwd }: McpTarget): vscode.McpServerDefinition | undefined {
  if (definition instanceof vscode.McpStdioServerDefinition) {
    if (config.type !== 'stdio') return undefined;
    return Object.assign(definition, { command: config.command, args: [...config.args], env: { ...config.env }, cwd: vscode.Uri.file(config.cwd ?? cwd) });
  }
  if (config.type !== 'http' && config.type !== 'sse') return undefined;
  return Object.assign(definition, { uri: vscode.Uri.parse(config.url, true), headers: { ...config.headers } });
}
