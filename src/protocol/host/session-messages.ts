import type { Fields, HostChecks } from './fields.js';
import { hasTexts, isCount, isListOf } from './fields.js';

/** A line of the history list. */
export interface HistoryEntry {
  readonly id: string;
  readonly title: string;
  /** RFC 3339. */
  readonly updatedAt: string;
  readonly messageCount: number;
  /** Name of the model for people. */
  readonly model?: string;
  /** In words, such as "$0.12". */
  readonly cost?: string;
  readonly pinned?: boolean;
  /** Title of the conversation that it is a branch of. */
  readonly parent?: string;
  /** Whether another window has it open. */
  readonly elsewhere?: boolean;
  /** Why the session cannot be opened. */
  readonly problem?: string;
}

/** A conversation in the trash. */
export interface TrashEntry {
  readonly id: string;
  readonly title: string;
  /** When it is removed for good, in milliseconds since 1970. */
  readonly goneAt: number;
}

/** A place where a text was found. */
export interface SearchHit {
  readonly id: string;
  readonly title: string;
  readonly updatedAt: string;
  /** Index of the message; absent when only the title holds the text. */
  readonly index?: number;
  readonly excerpt: string;
}

/** What a conversation does that is not on the screen. `unread` has finished since the person saw it last. */
export const SESSION_STATES = ['working', 'waiting', 'unread'] as const;
/** One of {@link SESSION_STATES}. */
export type SessionState = (typeof SESSION_STATES)[number];

/** What a page is told about the stored conversations. */
export type SessionMessage =
  | { readonly type: 'history'; readonly sessions: readonly HistoryEntry[]; readonly trash: readonly TrashEntry[] }
  /** Replaces all states told before; conversations that are not named do nothing. */
  | { readonly type: 'session_states'; readonly states: readonly { readonly id: string; readonly state: SessionState }[] }
  /** More places where the text was found. `done` with the last. */
  | { readonly type: 'search_hits'; readonly query: string; readonly hits: readonly SearchHit[]; readonly done: boolean }
  /** A conversation was moved to the trash; the page offers to undo that. */
  | { readonly type: 'session_deleted'; readonly id: string; readonly title: string }
  /** What was wished for in the list could not be done. */
  | { readonly type: 'session_problem'; readonly text: string }
  /** A conversation that was to be opened is open in another window. */
  | { readonly type: 'session_busy'; readonly id: string; readonly title: string }
  /** The person wants to rename a conversation: in the list when that shows it, else the one whose title is shown. */
  | { readonly type: 'edit_title'; readonly id: string }
  /** Leads to an item of the conversation that is shown. */
  | { readonly type: 'go_to_item'; readonly session: string; readonly item: string };

/** How they are checked on arrival. */
export const SESSION_CHECKS: HostChecks<SessionMessage> = {
  history: (message) => isListOf(message['sessions'], isHistoryEntry) && isListOf(message['trash'], isTrashEntry),
  session_states: (message) => isListOf(message['states'], isState),
  search_hits: (message) => hasTexts(message, ['query']) && typeof message['done'] === 'boolean' && isListOf(message['hits'], isHit),
  session_deleted: (message) => hasTexts(message, ['id', 'title']),
  session_problem: (message) => hasTexts(message, ['text']),
  session_busy: (message) => hasTexts(message, ['id', 'title']),
  edit_title: (message) => hasTexts(message, ['id']),
  go_to_item: (message) => hasTexts(message, ['session', 'item']),
};

function isHistoryEntry(entry: Fields): boolean {
  return hasTexts(entry, ['id', 'title', 'updatedAt']) && isCount(entry['messageCount']);
}

function isTrashEntry(entry: Fields): boolean {
  return hasTexts(entry, ['id', 'title']) && isCount(entry['goneAt']);
}

function isState(entry: Fields): boolean {
  return hasTexts(entry, ['id']) && SESSION_STATES.some((state) => state === entry['state']);
}

function isHit(hit: Fields): boolean {
  return hasTexts(hit, ['id', 'title', 'updatedAt', 'excerpt']);
}
