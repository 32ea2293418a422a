import type { UriAnswers } from '../../mcp/auth/uri-answers.js';
import type { WindowConfiguration } from '../../chat/configuration/window-configuration.js';
import type { EditorActions } from '../actions/editor-actions.js';
import type { SessionDeps } from '../../api/api-session.js';
import type { PanelPort } from '../../chat/pane/panel.js';
import type { Panes } from '../../chat/pane/panes.js';
import type { SessionTab } from '../chat/pane/session-tabs.js';
import type { SessionCommands } from '../chat/sessions/session-commands.js';
import type { ChangeReviews } from '../code-review/change-reviews.js';
import type { CompletionDeps } from '../completion/completer.js';
import type { Review } from '../edits/create-review.js';
import type { InlineEdits } from '../inline-edit/inline-edits.js';
import type { Memory } from '../../domain/host/memory.js';
import type { AgentHost } from '../../agent-host/agent-host.js';
import type { ApprovedServers } from '../../agent-host/servers/approved-servers.js';
import type { EditorTools } from '../mcp/editor-tools.js';
import type { ModelRegistry } from '../../models/model-registry.js';
import type { ApprovalAlerts } from '../../consent/approval-alerts.js';
import type { OutputStyles } from '../../customization/styles.js';
import type { Permissions } from '../../consent/create-permissions.js';
import type { RequestViewer } from '../request-viewer/request-viewer.js';
import type { CommitMessages } from '../scm/commit-messages.js';
import type { CommandFiles } from '../../customization/commands.js';
import type { Skills } from '../../customization/skills.js';
import type { Secrets } from '../../models/keys/secrets.js';

/** Everything behind the commands, the pages and the API; loaded when the first of them is used. */
export interface Runtime {
  /** Where chats are shown; commands are meant for the active one. */
  readonly panes: Panes;
  /** Connects the page of an editor tab. @param id of the conversation to show; absent for a new one. */
  readonly connectTab: (tab: SessionTab, id: string | undefined) => Promise<PanelPort>;
  readonly sessions: SessionCommands;
  readonly models: ModelRegistry;
  readonly secrets: Secrets;
  /** What was observed of models, and the user’s own settings. */
  readonly estimates: AgentHost['estimates'];
  readonly userSettings: AgentHost['userSettings'];
  readonly permissions: Permissions;
  readonly alerts: ApprovalAlerts;
  readonly review: Review;
  readonly commitMessages: CommitMessages;
  readonly editorActions: EditorActions;
  readonly inline: InlineEdits;
  readonly changeReviews: ChangeReviews;
  readonly completion: CompletionDeps;
  /** Answers to sign-ins to MCP servers that come by a link. */
  readonly signIns: UriAnswers;
  /** Shows what was sent to models. */
  readonly requests: RequestViewer;
  readonly editorTools: EditorTools;
  readonly skills: Skills;
  readonly commandFiles: CommandFiles;
  /** Lets the user see, use, and make agents. */
  readonly manageAgents: () => Promise<void>;
  /** The working trees in which agents work apart from the user. */
  readonly worktrees: AgentHost['worktrees'];
  readonly applyChanges: AgentHost['applyChanges'];
  /** The checks of projects. */
  readonly checks: AgentHost['checks'];
  /** Titles of the chats of the workspace, by their ids. */
  readonly chatTitles: () => Promise<ReadonlyMap<string, string>>;
  /** What the window keeps for its user, and for its workspace. */
  readonly memory: { readonly global: Memory; readonly workspace: Memory };
  readonly styles: OutputStyles;
  /** Shows what is configured and from where. */
  readonly configuration: WindowConfiguration;
  /** The MCP servers that VS Code gets, too, when the user wants that. */
  readonly approvedServers: ApprovedServers;
  /** Dependencies of the sessions of other extensions. */
  readonly apiSessions: SessionDeps;
  /** Stops what runs and saves everything. */
  readonly close: () => Promise<void>;
}
