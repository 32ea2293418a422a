import type { Log } from '../../../domain/log.js';
import type { ReviewActions } from '../../edits/create-review.js';
import type { WindowAgents } from '../../agent/window-agents.js';
import type { ModelRegistry } from '../../models/model-registry.js';
import type { WindowPermissions } from '../../permission/create-permissions.js';
import type { CodeTheme } from '../../theme/code-theme.js';
import type { ApplyCode } from '../code/apply-code.js';
import type { Conversation } from '../conversation/conversation.js';
import type { Conversations } from '../conversation/conversations.js';
import type { Writing } from '../composer/pane-composer.js';
import type { SessionActions } from './requests/session-handlers.js';
import type { RunCommand } from './requests/turn-handlers.js';
import type { ConfigurationPort } from '../../configuration/configuration-port.js';
import type { ServersPort } from '../../mcp/servers-port.js';
import type { SessionDesk } from '../sessions/session-desk.js';

/** Dependencies of a pane. */
export interface ChatDeps {
  readonly conversations: Conversations;
  readonly models: ModelRegistry;
  readonly agents: WindowAgents;
  readonly log: Log;
  readonly desk: SessionDesk;
  /** Whether a conversation is shown in any place. */
  readonly isShown: (conversation: Conversation) => boolean;
  readonly sessionActions: SessionActions;
  readonly runCommand: RunCommand;
  readonly review: ReviewActions;
  /** Puts code of an answer into a file. */
  readonly applyCode: ApplyCode;
  readonly writing: Writing;
  readonly servers: ServersPort;
  readonly configuration: ConfigurationPort;
  /** The colors that the user's theme gives to code. */
  readonly codeTheme: Pick<CodeTheme, 'current' | 'onDidChange'>;
  readonly permissions: Pick<WindowPermissions, 'trust' | 'bypass' | 'includes'>;
  /** Conversations in which the user was told that the workspace is only read. */
  readonly toldOfTrust: WeakSet<Conversation>;
}

/** Container of a pane: the sidebar or an editor tab. */
export interface PaneHolder {
  /** Remembers which conversation is shown, for the next start. */
  readonly remember: (id: string) => void;
  /** The user works here now. */
  readonly focused: () => void;
}
