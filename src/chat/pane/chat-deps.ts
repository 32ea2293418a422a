import type { Log } from '../../domain/log.js';
import type { Agents } from '../../customization/agents.js';
import type { ModelRegistry } from '../../models/model-registry.js';
import type { Permissions } from '../../consent/create-permissions.js';
import type { PageWindow, ReviewActions, ThemeColors } from '../ports.js';
import type { ChatElves } from '../conversation/chat-elves.js';
import type { Conversation } from '../conversation/conversation.js';
import type { Conversations } from '../conversation/conversations.js';
import type { ComposerServices } from '../composer/pane-composer.js';
import type { SessionActions } from './requests/session-handlers.js';
import type { RunCommand } from './requests/turn-handlers.js';
import type { ConfigurationPort } from '../configuration/configuration-port.js';
import type { WindowServers } from '../servers/window-servers.js';
import type { StoredSessions } from '../sessions/stored-sessions.js';

/** Services that every pane uses: conversations, models, agents, servers, review, and the window. */
export interface ChatDeps {
  readonly conversations: Conversations;
  readonly elves: ChatElves;
  readonly models: ModelRegistry;
  readonly agents: Agents;
  readonly log: Log;
  readonly desk: StoredSessions;
  /** Whether a conversation is shown in any place. */
  readonly isShown: (conversation: Conversation) => boolean;
  readonly sessionActions: SessionActions;
  readonly runCommand: RunCommand;
  readonly review: ReviewActions;
  readonly window: PageWindow;
  readonly writing: ComposerServices;
  readonly servers: WindowServers;
  readonly configuration: ConfigurationPort;
  readonly codeTheme: ThemeColors;
  readonly permissions: Pick<Permissions, 'trust' | 'bypass' | 'includes'>;
  /** Conversations that have shown the notice about the restricted workspace. */
  readonly trustNoticed: WeakSet<Conversation>;
}

/** Container of a pane: the sidebar or an editor tab. */
export interface PaneHolder {
  /** Remembers which conversation is shown, for the next start. */
  readonly remember: (id: string) => void;
  /** The user works here now. */
  readonly focused: () => void;
}
