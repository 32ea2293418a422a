import * as vscode from 'vscode';
import type { Log } from '../domain/log.js';
import { createNodeFileLayer } from '../node/files/node-file-layer.js';
import { composeConversations } from './compose-conversations.js';
import type { Host } from './host.js';
import { ChatController } from './chat/chat-controller.js';
import type { Conversation } from './chat/conversation.js';
import type { Conversations } from './chat/conversations.js';
import { CurrentSession } from './chat/current-session.js';
import { noticeOfError } from './chat/notices.js';
import type { RunCommand } from './chat/panel-requests.js';
import { createModels } from './models/create-models.js';
import type { ApprovalScreen } from './permission/approval-alerts.js';
import { ApprovalAlerts } from './permission/approval-alerts.js';
import { createPermissions } from './permission/create-permissions.js';
import { vscodeDialogs } from './permission/vscode-dialogs.js';
import type { Review } from './review/create-review.js';
import { createReview } from './review/create-review.js';
import { Runtime } from './runtime.js';
import { Secrets } from './settings/secrets.js';
import { createVsCodeWorkspace } from './workspace/vscode-workspace.js';

/** Builds everything behind the commands and restores the conversation that was shown last. */
export async function compose(host: Host): Promise<Runtime> {
  const { context, log, status } = host;
  const secrets = new Secrets(context.secrets);
  context.subscriptions.push(secrets.watch());
  const models = createModels(context, secrets);
  const storage = (context.storageUri ?? context.globalStorageUri).fsPath;
  const permissions = createPermissions(context, log);
  const review = reviewIn(storage, host);
  const conversations = composeConversations(host, { models, permissions, storage, review });
  const current = new CurrentSession(storage, log);
  const runCommand: RunCommand = (command, argument) => void vscode.commands.executeCommand(command, argument);
  const remember = (id: string): void => current.write(id);
  const chat = new ChatController(
    { conversations, models, log, remember, runCommand, permissions, review: review.actions },
    await firstConversation(conversations, await current.read(), log),
  );
  chat.onDidChange((conversation) => status.show(conversation.view.state.activity));
  const alerts = new ApprovalAlerts({ queue: permissions.queue, screen: screenOf(host, chat), dialogs: vscodeDialogs, log });
  return new Runtime({ chat, conversations, models, secrets, log, permissions, alerts, review });
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

/** What the agent changed in this workspace, and the ways back. */
function reviewIn(storage: string, { context, log }: Host): Review {
  const workspace = createVsCodeWorkspace();
  const review = createReview({ storage, files: createNodeFileLayer(), log, folders: () => workspace.folders().map(({ path }) => path) });
  context.subscriptions.push(review);
  return review;
}
