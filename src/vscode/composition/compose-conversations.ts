import * as os from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { BoundPlaces } from '../../domain/workspace/binding.js';
import type { HostPorts } from '../../domain/host/host-ports.js';
import type { Hooks } from '../../domain/hook/hooks.js';
import type { Message } from '../../domain/model/message.js';
import type { Gate } from '../../domain/tool/permission.js';
import type { Tool } from '../../domain/tool/tool.js';
import type { MayShow } from '../../domain/workspace/search.js';
import type { PictureScaler } from '../../domain/workspace/picture.js';
import type { SessionStore } from '../../domain/session/session-store.js';
import type { Workspace } from '../../domain/workspace/workspace.js';
import type { SessionDeps } from '../../engine/agent-session.js';
import type { MoreTools } from '../../engine/engine.js';
import { skillsOnWire } from '../../engine/context/kept-skills.js';
import { createAgentSession } from '../../engine/live-session.js';
import { systemPrompt } from '../../engine/system-prompt.js';
import { createInstructions } from '../../node/instructions/instructions.js';
import { createDiskDocuments } from '../../node/files/disk-documents.js';
import { listGit } from '../../node/process/list-git.js';
import { walkFolder } from '../../node/files/walk-folder.js';
import type { Sandbox } from '../../node/sandbox/sandbox.js';
import { systemClock } from '../../node/system-clock.js';
import { createGate } from '../../permission/gate.js';
import { createReadGuard } from '../../permission/files/read-guard.js';
import { createSearchTool, createSkillLoader } from '../../tool/index.js';
import type { Host } from './host.js';
import type { WatchedResources } from '../../mcp/resources/watched-resources.js';
import type { WindowAgents } from '../../customization/agents.js';
import { linkGuards } from '../../customization/link-guards.js';
import type { WindowSettings } from '../../customization/settings.js';
import type { WindowStyles } from '../../customization/styles.js';
import { followAgents } from '../../chat/conversation/follow-agents.js';
import { followBypass } from '../../chat/conversation/follow-bypass.js';
import { followSettings } from '../../chat/conversation/follow-settings.js';
import { followResources } from '../../chat/conversation/follow-resources.js';
import { WindowEnvironment } from '../chat/conversation/window-environment.js';
import { type ChosenModel, Conversations } from '../../chat/conversation/conversations.js';
import type { Mentions } from '../../mentions/mention-deps.js';
import type { ModelRegistry } from '../../models/model-registry.js';
import type { WindowPermissions } from '../../consent/create-permissions.js';
import type { AskedBesides } from '../../consent/waiting-calls.js';
import { followApprovals } from '../../consent/follow-approvals.js';
import { tellOfSandbox } from '../../chat/conversation/tell-of-sandbox.js';
import { createWindowSandbox } from '../../agent-host/sandbox.js';
import type { Review } from '../edits/create-review.js';
import { settings } from '../settings/settings.js';
import type { WindowSkills } from '../../customization/skills.js';
import type { WindowSearch } from '../../agent-host/web-search.js';
import { workspaceInstructions } from '../../agent-host/project-instructions.js';
import { createVsCodeDiagnostics } from '../language/diagnostics.js';
import { createVsCodeSymbols } from '../language/symbols.js';
import { searchWith } from '../workspace/find-files-search.js';
import { createVsCodeDocuments } from '../workspace/vscode-documents.js';
import { watchNewFiles } from '../workspace/watch-new-files.js';
import { commandAnalyzer } from '../../agent-host/command-analyzer.js';
import { type Toolbox, createToolbox } from '../../agent-host/toolbox.js';
import { createVsCodeWorkspace } from '../workspace/folders.js';

/** Dependencies of {@link composeConversations} beside the host. */
export interface Deps {
  readonly ports: HostPorts;
  readonly models: ModelRegistry;
  readonly permissions: WindowPermissions;
  readonly storage: string;
  readonly review: Review;
  readonly store: SessionStore;
  readonly pictures: PictureScaler;
  readonly search: WindowSearch;
  /** Where what hooks and approved servers run is. */
  readonly boundPlaces: () => Promise<BoundPlaces>;
  readonly hooks: Hooks;
  readonly skills: WindowSkills;
  readonly agents: WindowAgents;
  readonly styles: WindowStyles;
  readonly windowSettings: WindowSettings;
  /** What MCP servers ask in chats. */
  readonly besides?: AskedBesides;
  /** The tools of MCP servers, for a turn. */
  readonly serverTools: (...asked: Parameters<MoreTools>) => Promise<readonly Tool[]>;
  /** The resources of MCP servers that chats have mentioned. */
  readonly watched: WatchedResources;
  readonly mentions: Pick<Mentions, 'resources'>;
}

