import type { UserContent } from '../../domain/model/content.js';
import type { PanelMessage } from '../../protocol/messages.js';
import type { PaneComposer } from '../composer/pane-composer.js';
import type { Conversation } from '../conversation/conversation.js';
import type { PaneModels } from './pane-models.js';
import type { PaneConfiguration } from './pane-configuration.js';
import type { PaneServers } from './pane-servers.js';
import type { PaneSessions } from './pane-sessions.js';
import type { PaneTheme } from './pane-theme.js';
import type { Panels } from './panel.js';

/** The pane that requests of a page and slash commands act on. */
export interface PaneActions {
  /** The conversation that panels show. */
  readonly current: Conversation;
  /** The pages. */
  readonly panels: Panels;
  /** Where the user writes. */
  readonly composer: PaneComposer;
  /** Messages to its pages about the stored conversations. */
  readonly sessions: PaneSessions;
  /** Messages to its pages about MCP servers. */
  readonly servers: PaneServers;
  /** Messages to its pages about what is configured. */
  readonly configuration: PaneConfiguration;
  /** Models and agents that the conversation can use. */
  readonly choices: PaneModels;
  /** Where pages get the colors of code from. */
  readonly theme: PaneTheme;
  /** Resolves when the conversation is there that was asked for last. Rejects when it cannot be shown, so that nothing goes elsewhere. */
  arrived(): Promise<void>;
  /** Says something in the conversation shown. Resolves when the message is recorded. */
  send(content: readonly UserContent[]): Promise<void>;
  /** Answers a permission prompt of the conversation shown; an answer that does not fit together is ignored, and logged. */
  answer(message: Extract<PanelMessage, { type: 'answer_approval' }>): void;
  /** Shows an empty conversation. The one before continues if it is at work. */
  newSession(): Promise<void>;
  /** The same for the command `/clear`: the conversation before counts as cleared. */
  clear(): Promise<void>;
  /** Shows a stored conversation, scrolled to one of its messages; says so when another window has it open. */
  openSession(id: string, index?: number): Promise<void>;
  /** Shows a conversation that another window has open, and asks that window to release it. */
  takeOver(id: string): Promise<void>;
  /** Shows a copy of a conversation. */
  fork(id: string): Promise<void>;
  /**
   * Shows a branch of the conversation shown: its first messages, in a session of their own. Returns whether it is shown: the user may have asked for another
   * one meanwhile.
   */
  branch(count: number): Promise<boolean>;
  /** Continues from before a user message, in a branch; its text returns to the composer. */
  rewind(index: number): Promise<void>;
  /** Notes that the user works here. */
  focused(): void;
  /** Notes the failure of a page. */
  logPanelError(message: string): void;
}
