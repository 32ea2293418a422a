import type { SessionRequest } from '../../../protocol/panel/session-requests.js';
import type { StoredSessions } from '../../sessions/stored-sessions.js';
import type { PaneActions } from '../pane-actions.js';
import type { Handlers } from './handlers.js';

/** Actions on stored conversations that affect more than one pane. */
export interface SessionActions {
  /** Shows a conversation in an editor tab. */
  openInTab(id: string): void;
  /** Moves a conversation to the trash; every place that shows it closes it. Returns its title. */
  remove(id: string): Promise<string>;
  /** Permanently deletes one conversation of the trash, or all, once the user has confirmed it. */
  purge(id: string | undefined): Promise<void>;
  /** Lets the user choose a file, and takes the conversation in it in. Returns its id; `undefined` when they back out. */
  import(): Promise<string | undefined>;
}

/** Handlers for stored conversations. */
export function sessionHandlers(pane: PaneActions, desk: StoredSessions, actions: SessionActions): Handlers<SessionRequest> {
  const { sessions } = pane;
  const attempt = (act: () => Promise<void>): Promise<void> => sessions.attempt(act);
  return {
    ...placeHandlers(pane, actions),
    list_history: () => sessions.watch(true),
    close_history: () => sessions.watch(false),
    search_sessions: ({ query }) => sessions.search.start(query),
    rename_session: ({ id, title }) => attempt(() => desk.rename(id, title)),
    pin_session: ({ id, pinned }) => attempt(() => desk.pin(id, pinned)),
    delete_session: ({ id }) => attempt(() => remove(pane, actions, id)),
    restore_session: ({ id }) => attempt(() => desk.restore(id)),
    purge_trash: ({ id }) => attempt(() => actions.purge(id)),
    import_session: () => attempt(() => importInto(pane, actions)),
  };
}

type PlaceRequest = Extract<
  SessionRequest,
  { type: 'new_session' | 'focused' | 'open_session' | 'open_in_tab' | 'fork_session' | 'take_over_session' | 'dismiss_busy' }
>;

/** Handlers for the conversation that a pane shows. */
function placeHandlers(pane: PaneActions, actions: SessionActions): Handlers<PlaceRequest> {
  const { sessions } = pane;
  return {
    new_session: () => pane.newSession(),
    focused: () => pane.focused(),
    // The list is closed by now, so errors are shown in the conversation.
    open_session: ({ id, index }) => pane.openSession(id, index),
    open_in_tab: ({ id }) => actions.openInTab(id ?? pane.current.id),
    fork_session: ({ id }) => sessions.attempt(() => pane.fork(id)),
    take_over_session: ({ id }) => sessions.attempt(() => pane.takeOver(id)),
    dismiss_busy: () => sessions.busy.set(undefined),
  };
}

async function remove(pane: PaneActions, actions: SessionActions, id: string): Promise<void> {
  const title = await actions.remove(id);
  pane.panels.post({ type: 'session_deleted', id, title });
}

async function importInto(pane: PaneActions, actions: SessionActions): Promise<void> {
  const id = await actions.import();
  if (id !== undefined) await pane.openSession(id);
}