/** Builds what opens conversations, with the tools, the gate and the store that they share. */
export function composeConversations(host: Host, deps: Deps): Conversations {
  const { log } = host;
  const {
    permissions: { trust, bypass, acceptedEdits, includes },
    review,
    store,
  } = deps;
  const chooseModel = chooseIn(deps);
  const workspace: Workspace = createVsCodeWorkspace(() => readGuard());
  const instructionFiles = new Set<string>();
  const { toolbox, gate, sandbox, readGuard } = composeTools(
    host,
    { ...deps, instructionFiles, messagesOf: (id) => conversations.find(id)?.session.messages ?? [] },
    workspace,
  );
  const finder = createInstructions({
    workspace,
    home: os.homedir(),
    trusted: trust.trusted,
    choices: deps.windowSettings.instructionChoices,
    consent: includes,
    guards: () => linkGuards(deps.ports.folders, deps.permissions.book),
    used: instructionFiles,
    log,
  });
  const environment = new WindowEnvironment({ workspace, trusted: trust.trusted, log }, host.context.subscriptions);
  const conversations = new Conversations({
    store,
    log,
    systemPrompt: (instructions) => systemPrompt(environmentOf(workspace), instructions),
    loadInstructions: () => workspaceInstructions(finder, log),
    chooseModel,
    followNew: (conversation) =>
      followSettings(conversation, {
        settings: deps.windowSettings,
        chooseModel,
        startingMode: (mode) => bypass.startingMode(mode),
        failed: (error) => log.error('A new chat could not follow the settings', error),
      }),
    defaultMode: deps.windowSettings.permissionMode,
    agentOf: (name) => deps.agents.named(name),
    startingMode: (mode) => bypass.startingMode(mode),
    resumedMode: (id, stored) => acceptedEdits.resumedMode(id, stored),
    short: shortPath,
    branched: (from, to, count) => review.branched(from, to, count),
    createJobs: (id) => toolbox.createJobs(id),
    startSession: ({ questions, jobs, instructions: found, shape, ...start }) => {
      const tools = toolbox.toolsForSession(questions, { id: start.open.session.id, jobs });
      const shaped = { tools: shape?.tools(tools) ?? tools, gate: shape?.gate(gate) ?? gate };
      return createAgentSession({
        ...start,
        ...limits(deps.windowSettings),
        ...shaped,
        moreTools: async (asked, signal) => [
          ...(shape === undefined ? [...searchTools(deps.search, asked), ...(await deps.serverTools(asked, signal))] : []),
          ...host.offered.to(shape),
        ],
        additions: async () => ({
          style: shape === undefined ? await deps.styles.chosen() : undefined,
          text: shape === undefined ? deps.windowSettings.promptAddition() : '',
        }),
        changes: review.recorder,
        hooks: { hooks: deps.hooks, transcriptPath: sessionFile(deps.storage, start.open.session.id), cwd: () => workspace.cwd() },
        instructions: { workspace: found, finder },
        ...(shape === undefined
          ? {
              skills: { source: deps.skills, texts: deps.skills, tool: createSkillLoader({ skills: deps.skills, workspace }) },
              environment: { facts: () => [...environment.facts(), ...deps.watched.facts(start.open.session.id)] },
            }
          : {}),
        clock: systemClock,
        log,
      });
    },
  });
  follow(conversations, host, { ...deps, sandbox, environment });
  return conversations;
}

/** Keeps track of every conversation that is opened. */
function follow(
  conversations: Conversations,
  { context, log }: Host,
  {
    permissions: { bypass, acceptedEdits, queue },
    review,
    sandbox,
    environment,
    mentions,
    watched,
    agents,
    besides,
  }: Deps & { readonly sandbox: Sandbox; readonly environment: WindowEnvironment },
): void {
  conversations.addFollower((conversation) => tellOfSandbox(conversation, { sandbox, memory: context.globalState, log }));
  conversations.addFollower(({ session }) => {
    void environment.refresh();
    return session.onEvent(({ type }) => void (type === 'turn_ended' && environment.refresh()));
  });
  conversations.addFollower((conversation) => followResources(conversation, { resources: mentions.resources, watched }));
  conversations.addFollower((conversation) => followAgents(conversation, agents));
  conversations.addFollower((conversation) => followBypass(conversation, bypass));
  conversations.addFollower(({ session }) => acceptedEdits.follow(session));
  conversations.addFollower((conversation) => followApprovals(queue, conversation, besides));
  conversations.addFollower((conversation) => review.proposals.follow(conversation));
  conversations.addFollower((conversation) => {
    const projection = review.project(conversation.id, (changes) => conversation.show({ changes }));
    return () => projection.dispose();
  });
}

/** Chooses models, and with them whatever else settings say of a chat: none is opened before these are known. */
function chooseIn({ models, windowSettings }: Pick<Deps, 'models' | 'windowSettings'>): (key?: string) => Promise<ChosenModel> {
  return async (key) => {
    await windowSettings.ready();
    return models.choose(key);
  };
}

