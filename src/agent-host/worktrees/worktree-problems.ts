import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import type { CommitOutcome } from '../../worktree/commit-on-branch.js';
import type { NotCreated } from '../../worktree/create.js';
import type { NoHome } from '../../worktree/home.js';
import type { NoRepository } from '../../worktree/repository.js';

/** Why no worktree can be made, as sentences for the user and for models. */
const NO_REPOSITORY: Readonly<Record<NoRepository['kind'], () => string>> = {
  no_git: () => t('A worktree needs Git, which is not installed or not found.'),
  no_repository: () => t('A worktree needs a Git repository, and the folder that is open is in none.'),
  bare: () => t('A worktree needs a Git repository with a working tree, and this one is bare.'),
  refused: () => t('Git does not open the repository of the folder that is open.'),
};

const NO_HOME: Readonly<Record<NoHome, () => string>> = {
  inside_workspace: () => t('There is no place for worktrees: every folder above the repository is open in the window.'),
  other_file_system: () => t('There is no place for worktrees: the folders above the repository are on another file system.'),
  not_writable: () => t('There is no place for worktrees: the folders above the repository cannot be written to.'),
  not_ours: () => t('There is no place for worktrees: the folder “.gnomon-worktrees” beside the repository belongs to somebody else.'),
};

const NOT_CREATED: Readonly<Record<NotCreated['why'], () => string>> = {
  bad_name: () => t('The name of a worktree can have letters, digits, dots, dashes, and underscores.'),
  name_taken: () => t('There is a worktree of this name already.'),
  no_branch: () => t('There is no branch of this name.'),
  no_commit: () => t('The repository has no commit yet. Make one first.'),
  disk_full: () => t('There is no room left on the disk for the worktree.'),
  git: () => t('Git could not make the worktree.'),
  file_system: () => t('The files of the worktree could not be written.'),
};

/** Why there is no repository to make a worktree of. */
export function noRepositoryText({ kind, detail }: NoRepository): string {
  return withDetail(NO_REPOSITORY[kind](), kind === 'refused' ? detail : '');
}

/** Why there is no place for worktrees. */
export function noHomeText(why: NoHome): string {
  return NO_HOME[why]();
}

/** Why a worktree was not made. */
export function notCreatedText({ why, detail }: NotCreated): string {
  return withDetail(NOT_CREATED[why](), why === 'git' || why === 'file_system' ? detail : '');
}

/** Why there is no branch with what a worktree has. */
export function notCommittedText({ why, detail }: Extract<CommitOutcome, { kind: 'failed' }>): string {
  const sentences: Readonly<Record<typeof why, () => string>> = {
    bad_branch: () => t('“{0}” is no name for a branch.', escapeHidden(detail)),
    branch_exists: () => t('There is a branch “{0}” already.', escapeHidden(detail)),
    no_identity: () => t('Git does not know who you are. Set user.name and user.email, and try again.'),
    left_out: () => t('Git cannot commit all that is in the worktree: {0}', escapeHidden(detail.split('\n').join(', '))),
    git: () => t('Git could not make the commit.'),
  };
  return withDetail(sentences[why](), why === 'git' ? detail : '');
}

/** Characters of what Git or the system said. */
const MAX_DETAIL = 300;

function withDetail(sentence: string, detail: string): string {
  const said = detail.trim().replaceAll(/\s+/g, ' ').slice(0, MAX_DETAIL);
  return said === '' ? sentence : `${sentence} ${said}`;
}
