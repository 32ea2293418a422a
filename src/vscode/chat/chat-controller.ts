import * as vscode from 'vscode';
import type { UserContent } from '../../domain/content.js';
import type { Log } from '../../domain/log.js';
import { modelKey } from '../../engine/model-key.js';
import type { ModelRegistry } from '../models/model-registry.js';
import type { PanelMessage } from '../../protocol/messages.js';
import { approvalAnswer } from './approval-answer.js';
import { Attachments } from './attachments.js';
import type { PanelPort } from './chat-view-provider.js';
import { effortChoices, historyOf, modeChoices, modelChoices } from './choices.js';
import { compactCommand } from './compact-command.js';
import type { WindowPermissions } from '../permission/create-permissions.js';
import type { Conversation } from './conversation.js';
import type { Conversations } from './conversations.js';
import { noticeOfError, UNTRUSTED } from './notices.js';
import { Panel, Panels } from './panel.js';
import type { RunCommand } from './panel-requests.js';
import type { ReviewActions, ReviewRequest } from './review-requests.js';
import { handleReview } from './review-requests.js';
import { PanelRequests } from './panel-requests.js';

/** What {@link ChatController} needs of the rest. */
export interface ChatDependencies {
  readonly conversations: Conversations;
  readonly models: ModelRegistry;
  readonly log: Log;
  /** Remembers which conversation is shown, for the next start. */
  readonly remember: (id: string) => void;
  readonly runCommand: RunCommand;
  readonly review: ReviewActions;
  readonly permissions: Pick<WindowPermissions, 'trust' | 'bypass'>;
}

/** The conversation that the chat shows, and the pages that show it. */
export class ChatController {
  private readonly needs: ChatDependencies;
  private readonly attachments = new Attachments();
  private readonly panels = new Panels();
  private readonly requests: PanelRequests;
  private readonly changed = new vscode.EventEmitter<Conversation>();
  private readonly toldOfTrust = new WeakSet<Conversation>();
  private shown: Conversation;
  private stopWatching: (() => void) | undefined;

  /** Fires when another conversation is shown and when the one shown changes. */
  readonly onDidChange = this.changed.event;

  constructor(needs: ChatDependencies, first: Conversation) {
    this.needs = needs;
    this.requests = new PanelRequests(this, this.attachments, needs.runCommand, () => needs.permissions.bypass.confirmBypass());
    this.shown = first;
    this.show(first);
    needs.models.onDidChange(() => this.modelsChanged());
    needs.permissions.trust.onDidGrant(() => this.trustGranted());
  }

  /** The conversation that panels show. */
  get current(): Conversation {
    return this.shown;
  }

  /** Connects a page to the current conversation. */
  connect(webview: vscode.Webview): PanelPort {
    const panel = new Panel(webview, this.needs.log);
    this.panels.add(panel, this.shown);
    return {
      receive: (raw) => {
        const message = panel.receive(raw);
        if (message !== undefined) this.requests.handle(panel, message).catch((error: unknown) => this.report(error));
      },
      dispose: () => this.panels.remove(panel),
    };
  }

  /** Says something in the current conversation, or summarises it at `/compact`. Resolves when the message is recorded. */
  async send(content: readonly UserContent[]): Promise<void> {
    const conversation = this.shown;
    const wish = compactCommand(content);
    if (wish !== undefined) return conversation.compact(wish);
    await conversation.send(content);
    this.needs.remember(conversation.id);
  }

  /** Answers a permission prompt of the conversation shown; an answer that does not fit together is ignored, and logged. */
  answer(message: Extract<PanelMessage, { type: 'answer_approval' }>): void {
    const answer = approvalAnswer(message);
    if (answer === undefined) this.needs.log.warn('An answer to a permission prompt was refused: it is not complete.');
    else this.shown.answer(message.callId, answer);
  }

  /** Keeps, undoes, shows or restores what the conversation shown has changed. */
  review(message: ReviewRequest): Promise<void> {
    return handleReview(message, this.shown, this.needs.review);
  }

  /** Shows an empty conversation. The one before goes on if it is at work. */
  async newSession(): Promise<void> {
    if (this.shown.session.messages.length > 0) this.switchTo(await this.needs.conversations.create());
    this.focusComposer();
  }

  /** Shows a stored conversation. */
  async openSession(id: string): Promise<void> {
    this.switchTo(await this.needs.conversations.get(id));
    this.needs.remember(id);
  }

