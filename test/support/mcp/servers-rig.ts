import { join } from 'node:path';
import { AgentsInUse } from '../../../src/agent-host/servers/agents-in-use.js';
import { Approvals } from '../../../src/agent-host/servers/approvals.js';
import { Configurations } from '../../../src/agent-host/servers/configurations.js';
import { Inputs } from '../../../src/agent-host/servers/inputs.js';
import { OfferedServers } from '../../../src/agent-host/servers/offered-servers.js';
import { ServerChoices } from '../../../src/agent-host/servers/server-choices.js';
import { type LogChannel, ServerLogs } from '../../../src/agent-host/servers/server-logs.js';
import { PaneServers } from '../../../src/chat/pane/pane-servers.js';
import { Panel } from '../../../src/chat/pane/panel.js';
import { serverHandlers } from '../../../src/chat/pane/requests/server-handlers.js';
import type { ServerParts } from '../../../src/chat/ports.js';
import { WindowServers } from '../../../src/chat/servers/window-servers.js';
import { linkGuards } from '../../../src/customization/link-guards.js';
import type { HostPorts } from '../../../src/domain/host/host-ports.js';
import type { SecretStorage } from '../../../src/domain/host/secret-storage.js';
import type { McpServerState } from '../../../src/domain/mcp/server.js';
import { waitOnTheClock } from '../../../src/engine/turn/pauses.js';
import { RunningCalls } from '../../../src/mcp/asking/running-calls.js';
import { McpAuth } from '../../../src/mcp/auth/mcp-auth.js';
import { MCP_CONSENTS } from '../../../src/mcp/consent/consent-store.js';
import { McpServers } from '../../../src/mcp/servers/servers.js';
import { ApprovedScripts } from '../../../src/node/mcp/approved-scripts.js';
import { systemClock } from '../../../src/node/system-clock.js';
import type { HostMessage } from '../../../src/protocol/messages.js';
import type { ServerRequest } from '../../../src/protocol/panel/server-requests.js';
import { waitFor } from '../../vscode/wait.mjs';
import { MemoryApprovals } from '../memory-approvals.js';
import { FakeConnection, FakeConnector } from './fake-connector.js';

