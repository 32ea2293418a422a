import type * as vscode from 'vscode';
import type { Log } from '../../domain/log.js';
import type { ExtensionServers } from '../../api/extension-servers.js';
import type { OfferedTools } from '../../api/offered-tools.js';
import type { ChatViewProvider } from '../chat/pane/chat-view-provider.js';
import type { Places } from '../../chat/pane/place.js';
import type { SessionTabs } from '../chat/pane/session-tabs.js';
import type { Review } from '../edits/create-review.js';
import type { ProposalFiles } from '../edits/proposals/proposal-files.js';
import type { EditPrompt } from '../inline-edit/edit-prompt.js';
import type { StatusBar } from '../status/status-bar.js';

/** Parts of the extension that activation creates before the rest is loaded. */
export interface Host {
  readonly context: vscode.ExtensionContext;
  readonly log: Log;
  /** The stored keys that were used so far: what is shown or written is cleaned of them. */
  readonly keys: Set<string>;
  readonly status: StatusBar;
  /** Review and undo of the agent's changes in this workspace; loaded when first used. */
  readonly review: () => Promise<Review>;
  /** Documents that show proposed files in editors. */
  readonly proposalFiles: ProposalFiles;
  /** Asks what inline edits should change. */
  readonly editPrompt: EditPrompt;
  /** The chat in the sidebar. */
  readonly sidebar: ChatViewProvider;
  /** The conversations in editor tabs. */
  readonly tabs: SessionTabs;
  readonly places: Places;
  /** The tools that other extensions offer. */
  readonly offered: OfferedTools;
  /** The MCP servers that other extensions offer. */
  readonly extensionServers: ExtensionServers;
}
