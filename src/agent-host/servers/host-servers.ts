import { present } from '../../domain/present.js';
import * as os from 'node:os';
import { join } from 'node:path';
import type { MoreBound } from '../../consent/more-bound.js';
import type { Agents } from '../../customization/agents.js';
import type { ConfigPlaces } from '../../customization/places.js';
import { type Disposable, together } from '../../domain/host/disposable.js';
import type { Approvals as HostApprovals } from '../../domain/host/approvals.js';
import type { Folders } from '../../domain/host/folders.js';
import type { Log } from '../../domain/log.js';
import type { McpEntry } from '../../domain/mcp/config.js';
import type { McpSignInFetch } from '../../domain/mcp/sign-in.js';
import type { AgentSession } from '../../engine/agent-session.js';
import { waitOnTheClock } from '../../engine/turn/pauses.js';
import type { McpAsking } from '../../mcp/asking/asking.js';
import { RunningCalls } from '../../mcp/asking/running-calls.js';
import { McpAuth } from '../../mcp/auth/mcp-auth.js';
import { createMcpConnector } from '../../mcp/client/connector.js';
import type { McpReading } from '../../mcp/config/read-config.js';
import { type ConnectedServers, sharedServers } from '../../mcp/connected-servers.js';
import { MCP_CONSENTS } from '../../mcp/consent/consent-store.js';
import { WatchedResources } from '../../mcp/resources/watched-resources.js';
import { McpServers } from '../../mcp/servers/servers.js';
import { ApprovedScripts } from '../../node/mcp/approved-scripts.js';
import { startServerProcess } from '../../node/process/server-process.js';
import { outputFolderIn } from '../ground.js';
import type { AgentHostPorts, ServerPorts } from '../host-ports.js';
import type { OpenSessions } from '../open-sessions.js';
import { AgentsInUse } from './agents-in-use.js';
import { type ApprovedServers, approvedServersOf } from './approved-servers.js';
import { Approvals } from './approvals.js';
import { Configurations, type Configured } from './configurations.js';
import { Inputs } from './inputs.js';
import { keepIn, OfferedServers } from './offered-servers.js';
import { ServerChoices } from './server-choices.js';
import { ServerLogs } from './server-logs.js';
import { createWindowAsking, type SampleModelDeps } from './window-asking.js';

/** Services that the MCP servers of all chats share: open sessions, approvals, agents, and the settings for sampling. */
export interface HostServersDeps {
  readonly sessions: OpenSessions;
  readonly moreBound: MoreBound;
  /** All stored approvals. */
  readonly allApprovals: HostApprovals;
  /** The agents, some of which define servers of their own. */
  readonly agents: Agents;
  /** Limits for symbolic links of configuration files. */
  readonly places: Pick<ConfigPlaces, 'guards'>;
  /** Whether servers may ask for answers of models. */
  readonly sampling: () => 'ask' | 'off';
  /** Finds a model by its name `provider/model`. */
  readonly choose: SampleModelDeps['choose'];
}

/** The MCP servers that are configured, with all that decides about them. */
export interface HostServers extends Consent {
  /** All of them. */
  readonly all: McpServers;
  /** Those that all chats have. */
  readonly shared: ConnectedServers;
  readonly auth: McpAuth;
  readonly logs: ServerLogs;
  readonly offered: OfferedServers;
  /** Gets icons of servers, from no address on this machine or its network. */
  readonly guardedFetch: McpSignInFetch;
  /** The resources that chats have mentioned. */
  readonly watched: WatchedResources;
  /** Requests of servers for the user. */
  readonly asking: McpAsking;
  /** Those that VS Code gets, too, when the user wants that. */
  readonly approved: ApprovedServers;
  /**
   * Follows a chat for as long as it is open: servers of agents run while it works with these, and what others ask in it ends with it. Returns what ends that.
   */
  readonly follow: (session: AgentSession) => () => void;
  /** Ends all of them. */
  readonly close: () => Promise<void>;
}

/** Builds what connects with MCP servers. Nothing starts because of this. */
export function createHostServers(ports: AgentHostPorts, deps: HostServersDeps): HostServers {
  const { clock, log, trust, keys } = ports;
  const consent = createConsent(ports, deps);
  const { configurations, approvals, agentsInUse } = consent;
  const calls = new RunningCalls();
  const { auth, connector, guardedFetch } = connections(ports);
  const asking: McpAsking = createWindowAsking({ ...deps, ports, log, calls, stateOf: (id) => all.state(id) });
  const all = new McpServers({
    connector,
    clock,
    wait: waitOnTheClock,
    secrets: () => keys,
    questions: (id) => asking.questions(id),
    gate: (entry) => approvals.verdict(entry),
  });
  const logs = new ServerLogs(all, ports.servers.openLog);
  const offered = new OfferedServers({ ...consent, servers: all, calls, keep: keepIn(outputFolderIn(ports.storage.workspace)), log });
  const shared = sharedServers(all);
  const watched = new WatchedResources({ servers: shared, clock, log });
  const again = [trust.onDidGrant, deps.allApprovals.onDidChange];
  const following = together(configurations, logs, watched, ...keepUp({ ...consent, servers: all, again, log }, ports.servers.inProcess));
  return {
    ...consent,
    all,
    shared,
    auth,
    guardedFetch,
    logs,
    offered,
    watched,
    asking,
    approved: approvedServersOf(all, approvals),
    follow: (session) => {
      const stop = agentsInUse.follow({ id: session.id, session });
      return () => {
        stop();
        asking.close(session.id);
      };
    },
    close: () => {
      following.dispose();
      asking.dispose();
      return all.dispose();
    },
  };
}

