import { InvalidDataError } from '../errors.js';
import type { Plan } from '../tool/tool.js';

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

/** What is at the path is left alone. */
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
export type Sighting =
  | Absent
  | Skipped
  | { readonly kind: 'file'; readonly hash: string; readonly mode: number; readonly bytes: Uint8Array; readonly unsaved: boolean };

/** The content and mode to write to a file. */
export interface Contents {
  readonly bytes: Uint8Array;
  readonly mode: number;
}

/** The version that was seen. */
export function versionOf(sighting: Sighting): FileVersion {
  return sighting.kind === 'file' ? { kind: 'file', hash: sighting.hash, mode: sighting.mode } : sighting;
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
  /** What is there now. Never rejects: what cannot be read is `skipped`. */
  look(path: string): Promise<Sighting>;
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
  readonly callId: string;
  /** Index in the conversation of the user's message that the turn answers. */
  readonly messageIndex: number;
  readonly plan: Plan;
}

/** A call whose changes are being recorded. */
export interface OpenRecord {
  /** Present when what a call is about to change could not be kept as it is: it cannot be brought back. */
  readonly lost?: true;
  /** Notes what became of the files. To be called when the call is over, however it ended. Never rejects. */
  end(): Promise<void>;
}

/** Keeps what calls change, so that it can be reviewed and undone. */
export interface ChangeRecorder {
  /** Notes the files as they are before a call does anything. Never rejects. */
  begin(call: RecordedCall): Promise<OpenRecord>;
}

/** A file that changed while a command ran. */
export interface CommandChange {
  readonly path: string;
  readonly before: Sighting;
}

/** Finds out what a command changes. */
export interface CommandWatcher {
  /** Looks at the files before a command. */
  watch(): Promise<CommandWatch>;
}

/** What was seen before a command. */
export interface CommandWatch {
  /** What is different now. */
  changed(): Promise<readonly CommandChange[]>;
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
