import * as vscode from 'vscode';
import { systemClock } from '../../node/system-clock.js';
import { redact, secretsOf } from '../../text/redact.js';
import { type AgentHost, createAgentHost } from '../../agent-host/agent-host.js';
import { WindowConfiguration } from '../../chat/configuration/window-configuration.js';
import { UriAnswers } from '../../mcp/auth/uri-answers.js';
import { openPlace } from '../configuration/open-place.js';
import { WINDOW, windowPorts } from './window-ports.js';
import { composeFindings } from './compose-findings.js';
import { composeInline } from './compose-inline.js';
import { composePanes, type PaneComposition } from './compose-panes.js';
import { WindowServers } from '../../chat/servers/window-servers.js';
import { serversWindow } from '../mcp/servers-window.js';
import { composeSessions } from './compose-sessions.js';
import { composeWriting } from './compose-writing.js';
import { EditorActions } from '../actions/editor-actions.js';
import type { SessionDeps } from '../../api/api-session.js';
import type { Host } from './host.js';
import type { InlineEdits } from '../inline-edit/inline-edits.js';
import { ChatElves } from '../../chat/conversation/chat-elves.js';
import type { Conversation } from '../../chat/conversation/conversation.js';
import { Surfaces } from '../../chat/conversation/surfaces.js';
import type { ComposerServices } from '../../chat/composer/pane-composer.js';
import { pageWindow } from '../chat/page-window.js';
import { PageScaler } from '../../chat/composer/page-scaler.js';
import type { Panes } from '../../chat/pane/panes.js';
import type { RunCommand } from '../../chat/pane/requests/turn-handlers.js';
import { alertWhenFinished, type SessionActivity } from '../../chat/sessions/session-activity.js';
import { createSessionActions } from '../chat/sessions/session-actions.js';
import { SessionCommands } from '../chat/sessions/session-commands.js';
import type { CompletionDeps } from '../completion/completer.js';
import { EditorTools } from '../mcp/editor-tools.js';
import { TOOL_CHOICES, ToolChoices } from '../../agent-host/servers/tool-choices.js';
import type { WorkModels } from '../../models/model-task.js';
import type { SuggestionModels } from '../completion/choose-model.js';
import { ApprovalAlerts, type ApprovalScreen } from '../../consent/approval-alerts.js';
import type { Permissions } from '../../consent/create-permissions.js';
import type { FileSettings } from '../../customization/settings.js';
import { showText, vscodeDialogs } from '../dialogs/vscode-dialogs.js';
import { SymbolRenames } from '../rename/rename-symbol.js';
import { RequestViewer } from '../request-viewer/request-viewer.js';
import type { Runtime } from './runtime.js';
import { storageIn } from './pending-review.js';
import { CommitMessages } from '../scm/commit-messages.js';
import { settings } from '../settings/vscode-settings.js';
import { CodeTheme } from '../theme/code-theme.js';
import { tellWrongSettings } from '../settings/tell-wrong-settings.js';

const runCommand: RunCommand = (command, argument) => void vscode.commands.executeCommand(command, argument);

