import * as os from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Clock } from '../domain/clock.js';
import type { Log } from '../domain/log.js';
import type { Workspace } from '../domain/workspace.js';
import type { SessionDependencies } from '../engine/agent-session.js';
import { createAgentSession } from '../engine/agent-session.js';
import { systemPrompt } from '../engine/system-prompt.js';
import { createNodeFileLayer } from '../node/files/node-file-layer.js';
import { createInstructions } from '../node/instructions.js';
import { createGate } from '../permission/gate.js';
import { createSessionStore } from '../session/store.js';
import { ChatController } from './chat/chat-controller.js';
import type { Conversation } from './chat/conversation.js';
import { Conversations } from './chat/conversations.js';
import { CurrentSession } from './chat/current-session.js';
import { noticeOfError } from './chat/notices.js';
import { createModels } from './models/create-models.js';
import type { ModelRegistry } from './models/model-registry.js';
import { Runtime } from './runtime.js';
import { Secrets } from './settings/secrets.js';
import { settings } from './settings/settings.js';
import type { StatusBar } from './status/status-bar.js';
import { workspaceInstructions } from './workspace/project-instructions.js';
import { createToolbox } from './workspace/toolbox.js';
import { createVsCodeWorkspace } from './workspace/vscode-workspace.js';

const clock: Clock = { timestamp: () => new Date().toISOString(), monotonic: () => performance.now() };

/** What {@link compose} is given by the activation. */
export interface Host {
  readonly context: vscode.ExtensionContext;
  readonly log: Log;
  readonly status: StatusBar;
}

/** Builds everything behind the commands and restores the conversation that was shown last. */
export async function compose(host: Host): Promise<Runtime> {
  const { context, log, status } = host;
  const secrets = new Secrets(context.secrets);
  context.subscriptions.push(secrets.watch());
  const models = createModels(context, secrets);
  const storage = (context.storageUri ?? context.globalStorageUri).fsPath;
  const conversations = composeConversations(host, models, storage);
  const current = new CurrentSession(storage, log);
  const chat = new ChatController(
    {
      conversations,
      models,
      log,
      remember: (id) => current.write(id),
      runCommand: (command, argument) => void vscode.commands.executeCommand(command, argument),
    },
    await firstConversation(conversations, await current.read(), log),
  );
  chat.onDidChange((conversation) => status.show(conversation.view.state.activity));
  return new Runtime({ chat, conversations, models, secrets, log });
}

function composeConversations({ context, log }: Host, models: ModelRegistry, storage: string): Conversations {
  const store = createSessionStore({ folder: join(storage, 'sessions'), files: createNodeFileLayer(), clock, log });
  const workspace = createVsCodeWorkspace();
  const finder = createInstructions({ workspace, log });
  const outputFolder = join(storage, 'output');
  const toolbox = createToolbox({ workspace, logFolder: outputFolder, appRoot: vscode.env.appRoot });
  context.subscriptions.push(toolbox);
  const gate = createGate({ workspace, caseInsensitive: process.platform !== 'linux', home: os.homedir(), outputFolder });
  return new Conversations({
    store,
    log,
    systemPrompt: (instructions) => systemPrompt(environmentOf(workspace), instructions),
    loadInstructions: () => workspaceInstructions(finder, log),
    chooseModel: (key) => models.choose(key),
    defaultMode: settings.permissionMode,
    createJobs: () => toolbox.createJobs(),
    startSession: ({ questions, jobs, instructions: found, ...start }) => {
      const instructions = { workspace: found, finder };
      const tools = toolbox.toolsForSession(questions, jobs);
      return createAgentSession({ ...start, ...limits(), instructions, tools, gate, clock, log });
    },
  });
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
