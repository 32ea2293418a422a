import * as os from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Clock } from '../domain/clock.js';
import type { Log } from '../domain/log.js';
import type { Gate } from '../domain/permission.js';
import type { Workspace } from '../domain/workspace.js';
import type { SessionDependencies } from '../engine/agent-session.js';
import { createAgentSession } from '../engine/agent-session.js';
import { systemPrompt } from '../engine/system-prompt.js';
import { createNodeFileLayer } from '../node/files/node-file-layer.js';
import { createInstructions } from '../node/instructions.js';
import { createDiskDocuments } from '../node/disk-documents.js';
import { createGate } from '../permission/gate.js';
import { createReadGuard } from '../permission/read-guard.js';
import { createSessionStore } from '../session/store.js';
import { ChatController } from './chat/chat-controller.js';
import type { Conversation } from './chat/conversation.js';
import { Conversations } from './chat/conversations.js';
import { CurrentSession } from './chat/current-session.js';
import { noticeOfError } from './chat/notices.js';
import { createModels } from './models/create-models.js';
import type { ModelRegistry } from './models/model-registry.js';
import type { ApprovalScreen } from './permission/approval-alerts.js';
import { ApprovalAlerts } from './permission/approval-alerts.js';
import type { WindowPermissions } from './permission/create-permissions.js';
import { createPermissions } from './permission/create-permissions.js';
import { followApprovals } from './permission/follow-approvals.js';
import { vscodeDialogs } from './permission/vscode-dialogs.js';
import { Runtime } from './runtime.js';
import { Secrets } from './settings/secrets.js';
import { settings } from './settings/settings.js';
import type { StatusBar } from './status/status-bar.js';
import { onlyTrusted, workspaceInstructions } from './workspace/project-instructions.js';
import { commandAnalyser } from './workspace/command-analyser.js';
import type { Toolbox } from './workspace/toolbox.js';
import { createToolbox } from './workspace/toolbox.js';
import { createVsCodeWorkspace } from './workspace/vscode-workspace.js';

const clock: Clock = { timestamp: () => new Date().toISOString(), monotonic: () => performance.now() };

/** What {@link compose} is given by the activation. */
export interface Host {
  readonly context: vscode.ExtensionContext;
  readonly log: Log;
  readonly status: StatusBar;
  /** Whether the person sees the chat. */
  readonly chatVisible: () => boolean;
}

interface Parts {
  readonly models: ModelRegistry;
  readonly permissions: WindowPermissions;
  readonly storage: string;
}

/** Builds everything behind the commands and restores the conversation that was shown last. */
export async function compose(host: Host): Promise<Runtime> {
  const { context, log, status } = host;
  const secrets = new Secrets(context.secrets);
  context.subscriptions.push(secrets.watch());
  const models = createModels(context, secrets);
  const storage = (context.storageUri ?? context.globalStorageUri).fsPath;
  const permissions = createPermissions(context, log);
  const conversations = composeConversations(host, { models, permissions, storage });
  const current = new CurrentSession(storage, log);
  const chat = new ChatController(
    {
      conversations,
      models,
      log,
      remember: (id) => current.write(id),
      runCommand: (command, argument) => void vscode.commands.executeCommand(command, argument),
      permissions,
    },
    await firstConversation(conversations, await current.read(), log),
  );
  chat.onDidChange((conversation) => status.show(conversation.view.state.activity));
  const alerts = new ApprovalAlerts({ queue: permissions.queue, screen: screenOf(host, chat), dialogs: vscodeDialogs, log });
  return new Runtime({ chat, conversations, models, secrets, log, permissions, alerts });
}

/** What the person sees of conversations that wait for them. */
function screenOf({ status, chatVisible }: Host, chat: ChatController): ApprovalScreen {
  return {
    current: () => chat.current.id,
    isVisible: chatVisible,
    open: async (id) => {
      await vscode.commands.executeCommand('gnomon.chat.focus');
      await chat.openSession(id);
    },
    count: (waiting) => status.count(waiting),
  };
}

function composeConversations(host: Host, { models, permissions, storage }: Parts): Conversations {
  const { log } = host;
  const store = createSessionStore({ folder: join(storage, 'sessions'), files: createNodeFileLayer(), clock, log });
  const workspace = createVsCodeWorkspace();
  const { trust, bypass, queue } = permissions;
  const finder = onlyTrusted(createInstructions({ workspace, log }), trust.trusted);
  const { toolbox, gate } = composeTools(host, { permissions, storage }, workspace);
  return new Conversations({
    store,
    log,
    systemPrompt: (instructions) => systemPrompt(environmentOf(workspace), instructions),
    loadInstructions: () => workspaceInstructions(finder, log),
    chooseModel: (key) => models.choose(key),
    defaultMode: settings.permissionMode,
    startingMode: (mode) => bypass.startingMode(mode),
    follow: (conversation) => followApprovals(queue, conversation),
    createJobs: () => toolbox.createJobs(),
    startSession: ({ questions, jobs, instructions: found, ...start }) => {
      const instructions = { workspace: found, finder };
      const tools = toolbox.toolsForSession(questions, jobs);
      return createAgentSession({ ...start, ...limits(), instructions, tools, gate, clock, log });
    },
  });
}

/** What calls run with, and what they must pass. */
function composeTools({ context, log }: Host, { permissions, storage }: Omit<Parts, 'models'>, workspace: Workspace): { toolbox: Toolbox; gate: Gate } {
  const outputFolder = join(storage, 'output');
  const { trusted } = permissions.trust;
  const permission = { workspace, rules: permissions.book, home: os.homedir(), caseInsensitive: process.platform !== 'linux' };
  const toolbox = createToolbox({ workspace, logFolder: outputFolder, appRoot: vscode.env.appRoot, readGuard: () => createReadGuard(permission) });
  context.subscriptions.push(toolbox);
  const analyser = commandAnalyser(vscode.Uri.joinPath(context.extensionUri, 'dist', 'wasm').fsPath, log);
  return { toolbox, gate: createGate({ ...permission, analyser, trusted, documents: createDiskDocuments(), outputFolder }) };
}

/** What a new session may do at most, when it is summarised, and how much it thinks; the caps are read again before every request. */
function limits(): Pick<SessionDependencies, 'maxRounds' | 'maxRetries' | 'caps' | 'effort' | 'autoCompactPercent'> {
  const { caps } = settings;
  const autoCompactPercent = settings.autoCompactThreshold();
  return { maxRounds: settings.maxRounds(), maxRetries: settings.maxRetries(), caps, effort: settings.thinkingEffort(), autoCompactPercent };
}

async function firstConversation(conversations: Conversations, id: string | undefined, log: Log): Promise<Conversation> {
  if (id === undefined) return conversations.create();
  try {
    return await conversations.get(id);
  } catch (error) {
    log.error('The last session could not be opened', error);
    const fresh = await conversations.create();
    fresh.notify({ ...noticeOfError(error), actions: ['show_log'] });
    return fresh;
  }
}

/** What the model is told about where it works. */
function environmentOf(workspace: Workspace): string {
  const folders = workspace.folders().map((folder) => `${folder.name}: ${folder.path}`);
  return [`Platform: ${process.platform}`, `Workspace folders: ${folders.length === 0 ? 'none' : folders.join(', ')}`].join('\n');
}
