import { type ChangedFiles, type Contents, type FileSnapshot, versionOf } from '../domain/workspace/changes.js';
import { t } from '../domain/l10n.js';
import { hashOf } from './blob-folder.js';
import type { FileReview, LedgerEntry } from './ledger-entry.js';

/** A file that the agent moved, as it is now. */
export interface MovedFile {
  readonly path: string;
  /** Where it was. */
  readonly movedFrom: string;
  /** Absent: it was deleted there. */
  readonly snapshot: FileSnapshot;
}

/** A moved file with what it will be when it is back. */
export interface Return {
  readonly moved: MovedFile;
  readonly contents: Contents;
  /** What will not be undone in it, for the user. */
  readonly left?: string;
}

/** A moved file that can go back, or why it cannot, for the user. */
export type Returning = Return | { readonly refused: string };

/**
 * Puts a moved file back to where it was, with the content that it had. First it is there again, then it goes from where it is now: whatever
 * fails, one of the two has it.
 * @returns why not, for the user; `undefined` when it is back.
 * @throws Error with a message for the user when it could not be done.
 */
export async function moveBack(files: ChangedFiles, { path, movedFrom, snapshot }: MovedFile, contents: Contents): Promise<string | undefined> {
  if ((await files.look(movedFrom)).kind !== 'absent') return t('Something is now at {0}, where the file was, so it was not moved back.', movedFrom);
  if (isUnsaved(snapshot)) return unsavedWords();
  await files.put(movedFrom, { kind: 'absent' }, contents);
  // What is there by now is another file.
  if (snapshot.kind === 'absent') return undefined;
  try {
    await files.put(path, versionOf(snapshot), undefined);
  } catch (error) {
    await files.put(movedFrom, { kind: 'file', hash: hashOf(contents.bytes), mode: contents.mode }, undefined);
    throw error;
  }
  return undefined;
}

/** The part of an entry about a move that ends at a path; empty where it ends where it began, or what was moved is new. */
export function moveOf(origin: string | undefined, path: string): Pick<LedgerEntry, 'movedFrom'> {
  return origin === undefined || origin === path ? {} : { movedFrom: origin };
}

/** Whether a file cannot be moved because its editor has text that is not on the disk. */
export function isUnsaved(snapshot: FileSnapshot): boolean {
  return snapshot.kind === 'file' && snapshot.unsaved;
}

/** Why a file with unsaved text is not moved. */
export function unsavedWords(): string {
  return t('The file has unsaved changes. Save them, and try again.');
}

/** A change as far as it says whether a file is in the way of another one. */
type Placed = Pick<FileReview, 'movedFrom' | 'deleted'>;

/**
 * The files that have changed places with one another, from one of them on, each where the one before it was; only the path itself when it is
 * no such file.
 */
export function circleAt(path: string, changeAt: (path: string) => Placed | undefined): readonly string[] {
  const circle: string[] = [];
  for (let at: string | undefined = path; at !== undefined && !circle.includes(at); at = originOf(changeAt(at))) circle.push(at);
  return originOf(changeAt(circle.at(-1) ?? path)) === path ? circle : [path];
}

/** Where a file has to go back to. A file that was deleted after it was moved is in no other's way. */
function originOf(change: Placed | undefined): string | undefined {
  return change?.deleted === false ? change.movedFrom : undefined;
}

/** Files in an order in which all can be undone: a file is moved back after what has come to be where it was. */
export function inUndoOrder(files: readonly FileReview[]): readonly FileReview[] {
  const left = [...files];
  const ordered: FileReview[] = [];
  while (left.length > 0) {
    const free = left.findIndex(({ movedFrom }) => movedFrom === undefined || !left.some((other) => other.path === movedFrom && !isElsewhere(other)));
    // Files that have changed places with each other are undone together with the first of them.
    ordered.push(...left.splice(Math.max(free, 0), 1));
  }
  return ordered;
}

/** Whether nothing of a file is at its path: it was moved there, and then deleted. */
function isElsewhere({ deleted, movedFrom }: Placed): boolean {
  return deleted && movedFrom !== undefined;
}
