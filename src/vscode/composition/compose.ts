import * as vscode from 'vscode';
import { type BoundPlaces, joinedPlaces } from '../../domain/workspace/binding.js';
import { systemClock } from '../../node/system-clock.js';
import { RequestLog } from '../../provider/http/request-log.js';
import { redact } from '../../text/redact.js';
import { composeConfiguration } from './compose-configuration.js';
import { composeFindings } from './compose-findings.js';
import { composeInline } from './compose-inline.js';
import { type PaneComposition, composePanes } from './compose-panes.js';
import { type ComposedServers, composeServers, type ServerComposition } from './compose-servers.js';
import { composeSessions } from './compose-sessions.js';
import { outputFolderIn } from './compose-conversations.js';
import { composeWriting } from './compose-writing.js';
import { EditorActions } from '../actions/editor-actions.js';
import type { SessionDeps } from '../../api/api-session.js';
import type { Host } from './host.js';
import type { InlineEdits } from '../inline-edit/inline-edits.js';
import type { Conversation } from '../../chat/conversation/conversation.js';
import type { Conversations } from '../../chat/conversation/conversations.js';
import { Surfaces } from '../../chat/conversation/surfaces.js';
import type { Writing } from '../../chat/composer/pane-composer.js';
import { pageWindow } from '../chat/page-window.js';
import { PageScaler } from '../../chat/composer/page-scaler.js';
import type { Panes } from '../../chat/pane/panes.js';
import type { RunCommand } from '../../chat/pane/requests/turn-handlers.js';
import { alertWhenFinished } from '../../chat/sessions/finish-alerts.js';
import { createSessionActions } from '../chat/sessions/session-actions.js';
import type { SessionActivity } from '../../chat/sessions/session-activity.js';
import { SessionCommands } from '../chat/sessions/session-commands.js';
import type { CompletionDeps } from '../completion/completer.js';
import { secretsOf } from '../log.js';
import type { WindowHooks } from '../../customization/hooks/hooks.js';
import { EditorTools } from '../mcp/editor-tools.js';
import { besidesOf } from '../../agent-host/servers/window-asking.js';
import { ToolChoices } from '../../agent-host/servers/tool-choices.js';
import { createModels } from '../models/create-models.js';
import type { ModelRegistry } from '../../models/model-registry.js';
import { type ApprovalScreen, ApprovalAlerts } from '../../consent/approval-alerts.js';
import { type WindowPermissions, createPermissions } from '../../consent/create-permissions.js';
import { WindowLayers } from '../../customization/layers.js';
import { WindowSettings } from '../../customization/settings.js';
import { vscodeDialogs } from '../dialogs/vscode-dialogs.js';
import { SymbolRenames } from '../rename/rename-symbol.js';
import { RequestViewer } from '../request-viewer/request-viewer.js';
import type { HostPorts } from '../../domain/host/host-ports.js';
import { ruleProblems } from '../../permission/rules/rule-set.js';
import { createRuleBook } from '../permission/rules/create-rule-book.js';
import { windowPorts } from './window-ports.js';
import type { Runtime } from './runtime.js';
import { storageIn } from './pending-review.js';
import { CommitMessages } from '../scm/commit-messages.js';
import { KeyChoices } from '../../models/keys/key-choices.js';
import { Secrets } from '../../models/keys/secrets.js';
import { settings } from '../settings/settings.js';
import { WindowSearch } from '../../agent-host/web-search.js';
import { CodeTheme } from '../theme/code-theme.js';
import { tellWrongSettings } from '../settings/tell-wrong-settings.js';

const runCommand: RunCommand = (command, argument) => void vscode.commands.executeCommand(command, argument);

