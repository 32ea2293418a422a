import { assertNever } from '../../../src/protocol/assert-never.js';
import { MAX_QUERY_LENGTH } from '../../../src/protocol/limits.js';
import type { HistoryEntry, SearchHit, SessionMessage, SessionState, TrashEntry } from '../../../src/protocol/host/session-messages.js';
import type { PanelMessage } from '../../../src/protocol/messages.js';

/** Milliseconds that typing may rest before the messages of all sessions are searched. */
const SEARCH_DELAY_MS = 150;

/** A session by its id and title. */
export interface NamedSession {
  readonly id: string;
  readonly title: string;
}

/** Messages with facts about the sessions; the others lead the user somewhere. */
type SessionNews = Exclude<SessionMessage, { type: 'show_history' | 'open_search' | 'focus_agents' }>;

/** The channel to the host, and the navigation to an item of a transcript. */
export interface SessionsDeps {
  readonly post: (message: PanelMessage) => void;
  /** Leads to an item of the transcript. */
  readonly showItem: (session: string, item: string) => void;
}

/** State of the session list. */
export class SessionsState {
  /** `undefined` until the host has sent them. */
  entries = $state.raw<readonly HistoryEntry[] | undefined>();
  trash = $state.raw<readonly TrashEntry[]>([]);
  hits = $state.raw<readonly SearchHit[]>([]);
  searching = $state(false);
  query = $state('');
  /** The session that was moved to the trash last, while that can be undone here. */
  deleted = $state.raw<NamedSession | undefined>();
  /** Error of the last action. */
  problem = $state('');
  /** The session that was to be opened and that another window has open. */
  busy = $state.raw<NamedSession | undefined>();
  /** Id of the session whose title is being edited in the list. */
  renaming = $state('');
  private states = $state.raw<Readonly<Record<string, SessionState>>>({});
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly deps: SessionsDeps) {}

  /** State of a session in the background. */
  stateOf(id: string): SessionState | undefined {
    return this.states[id];
  }

  /** Begins and ends showing the list. */
  open(open: boolean): void {
    this.problem = '';
    this.deleted = undefined;
    this.renaming = '';
    if (!open) this.look('');
    this.deps.post({ type: open ? 'list_history' : 'close_history' });
  }

  /** Looks for a text: in titles at once, in messages when typing rests. */
  look(query: string): void {
    this.query = query;
    clearTimeout(this.timer);
    const wanted = query.trim().slice(0, MAX_QUERY_LENGTH);
    if (this.searching || this.hits.length > 0) this.deps.post({ type: 'search_sessions', query: '' });
    this.hits = [];
    this.searching = wanted !== '';
    if (wanted !== '') this.timer = setTimeout(() => this.deps.post({ type: 'search_sessions', query: wanted }), SEARCH_DELAY_MS);
  }

  /** Gives a session a title. */
  rename(id: string, title: string): void {
    this.problem = '';
    this.deps.post({ type: 'rename_session', id, title });
  }

  /** Moves a session to the trash. */
  remove(id: string): void {
    this.problem = '';
    this.deps.post({ type: 'delete_session', id });
  }

  /** Takes the session that was deleted last back. */
  undo(): void {
    if (this.deleted !== undefined) this.deps.post({ type: 'restore_session', id: this.deleted.id });
    this.deleted = undefined;
  }

  /** Goes back from a session that another window has open. */
  dismissBusy(): void {
    this.busy = undefined;
    this.problem = '';
    this.deps.post({ type: 'dismiss_busy' });
  }

  /** Takes a message of the host. */
  take(message: SessionNews): void {
    switch (message.type) {
      case 'history':
        this.entries = message.sessions;
        this.trash = message.trash;
        return;
      case 'session_states':
        this.states = Object.fromEntries(message.states.map(({ id, state }) => [id, state]));
        return;
      case 'search_hits':
        return this.takeHits(message);
      case 'edit_title':
        this.renaming = message.id;
        return;
      case 'go_to_item':
        return this.deps.showItem(message.session, message.item);
      default:
        this.takeOutcome(message);
    }
  }

  /** Takes the result of an action. */
  private takeOutcome(message: Extract<SessionMessage, { type: 'session_deleted' | 'session_problem' | 'session_busy' }>): void {
    switch (message.type) {
      case 'session_deleted':
        this.deleted = { id: message.id, title: message.title };
        return;
      case 'session_problem':
        this.problem = message.text;
        return;
      case 'session_busy':
        this.busy = { id: message.id, title: message.title };
        return;
      default:
        assertNever(message);
    }
  }

  /** A message of a search that was given up meanwhile is not looked at. */
  private takeHits({ query, hits, done }: Extract<SessionMessage, { type: 'search_hits' }>): void {
    if (query !== this.query.trim().slice(0, MAX_QUERY_LENGTH)) return;
    // Hits in the title only are in the list above already.
    this.hits = [...this.hits, ...hits.filter(({ index }) => index !== undefined)];
    this.searching = !done;
  }
}
