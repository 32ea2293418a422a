import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Log } from '../../src/domain/log.js';
import type { McpServerState } from '../../src/domain/mcp/server.js';
import { waitOnTheClock } from '../../src/engine/turn/pauses.js';
import { RunningCalls } from '../../src/mcp/asking/running-calls.js';
import { McpAuth } from '../../src/mcp/auth/mcp-auth.js';
import { MCP_CONSENTS } from '../../src/mcp/consent/consent-store.js';
import { MemoryApprovals } from '../support/memory-approvals.js';
import { McpServers } from '../../src/mcp/servers/servers.js';
import { ApprovedScripts } from '../../src/node/mcp/approved-scripts.js';
import { systemClock } from '../../src/node/system-clock.js';
import { AgentsInUse } from '../../src/agent-host/servers/agents-in-use.js';
import { Approvals } from '../../src/agent-host/servers/approvals.js';
import { Configurations } from '../../src/agent-host/servers/configurations.js';
import { Inputs } from '../../src/agent-host/servers/inputs.js';
import { OfferedServers } from '../../src/agent-host/servers/offered-servers.js';
import { ServerActions } from '../../src/vscode/mcp/server-actions.js';
import { ServerChoices } from '../../src/agent-host/servers/server-choices.js';
import { ServerLogs } from '../../src/agent-host/servers/server-logs.js';
import { WindowServers } from '../../src/chat/servers/window-servers.js';
import { type FakeConnection, FakeConnector } from '../support/mcp/fake-connector.js';
import { WINDOW } from '../../src/vscode/composition/window-ports.js';
import { waitFor } from '../vscode/wait.mjs';
import { linkGuards } from '../../src/customization/link-guards.js';

/** Secrets in memory, as VS Code gives them to an extension. */
export function secretStorage(): vscode.SecretStorage {
  const values = new Map<string, string>();
  return {
    keys: () => Promise.resolve([...values.keys()]),
    get: (key) => Promise.resolve(values.get(key)),
    store: (key, value) => Promise.resolve(void values.set(key, value)),
    delete: (key) => Promise.resolve(void values.delete(key)),
    onDidChange: () => ({ dispose: () => undefined }),
  };
}

const nobody = (): Promise<never> => Promise.reject(new Error('Nobody signs in here.'));

/** The servers of this window as the extension makes them, with connections that a test decides about. */
export class ServersRig {
  readonly kept = new Map<string, unknown>();
  readonly secrets = secretStorage();
  readonly connector = new FakeConnector();
  trusted = true;
  readonly configurations: Configurations;
  readonly inputs = new Inputs(this.secrets, () => Promise.resolve(undefined));
  readonly port: WindowServers;
  readonly choices: ServerChoices;
  private readonly servers: McpServers;
  private readonly disposables: vscode.Disposable[] = [];

  /** @param home absolute path of the home folder */
  constructor(home: string, log: Log) {
    const memory = { get: (key: string) => this.kept.get(key), update: (key: string, value: unknown) => Promise.resolve(void this.kept.set(key, value)) };
    const trusted = (): boolean => this.trusted;
    const { inputs, connector } = this;
    const configurations = new Configurations({
      ports: WINDOW,
      home,
      guards: () => linkGuards(WINDOW.folders),
      ofExtensions: () => [],
      agents: { agents: [], ready: () => Promise.resolve(), onDidChange: () => () => undefined },
      log,
    });
    const store = new MemoryApprovals().of(MCP_CONSENTS);
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri, name }) => ({ path: uri.fsPath, name }));
    const values = () => ({ environment: {}, platform: process.platform, folders, home });
    const approvals = new Approvals({
      store,
      scripts: new ApprovedScripts(join(home, 'approved-scripts')),
      inputs,
      inputsOf: (entry) => configurations.inputsOf(entry),
      trusted,
      inUse: () => true,
      values,
    });
    const servers = new McpServers({
      connector,
      clock: systemClock,
      wait: waitOnTheClock,
      secrets: () => [],
      questions: () => ({ roots: () => [] }),
      gate: (entry) => approvals.verdict(entry),
    });
    const auth = new McpAuth({
      store: this.secrets,
      signInFetch: () => nobody,
      used: new Set(),
      clientMetadataUrl: () => undefined,
      confirm: nobody,
      openExternal: nobody,
      receive: nobody,
    });
    const choices = new ServerChoices(memory);
    const logs = new ServerLogs(servers, (name) => vscode.window.createOutputChannel(name));
    const shared = { servers, configurations, approvals, choices, auth };
    const offered = new OfferedServers({ ...shared, agentsInUse: new AgentsInUse(), calls: new RunningCalls(), keep: () => Promise.resolve(''), log });
    const asked = { elicitations: () => [], answer: () => undefined, onDidChange: () => () => undefined };
    this.port = new WindowServers({
      ...shared,
      actions: new ServerActions({ ...shared, inputs, logs }),
      offered,
      trusted,
      folders: WINDOW.folders.paths,
      iconFetch: () => nobody,
      sessionOf: () => undefined,
      asked,
      log,
    });
    [this.configurations, this.choices, this.servers] = [configurations, choices, servers];
    const stop = configurations.onDidChange(
      () => void servers.update(configurations.current.servers).catch((error: unknown) => log.error('The servers were not updated', error)),
    );
    this.disposables.push(configurations, logs, { dispose: stop });
  }

  /** A server by its name, once it is in a state. */
  until(name: string, isIt: (state: McpServerState) => boolean = () => true): Promise<McpServerState> {
    const find = (): McpServerState | undefined => this.servers.states.find((state) => state.entry.name === name && isIt(state));
    return waitFor(find, { what: `the server ${name}`, timeoutMs: 20_000 });
  }

  /** Approves a server as it is shown, and has it answer. */
  async approve(name: string): Promise<McpServerState & { readonly connection: FakeConnection }> {
    const { id } = await this.until(name, ({ waitsFor }) => waitsFor === 'approval' || waitsFor === 'changed');
    const consent = await this.port.consent(id);
    if (consent === undefined) throw new Error('There is nothing to approve.');
    const before = this.connector.attempts.length;
    await this.port.approve(id, consent.hash);
    const attempt = await waitFor(() => this.connector.attempts[before], { what: 'an attempt to connect', timeoutMs: 20_000 });
    const connection = attempt.succeed();
    return { ...(await this.until(name, ({ status }) => status === 'connected')), connection };
  }

  /** The line of a server in the list. */
  row(id: string) {
    return this.port.view('').servers.find((row) => row.id === id);
  }

  async dispose(): Promise<void> {
    for (const disposable of this.disposables) disposable.dispose();
    await this.servers.dispose();
  }
}