/** The tool that searches the web, where someone does. */
function searchTools(search: WindowSearch, { provider, model }: Parameters<MoreTools>[0]): readonly Tool[] {
  const webSearch = search.current(provider.webSearch?.(model));
  return webSearch === undefined ? [] : [createSearchTool(webSearch)];
}

/** A path as it is shown: below its workspace folder where it is in one. */
function shortPath(path: string): string {
  const isFolder = vscode.workspace.workspaceFolders?.some(({ uri }) => uri.fsPath === path.replace(/[/\\]$/, '')) ?? false;
  return isFolder ? '.' : vscode.workspace.asRelativePath(path).replaceAll('\\', '/');
}

/** Where a session is stored. */
function sessionFile(storage: string, id: string): string {
  return join(storage, 'sessions', `${id}.json`);
}

/** Milliseconds that a decision may take to ask Git what a command of it would show. */
const STORED_MS = 50;

/** Where the outputs of commands are kept. */
export function outputFolderIn(storage: string): string {
  return join(storage, 'output');
}

/** What calls run with, and what they must pass. */
interface ComposedTools {
  readonly toolbox: Toolbox;
  readonly gate: Gate;
  readonly sandbox: Sandbox;
  readonly readGuard: () => Promise<MayShow>;
}

/** Dependencies of {@link composeTools} beside the host. */
interface ToolDeps extends Pick<Deps, 'boundPlaces' | 'permissions' | 'storage' | 'pictures' | 'skills'> {
  readonly instructionFiles: ReadonlySet<string>;
  /** The messages of a session, which say what skills are loaded. */
  readonly messagesOf: (session: string) => readonly Message[];
}

function composeTools(
  { context, log }: Host,
  { permissions, storage, pictures, skills, instructionFiles, boundPlaces, messagesOf }: ToolDeps,
  workspace: Workspace,
): ComposedTools {
  const outputFolder = outputFolderIn(storage);
  const { trusted } = permissions.trust;
  const permission = { workspace, rules: permissions.book, home: os.homedir(), caseInsensitive: process.platform !== 'linux' };
  const readGuard = (): Promise<MayShow> => createReadGuard(permission);
  const sandbox = createWindowSandbox(
    { workspace, rules: permissions.book, readGuard, storage, choices: settings.sandboxChoices, watch: watchNewFiles, outputFolder },
    context.subscriptions,
  );
  const analyzer = commandAnalyzer(vscode.Uri.joinPath(context.extensionUri, 'dist', 'wasm').fsPath, log);
  const diagnostics = createVsCodeDiagnostics();
  const toolbox = createToolbox({
    workspace,
    logFolder: outputFolder,
    documents: createVsCodeDocuments(createDiskDocuments(pictures)),
    search: searchWith(vscode.env.appRoot, readGuard),
    diagnostics,
    symbols: createVsCodeSymbols(),
    readGuard,
    sandbox,
    variables: settings.commandVariables,
    analyzer,
  });
  context.subscriptions.push(toolbox, diagnostics);
  return {
    toolbox,
    sandbox,
    readGuard,
    gate: createGate({
      ...permission,
      sandbox,
      sessionRules: permissions.sessionRules,
      approved: permissions.grants.approved,
      analyzer,
      trusted,
      bypassDisabled: () => permissions.bypass.disabledBy() !== undefined,
      documents: createDiskDocuments(),
      walk: walkFolder,
      git: { list: listGit, withinMs: STORED_MS },
      outputFolder,
      instructionFiles: () => instructionFiles,
      boundPlaces,
      skills: (id) => skills.readable(skillsOnWire(messagesOf(id), undefined).loaded.keys()),
    }),
  };
}

/** What a new session may do at most, when it is summarized, and how much it thinks; the caps are read again before every request. */
function limits(
  windowSettings: WindowSettings,
): Pick<SessionDeps, 'maxRounds' | 'maxRetries' | 'caps' | 'effort' | 'autoCompactPercent' | 'autoCompactTokens'> {
  const { caps } = windowSettings;
  const [autoCompactPercent, autoCompactTokens] = [windowSettings.autoCompactThreshold(), settings.autoCompactMaxTokens()];
  return {
    maxRounds: windowSettings.maxRounds(),
    maxRetries: settings.maxRetries(),
    caps,
    effort: windowSettings.thinkingEffort(),
    autoCompactPercent,
    autoCompactTokens,
  };
}

/** The model's environment, for the system prompt. */
function environmentOf(workspace: Workspace): string {
  const folders = workspace.folders().map((folder) => `${folder.name}: ${folder.path}`);
  const shell = process.platform === 'win32' ? 'Windows PowerShell' : 'bash';
  return [
    `Platform: ${process.platform} (${os.type()} ${os.release()}, ${os.arch()})`,
    `Shell of the bash tool: ${shell}`,
    `Working directory: ${workspace.cwd()}`,
    `Workspace folders: ${folders.length === 0 ? 'none' : folders.join(', ')}`,
  ].join('\n');
}
