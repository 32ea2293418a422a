import * as os from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { BoundPlaces } from '../../domain/workspace/binding.js';
import type { McpEntry } from '../../domain/mcp/config.js';
import type { Tool } from '../../domain/tool/tool.js';
import type { AgentSession } from '../../engine/agent-session.js';
import type { MoreTools } from '../../engine/engine.js';
import { waitOnTheClock } from '../../engine/turn/pauses.js';
import type { McpAsking } from '../../mcp/asking/asking.js';
import { RunningCalls } from '../../mcp/asking/running-calls.js';
import { McpAuth } from '../../mcp/auth/mcp-auth.js';
import { UriAnswers } from '../../mcp/auth/uri-answers.js';
import { createMcpConnector } from '../../mcp/client/connector.js';
import type { McpReading } from '../../mcp/config/read-config.js';
import { createConsentStore } from '../../mcp/consent/consent-store.js';
import { type ConnectedServers, sharedServers } from '../../mcp/connected-servers.js';
import { WatchedResources } from '../../mcp/resources/watched-resources.js';
import { McpServers } from '../../mcp/servers/servers.js';
import { ApprovedScripts } from '../../node/mcp/approved-scripts.js';
import { createSignInFetch } from '../../node/mcp-auth/sign-in-fetch.js';
import { startServerProcess } from '../../node/process/server-process.js';
import { systemClock } from '../../node/system-clock.js';
import type { WindowPlaces } from '../../customization/places.js';
import type { WindowAgents } from '../../customization/agents.js';
import type { Conversation } from '../../chat/conversation/conversation.js';
import type { MoreBound } from '../dialogs/more-bound.js';
import { AgentsInUse } from '../../agent-host/servers/agents-in-use.js';
import { type ApprovedServers, approvedServersOf } from '../../agent-host/servers/approved-servers.js';
import { Approvals } from '../../agent-host/servers/approvals.js';
import { Configurations, type Configured } from '../../agent-host/servers/configurations.js';
import { Inputs, type ValuePrompt } from '../../agent-host/servers/inputs.js';
import { keepIn, OfferedServers } from '../../agent-host/servers/offered-servers.js';
import { ServerActions } from '../mcp/server-actions.js';
import { ServerChoices } from '../../agent-host/servers/server-choices.js';
import { ServerLogs } from '../../agent-host/servers/server-logs.js';
import type { ServersPort } from '../../chat/servers/servers-port.js';
import { signInPorts } from '../mcp/sign-in-ports.js';
import { createWindowAsking, elicitationsOf, type WindowAskingDeps } from '../../agent-host/servers/window-asking.js';
import { WindowServers } from '../../chat/servers/window-servers.js';
import type { HostPorts } from '../../domain/host/host-ports.js';
import { openInBrowser } from '../links.js';
import { settings } from '../settings/settings.js';
import type { Host } from './host.js';

/** Where the approvals of servers are kept, out of reach of workspaces. */
const CONSENTS = 'gnomon.mcp.consents';

/** Dependencies of {@link composeServers} beside the host. */
export interface ServerComposition {
  readonly ports: HostPorts;
  readonly moreBound: MoreBound;
  /** Absolute path of the folder for long results. */
  readonly outputFolder: string;
  /** The agents, some of which define servers of their own. */
  readonly agents: WindowAgents;
  /** What links of files for servers may lead to. */
  readonly places: Pick<WindowPlaces, 'guards'>;
  /** A chat that is open. */
  readonly sessionOf: (id: string) => AgentSession | undefined;
  /** What servers can ask. */
  readonly asking: Pick<WindowAskingDeps, 'shownSession' | 'choose' | 'tell'>;
}

