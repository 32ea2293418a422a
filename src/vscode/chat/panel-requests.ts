import { assertNever } from '../../domain/assert-never.js';
import { text } from '../../domain/content.js';
import { errorMessage } from '../../domain/errors.js';
import { parseThinkingEffort } from '../../domain/provider.js';
import { parsePermissionMode } from '../../permission/modes.js';
import type { PanelMessage } from '../../protocol/messages.js';
import type { NoticeAction } from '../../protocol/view-state.js';
import { openInstruction, openLink } from '../links.js';
import type { Attachments } from './attachments.js';
import type { ChatController } from './chat-controller.js';
import type { Panel } from './panel.js';

/** What a page can ask for. */
export type PanelRequest = Exclude<PanelMessage, { type: 'ack' }>;

/** Runs a command of VS Code or of the manifest. */
export type RunCommand = (command: string, argument?: string) => void;

/** The commands behind the notices' buttons. */
const COMMANDS: Readonly<Record<Exclude<NoticeAction, 'continue' | 'retry'>, readonly [command: string, argument?: string]>> = {
  set_api_key: ['gnomon.setApiKey'],
  manage_trust: ['workbench.trust.manage'],
  select_model: ['gnomon.selectModel'],
  open_settings: ['workbench.action.openSettings', '@ext:gnomon.gnomon'],
  show_log: ['gnomon.showLog'],
};

/** Carries out what a page asks for. */
export class PanelRequests {
  private readonly chat: ChatController;
  private readonly attachments: Attachments;
  private readonly runCommand: RunCommand;
  private readonly confirmBypass: () => Promise<boolean>;

  constructor(chat: ChatController, attachments: Attachments, runCommand: RunCommand, confirmBypass: () => Promise<boolean>) {
    this.chat = chat;
    this.attachments = attachments;
    this.runCommand = runCommand;
    this.confirmBypass = confirmBypass;
  }

  // One short case per message of the closed protocol; splitting the table would hide what there is.
  // eslint-disable-next-line max-lines-per-function -- see the line above
  async handle(panel: Panel, message: PanelRequest): Promise<void> {
    const { chat } = this;
    switch (message.type) {
      case 'ready':
        panel.attach(message.attached);
        panel.post({ type: 'attachments', attachments: this.attachments.list() });
        chat.postChoices();
        return;
      case 'send':
        return this.send(panel, message);
      case 'stop':
        chat.current.session.cancel();
        return;
      case 'new_session':
        return chat.newSession();
      case 'list_history':
        return chat.postHistory();
      case 'open_session':
        return chat.openSession(message.id);
      case 'delete_session':
        return chat.deleteSession(message.id);
      case 'set_model':
        return chat.setModel(message.model);
      case 'set_mode':
        return this.setMode(message.mode);
      case 'set_effort':
        this.setEffort(message.effort);
        return;
      case 'retry_now':
        chat.current.session.retryNow();
        return;
      case 'undo_compaction':
        chat.current.session.undoCompaction();
        return;
      case 'open_instruction':
        return openInstruction(chat.current.session.instructions, message.display);
      case 'answer_question':
      case 'dismiss_question':
        chat.current.answerQuestion(message);
        return;
      case 'answer_approval':
        this.chat.answer(message);
        return;
      case 'review_file':
      case 'review_all':
      case 'restore_files':
        return chat.review(message);
      case 'notice_action':
        return this.act(message.action);
      case 'pick_attachments':
        await this.attachments.pick();
        chat.postAttachments();
        return;
      case 'remove_attachment':
        this.attachments.remove([message.id]);
        chat.postAttachments();
        return;
      case 'open_link':
        return openLink(message.url);
      case 'report_error':
        chat.logPanelError(message.message);
        return;
      default:
        assertNever(message);
    }
  }

  private async send(panel: Panel, message: Extract<PanelRequest, { type: 'send' }>): Promise<void> {
    const { sendId } = message;
    const attached = this.attachments.contents(message.attachments);
    const words = message.text.trim() === '' ? [] : [text(message.text)];
    try {
      await this.chat.send([...attached, ...words]);
    } catch (error) {
      panel.post({ type: 'rejected', sendId, reason: errorMessage(error) });
      return;
    }
    panel.post({ type: 'accepted', sendId });
    if (message.attachments.length === 0) return;
    this.attachments.remove(message.attachments);
    this.chat.postAttachments();
  }

  private setEffort(value: string): void {
    const effort = parseThinkingEffort(value);
    if (effort === undefined) throw new Error(`There is no thinking effort “${value}”.`);
    this.chat.current.setEffort(effort);
  }

  private async setMode(value: string): Promise<void> {
    const mode = parsePermissionMode(value);
    if (mode === undefined) throw new Error(`There is no permission mode “${value}”.`);
    // Another conversation may be shown by the time the person has answered.
    const { current } = this.chat;
    const confirmed = mode !== 'bypassPermissions' || (await this.confirmBypass());
    current.setMode(confirmed ? mode : current.session.mode);
  }

  private async act(action: NoticeAction): Promise<void> {
    switch (action) {
      case 'continue':
        return this.chat.current.continueTurn();
      case 'retry':
        return this.chat.current.retry();
      default:
        this.runCommand(...COMMANDS[action]);
    }
  }
}
