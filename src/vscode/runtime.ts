import * as vscode from 'vscode';
import type { Log } from '../domain/log.js';
import type { ChatController } from './chat/chat-controller.js';
import { modelKey } from '../engine/model-key.js';
import type { Conversations } from './chat/conversations.js';
import { askForKey, askForModel, askForSession, confirmDelete } from './commands/dialogs.js';
import type { ModelRegistry } from './models/model-registry.js';
import type { Secrets } from './settings/secrets.js';

/** The parts that commands work with. */
export interface RuntimeParts {
  readonly chat: ChatController;
  readonly conversations: Conversations;
  readonly models: ModelRegistry;
  readonly secrets: Secrets;
  readonly log: Log;
}

/** Everything behind the commands; loaded when the chat or a command is first used. */
export class Runtime {
  readonly chat: ChatController;
  private readonly parts: RuntimeParts;

  constructor(parts: RuntimeParts) {
    this.parts = parts;
    this.chat = parts.chat;
  }

  /** Asks for the Anthropic key and stores it. A session on the demo model moves to the default Anthropic model. */
  async setApiKey(): Promise<void> {
    const key = await askForKey();
    if (key === undefined) return;
    await this.parts.secrets.setAnthropicKey(key);
    if (this.chat.current.session.model.provider === 'demo') await this.useModelForNewSessions();
    void vscode.window.showInformationMessage('The Anthropic API key is stored.');
  }

  /** Forgets the stored Anthropic key. */
  async clearApiKey(): Promise<void> {
    await this.parts.secrets.clearAnthropicKey();
    const left = await this.parts.secrets.anthropicKey();
    const still = left === undefined ? '' : ' The one in the environment variable ANTHROPIC_API_KEY stays in effect.';
    void vscode.window.showInformationMessage(`The stored Anthropic API key is removed.${still}`);
  }

  /** Lets the person choose the model of the current session. */
  async selectModel(): Promise<void> {
    const current = modelKey(this.chat.current.session.model);
    const key = await askForModel(await this.parts.models.list(), current);
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

  /** Stops and saves everything. */
  async close(): Promise<void> {
    await this.parts.conversations.close();
  }

  private async useModelForNewSessions(): Promise<void> {
    const { model } = await this.parts.models.choose(undefined);
    await this.chat.setModel(modelKey(model));
  }
}
