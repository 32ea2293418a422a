import { type ChangedFiles, type Contents, type FileSnapshot, versionOf } from '../domain/workspace/changes.js';
import { t } from '../domain/l10n.js';
import { hashOf } from './blob-folder.js';
import type { FileReview, LedgerEntry } from './ledger-entry.js';

/** A file that the agent moved, as it is now. */
export interface MovedFile {
  readonly path: string;
  /** Where it was. */
  readonly movedFrom: string;
  readonly snapshot: FileSnapshot;
}

/**
 * Puts a moved file back to where it was, with the content that it had. First it is there again, then it goes from where it is now: whatever
 * fails, one of the two has it.
 * @returns why not, for the user; `undefined` when it is back.
 * @throws Error with a message for the user when it could not be done.
 */
export async function moveBack(files: ChangedFiles, { path, movedFrom, snapshot }: MovedFile, contents: Contents): Promise<string | undefined> {
  if ((await files.look(movedFrom)).kind !== 'absent') return t('Something is now at {0}, where the file was, so it was not moved back.', movedFrom);
  if (snapshot.kind === 'file' && snapshot.unsaved) return t('The file has unsaved changes. Save them, and try again.');
  await files.put(movedFrom, { kind: 'absent' }, contents);
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

/** Files in an order in which all can be undone: a file is moved back after what has come to be where it was. */
export function inUndoOrder(files: readonly FileReview[]): readonly FileReview[] {
  const left = [...files];
  const ordered: FileReview[] = [];
  while (left.length > 0) {
    const free = left.findIndex(({ movedFrom }) => movedFrom === undefined || !left.some(({ path }) => path === movedFrom));
    // Files that have changed places with each other are in each other's way.
    ordered.push(...left.splice(Math.max(free, 0), 1));
  }
  return ordered;
}
