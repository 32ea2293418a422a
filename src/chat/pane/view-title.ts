import { t } from '../../domain/l10n.js';
import { showName } from '../../text/show.js';
import type { SessionActivity, WatchedConversation } from '../sessions/session-activity.js';

/** Title and description of a view in VS Code. */
export interface ViewTitle {
  readonly title: string;
  /** Stands beside the title. */
  readonly description: string;
}

/** A pane, as far as its title tells of it. */
interface TitledPane {
  readonly current: WatchedConversation;
  readonly sessions: { readonly listed: boolean };
  readonly servers: { readonly listed: boolean };
}

/** Title of a pane: the page or conversation that it shows, and its state. */
export function viewTitle({ current, sessions, servers }: TitledPane, activity: Pick<SessionActivity, 'stateOf'>): ViewTitle {
  const state = activity.stateOf(current.id);
  const words = { working: t('Working'), waiting: t('Needs you'), unread: '' };
  const title = sessions.listed ? t('Chat History') : servers.listed ? t('MCP Servers') : showName(current.view.state.title);
  return { title, description: state === undefined ? '' : words[state] };
}
