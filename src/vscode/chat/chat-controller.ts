import * as vscode from 'vscode';
import { assertNever } from '../../domain/assert-never.js';
import { text } from '../../domain/content.js';
import { errorMessage } from '../../domain/errors.js';
import type { Log } from '../../domain/log.js';
import { parsePermissionMode } from '../../permission/modes.js';
import type { PanelMessage } from '../../protocol/messages.js';
import type { NoticeAction } from '../../protocol/view-state.js';
import { openLink } from '../links.js';
import type { ModelRegistry } from '../models/model-registry.js';
import { Attachments } from './attachments.js';
import type { PanelPort } from './chat-view-provider.js';
import type { Conversation } from './conversation.js';
import type { Conversations } from './conversations.js';
import { historyOf, modeChoices, modelChoices } from './choices.js';
import { noticeOfError } from './notices.js';
import { Panel } from './panel.js';

type Request = Exclude<PanelMessage, { type: 'ack' }>;

/** What {@link ChatController} needs of the rest. */
export interface ChatDependencies {
  readonly conversations: Conversations;
  readonly models: ModelRegistry;
  readonly log: Log;
  /** Remembers which conversation is shown, for the next start. */
  readonly remember: (id: string) => void;
  readonly runCommand: (command: string, ...args: readonly unknown[]) => void;
}

/** Carries out what the person does in the chat, and keeps the panel on the current conversation. */
export class ChatController {
  private readonly needs: ChatDependencies;
  private readonly attachments = new Attachments();
  private readonly panels = new Set<Panel>();
  private readonly changed = new vscode.EventEmitter<Conversation>();
  private shown: Conversation;
  private stopWatching: () => void = () => undefined;

  /** Fires when another conversation is shown and when the one shown changes. */
  readonly onDidChange = this.changed.event;

  constructor(needs: ChatDependencies, first: Conversation) {
    this.needs = needs;
    this.shown = first;
    this.show(first);
  }

  /** The conversation that panels show. */
  get current(): Conversation {
    return this.shown;
  }

  /** Connects a page to the current conversation. */
  connect(webview: vscode.Webview): PanelPort {
    const panel = new Panel(webview, this.needs.log);
    panel.show(this.shown);
    this.panels.add(panel);
    return {
      receive: (raw) => {
        const message = panel.receive(raw);
        if (message !== undefined) this.run(this.handle(panel, message));
      },
      dispose: () => {
        this.panels.delete(panel);
        panel.dispose();
      },
    };
  }

  /** Shows an empty conversation. The one before goes on if it is at work. */
  async newSession(): Promise<void> {
    if (this.shown.session.messages.length > 0) await this.switchTo(await this.needs.conversations.create());
    this.focusComposer();
  }

  /** Shows a stored conversation. */
  async openSession(id: string): Promise<void> {
    await this.switchTo(await this.needs.conversations.get(id));
  }

  /** Stops and removes a conversation; if it was shown, an empty one takes its place. */
  async deleteSession(id: string): Promise<void> {
    if (id === this.shown.id) this.show(await this.needs.conversations.create());
    await this.needs.conversations.delete(id);
    await this.postHistory();
  }

  /** Puts the cursor into the message box of every panel. */
  focusComposer(): void {
    for (const panel of this.panels) panel.post({ type: 'focus_composer' });
  }

  /** Uses another model in the current conversation and tells the panels what there is. */
  async setModel(key: string): Promise<void> {
    const { provider, model } = await this.needs.models.choose(key);
    this.shown.setModel(provider, model);
    await this.postChoices();
  }

  /** Tells the panels which models and modes there are. */
  async postChoices(): Promise<void> {
    const models = modelChoices(await this.needs.models.list());
    for (const panel of this.panels) panel.post({ type: 'choices', models, modes: modeChoices() });
  }