/** Builds everything behind the commands and restores the conversation that was shown last. */
export async function compose(host: Host): Promise<Runtime> {
  const { context, log } = host;
  const storage = storageIn(context);
  const review = await host.review();
  const [surfaces, signIns] = [new Surfaces(), new UriAnswers()];
  const imageScaler = new PageScaler((message) => surfaces.postToVisible(message));
  const agentHost = await createAgentHost(windowPorts(host, { review, imageScaler, signIns }));
  const editorTools = editorToolsIn(host, agentHost);
  const { secrets, models, router, permissions, hooks, agents, styles, skills, commandFiles, fileSettings, servers, sessions: open } = agentHost;
  const requests = new RequestViewer(agentHost.requests);
  const configuration = new WindowConfiguration({
    ...{ ports: WINDOW, extension: context.extension, layers: agentHost.layers, settings: fileSettings, permissions, agents, styles, skills },
    hooks: hooks.registered,
    decideOnHook: (hook) => hooks.review.decide(hook),
    openPlace,
    tryOut: (hook, signal) => hooks.hooks.tryOut(hook, signal),
    commands: commandFiles,
  });
  context.subscriptions.push(requests, configuration);
  const writing = composeWriting(host, { storage, imageScaler, agentHost });
  const sessions = composeSessions(host, { agentHost, storage, review, mentions: writing.mentions, drafts: writing.drafts, surfaces });
  const { conversations, desk, activity } = sessions;
  const actions = createSessionActions({ desk, dialogs: vscodeDialogs, openInTab: (id) => host.tabs.open(id), close: (id) => surfaces.close(id) });
  const chat = {
    codeTheme: codeThemeIn(host),
    conversations,
    elves: new ChatElves(agentHost.elves, { openSession: (id) => host.tabs.open(id), showText }, agentHost.applyChanges),
    desk,
    models,
    agents,
    log,
    runCommand,
    permissions,
    trustNoticed: new WeakSet<Conversation>(),
    review: review.actions,
    window: pageWindow({ recorder: review.recorder, files: review.files }),
    writing,
    servers: new WindowServers({ ...servers, sessions: open, ports: WINDOW, window: serversWindow, log }),
    configuration,
    sessionActions: actions,
  };
  const { panes, connectTab } = await composePanes(host, { chat, activity, storage });
  surfaces.add(panes);
  const noteShown = (): void => open.show(panes.active.current.id);
  noteShown();
  panes.onDidChange(noteShown);
  const alerts = alertsOf(host, panes, activity, { ...permissions, fileSettings });
  const commitMessages = commitMessagesOf(host, agentHost, { writing, permissions });
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
      ...{ estimates: agentHost.estimates, userSettings: agentHost.userSettings },
      permissions,
      alerts,
      review,
      commitMessages,
      editorActions: editorActionsIn(
        panes,
        new SymbolRenames({ models, router, ...writing.mentions, trusted: permissions.trust.trusted, clock: systemClock, log }),
      ),
      inline,
      changeReviews,
      requests,
      editorTools,
      styles,
      worktrees: agentHost.worktrees,
      applyChanges: agentHost.applyChanges,
      checks: agentHost.checks,
      chatTitles: async () => new Map((await desk.list()).map(({ id, title }) => [id, title])),
      memory: { global: context.globalState, workspace: context.workspaceState },
      skills,
      commandFiles,
      configuration,
      signIns,
    },
    manageAgents: async () =>
      (await import('../agent/manage-agents.js')).manageAgents({
        agents,
        models,
        router,
        clock: systemClock,
        log,
        use: (name) => panes.active.choices.chooseAgent(name),
      }),
    approvedServers: servers.approved,
    completion: completionDepsOf(agentHost, { writing, permissions, inline }),
    apiSessions: { ...sessionDepsOf(panes, chat, fileSettings), elves: agentHost.elves },
    close: async () => {
      commitMessages.stop();
      changeReviews.stop();
      inline.dispose();
      await Promise.all([conversations.close(), servers.close()]);
      await agentHost.close();
      await writing.drafts.flush();
    },
  };
}

/** Services for sessions of other extensions: those of the chat, without anything that answers for the user. */
function sessionDepsOf(
  panes: Panes,
  { conversations, desk, writing, log }: PaneComposition['chat'],
  { permissionMode }: FileSettings,
): Omit<SessionDeps, 'elves'> {
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

/** The tools that VS Code lists, offered to models where the user has chosen them. */
function editorToolsIn({ offered }: Host, { approvals }: Pick<AgentHost, 'approvals'>): EditorTools {
  const editorTools = new EditorTools(new ToolChoices(approvals.of(TOOL_CHOICES)));
  offered.addSource(editorTools);
  return editorTools;
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
      panes.active.panels.ask({ type: 'focus_composer' });
    },
    custom: settings.customActions,
  });
}

/** Dependencies of inline suggestions: files are read through the same guard as mentions. */
function completionDepsOf(
  { models, router }: SuggestionModels,
  { writing, permissions, inline }: { writing: ComposerServices; permissions: Permissions; inline: InlineEdits },
): CompletionDeps {
  const { workspace, readGuard } = writing.mentions;
  return { models, router, workspace, readGuard, trusted: permissions.trust.trusted, isEditedInPlace: (document) => inline.isIn(document) };
}

function commitMessagesOf(
  { log }: Host,
  { models, router }: WorkModels,
  { writing, permissions }: { writing: ComposerServices; permissions: Permissions },
): CommitMessages {
  const { workspace, readGuard } = writing.mentions;
  return new CommitMessages({ models, router, workspace, readGuard, trusted: permissions.trust.trusted, clock: systemClock, log });
}

/** Tells the user of conversations that wait for them or have finished, where they do not look at them, and of wrong settings. */
function alertsOf(
  { context, status, sidebar, log }: Host,
  panes: Panes,
  activity: SessionActivity,
  { queue, fileSettings }: Pick<Permissions, 'queue'> & { readonly fileSettings: FileSettings },
): ApprovalAlerts {
  const screen: ApprovalScreen = {
    current: () => panes.active.current.id,
    isVisible: (id) => panes.isVisible(id),
    open: (id) => panes.open(id),
    count: (waiting) => {
      status.count(waiting);
      sidebar.showWaiting(waiting);
    },
  };
  const shared = { dialogs: vscodeDialogs, log };
  tellWrongSettings({ ...shared, context, files: fileSettings });
  alertWhenFinished({
    ...shared,
    activity,
    wanted: () => settings.notifications() === 'all',
    windowFocused: () => vscode.window.state.focused,
    open: (id) => screen.open(id),
  });
  return new ApprovalAlerts({ ...shared, queue, screen, wanted: () => settings.notifications() !== 'off' });
}
