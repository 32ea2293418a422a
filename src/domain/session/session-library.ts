import type { Timestamp } from '../model/message.js';
import type { SessionMeta, StoredSession } from './session-store.js';

/** Labels of a stored session that the user can change at any time. */
export type SessionLabels = Pick<SessionMeta, 'title' | 'titleBy' | 'pinned'>;

/** A session in the trash. */
export interface TrashedSession {
  readonly id: string;
  readonly title: string;
  readonly trashedAt: Timestamp;
}

/** A place where a text was found. */
export interface SessionHit {
  readonly id: string;
  readonly title: string;
  readonly updatedAt: Timestamp;
  /** Index of the first message that contains it; absent when only the title does. */
  readonly index?: number;
  /** The text around it, on one line. */
  readonly excerpt: string;
}

/** Library of stored sessions: lists, labels, and deletes them. */
export interface SessionLibrary {
  /**
   * Changes labels, also of a session that is open; a field given as `undefined` is removed.
   * @throws SessionBusyError when another window has the session open.
   */
  label(id: string, patch: { readonly [K in keyof SessionLabels]?: SessionLabels[K] | undefined }): Promise<void>;
  /** Reads a session as it is on the disk: takes no lock and changes nothing, so that it works while another window has it open. */
  read(id: string): Promise<StoredSession>;
  /**
   * Moves every file of a session into the trash, out of the history.
   * @throws SessionBusyError when another window has the session open.
   */
  trash(id: string): Promise<void>;
  /** Takes a session back out of the trash. */
  restore(id: string): Promise<void>;
  /** Sessions in the trash, newest first. */
  trashed(): Promise<readonly TrashedSession[]>;
  /** Permanently deletes what has been in the trash for `olderThanMs` milliseconds. */
  emptyTrash(olderThanMs: number): Promise<void>;
  /** Looks for a text in titles and messages, newest session first; upper and lower case are the same. Ends early when aborted. */
  search(query: string, signal: AbortSignal): AsyncIterable<SessionHit>;
  /**
   * Takes a v1 file in as a session of its own, under a new id when its own is taken.
   * @param name of the file, for errors.
   * @returns the id it got.
   * @throws InvalidDataError naming file and place when it is no v1 file.
   */
  import(bytes: Uint8Array, name: string): Promise<string>;
}