/** The MCP servers of a window. */
export interface ComposedServers {
  readonly port: ServersPort;
  /** Those that all chats have. */
  readonly servers: ConnectedServers;
  /** The resources that chats have mentioned. */
  readonly watched: WatchedResources;
  /** Answers to sign-ins that come by a link. */
  readonly signIns: UriAnswers;
  /** What servers ask the user. */
  readonly asking: McpAsking;
  /** Those that VS Code gets, too, when the user wants that. */
  readonly approved: ApprovedServers;
  /** Where what approved servers run is. */
  readonly boundPlaces: () => BoundPlaces;
  /** Follows a chat for as long as it is open: servers of agents run while it works with these, and what others ask in it ends with it. Returns what ends that. */
  readonly follow: (chat: Pick<Conversation, 'id' | 'session'>) => () => void;
  /** The tools of connected servers, for a turn; waits a little for those that are starting. */
  readonly tools: (...asked: Parameters<MoreTools>) => Promise<readonly Tool[]>;
  /** Ends all of them. */
  readonly close: () => Promise<void>;
}

/** Builds what connects with MCP servers. Nothing starts because of this. */
export function composeServers(host: Host, { ports, moreBound, outputFolder, agents, places, sessionOf, asking: asker }: ServerComposition): ComposedServers {
  const { context, keys, log, extensionServers } = host;
  const signIns = new UriAnswers();
  const { configurations, inputs, choices, agentsInUse, approvals } = composeConsent(host, { ports, moreBound, agents, places });
  const { trusted, onDidGrant } = ports.trust;
  const guardedFetch = createSignInFetch();
  const auth = new McpAuth({
    store: context.secrets,
    signInFetch: guardedFetch,
    used: keys,
    clientMetadataUrl: () => undefined,
    ...signInPorts(signIns, context.extension.id),
  });
  const client = { name: 'gnomon', version: versionOf(context.extension.packageJSON) };
  const connector = createMcpConnector({
    client,
    startProcess: startServerProcess,
    fetch: (url, init) => fetch(url, init),
    auth: (target) => auth.access(target),
    sdkServers: extensionServers.connect,
  });
  const calls = new RunningCalls();
  const asking: McpAsking = createWindowAsking({
    ...asker,
    sessionOf,
    calls,
    stateOf: (id) => servers.state(id),
    folders: ports.folders,
    trusted,
    sampling: settings.sampling,
    openExternal: openInBrowser,
    clock: systemClock,
    log,
  });
  const servers = new McpServers({
    connector,
    clock: systemClock,
    wait: waitOnTheClock,
    secrets: () => keys,
    questions: (id) => asking.questions(id),
    gate: (entry) => approvals.verdict(entry),
  });
  const logs = new ServerLogs(servers, (name) => vscode.window.createOutputChannel(name));
  const offered = new OfferedServers({ servers, agentsInUse, calls, approvals, choices, keep: keepIn(outputFolder), log });
  const actions = new ServerActions({ servers, configurations, approvals, choices, inputs, auth, logs });
  const asked: ConstructorParameters<typeof WindowServers>[0]['asked'] = {
    elicitations: (session) => elicitationsOf(asking, session),
    answer: (id, answer) => asking.answer(id, answer),
    onDidChange: asking.onDidChange,
  };
  const port = new WindowServers({
    servers,
    configurations,
    approvals,
    choices,
    auth,
    actions,
    offered,
    trusted,
    folders: ports.folders.paths,
    iconFetch: guardedFetch,
    sessionOf,
    asked,
    log,
  });
  const shared = sharedServers(servers);
  const watched = new WatchedResources({ servers: shared, clock: systemClock, log });
  context.subscriptions.push(
    configurations,
    logs,
    watched,
    { dispose: onDidGrant(() => void servers.recheck()) },
    ...keepUp({ servers, configurations, choices, agentsInUse, log }, extensionServers),
  );
  return {
    port,
    servers: shared,
    watched,
    signIns,
    asking,
    approved: approvedServersOf(servers, approvals),
    boundPlaces: () => approvals.boundPlaces,
    follow: (chat) => {
      const stop = agentsInUse.follow(chat);
      return () => {
        stop();
        asking.close(chat.id);
      };
    },
    tools: ({ agent }, signal) => offered.forTurn(agent, signal),
    close: () => {
      asking.dispose();
      return servers.dispose();
    },
  };
}