/** Builds everything behind the commands and restores the conversation that was shown last. */
export async function compose(host: Host): Promise<Runtime> {
  const { context, log } = host;
  const ports = windowPorts(context);
  const { layers, windowSettings } = await layersIn(host, ports);
  const { secrets, models, requests } = modelsIn(host, ports, windowSettings);
  const storage = storageIn(context);
  const rules = createRuleBook({ context, layers, trust: ports.trust, check: ruleProblems, log });
  const permissions = createPermissions(ports, { rules, windowSettings, log });
  const { hooks, agents, styles, skills, commandFiles, configuration, places, moreBound } = composeConfiguration(host, layers, {
    ports,
    windowSettings,
    permissions,
    storage,
  });
  const review = await host.review();
  const editorTools = editorToolsIn(host);
  const surfaces = new Surfaces();
  const pictures = new PageScaler((message) => surfaces.postToVisible(message));
  const servers = composeServers(host, {
    ports,
    moreBound,
    outputFolder: outputFolderIn(storage),
    agents,
    places,
    ...chatsOf(models, { conversations: () => sessions.conversations, panes: () => panes }),
  });
  const writing = composeWriting(host, {
    storage,
    permissions,
    pictures,
    windowSettings,
    skills,
    commandFiles,
    agents,
    hooks: hooks.ofWindow,
    models,
    servers: servers.servers,
  });
  const sessions = composeSessions(host, {
    ports,
    boundPlaces: () => boundBy(hooks.ofWindow, servers),
    agents,
    styles,
    windowSettings,
    hooks: hooks.hooks,
    skills,
    serverTools: servers.tools,
    watched: servers.watched,
    besides: besidesOf(servers.asking),
    mentions: writing.mentions,
    models,
    permissions,
    storage,
    review,
    pictures,
    drafts: writing.drafts,
    surfaces,
    search: new WindowSearch(secrets, () => ({ provider: settings.searchProvider(), searxngUrl: windowSettings.searxngUrl() })),
  });
  const { conversations, desk, activity } = sessions;
  conversations.addFollower(servers.follow);
  const actions = createSessionActions({ desk, dialogs: vscodeDialogs, openInTab: (id) => host.tabs.open(id), close: (id) => surfaces.close(id) });
  const chat = {
    codeTheme: codeThemeIn(host),
    conversations,
    desk,
    models,
    agents,
    log,
    runCommand,
    permissions,
    toldOfTrust: new WeakSet<Conversation>(),
    review: review.actions,
    window: pageWindow({ recorder: review.recorder, files: review.files }),
    writing,
    servers: servers.port,
    configuration,
    sessionActions: actions,
  };
  const { panes, connectTab } = await composePanes(host, { chat, activity, storage });
  surfaces.add(panes);
  const alerts = alertsOf(host, panes, activity, { ...permissions, windowSettings });
  const commitMessages = commitMessagesOf(host, models, { writing, permissions });
  const inline = composeInline(host, { conversations, review, writing, permissions, panes, models });
  surfaces.add({ isSeen: (id) => inline.has(id) });
  const changeReviews = composeFindings(host, { conversations, models, inline, writing, permissions, panes });
  surfaces.add({ isSeen: (id) => changeReviews.has(id) });
  return {
    ...{
      panes,
      connectTab,
      sessions: new SessionCommands({ panes, desk, actions, redact: (text) => redact(text, secretsOf(host.keys)) }),
      models,
      secrets,
      permissions,
      alerts,
      review,
      commitMessages,
      editorActions: editorActionsIn(panes, new SymbolRenames({ models, ...writing.mentions, trusted: permissions.trust.trusted, clock: systemClock, log })),
      inline,
      changeReviews,
      requests,
      editorTools,
      styles,
      skills,
      commandFiles,
      configuration,
      signIns: servers.signIns,
    },
    manageAgents: async () =>
      (await import('../agent/manage-agents.js')).manageAgents({
        agents,
        models,
        clock: systemClock,
        log,
        use: (name) => panes.active.choices.chooseAgent(name),
      }),
    approvedServers: servers.approved,
    completion: completionDepsOf(models, { writing, permissions, inline }),
    apiSessions: sessionDepsOf(panes, chat, windowSettings),
    close: async () => {
      commitMessages.stop();
      changeReviews.stop();
      inline.dispose();
      await Promise.all([conversations.close(), servers.close()]);
      await writing.drafts.flush();
    },
  };
}

/** Where what hooks and approved servers run is. */
async function boundBy(hooks: WindowHooks, servers: Pick<ComposedServers, 'boundPlaces'>): Promise<BoundPlaces> {
  return joinedPlaces([await hooks.boundPlaces(), servers.boundPlaces()]);
}

/** What the sessions of other extensions need: those of the chat, and nothing that answers for the user. */
function sessionDepsOf(panes: Panes, { conversations, desk, writing, log }: PaneComposition['chat'], { permissionMode }: WindowSettings): SessionDeps {
  return {
    conversations,
    draftOf: (conversation) => writing.drafts.of(conversation),
    resolve: (text) => writing.mentions.resolve(text),
    rename: (id, title) => desk.rename(id, title),
    show: (id) => panes.open(id),
    isShown: (conversation) => panes.isShown(conversation),
    defaultMode: permissionMode,
    log,
  };
}