  /** Reports the failure of something that nobody waits for, in the transcript and the log. */
  run(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      this.needs.log.error('An action in the chat failed', error);
      this.shown.notify({ ...noticeOfError(error), actions: ['show_log'] });
    });
  }

  // One short case per message of the closed protocol; splitting the table would hide what there is.
  // eslint-disable-next-line max-lines-per-function -- see the line above
  private async handle(panel: Panel, message: Request): Promise<void> {
    switch (message.type) {
      case 'ready':
        panel.attach(message.attached);
        panel.post({ type: 'attachments', attachments: this.attachments.list() });
        return this.postChoices();
      case 'send':
        return this.send(panel, message);
      case 'stop':
        return this.shown.session.cancel();
      case 'new_session':
        return this.newSession();
      case 'list_history':
        return this.postHistory();
      case 'open_session':
        return this.openSession(message.id);
      case 'delete_session':
        return this.deleteSession(message.id);
      case 'set_model':
        return this.setModel(message.model);
      case 'set_mode':
        return this.setMode(message.mode);
      case 'answer_approval':
        return this.answer(message);
      case 'notice_action':
        return this.act(message.action);
      case 'pick_attachments':
        return this.changeAttachments(() => this.attachments.pick());
      case 'remove_attachment':
        return this.changeAttachments(() => this.attachments.remove(message.id));
      case 'open_link':
        return openLink(message.url);
      case 'report_error':
        return this.needs.log.error(`The panel failed: ${message.message}`);
      default:
        assertNever(message);
    }
  }

  private async send(panel: Panel, message: Extract<Request, { type: 'send' }>): Promise<void> {
    const { sendId } = message;
    const attached = this.attachments.contents(message.attachments);
    const words = message.text.trim() === '' ? [] : [text(message.text)];
    try {
      await this.shown.send([...attached, ...words]);
      panel.post({ type: 'accepted', sendId });
      this.needs.remember(this.shown.id);
      await this.changeAttachments(() => message.attachments.forEach((id) => this.attachments.remove(id)));
    } catch (error) {
      panel.post({ type: 'rejected', sendId, reason: errorMessage(error) });
    }
  }

  private answer(message: Extract<Request, { type: 'answer_approval' }>): void {
    const { callId, answer, feedback } = message;
    if (answer === 'deny') this.shown.answer(callId, feedback === undefined ? { type: 'deny' } : { type: 'deny', feedback });
    else this.shown.answer(callId, { type: answer });
  }

  private setMode(value: string): void {
    const mode = parsePermissionMode(value);
    if (mode === undefined) throw new Error(`There is no permission mode “${value}”.`);
    this.shown.setMode(mode);
  }

  private async act(action: NoticeAction): Promise<void> {
    switch (action) {
      case 'continue':
        return this.shown.continueTurn();
      case 'retry':
        return this.shown.retry();
      case 'set_api_key':
        return this.needs.runCommand('gnomon.setApiKey');
      case 'select_model':
        return this.needs.runCommand('gnomon.selectModel');
      case 'open_settings':
        return this.needs.runCommand('workbench.action.openSettings', '@ext:gnomon.gnomon');
      case 'show_log':
        return this.needs.runCommand('gnomon.showLog');
      default:
        assertNever(action);
    }
  }

  private async changeAttachments(change: () => Promise<void> | void): Promise<void> {
    await change();
    for (const panel of this.panels) panel.post({ type: 'attachments', attachments: this.attachments.list() });
  }

  private async postHistory(): Promise<void> {
    const sessions = historyOf(await this.needs.conversations.list(), this.shown.id);
    for (const panel of this.panels) panel.post({ type: 'history', sessions });
  }

  private async switchTo(conversation: Conversation): Promise<void> {
    const before = this.shown;
    if (before === conversation) return;
    this.show(conversation);
    this.needs.remember(conversation.id);
    await this.needs.conversations.leave(before);
  }

  private show(conversation: Conversation): void {
    this.stopWatching();
    this.shown = conversation;
    for (const panel of this.panels) panel.show(conversation);
    this.stopWatching = conversation.view.onFlush(() => this.changed.fire(conversation));
    this.changed.fire(conversation);
  }
}
