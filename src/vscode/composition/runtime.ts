import type * as vscode from 'vscode';
import { t } from '../../domain/l10n.js';
import type { Log } from '../../domain/log.js';
import type { ActionCommand } from '../actions/action-ids.js';
import type { EditorActions } from '../actions/editor-actions.js';
import type { SessionPorts } from '../api/api-session.js';
import type { ChatPane } from '../chat/pane/chat-pane.js';
import { modelKey } from '../../engine/model-key.js';
import type { CompletionPorts } from '../completion/completion-ports.js';
import type { Conversations } from '../chat/conversation/conversations.js';
import type { Drafts } from '../chat/composer/drafts.js';
import type { PanelPort } from '../chat/pane/mount-page.js';
import type { Panes } from '../chat/pane/panes.js';
import type { SessionTab } from '../chat/pane/session-tab.js';
import type { SessionCommand } from '../chat/sessions/session-command-ids.js';
import type { SessionCommands } from '../chat/sessions/session-commands.js';
import type { ChangeReviews } from '../code-review/change-reviews.js';
import type { FindingCommand } from '../code-review/command-ids.js';
import type { InlineCommand } from '../inline-edit/command-ids.js';
import type { InlineEdits } from '../inline-edit/inline-edits.js';
import type { ApprovalAlerts } from '../permission/approval-alerts.js';
import type { WindowPermissions } from '../permission/create-permissions.js';
import { clearApiKey, setApiKey } from '../commands/keys.js';
import { pickModel } from '../commands/pick-model.js';
import type { DeepLinkPorts } from '../deep-links/deep-links.js';
import type { ModelRegistry } from '../models/model-registry.js';
import type { ReviewCommand } from '../edits/command-ids.js';
import type { Review } from '../edits/create-review.js';
import type { ProposalCommand } from '../edits/proposals/proposal-command-ids.js';
import type { ScmCommand } from '../scm/command-ids.js';
import type { CommitMessages } from '../scm/commit-messages.js';
import type { Secrets } from '../settings/secrets.js';

/** The parts that commands work with. */
export interface RuntimeParts {
  readonly panes: Panes;
  /** Connects the page of an editor tab. */
  readonly connectTab: (tab: SessionTab, id: string | undefined) => Promise<PanelPort>;
  readonly sessions: SessionCommands;
  readonly conversations: Conversations;
  readonly models: ModelRegistry;
  readonly secrets: Secrets;
  readonly log: Log;
  readonly permissions: WindowPermissions;
  readonly alerts: ApprovalAlerts;
  readonly review: Review;
  readonly commitMessages: CommitMessages;
  readonly editorActions: EditorActions;
  readonly drafts: Drafts;
  readonly completionPorts: CompletionPorts;
  readonly inline: InlineEdits;
  /** What the sessions of other extensions need. */
  readonly sessionPorts: SessionPorts;
  readonly changeReviews: ChangeReviews;
}

/** Everything behind the commands; loaded when the chat or a command is first used. */
export class Runtime {
  private readonly parts: RuntimeParts;

  constructor(parts: RuntimeParts) {
    this.parts = parts;
  }

  /** The pane that commands are meant for. */
  get chat(): ChatPane {
    return this.parts.panes.active;
  }

  /** What links into the extension lead to. */
  get links(): DeepLinkPorts {
    const { panes, editorActions } = this.parts;
    return { openSession: (id) => panes.open(id), compose: (text) => editorActions.compose(text) };
  }

  /** What suggestions as one types need. */
  get completionPorts(): CompletionPorts {
    return this.parts.completionPorts;
  }

  /** What the sessions of other extensions need. */
  get sessionPorts(): SessionPorts {
    return this.parts.sessionPorts;
  }

  /** Lets the user choose the model for suggestions; `undefined` when they back out. */
  pickSuggestionModel(current: string): Promise<string | undefined> {
    return pickModel(this.parts.models, current, t('The model for suggestions as you type'));
  }

  /** Connects the page in the sidebar. */
  connect(webview: vscode.Webview): PanelPort {
    return this.parts.panes.sidebar.connect(webview);
  }

  /** Connects the page of an editor tab. @param id of the conversation to show; absent for a new one. */
  connectTab(tab: SessionTab, id: string | undefined): Promise<PanelPort> {
    return this.parts.connectTab(tab, id);
  }

  /** Carries out a command about conversations, with the argument that VS Code gives it. */
  runSession(id: SessionCommand, argument: unknown): Promise<void> {
    return this.parts.sessions.run(id, argument);
  }

  /** Asks whose key it is and for the key, and stores it. */
  setApiKey(): Promise<void> {
    return setApiKey({ ...this.parts, chat: this.chat });
  }

  /** Forgets a stored key. */
  clearApiKey(): Promise<void> {
    return clearApiKey({ ...this.parts, chat: this.chat });
  }

  /** Lets the user choose the model of the current session. */
  async selectModel(): Promise<void> {
    const key = await pickModel(this.parts.models, modelKey(this.chat.current.session.model));
    if (key !== undefined) await this.chat.setModel(key);
  }

  /** Lets the user look after the rules of permission. */
  managePermissions(): Promise<void> {
    return this.parts.permissions.manage(this.chat.current.id);
  }

  /** Shows the conversation that waits next for the user. */
  showNextApproval(): Promise<void> {
    return this.parts.alerts.showNext();
  }

  /** Carries out a command that keeps, undoes or shows changes, with the arguments that VS Code gives it. */
  runReview(id: ReviewCommand, args: readonly unknown[]): Promise<void> {
    return this.parts.review.run(id, args);
  }

  /** Answers the proposal that an editor shows, with the arguments that VS Code gives the command. */
  runProposal(id: ProposalCommand, args: readonly unknown[]): Promise<void> {
    return this.parts.review.proposals.run(id, args);
  }

  /** Carries out a command about code or files, with the arguments that VS Code gives it. */
  runAction(id: ActionCommand, args: readonly unknown[]): Promise<void> {
    return this.parts.editorActions.run(id, args);
  }

  /** Carries out a command about edits in place, with the arguments that VS Code gives it. */
  runInline(id: InlineCommand, args: readonly unknown[]): Promise<void> {
    return this.parts.inline.run(id, args);
  }

  /** Carries out a command of the Source Control view, with the arguments that VS Code gives it. */
  runScm(id: ScmCommand, args: readonly unknown[]): Promise<void> {
    return this.parts.commitMessages.run(id, args);
  }

  /** Carries out a command about reviews and findings, with the arguments that VS Code gives it. */
  runFinding(id: FindingCommand, args: readonly unknown[]): Promise<void> {
    return this.parts.changeReviews.run(id, args);
  }

  /** Stops and saves everything. */
  async close(): Promise<void> {
    this.parts.commitMessages.stop();
    this.parts.changeReviews.stop();
    this.parts.inline.dispose();
    await this.parts.conversations.close();
    await this.parts.drafts.flush();
  }
}
