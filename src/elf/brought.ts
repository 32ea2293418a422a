import type { DiffsPreview } from '../domain/tool/tool.js';
import type { FileChange } from '../domain/workspace/documents.js';
import { showName } from '../text/show.js';

/** A file that an agent has changed in its worktree, and that is not taken over. */
export interface LeftFile {
  /** In the working tree, with `/`. */
  readonly path: string;
  /**
   * `conflict`: the same lines were changed here meanwhile. `mode`: only whether it can be run. `folder`: a folder became a file, or a file a folder.
   * `name`: it is not in UTF-8. `filter`: one of the user’s Git settings failed for it.
   */
  readonly why: 'conflict' | 'folder' | 'unsaved' | 'not_text' | 'notebook' | 'not_a_file' | 'mode' | 'name' | 'filter';
}

/** A file of which the same lines were changed here and in a worktree. */
export interface FileConflict {
  /** Absolute path here. */
  readonly path: string;
  /** Path in the working tree, with `/`. */
  readonly name: string;
  /** Hash of the version that is here. */
  readonly hash: string;
  /** As the worktree began with it, as it is here, and as it is in the worktree. */
  readonly base: string;
  readonly here: string;
  readonly there: string;
  /** What Git has merged, with its marks where that is left to the user. */
  readonly marked: string;
  /** The same with the lines of the worktree in place of the marks. */
  readonly theirs: string;
  /** What counts as applied once it is merged. */
  readonly applied: readonly AppliedFile[];
}

/** A version of a file in a worktree that was applied: what changes after it is compared with it. */
export interface AppliedFile {
  /** In the working tree, with `/`. */
  readonly path: string;
  /** What Git calls its content and mode; absent where it is not there. */
  readonly version?: { readonly id: string; readonly mode: string };
  /** What Git calls the content that was here before, or `absent`: where that is here again, it was undone. Absent where nothing was written. */
  readonly replaced?: string;
}

/** Changes to write, and what counts as applied with each. */
export interface AppliedChanges {
  readonly changes: readonly FileChange[];
  /** By the absolute path of the file here. Those of a file that is here already are no change. */
  readonly applied: ReadonlyMap<string, readonly AppliedFile[]>;
}

/** What an agent has changed in its worktree, as changes of the checkout that it was made of. */
export interface BroughtChanges extends AppliedChanges {
  /** The changes, made from the versions that are there now, without what is the same already, for the user to read, in the same order. */
  readonly shown: DiffsPreview['files'];
  /** How many of them are merged with what was changed here meanwhile. */
  readonly merged: number;
  /** Paths of those of them that were applied before, and undone as a whole here. */
  readonly undone: readonly string[];
  readonly left: readonly LeftFile[];
  /** Those of them that the user can merge. */
  readonly conflicts: readonly FileConflict[];
}

/** Bytes of a worktree about which the user is asked. */
export const MUCH_ROOM = 1024 * 1024 * 1024;

/** The worktrees of agents, by their names. */
export interface ElfWorktrees {
  /** About how many bytes another one takes. @throws Error with a sentence where there can be none */
  bytesNeeded(signal: AbortSignal): Promise<number>;
  /**
   * Paths of the files that differ from what it began with, and whether all of that was applied; `applied` is absent where nothing was. `undefined` where
   * there is no worktree of that name now: it can be in the trash.
   */
  look(name: string, signal: AbortSignal): Promise<{ readonly files: readonly string[]; readonly applied?: boolean } | undefined>;
  /**
   * What its files would change here.
   * @param again whether that counts, too, which was applied before, and was undone here
   * @throws Error with a sentence where there is none of that name
   */
  bring(name: string, signal: AbortSignal, again?: boolean): Promise<BroughtChanges>;
  /** Writes such changes, so that what changes there afterwards is compared with them. @returns those that could not be written, with why */
  write(name: string, changes: AppliedChanges, signal: AbortSignal): Promise<readonly { readonly path: string; readonly problem: string }[]>;
}

const WHY: Readonly<Record<LeftFile['why'], string>> = {
  conflict: 'the same lines were changed here meanwhile',
  folder: 'a folder has become a file, or a file a folder, and not all of that can be done here',
  unsaved: 'it has unsaved changes of the user in an editor',
  not_text: 'it is no text, or too large',
  notebook: 'it is a notebook',
  not_a_file: 'it is no regular file',
  mode: 'only its permissions differ',
  name: 'its name is not in UTF-8',
  filter: 'a filter in the Git settings of the user failed for it',
};

/** Files that a list names at most. */
const MAX_NAMED = 30;

/** Paths on one line, for users and models: a name can have anything in it, such as what looks like another line. */
export function namedFiles(paths: readonly string[]): string {
  return `${paths.slice(0, MAX_NAMED).map(showName).join(', ')}${paths.length > MAX_NAMED ? `, and ${paths.length - MAX_NAMED} more` : ''}`;
}

/** How the files that a worktree has changed stand to those of the user, as far as that was found out. */
export interface AppliedState {
  /** How many of them the user has to merge with their own; absent for none. */
  readonly conflicts?: number;
  /** All of them were applied, also where some of that was undone since. */
  readonly applied?: true;
}

/** How the files of a worktree stand once its changes were written. @param open how many the user still has to merge */
export function appliedState({ left, conflicts }: Pick<BroughtChanges, 'left' | 'conflicts'>, open = conflicts.length): AppliedState {
  if (open > 0) return { conflicts: open };
  return left.length === conflicts.length ? { applied: true } : {};
}

/** What is not taken over, for the model; empty where all is. */
export function leftWords(left: readonly LeftFile[]): string {
  if (left.length === 0) return '';
  const lines = left.slice(0, MAX_NAMED).map(({ path, why }) => `- ${showName(path)}: ${WHY[why]}`);
  return ['Not taken over, and still in the worktree:', ...lines, ...(left.length > MAX_NAMED ? [`- and ${left.length - MAX_NAMED} more`] : [])].join('\n');
}
