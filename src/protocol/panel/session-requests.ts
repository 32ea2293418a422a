import { MAX_QUERY_LENGTH, MAX_TITLE_LENGTH } from '../limits.js';
import type { Shapes } from './shape.js';
import { count, flag, id, optional, text } from './shape.js';

/** What a page asks for about the stored conversations, and about the place where it shows one. */
export type SessionRequest =
  | { readonly type: 'new_session' }
  /** The person works in this page now: commands are meant for it. */
  | { readonly type: 'focused' }
  /** The list is shown: it comes at once and again whenever it changes, until `close_history`. */
  | { readonly type: 'list_history' }
  | { readonly type: 'close_history' }
  /** Looks for a text in titles and messages; an empty one ends the search that runs. */
  | { readonly type: 'search_sessions'; readonly query: string }
  /** With `index`, the page is led to that message. */
  | { readonly type: 'open_session'; readonly id: string; readonly index?: number }
  /** Shows a conversation in an editor tab; the one shown here without `id`. */
  | { readonly type: 'open_in_tab'; readonly id?: string }
  | { readonly type: 'rename_session'; readonly id: string; readonly title: string }
  | { readonly type: 'pin_session'; readonly id: string; readonly pinned: boolean }
  /** Shows a copy of the whole conversation, also of one that another window has open. */
  | { readonly type: 'fork_session'; readonly id: string }
  /** Opens a conversation although another window has it open. */
  | { readonly type: 'take_over_session'; readonly id: string }
  /** The person goes back from a conversation that another window has open. */
  | { readonly type: 'dismiss_busy' }
  /** Moves a conversation to the trash. */
  | { readonly type: 'delete_session'; readonly id: string }
  | { readonly type: 'restore_session'; readonly id: string }
  /** Removes what is in the trash for good: one conversation, all without `id`. */
  | { readonly type: 'purge_trash'; readonly id?: string }
  | { readonly type: 'import_session' };

/** Their fields. */
export const SESSION_SHAPES: Shapes<SessionRequest> = {
  new_session: {},
  focused: {},
  list_history: {},
  close_history: {},
  search_sessions: { query: text(MAX_QUERY_LENGTH) },
  open_session: { id, index: optional(count) },
  open_in_tab: { id: optional(id) },
  rename_session: { id, title: text(MAX_TITLE_LENGTH) },
  pin_session: { id, pinned: flag },
  fork_session: { id },
  take_over_session: { id },
  dismiss_busy: {},
  delete_session: { id },
  restore_session: { id },
  purge_trash: { id: optional(id) },
  import_session: {},
};