/** Creates the connector for servers, with OAuth sign-in. */
function connections(ports: AgentHostPorts): {
  readonly auth: McpAuth;
  readonly connector: ReturnType<typeof createMcpConnector>;
  readonly guardedFetch: McpSignInFetch;
} {
  const { secrets, keys, manifest, servers } = ports;
  // Node's clients for HTTP are loaded with the first request, as few servers are signed in to.
  const guardedFetch: McpSignInFetch = (server) => async (address, init) =>
    (await import('../../node/mcp-auth/sign-in-fetch.js')).createSignInFetch()(server)(address, init);
  const auth = new McpAuth({ store: secrets, signInFetch: guardedFetch, used: keys, clientMetadataUrl: () => undefined, ...servers.signIn });
  const connector = createMcpConnector({
    client: { name: 'gnomon', version: versionOf(manifest.packageJSON) },
    startProcess: startServerProcess,
    fetch: (url, init) => fetch(url, init),
    auth: (target) => auth.access(target),
    sdkServers: servers.inProcess.connect,
  });
  return { auth, connector, guardedFetch };
}

/** Services that decide which servers may start. */
interface Consent {
  readonly configurations: Configurations;
  readonly inputs: Inputs;
  readonly choices: ServerChoices;
  readonly agentsInUse: AgentsInUse;
  readonly approvals: Approvals;
}

function createConsent(ports: AgentHostPorts, { moreBound, agents, places, allApprovals }: HostServersDeps): Consent {
  const { log, trust, folders, secrets, servers } = ports;
  const configurations = new Configurations({
    ports,
    home: os.homedir(),
    guards: () => places.guards(),
    ofExtensions: () => [readingOf(servers.inProcess.entries)],
    agents,
    log,
  });
  const agentsInUse = new AgentsInUse();
  const inputs = new Inputs(secrets, servers.askUser);
  const choices = new ServerChoices(ports.memory.global);
  const approvals = new Approvals({
    store: allApprovals.of(MCP_CONSENTS),
    scripts: new ApprovedScripts(join(ports.storage.global, 'approved-scripts')),
    inputs,
    inputsOf: (entry) => configurations.inputsOf(entry),
    trust,
    inUse: (entry) => agentsInUse.needs(entry),
    tellMore: ({ name, source }) => moreBound.add('servers', [{ key: JSON.stringify([source.file, name]), name }]),
    values: () => surroundings(folders),
  });
  return { configurations, inputs, choices, agentsInUse, approvals };
}

/** Services to update, and the events that trigger updates. */
interface KeptUp extends Pick<Consent, 'configurations' | 'choices' | 'agentsInUse'> {
  readonly servers: McpServers;
  /** Events of changed trust, and of approvals granted or revoked in another window. */
  readonly again: readonly ((listener: () => void) => () => void)[];
  readonly log: Log;
}

/** Brings the servers up to date with what is configured and which agents work, now and with each change. */
function keepUp({ servers, configurations, choices, agentsInUse, again, log }: KeptUp, { onDidChange }: ServerPorts['inProcess']): readonly Disposable[] {
  const bring = async (entries: Configured['servers']): Promise<void> => {
    await servers.update(entries.map((server) => chosen(server, choices)));
    await agentsInUse.recheck(servers);
  };
  const take = ({ servers: entries }: Pick<Configured, 'servers'>): void => {
    bring(entries).catch((error: unknown) => log.error('The MCP servers could not be brought up to date', error));
  };
  const read = (): void => void configurations.read().catch((error: unknown) => log.error('The configurations of MCP servers could not be read', error));
  const judge = (): void => void servers.recheck().catch((error: unknown) => log.error('The MCP servers could not be judged again', error));
  const following = [
    ...again.map((onEvent) => ({ dispose: onEvent(judge) })),
    { dispose: configurations.onDidChange(() => take(configurations.current)) },
    { dispose: onDidChange(read) },
    { dispose: agentsInUse.onDidChange(() => void agentsInUse.recheck(servers)) },
  ];
  read();
  return following;
}

/** Servers of other extensions, in the form of a configuration file. */
function readingOf(entries: readonly McpEntry[]): McpReading {
  return { entries, inputs: [], problems: [], servers: entries.map((entry) => ({ name: entry.name, key: entry.name, entry })) };
}

/** An entry, switched on or off as the user chose. */
function chosen<Server extends Configured['servers'][number]>(server: Server, choices: ServerChoices): Server {
  const { enabled } = choices.of(server.entry);
  if (enabled === undefined || enabled !== (server.entry.disabled === true)) return server;
  return { ...server, entry: withDisabled(server.entry, !enabled) };
}

function withDisabled(entry: McpEntry, disabled: boolean): McpEntry {
  const { name, source, config, timeoutMs, alwaysLoad } = entry;
  return { name, source, config, ...present({ timeoutMs, alwaysLoad }), ...(disabled ? { disabled } : {}) };
}

/** Values of the predefined variables in configurations. */
function surroundings(folders: Folders): ReturnType<ConstructorParameters<typeof Approvals>[0]['values']> {
  return { environment: process.env, platform: process.platform, folders: folders.local(), home: os.homedir() };
}

function versionOf(manifest: unknown): string {
  const version: unknown = typeof manifest === 'object' && manifest !== null ? Reflect.get(manifest, 'version') : undefined;
  return typeof version === 'string' ? version : '0.0.0';
}
