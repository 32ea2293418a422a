import { type Messages, type Of, anyText, count, fields, flag, listOf, oneOf, optional } from '../shape.js';

const historyEntry = fields({
  id: anyText,
  title: anyText,
  /** RFC 3339. */
  updatedAt: anyText,
  messageCount: count,
  /** Display name of the model. */
  model: optional(anyText),
  /** Formatted, such as "$0.12". */
  cost: optional(anyText),
  pinned: optional(flag),
  /** Title of the conversation that it is a branch of. */
  parent: optional(anyText),
  /** Whether another window has it open. */
  elsewhere: optional(flag),
  /** Why the session cannot be opened. */
  problem: optional(anyText),
});
/** A line of the history list. */
export type HistoryEntry = Of<typeof historyEntry>;

const trashEntry = fields({
  id: anyText,
  title: anyText,
  /** When it is removed for good, in milliseconds since 1970. */
  goneAt: count,
});
/** A conversation in the trash. */
export type TrashEntry = Of<typeof trashEntry>;

const searchHit = fields({
  id: anyText,
  title: anyText,
  updatedAt: anyText,
  /** Index of the message; absent when only the title contains the text. */
  index: optional(count),
  excerpt: anyText,
});
/** A place where a text was found. */
export type SearchHit = Of<typeof searchHit>;

const sessionState = oneOf(['working', 'waiting', 'unread']);
/** State of a conversation in the background. `unread` has finished since the user saw it last. */
export type SessionState = Of<typeof sessionState>;

/** Messages to a page about the stored conversations. */
export type SessionMessage = Messages<typeof SESSION_MESSAGES>;

/** Its fields, by type. */
export const SESSION_MESSAGES = {
  history: { sessions: listOf(historyEntry), trash: listOf(trashEntry) },
  /** Replaces all states sent before; conversations that are not named are idle. */
  session_states: { states: listOf(fields({ id: anyText, state: sessionState })) },
  /** More places where the text was found. `done` with the last. */
  search_hits: { query: anyText, hits: listOf(searchHit), done: flag },
  /** A conversation was moved to the trash; the page offers to undo that. */
  session_deleted: { id: anyText, title: anyText },
  /** An action in the list failed. */
  session_problem: { text: anyText },
  /** A conversation that was to be opened is open in another window. */
  session_busy: { id: anyText, title: anyText },
  /** The user wants to rename a conversation in the list. */
  edit_title: { id: anyText },
  /** The user wants to see the list. */
  show_history: {},
  /** The user wants to look for a text in the conversation that is shown. */
  open_search: {},
  /** The user wants to see the agents of the conversation that is shown. */
  focus_agents: {},
  /** Leads to an item of the conversation that is shown. */
  go_to_item: { session: anyText, item: anyText },
};