/** What servers need of the chats. These are made after the servers, and are there before one asks. */
function chatsOf(
  models: ModelRegistry,
  chats: { readonly conversations: () => Conversations; readonly panes: () => Panes },
): Pick<ServerComposition, 'sessionOf' | 'asking'> {
  const find = (id: string): Conversation | undefined => chats.conversations().find(id);
  return {
    sessionOf: (id) => find(id)?.session,
    asking: {
      shownSession: () => chats.panes().active.current.id,
      choose: (key) => models.choose(key),
      tell: (id, text) => find(id)?.notify({ level: 'warning', text, actions: [] }),
    },
  };
}

/** The tools that VS Code lists, offered to models where the user has chosen them. */
function editorToolsIn({ context, offered }: Host): EditorTools {
  const editorTools = new EditorTools(new ToolChoices(context.globalState));
  offered.addSource(editorTools);
  return editorTools;
}

/** The models with the keys for them, and what shows the requests to them. */
function modelsIn({ context, keys }: Host, ports: HostPorts, windowSettings: WindowSettings): Pick<Runtime, 'secrets' | 'models' | 'requests'> {
  const secrets = new Secrets(ports.secrets, new KeyChoices(ports.memory.global), keys);
  const requestLog = new RequestLog(() => secretsOf(keys));
  const requests = new RequestViewer(requestLog);
  context.subscriptions.push(secrets.watch(), requests);
  return { secrets, models: createModels(context, { secrets, requests: requestLog, windowSettings }), requests };
}

/** The files of the layers of configuration, and what counts of the settings in them. They are read before anything is decided with them. */
async function layersIn({ context, log }: Host, ports: HostPorts): Promise<{ readonly layers: WindowLayers; readonly windowSettings: WindowSettings }> {
  const layers = new WindowLayers(ports, log);
  const windowSettings = new WindowSettings(ports, layers);
  context.subscriptions.push(layers, windowSettings);
  await layers.read();
  return { layers, windowSettings };
}

/** The colors of code in the user's theme. */
function codeThemeIn({ context, log }: Host): CodeTheme {
  const theme = new CodeTheme(log);
  context.subscriptions.push(theme);
  return theme;
}

function editorActionsIn(panes: Panes, renames: SymbolRenames): EditorActions {
  return new EditorActions({
    rename: () => renames.rename(),
    say: async (text, attached) => {
      await panes.reveal();
      await panes.active.composer.say(text, attached);
    },
    compose: async (text) => {
      await panes.reveal();
      await panes.active.composer.add(text);
      panes.active.focusComposer();
    },
    custom: settings.customActions,
  });
}

/** Dependencies of inline suggestions: files are read through the same guard as mentions. */
function completionDepsOf(
  models: ModelRegistry,
  { writing, permissions, inline }: { writing: Writing; permissions: WindowPermissions; inline: InlineEdits },
): CompletionDeps {
  const { workspace, readGuard } = writing.mentions;
  return { models, workspace, readGuard, trusted: permissions.trust.trusted, isEditedInPlace: (document) => inline.isIn(document) };
}

function commitMessagesOf(
  { log }: Host,
  models: ModelRegistry,
  { writing, permissions }: { writing: Writing; permissions: WindowPermissions },
): CommitMessages {
  const { workspace, readGuard } = writing.mentions;
  return new CommitMessages({ models, workspace, readGuard, trusted: permissions.trust.trusted, clock: systemClock, log });
}

/** Tells the user of conversations that wait for them or have finished, where they do not look at them, and of wrong settings. */
function alertsOf(
  { context, status, sidebar, log }: Host,
  panes: Panes,
  activity: SessionActivity,
  { queue, windowSettings }: Pick<WindowPermissions, 'queue'> & { readonly windowSettings: WindowSettings },
): ApprovalAlerts {
  const screen: ApprovalScreen = {
    current: () => panes.active.current.id,
    isVisible: (id) => panes.isVisible(id),
    open: (id) => panes.open(id),
    count: (waiting) => {
      status.count(waiting);
      sidebar.showWaiting(queue.sessions().length);
    },
  };
  const shared = { dialogs: vscodeDialogs, log };
  tellWrongSettings({ ...shared, context, files: windowSettings });
  alertWhenFinished({
    ...shared,
    activity,
    wanted: () => settings.notifications() === 'all',
    windowFocused: () => vscode.window.state.focused,
    open: (id) => screen.open(id),
  });
  return new ApprovalAlerts({ ...shared, queue, screen, wanted: () => settings.notifications() !== 'off' });
}
