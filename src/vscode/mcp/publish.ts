import * as vscode from 'vscode';
import type { ApprovedServer, ApprovedServers } from '../../agent-host/servers/approved-servers.js';

/** Id of the server definition provider; the manifest has it, too. */
const PROVIDER = 'gnomon.servers';

/** Whether the user wants VS Code to have Gnomon's servers. Apart from the other settings, so that the activation does not load those. */
export function publishingWanted(): boolean {
  return vscode.workspace.getConfiguration('gnomon').get('mcp.publishToVSCode') === true;
}

/** The setting that offers Gnomon's servers to VS Code, and the approved servers, which are loaded on demand. */
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
  return typeof register === 'function'
    ? vscode.Disposable.from(vscode.lm.registerMcpServerDefinitionProvider(PROVIDER, publication), publication)
    : publication;
}

/** Provider of Gnomon's servers to VS Code. No value of a variable and nothing that may be a secret is in it before a server is started. */
export class Publication implements vscode.McpServerDefinitionProvider {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeMcpServerDefinitions = this.changed.event;
  private following: Promise<ApprovedServers> | undefined;
  private stop: (() => void) | undefined;
  private disposed = false;

  constructor(private readonly load: () => Promise<ApprovedServers>) {}

  async provideMcpServerDefinitions(): Promise<vscode.McpServerDefinition[]> {
    const [servers, { definitionsOf }] = await Promise.all([this.servers(), import('./server-definitions.js')]);
    return definitionsOf(servers);
  }

  async resolveMcpServerDefinition(definition: vscode.McpServerDefinition): Promise<vscode.McpServerDefinition | undefined> {
    const [servers, { startable }] = await Promise.all([this.servers(), import('./server-definitions.js')]);
    return startable(definition, servers);
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
