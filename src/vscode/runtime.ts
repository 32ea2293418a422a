import * as vscode from 'vscode';
import type { Log } from '../domain/log.js';
import type { ChatController } from './chat/chat-controller.js';
import { modelKey } from '../engine/model-key.js';
import type { Conversations } from './chat/conversations.js';
import type { ApprovalAlerts } from './permission/approval-alerts.js';
import type { WindowPermissions } from './permission/create-permissions.js';
import { askForSession, confirmDelete } from './commands/dialogs.js';
import { clearApiKey, setApiKey } from './commands/keys.js';
import { pickModel } from './commands/pick-model.js';
import type { ModelRegistry } from './models/model-registry.js';
import type { ReviewCommand } from './review/command-ids.js';
import type { Review } from './review/create-review.js';
import type { Secrets } from './settings/secrets.js';

/** The parts that commands work with. */
export interface RuntimeParts {
  readonly chat: ChatController;
  readonly conversations: Conversations;
  readonly models: ModelRegistry;
  readonly secrets: Secrets;
  readonly log: Log;
  readonly permissions: WindowPermissions;
  readonly alerts: ApprovalAlerts;
  readonly review: Review;
}

/** Everything behind the commands; loaded when the chat or a command is first used. */
export class Runtime {
  readonly chat: ChatController;
  private readonly parts: RuntimeParts;

  constructor(parts: RuntimeParts) {
    this.parts = parts;
    this.chat = parts.chat;
  }

  /** Asks whose key it is and for the key, and stores it. */
  setApiKey(): Promise<void> {
    return setApiKey(this.parts);
  }

  /** Forgets a stored key. */
  clearApiKey(): Promise<void> {
    return clearApiKey(this.parts);
  }

  /** Lets the person choose the model of the current session. */
  async selectModel(): Promise<void> {
    const key = await pickModel(this.parts.models, modelKey(this.chat.current.session.model));
    if (key !== undefined) await this.chat.setModel(key);
  }

  /** Lets the person choose a session to go on with. */
  async openSession(): Promise<void> {
    const session = await askForSession(await this.parts.conversations.list(), 'Open a session');
    if (session === undefined) return;
    await this.chat.openSession(session.id);
    await vscode.commands.executeCommand('gnomon.focusChat');
  }

  /** Lets the person choose a session to delete, and asks once more. */
  async deleteSession(): Promise<void> {
    const session = await askForSession(await this.parts.conversations.list(), 'Delete a session');
    if (session !== undefined && (await confirmDelete(session.title))) await this.chat.deleteSession(session.id);
  }

  /** Lets the person look after the rules of permission. */
  managePermissions(): Promise<void> {
    return this.parts.permissions.manage();
  }

  /** Shows the conversation that waits next for the person. */
  showNextApproval(): Promise<void> {
    return this.parts.alerts.showNext();
  }

  /** Carries out a command that keeps, undoes or shows changes, with the arguments that VS Code gives it. */
  runReview(id: ReviewCommand, args: readonly unknown[]): Promise<void> {
    return this.parts.review.run(id, args);
  }

  /** Stops and saves everything. */
  async close(): Promise<void> {
    await this.parts.conversations.close();
  }
}
