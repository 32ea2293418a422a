import { InvalidDataError } from '../errors.js';
import type { Plan } from '../tool/tool.js';
import type { ChangeAuthor } from './change-author.js';

/** Why the content of a file is not kept, so that it cannot be put back. */
export const SKIP_REASONS = [
  'link',
  'hard_link',
  'not_a_file',
  'too_large',
  /** It lies in a folder of git, which is never touched. */
  'git',
  'unreadable',
  /** A command changed it, and its previous content is not known byte for byte. */
  'not_known',
  /** There was no room for it, or it was removed to make room for newer ones. */
  'not_kept',
] as const;
/** One of {@link SKIP_REASONS}. */
export type SkipReason = (typeof SKIP_REASONS)[number];

/** The largest file of which the content is kept, in bytes. */
export const MAX_KEPT_BYTES = 10 * 1024 * 1024;

/** Nothing is at the path. */
interface Absent {
  readonly kind: 'absent';
}

/** A path that is left alone, with the reason. */
interface Skipped {
  readonly kind: 'skipped';
  readonly reason: SkipReason;
}

/** A file at a moment, by its hash. */
export type FileVersion =
  | Absent
  | Skipped
  | {
      readonly kind: 'file';
      /** SHA-256 of the bytes in hex. */
      readonly hash: string;
      /** Permission bits. */
      readonly mode: number;
    };

/** A file at a moment, with its content: that of the editor when one has unsaved text. */
export type FileSnapshot =
  | Absent
  | Skipped
  | { readonly kind: 'file'; readonly hash: string; readonly mode: number; readonly bytes: Uint8Array; readonly unsaved: boolean };

/** The content and mode to write to a file. */
export interface Contents {
  readonly bytes: Uint8Array;
  readonly mode: number;
}

/** The version that was seen. */
export function versionOf(snapshot: FileSnapshot): FileVersion {
  return snapshot.kind === 'file' ? { kind: 'file', hash: snapshot.hash, mode: snapshot.mode } : snapshot;
}

/** Whether two versions have the same bytes. Files that were skipped are never known to be the same. */
export function sameContent(a: FileVersion, b: FileVersion): boolean {
  if (a.kind === 'file' && b.kind === 'file') return a.hash === b.hash;
  return a.kind === 'absent' && b.kind === 'absent';
}

/**
 * The files of the workspace as review and undo see them. Paths are absolute and real.
 * No link is followed, and nothing in a folder of git is read or changed.
 */
export interface ChangedFiles {
  /** Takes a snapshot of the file. Never rejects: an unreadable file is `skipped`. */
  look(path: string): Promise<FileSnapshot>;
  /**
   * Puts content in the place of what is there, through the open editor where there is one; `undefined` deletes the file.
   * @param expected what is there now; when it is not, nothing is done.
   * @throws Error with a message for the user when nothing was done.
   */
  put(path: string, expected: FileVersion, wanted: Contents | undefined): Promise<void>;
}

/** A call of a tool that is about to change something. */
export interface RecordedCall {
  readonly sessionId: string;
  /** Who makes it. Default: the chat itself. */
  readonly by?: ChangeAuthor;
  readonly callId: string;
  /** Index in the conversation of the user's message that the turn answers. */
  readonly messageIndex: number;
  readonly plan: Plan;
  /** Where the session of the call works. Absent: nowhere, so that what its commands change is not looked for. */
  readonly ground?: CallGround;
}

/** Where a session works, to tell its changes from those of other sessions. */
export interface CallGround {
  /** Absolute paths of its folders. */
  readonly folders: readonly string[];
  /** Whether commands of the session are running in the background, which outlast their calls. Default: none are. */
  readonly runsInBackground?: () => boolean;
}

/** A call whose changes are being recorded. */
export interface OpenRecord {
  /** Present when what a call is about to change could not be kept as it is: it cannot be brought back. */
  readonly lost?: true;
  /**
   * Records the resulting files. To be called when the call is over, however it ended. Never rejects.
   * @param how whether the call failed or did not run at all, so that what is in its files may not be its own
   */
  end(how: { readonly failed: boolean }): Promise<void>;
}

/** Keeps what calls change, so that it can be reviewed and undone. */
export interface ChangeRecorder {
  /** Notes the files as they are before a call does anything. Never rejects. */
  begin(call: RecordedCall): Promise<OpenRecord>;
}

/**
 * What happened to changes of an agent that the user can keep or undo. Hunks are counted of the chat itself, not of agents that work for it; a file that can
 * only be kept or undone as a whole is one hunk.
 */
export type ReviewEvent =
  /** A call has changed a file. `from` is where it was before it was moved, `pending` how many hunks there are by now. */
  | {
      readonly type: 'changed';
      readonly sessionId: string;
      readonly by: ChangeAuthor;
      readonly path: string;
      readonly from?: { readonly path: string; readonly snapshot: FileSnapshot };
      readonly before: FileSnapshot;
      readonly after: FileSnapshot;
      readonly pending: number;
    }
  /** The user has decided about hunks: `edited` are those that they kept after they had changed their lines, `pending` those that are left. */
  | { readonly type: 'decided'; readonly path: string; readonly kept: number; readonly edited: number; readonly undone: number; readonly pending: number }
  /** The user has brought files back to before a message. */
  | { readonly type: 'restored'; readonly sessionId: string; readonly messageIndex: number };

/** What the user does with the changes of agents. */
export interface ReviewedChanges {
  /** Calls back when something happened to them. Returns how to stop that. */
  onDidReview(listener: (event: ReviewEvent) => void): () => void;
}

/** A file that changed while a command ran. */
export interface CommandChange {
  readonly path: string;
  readonly before: FileSnapshot;
  readonly after: FileSnapshot;
}

/** Finds out what commands change. */
export interface CommandWatcher {
  /** Looks at the files before a command. @param folders absolute paths of those that its session works on */
  watch(folders: readonly string[]): Promise<CommandWatch>;
}

/** Last known state of the files that a command may change. All paths are absolute and real. */
export interface CommandWatch {
  /** The folders that the session works on. */
  readonly folders: readonly string[];
  /** The folders in which changes are found, such as the whole of a repository around one of `folders`. */
  readonly area: readonly string[];
  /** Changes since the last look, which becomes the state to compare with. @param except files that are left for later */
  changed(except: ReadonlySet<string>): Promise<readonly CommandChange[]>;
  /** Has one file seen as it is now, or as it is known to have been. @returns how it differs from what was last seen, where that is known */
  take(path: string, now: FileSnapshot): Promise<CommandChange | undefined>;
}

/** Whether a call can change files: it writes some, or runs a command. */
export function changesFiles(plan: Plan): boolean {
  return plan.changes.length > 0 || plan.accesses.some(({ kind }) => kind === 'execute');
}

/**
 * Checks a version that was stored.
 * @throws InvalidDataError when it is not one.
 */
export function parseVersion(value: unknown, path: string): FileVersion {
  const { kind, hash, mode, reason } = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  if (kind === 'absent') return { kind };
  const known = SKIP_REASONS.find((name) => name === reason);
  if (kind === 'skipped' && known !== undefined) return { kind, reason: known };
  if (kind === 'file' && typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash) && typeof mode === 'number') return { kind, hash, mode };
  throw new InvalidDataError(path, 'is not the version of a file');
}
