import { present } from '../domain/present.js';
import type { FileVersion, FileSnapshot } from '../domain/workspace/changes.js';
import { type ChangeAuthor, CHAT_AUTHOR } from '../domain/workspace/change-author.js';
import type { Passage } from './authored-lines.js';
import type { Hunk } from './text-review.js';

/** Where a storage keeps what is neither kept nor undone: the folder, and the list in it. */
export const LEDGER_PLACE = { folder: 'review', index: 'ledger.json' } as const;

/** A text file with changes of the agent that can be kept or undone one by one. */
export interface TextEntry {
  readonly kind: 'text';
  readonly path: string;
  /** The sessions whose agents changed it. */
  readonly sessions: readonly string[];
  /** Who has changed it, the chat itself among them; absent where that alone has. */
  readonly authors?: readonly ChangeAuthor[];
  /** The lines of both texts with who changed them; absent where there are no `authors`. */
  readonly passages?: readonly Passage[];
  /** Whether there was a file before; undoing all of a new one deletes it, when nothing of the user is in it. */
  readonly existed: boolean;
  readonly encoding: string;
  /** Permission bits before the agent. */
  readonly mode: number;
  readonly baseline: string;
  readonly agent: string;
  /** Absolute path where the file was before the agent moved it here, with the baseline as its text; absent: it was here. */
  readonly movedFrom?: string;
}

/** A file that can only be kept or undone as a whole: no text, too long, deleted, or its earlier content is not known. */
export interface WholeEntry {
  readonly kind: 'whole';
  readonly path: string;
  readonly sessions: readonly string[];
  /** Who has changed it, the chat itself among them; absent where that alone has. */
  readonly authors?: readonly ChangeAuthor[];
  readonly before: FileVersion;
  readonly after: FileVersion;
  /** Absolute path where the file was, as `before` has it, until the agent moved it here; absent: it was here. */
  readonly movedFrom?: string;
  /** Of a notebook the hash of the text of its cells as the agent left them. Outputs are no part of it: running cells changes nothing of the agent's. */
  readonly cells?: string;
}

/** A file with changes of the agent that are neither kept nor undone. */
export type LedgerEntry = TextEntry | WholeEntry;

/** Bytes and texts, as the files of the workspace are encoded. */
export interface TextCodec {
  /** `undefined` for what is no text. */
  decode(bytes: Uint8Array): { readonly text: string; readonly encoding: string } | undefined;
  encode(text: string, encoding: string): Uint8Array;
}

/** A change that a call made to a file. */
export interface MadeChange {
  readonly path: string;
  readonly before: FileSnapshot;
  readonly after: FileSnapshot;
  /** The file before it was moved to `path`, where nothing was; it is not at its own path any more. Absent: it was not moved. */
  readonly from?: Seen;
}

/** A file and what was seen of it. */
export interface Seen {
  readonly path: string;
  readonly snapshot: FileSnapshot;
}

/** A file under review as it is now. */
export interface FileReview {
  readonly path: string;
  readonly sessions: readonly string[];
  /** Who made what is pending, the chat itself among them; absent where that alone did. */
  readonly authors?: readonly ChangeAuthor[];
  readonly created: boolean;
  readonly deleted: boolean;
  /** Absolute path where it was before it was moved here; absent: it was not moved. */
  readonly movedFrom?: string;
  /** Empty for a file that can only be kept or undone as a whole. */
  readonly hunks: readonly Hunk[];
  /** Lines added and removed; `undefined` where lines mean nothing. */
  readonly lines: { readonly added: number; readonly removed: number } | undefined;
  /** The text without the agent's changes; `undefined` where it is no text. */
  readonly baseline: string | undefined;
  /** The text as it is now, where the file itself is not shown as one: the cells of a notebook, as which `baseline` is given too. */
  readonly present?: string;
}

/** Selection of hunks of a file. */
export type HunkChoice = (hunk: Hunk) => boolean;

/** What of a file is kept or undone: all, some of its hunks, or what an author changed in it, by the id of a {@link ChangeAuthor}. */
export type ChangeChoice = 'all' | HunkChoice | { readonly author: string };

/** Who has changed a file: the sessions and authors until now, and the author of a change. */
export interface Makers extends Pick<LedgerEntry, 'sessions' | 'authors'> {
  readonly by: ChangeAuthor;
}

/** The makers of a file when a session changes it. @param by who does that for it */
export function makersOf(known: LedgerEntry | undefined, sessionId: string, by: ChangeAuthor): Makers {
  const sessions = [...new Set([...(known?.sessions ?? []), sessionId])];
  const before = known === undefined ? [] : (known.authors ?? [CHAT_AUTHOR]);
  const authors = [...before.filter(({ id }) => id !== by.id), by];
  return authors.every(({ id }) => id === CHAT_AUTHOR.id) ? { sessions, by } : { sessions, authors, by };
}

/** What an entry keeps of its makers. */
export function stayingOf({ sessions, authors }: Makers): Pick<LedgerEntry, 'sessions' | 'authors'> {
  return { sessions, ...present({ authors }) };
}

/** Failed change of a file, with the reason for the user. */
export interface Refusal {
  readonly path: string;
  readonly why: string;
}

/** Rest of an entry after an undo, with the reason for the user if it is incomplete. */
export interface Undone {
  readonly entry: LedgerEntry | undefined;
  readonly refused?: string;
}
