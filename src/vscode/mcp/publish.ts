import * as vscode from 'vscode';
import type { McpEntry } from '../../domain/mcp/config.js';
import type { McpTarget } from '../../domain/mcp/connection.js';

/** What VS Code knows the provider by; the manifest names it, too. */
const PROVIDER = 'gnomon.servers';
/** What the name of a server begins with in VS Code. The names of its tools come from it, by which Gnomon leaves them out of those that it is offered. */
const LABEL = 'Gnomon: ';
/** The address of a server whose own is not known before it starts, because there are variables in it. Nothing is ever there (RFC 6761). */
const NO_ADDRESS = 'https://variable.invalid/';

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

/** A window without any. */
export const NONE_APPROVED: ApprovedServers = { all: () => [], onDidChange: () => () => undefined };

/** Dependencies of {@link publishServers}. */
export interface PublishDeps {
  /** Whether the user wants that; read again whenever the setting changes. */
  readonly wanted: () => boolean;
  /** The servers; loads the rest of the extension the first time. */
  readonly load: () => Promise<ApprovedServers>;
}

/** Offers Gnomon's servers to VS Code for as long as the user wants that. Loads nothing before VS Code asks for them. */
export function publishServers(deps: PublishDeps): vscode.Disposable {
  let published: vscode.Disposable | undefined;
  const look = (): void => {
    if (deps.wanted() === (published !== undefined)) return;
    published?.dispose();
    published = deps.wanted() ? publish(new Publication(deps.load)) : undefined;
  };
  const watched = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('gnomon.mcp.publishToVSCode')) look();
  });
  look();
  return vscode.Disposable.from(watched, { dispose: () => void published?.dispose() });
}

function publish(publication: Publication): vscode.Disposable {
  // Editors that are made from VS Code may not have it.
  const register: unknown = Reflect.get(vscode.lm, 'registerMcpServerDefinitionProvider');
  return typeof register === 'function' ? vscode.Disposable.from(vscode.lm.registerMcpServerDefinitionProvider(PROVIDER, publication), publication) : publication;
}

/** What VS Code asks about Gnomon's servers. No value of a variable and nothing that may be a secret is in it before a server is started. */
export class Publication implements vscode.McpServerDefinitionProvider {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeMcpServerDefinitions = this.changed.event;
  private readonly load: () => Promise<ApprovedServers>;
  private following: Promise<ApprovedServers> | undefined;
  private stop: (() => void) | undefined;
  private disposed = false;

  constructor(load: () => Promise<ApprovedServers>) {
    this.load = load;
  }

  async provideMcpServerDefinitions(): Promise<vscode.McpServerDefinition[]> {
    return (await this.servers()).flatMap((server) => bareDefinition(server) ?? []);
  }

  async resolveMcpServerDefinition(definition: vscode.McpServerDefinition): Promise<vscode.McpServerDefinition | undefined> {
    // What VS Code starts is what was approved, not what was once provided.
    const server = (await this.servers()).find((each) => labelOf(each) === definition.label && each.version === definition.version);
    const target = await server?.resolve();
    return target === undefined ? undefined : filledIn(definition, target);
  }

  dispose(): void {
    this.disposed = true;
    this.stop?.();
    this.changed.dispose();
  }

  private async servers(): Promise<readonly ApprovedServer[]> {
    this.following ??= this.follow().catch((error: unknown) => {
      // The next question tries again.
      this.following = undefined;
      throw error;
    });
    return (await this.following).all();
  }

  private async follow(): Promise<ApprovedServers> {
    const servers = await this.load();
    if (!this.disposed) this.stop = servers.onDidChange(() => this.changed.fire());
    return servers;
  }
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
