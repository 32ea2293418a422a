import { MAX_QUERY_LENGTH, MAX_TITLE_LENGTH, MAX_PATH_LENGTH } from '../limits.js';
import { type Messages, MAX_ID_LENGTH, count, flag, id, optional, text, oneOf } from '../shape.js';

/** Requests about stored conversations, and about the view or tab that shows one. */
export type SessionRequest = Messages<typeof SESSION_REQUESTS>;

/** Its fields, by type. */
export const SESSION_REQUESTS = {
  new_session: {},
  /** The user works in this page now: commands are meant for it. */
  focused: {},
  /** The list is shown: it comes at once and again whenever it changes, until `close_history`. */
  list_history: {},
  close_history: {},
  /** Looks for a text in titles and messages; an empty one ends the search that runs. */
  search_sessions: { query: text(MAX_QUERY_LENGTH) },
  /** With `index`, the page is led to that message. */
  open_session: { id, index: optional(count) },
  /** Shows a conversation in an editor tab; the one shown here without `id`. */
  open_in_tab: { id: optional(id) },
  rename_session: { id, title: text(MAX_TITLE_LENGTH) },
  pin_session: { id, pinned: flag },
  /** Shows a copy of the whole conversation, also of one that another window has open. */
  fork_session: { id },
  /** Opens a conversation although another window has it open. */
  take_over_session: { id },
  /** The user goes back from a conversation that another window has open. */
  dismiss_busy: {},
  /** Moves a conversation to the trash. */
  delete_session: { id },
  restore_session: { id },
  /** Removes what is in the trash for good: one conversation, all without `id`. */
  purge_trash: { id: optional(id) },
  import_session: {},
};

/** Requests to review the agent's changes. */
export type ReviewRequest = Messages<typeof REVIEW_REQUESTS>;

const action = oneOf(['keep', 'undo', 'show']);
const author = text(MAX_ID_LENGTH);

/** Its fields, by type. */
export const REVIEW_REQUESTS = {
  /** Keeps or undoes what was changed in a file; with `author`, what that one changed, see {@link ViewChangeAuthor}. */
  review_file: { action, path: text(MAX_PATH_LENGTH, 1), author: optional(author) },
  /** The same for all files; `show` opens them side by side with what they were. */
  review_all: { action, author: optional(author) },
  /** Brings the files back to before a message of the user; with `rewind` continues from there in a branch of the conversation. */
  restore_files: { item: id, rewind: flag },
  /** Opens what a call that asks proposes for a file in an editor, to be changed there. */
  show_proposal: { callId: id },
};