  /** Stops and removes a conversation; if it was shown, an empty one takes its place. */
  async deleteSession(id: string): Promise<void> {
    if (id === this.shown.id) this.show(await this.needs.conversations.create());
    await this.needs.conversations.delete(id);
    await this.postHistory();
  }

  /** Puts the cursor into the message box of every panel. */
  focusComposer(): void {
    this.panels.post({ type: 'focus_composer' });
  }

  /** Uses another model in the current conversation and tells the panels what there is. */
  async setModel(key: string): Promise<void> {
    const { provider, model } = await this.needs.models.choose(key);
    this.shown.setModel(provider, model);
    this.postChoices();
  }

  /** Tells the panels which models and modes there are, and has lists that are old asked for: they follow by themselves. */
  postChoices(): void {
    const { models, session } = { models: this.needs.models, session: this.shown.session };
    const efforts = effortChoices(session.model);
    this.panels.post({ type: 'choices', models: modelChoices(models.entries(), session.model), modes: modeChoices(), efforts });
    models.refresh().catch((error: unknown) => this.report(error));
  }

  /** Tells the panels what is attached to the next message. */
  postAttachments(): void {
    this.panels.post({ type: 'attachments', attachments: this.attachments.list() });
  }

  /** Tells the panels which conversations there are. */
  async postHistory(): Promise<void> {
    this.panels.post({ type: 'history', sessions: historyOf(await this.needs.conversations.list(), this.shown.id) });
  }

  /** Notes the failure of a page. */
  logPanelError(message: string): void {
    this.needs.log.error(`The panel failed: ${message}`);
  }

  /** Reports the failure of something that nobody waits for, in the transcript and the log. */
  private report(error: unknown): void {
    this.needs.log.error('An action in the chat failed', error);
    this.shown.notify({ ...noticeOfError(error), actions: ['show_log'] });
  }

  private switchTo(conversation: Conversation): void {
    const before = this.shown;
    if (before === conversation) return;
    this.show(conversation);
    // A turn that still runs there may take long; nobody waits for it here.
    this.needs.conversations.leave(before, () => this.shown === before).catch((error: unknown) => this.report(error));
  }

  /** What a list tells of the current model counts from the next round on. */
  private modelsChanged(): void {
    const { session } = this.shown;
    const better = session.messages.length > 0 ? undefined : this.needs.models.improved(modelKey(session.model));
    if (better !== undefined) {
      this.adopt(better).catch((error: unknown) => this.report(error));
      return;
    }
    const known = this.needs.models.entries().flatMap(({ source, models }) => models.map((model) => ({ provider: source.provider, model })));
    const now = known.find(({ model }) => modelKey(model) === modelKey(session.model));
    this.tellOfChoice(this.shown);
    if (now !== undefined && JSON.stringify(now.model) !== JSON.stringify(session.model)) this.shown.setModel(now.provider, now.model);
    this.postChoices();
  }

  /** Uses a model that was found after the empty conversation had been opened without it, and says so. */
  private async adopt(name: string): Promise<void> {
    await this.setModel(name);
    this.tellOfChoice(this.shown);
  }

  /** An empty conversation is made anew, so that it begins with the instructions of the workspace. */
  private trustGranted(): void {
    if (this.shown.session.messages.length > 0 || this.shown.running) return;
    this.needs.conversations.create().then((fresh) => this.switchTo(fresh), (error: unknown) => this.report(error));
  }

  /** Says once in each conversation that this workspace is only read. */
  private tellOfTrust(conversation: Conversation): void {
    if (this.needs.permissions.trust.trusted() || this.toldOfTrust.has(conversation)) return;
    this.toldOfTrust.add(conversation);
    conversation.notify(UNTRUSTED);
  }

  private tellOfChoice(conversation: Conversation): void {
    const news = this.needs.models.news(modelKey(conversation.session.model));
    if (news !== undefined) conversation.notify({ level: 'info', text: news, actions: ['select_model'] });
  }

  private show(conversation: Conversation): void {
    this.stopWatching?.();
    this.shown = conversation;
    this.tellOfChoice(conversation);
    this.tellOfTrust(conversation);
    this.panels.show(conversation);
    this.stopWatching = conversation.view.onFlush(() => this.changed.fire(conversation));
    this.changed.fire(conversation);
  }
}