/** Secrets in memory. */
function memorySecrets(): SecretStorage {
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

/** Where a {@link ServersRig} is. */
export interface ServersRigOptions extends Pick<ServerParts, 'window' | 'log'> {
  readonly ports: Omit<HostPorts, 'secrets' | 'memory'>;
  /** Absolute path of the home folder. */
  readonly home: string;
  readonly openLog: (name: string) => LogChannel;
  /** What servers ask the user. Default: nothing */
  readonly asking?: Pick<ServerParts['asking'], 'open' | 'answer'>;
}

/** The servers of a window as the extension makes them, with connections that a test decides about, and a page that shows them. */
export class ServersRig {
  readonly kept = new Map<string, unknown>();
  readonly secrets = memorySecrets();
  readonly connector = new FakeConnector();
  readonly configurations: Configurations;
  readonly inputs = new Inputs(this.secrets, () => Promise.resolve(undefined));
  readonly window: WindowServers;
  readonly choices: ServerChoices;
  /** The chat that the page shows. */
  readonly current = { id: 's' };
  readonly pane: PaneServers;
  /** What the page was sent, without what is taken by {@link ServersRig.ask}. */
  readonly posts: HostMessage[] = [];
  readonly servers: McpServers;
  private readonly handlers: ReturnType<typeof serverHandlers>;
  private readonly panel: Panel;
  private readonly disposables: { dispose(): unknown }[] = [];

  constructor({ home, ports, window, openLog, log, asking = { open: () => [], answer: () => undefined } }: ServersRigOptions) {
    const memory = { get: (key: string) => this.kept.get(key), update: (key: string, value: unknown) => Promise.resolve(void this.kept.set(key, value)) };
    const { trusted } = ports.trust;
    const { inputs, connector } = this;
    const configurations = new Configurations({
      ports,
      home,
      guards: () => linkGuards(ports.folders),
      ofExtensions: () => [],
      agents: { agents: [], ready: () => Promise.resolve(), onDidChange: () => () => undefined },
      log,
    });
    const store = new MemoryApprovals().of(MCP_CONSENTS);
    const values = () => ({ environment: {}, platform: process.platform, folders: ports.folders.local(), home });
    const approvals = new Approvals({
      store,
      scripts: new ApprovedScripts(join(home, 'approved-scripts')),
      inputs,
      inputsOf: (entry) => configurations.inputsOf(entry),
      trust: { trusted },
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
    const logs = new ServerLogs(servers, openLog);
    const parts = { configurations, approvals, choices, auth };
    const offered = new OfferedServers({
      ...parts,
      servers,
      configurations: { ready: () => Promise.resolve() },
      agentsInUse: new AgentsInUse(),
      calls: new RunningCalls(),
      keep: () => Promise.resolve(''),
      log,
    });
    this.window = new WindowServers({
      ...{ ...parts, all: servers, inputs, logs, offered, ports, window, log },
      asking: { ...asking, onDidChange: () => () => undefined },
      guardedFetch: () => nobody,
      sessions: { find: () => undefined },
    });
    const post = (message: HostMessage): void => void this.posts.push(message);
    this.pane = new PaneServers({ servers: this.window, post, session: () => this.current.id, moved: () => undefined });
    this.handlers = serverHandlers({ current: this.current, servers: this.pane }, this.window);
    this.panel = new Panel({ postMessage: (message) => Promise.resolve(this.posts.push(message) > 0) }, log);
    this.panel.attach(undefined);
    [this.configurations, this.choices, this.servers] = [configurations, choices, servers];
    const stop = configurations.onDidChange(
      () => void servers.update(configurations.current.servers).catch((error: unknown) => log.error('The servers were not updated', error)),
    );
    this.disposables.push(configurations, logs, { dispose: stop }, { dispose: this.pane.stop });
  }

  /** Does what the page asks for. */
  async send<Type extends ServerRequest['type']>(message: Extract<ServerRequest, { type: Type }>): Promise<void> {
    await (this.handlers[message.type] as (message: ServerRequest, panel: Panel) => void | Promise<void>)(message, this.panel);
  }

  /** The same, and returns the answer of a type that the page got. @throws Error with what it was told instead */
  async ask<Type extends HostMessage['type']>(type: Type, message: ServerRequest): Promise<Extract<HostMessage, { type: Type }>> {
    const before = this.posts.length;
    await this.send(message);
    const answers = this.posts.splice(before);
    const isWanted = (answer: HostMessage): answer is Extract<HostMessage, { type: Type }> => answer.type === type;
    const answer = answers.find(isWanted);
    if (answer === undefined) throw new Error(`The page got ${JSON.stringify(answers)}.`);
    return answer;
  }

  /** A server by its name, once it is in a state. */
  until(name: string, isIt: (state: McpServerState) => boolean = () => true): Promise<McpServerState> {
    const find = (): McpServerState | undefined => this.servers.states.find((state) => state.entry.name === name && isIt(state));
    return waitFor(find, { what: `the server ${name}`, timeoutMs: 20_000 });
  }

  /** Approves a server as it is shown, and has it answer. @param prepare changes what its connection gives, before anything is read */
  async approve(
    name: string,
    prepare: (connection: FakeConnection) => void = () => undefined,
  ): Promise<McpServerState & { readonly connection: FakeConnection }> {
    const { id } = await this.until(name, ({ waitsFor }) => waitsFor === 'approval' || waitsFor === 'changed');
    const { consent } = await this.ask('server_consent', { type: 'load_server_consent', id });
    if (consent === undefined) throw new Error('There is nothing to approve.');
    const before = this.connector.attempts.length;
    await this.send({ type: 'approve_server', id, hash: consent.hash });
    const attempt = await waitFor(() => this.connector.attempts[before], { what: 'an attempt to connect', timeoutMs: 20_000 });
    const connection = new FakeConnection(attempt.handlers);
    prepare(connection);
    attempt.succeed(connection);
    return { ...(await this.until(name, ({ status }) => status === 'connected')), connection };
  }

  /** The line of a server in the list. */
  row(id: string) {
    return this.window.view('').servers.find((row) => row.id === id);
  }

  async dispose(): Promise<void> {
    for (const disposable of this.disposables) disposable.dispose();
    await this.servers.dispose();
  }
}
