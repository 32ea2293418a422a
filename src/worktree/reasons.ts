import { t } from '../domain/l10n.js';
import { escapeHidden } from '../domain/hidden-characters.js';
import type { Holder } from './holders.js';

/** What keeps a worktree, with files. */
const FILE_KINDS = {
  /** Not as in the commit that is checked out. */
  uncommitted: (paths: string) => t('Files in it were changed and not committed: {0}.', paths),
  /** Only in the index. */
  staged: (paths: string) => t('The index has content that is in no file and in no commit: {0}.', paths),
  /** Ignored by Git, but listed as files that count, and not as in the main checkout. */
  listed: (paths: string) => t('Ignored files that are listed for worktrees differ from those of the main checkout: {0}.', paths),
  /** A copy of what the user had, which is nowhere else any more. */
  snapshot: (paths: string) => t('It began with changes that are neither in the main checkout nor in a commit any more: {0}.', paths),
  /** The working tree is not there. */
  gone: (paths: string) => t('Its folder is gone, and what was last seen of changed files is only stored with it: {0}.', paths),
  nested: (paths: string) => t('There are repositories in it, or files in the folder of a submodule: {0}.', paths),
  mounted: (paths: string) => t('There are folders of another file system in it: {0}.', paths),
  unreadable: (paths: string) => t('Folders in it cannot be read: {0}.', paths),
  foreign: (paths: string) => t('There are files beside it that Gnomon has not made: {0}.', paths),
  under_way: (paths: string) => t('Something was begun in its repository, or is kept only there: {0}.', paths),
  lock_file: (paths: string) => t('A command of Git is at work in it, or was ended and left a lock file: {0}.', paths),
} as const;

/** Why a worktree cannot be removed. */
export type Reason =
  | { readonly kind: keyof typeof FILE_KINDS; readonly paths: readonly string[]; readonly count: number }
  /** Commits that no reference of the user leads to. */
  | { readonly kind: 'commits'; readonly commits: readonly string[] }
  | { readonly kind: 'process'; readonly pid: number; readonly path: string }
  | { readonly kind: 'processes_unknown' }
  | { readonly kind: 'in_use'; readonly as: Holder['as']; readonly pid: number }
  | { readonly kind: 'locked'; readonly why: string }
  /** A folder without a record: Gnomon does not know what it is. */
  | { readonly kind: 'unknown_folder' }
  | { readonly kind: 'not_proved'; readonly detail: string };

/** Paths that a sentence names. */
const MAX_IN_SENTENCE = 3;
/** Characters of the id of a commit that are shown. */
const SHORT_ID = 8;

/** Why a worktree stays, as a sentence for the user. */
export function reasonText(reason: Reason): string {
  switch (reason.kind) {
    case 'commits':
      return t(
        'Commits in it are on no branch of the repository: {0}.',
        named(
          reason.commits.map((id) => id.slice(0, SHORT_ID)),
          reason.commits.length,
        ),
      );
    case 'process':
      return t('Process {0} works in it: {1}.', String(reason.pid), escapeHidden(reason.path));
    case 'processes_unknown':
      return t('It cannot be found out whether a process works in it.');
    case 'in_use':
      return reason.as === 'window' ? t('It is open in another window.') : t('An agent works in it.');
    case 'locked':
      return t('It is locked: {0}', escapeHidden(reason.why));
    case 'unknown_folder':
      return t('Gnomon has no record of this folder, so nothing is known of what is in it.');
    case 'not_proved':
      return t('It could not be proved that nothing would be lost: {0}', escapeHidden(reason.detail));
    default:
      return FILE_KINDS[reason.kind](named(reason.paths, reason.count));
  }
}

/** Kinds of reasons that a commit of all that a worktree has can do away with. */
const KEPT_BY_COMMIT: ReadonlySet<Reason['kind']> = new Set(['uncommitted', 'commits', 'snapshot']);

/** Whether nothing keeps a worktree but what a commit on a branch can have. */
export function isKeptByCommit(reasons: readonly Reason[]): boolean {
  return reasons.length > 0 && reasons.every(({ kind }) => KEPT_BY_COMMIT.has(kind));
}

function named(paths: readonly string[], count: number): string {
  const some = paths.slice(0, MAX_IN_SENTENCE).map(escapeHidden).join(', ');
  return count > MAX_IN_SENTENCE ? t('{0} and {1} more', some, count - MAX_IN_SENTENCE) : some;
}
