import type { SessionRequest } from '../../../protocol/panel/session-requests.js';
import type { ChatPane } from '../chat-pane.js';
import type { Handlers } from './handlers.js';

/** What is done about stored conversations that concerns more than one place. */
export interface SessionActions {
  /** Shows a conversation in an editor tab. */
  openInTab(id: string): void;
  rename(id: string, title: string): Promise<void>;
  pin(id: string, pinned: boolean): Promise<void>;
  /** Moves a conversation to the trash; every place that shows it lets go of it. Returns its title. */
  remove(id: string): Promise<string>;
  restore(id: string): Promise<void>;
  /** Removes one conversation of the trash for good, or all, once the person has confirmed it. */
  purge(id: string | undefined): Promise<void>;
  /** Lets the person choose a file, and takes the conversation in it in. Returns its id; `undefined` when they back out. */
  import(): Promise<string | undefined>;
}

/** What is done about stored conversations. */
export function sessionHandlers(pane: ChatPane, actions: SessionActions): Handlers<SessionRequest> {
  const { sessions } = pane;
  const attempt = async (act: () => Promise<void>): Promise<void> => void (await sessions.attempt(act));
  return {
    new_session: () => pane.newSession(),
    focused: () => pane.focused(),
    list_history: () => sessions.watch(true),
    close_history: () => sessions.watch(false),
    search_sessions: ({ query }) => sessions.find(query),
    open_session: ({ id, index }) => attempt(() => pane.openSession(id, index)),
    open_in_tab: ({ id }) => actions.openInTab(id ?? pane.current.id),
    rename_session: ({ id, title }) => attempt(() => actions.rename(id, title)),
    pin_session: ({ id, pinned }) => attempt(() => actions.pin(id, pinned)),
    fork_session: ({ id }) => attempt(() => pane.fork(id)),
    take_over_session: ({ id }) => attempt(() => pane.takeOver(id)),
    dismiss_busy: () => sessions.tellBusy(undefined),
    delete_session: ({ id }) =>
      attempt(async () => {
        const title = await actions.remove(id);
        pane.post({ type: 'session_deleted', id, title });
      }),
    restore_session: ({ id }) => attempt(() => actions.restore(id)),
    purge_trash: ({ id }) => attempt(() => actions.purge(id)),
    import_session: () =>
      attempt(async () => {
        const id = await actions.import();
        if (id !== undefined) await pane.openSession(id);
      }),
  };
}