/** What decides which servers may start. */
interface Consent {
  readonly configurations: Configurations;
  readonly inputs: Inputs;
  readonly choices: ServerChoices;
  readonly agentsInUse: AgentsInUse;
  readonly approvals: Approvals;
}

function composeConsent(
  { context, log, extensionServers }: Host,
  { ports, moreBound, agents, places }: Pick<ServerComposition, 'ports' | 'moreBound' | 'agents' | 'places'>,
): Consent {
  const configurations = new Configurations({
    ports,
    home: os.homedir(),
    guards: () => places.guards(),
    ofExtensions: () => [readingOf(extensionServers.entries)],
    agents,
    log,
  });
  const agentsInUse = new AgentsInUse();
  const inputs = new Inputs(ports.secrets, askUser);
  const choices = new ServerChoices(ports.memory.global);
  const store = createConsentStore({ get: () => ports.memory.global.get(CONSENTS), set: (value) => ports.memory.global.update(CONSENTS, value) });
  const scripts = new ApprovedScripts(join(context.globalStorageUri.fsPath, 'approved-scripts'));
  const approvals = new Approvals({
    store,
    scripts,
    inputs,
    inputsOf: (entry) => configurations.inputsOf(entry),
    trusted: ports.trust.trusted,
    inUse: (entry) => agentsInUse.needs(entry),
    tellMore: ({ name, source }) => moreBound.add('servers', [{ key: JSON.stringify([source.file, name]), name }]),
    values: surroundings,
  });
  return { configurations, inputs, choices, agentsInUse, approvals };
}

/** What is kept up to date, and with what. */
interface KeptUp extends Pick<Host, 'log'> {
  readonly servers: McpServers;
  readonly configurations: Configurations;
  readonly choices: ServerChoices;
  readonly agentsInUse: AgentsInUse;
}

/** Brings the servers up to date with what is configured and which agents work, now and with each change. */
function keepUp({ servers, configurations, choices, agentsInUse, log }: KeptUp, { onDidChange }: Host['extensionServers']): readonly vscode.Disposable[] {
  const bring = async (entries: Configured['servers']): Promise<void> => {
    await servers.update(entries.map((server) => chosen(server, choices)));
    await agentsInUse.recheck(servers);
  };
  const take = ({ servers: entries }: Pick<Configured, 'servers'>): void => {
    bring(entries).catch((error: unknown) => log.error('The MCP servers could not be brought up to date', error));
  };
  const read = (): void => void configurations.read().catch((error: unknown) => log.error('The configurations of MCP servers could not be read', error));
  const following = [
    { dispose: configurations.onDidRead(take) },
    { dispose: onDidChange(read) },
    { dispose: agentsInUse.onDidChange(() => void agentsInUse.recheck(servers)) },
  ];
  read();
  return following;
}

/** What other extensions bring, as if a file said it. */
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
  return {
    name,
    source,
    config,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(alwaysLoad === undefined ? {} : { alwaysLoad }),
    ...(disabled ? { disabled } : {}),
  };
}

/** Asks for a value that a configuration needs. */
function askUser({ title, text, options, ...box }: ValuePrompt): Thenable<string | undefined> {
  if (options !== undefined) return vscode.window.showQuickPick(options, { title, placeHolder: text, ignoreFocusOut: true });
  return vscode.window.showInputBox({ ...box, title, prompt: text, ignoreFocusOut: true });
}

/** What variables in configurations stand for. */
function surroundings(): ReturnType<ConstructorParameters<typeof Approvals>[0]['values']> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri, name }) => ({ path: uri.fsPath, name }));
  return { environment: process.env, platform: process.platform, folders, home: os.homedir() };
}

function versionOf(manifest: unknown): string {
  const version: unknown = typeof manifest === 'object' && manifest !== null ? Reflect.get(manifest, 'version') : undefined;
  return typeof version === 'string' ? version : '0.0.0';
}
