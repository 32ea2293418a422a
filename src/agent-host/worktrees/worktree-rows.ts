import { escapeHidden } from '../../domain/hidden-characters.js';
import { formatBytes, formatNumber, formatRelative, t } from '../../domain/l10n.js';
import type { ListedWorktree, WorktreeState } from '../../worktree/list.js';
import { KEPT_MS, type TrashedUnit } from '../../worktree/trash.js';
import type { WorktreeList } from './managed-worktrees.js';

/** What users can do with a worktree. */
export type WorktreeAction = 'open' | 'changes' | 'apply' | 'commit' | 'patch' | 'lock' | 'unlock' | 'remove' | 'restore';

/** A worktree as a list shows it. */
export interface WorktreeRow {
  readonly name: string;
  /** Name of a codicon. */
  readonly icon: string;
  readonly description: string;
  readonly detail: string;
  readonly actions: readonly WorktreeAction[];
  /** Absolute path of its folder. */
  readonly unit: string;
  /** Absent for one in the trash. */
  readonly listed?: ListedWorktree;
}

const ICONS: Readonly<Record<WorktreeState, string>> = {
  in_use: 'play-circle',
  idle: 'git-branch',
  locked: 'lock',
  unfinished: 'warning',
  gone: 'warning',
  unknown: 'question',
};

const STATES: Readonly<Record<WorktreeState, () => string>> = {
  in_use: () => t('In use'),
  idle: () => t('Idle'),
  locked: () => t('Locked'),
  unfinished: () => t('Unfinished'),
  gone: () => t('Folder gone'),
  unknown: () => t('Unknown'),
};

/** What there is to show of worktrees, the last used first. @param now in milliseconds since 1970 */
export function worktreeRows(
  { worktrees, trash }: WorktreeList,
  changed: ReadonlyMap<string, number>,
  now: number,
): { readonly worktrees: readonly WorktreeRow[]; readonly trash: readonly WorktreeRow[] } {
  return {
    worktrees: [...worktrees].sort((one, other) => other.lastUse - one.lastUse).map((listed) => rowOf(listed, changed.get(listed.unit), now)),
    trash: [...trash].sort((one, other) => other.removedAt - one.removedAt).map((trashed) => trashRow(trashed, now)),
  };
}

function rowOf(listed: ListedWorktree, files: number | undefined, now: number): WorktreeRow {
  const { unit, name, state, bytes, lastUse } = listed;
  return {
    name: escapeHidden(name),
    icon: ICONS[state],
    description: [STATES[state](), formatBytes(bytes)].join(' · '),
    detail: [t('Last used {0}', formatRelative(lastUse, now)), ...(files === undefined ? [] : [changedText(files)])].join(' · '),
    actions: actionsOf(listed),
    unit,
    listed,
  };
}

function trashRow({ unit, name, removedAt }: TrashedUnit, now: number): WorktreeRow {
  const until = removedAt + KEPT_MS;
  // After that, it is only still there because something would be lost with it.
  const detail =
    until > now ? t('Can be restored, and is deleted {0}', formatRelative(until, now)) : t('Stays in the trash until nothing would be lost with it');
  return { name: escapeHidden(name), icon: 'trash', description: '', detail, actions: ['restore'], unit };
}

function changedText(files: number): string {
  if (files === 0) return t('No changed files');
  return files === 1 ? t('1 changed file') : t('{0} changed files', formatNumber(files));
}

/** Of one without its files, nothing can be taken over; one that Gnomon does not know cannot be marked. */
function actionsOf({ worktree, state }: ListedWorktree): readonly WorktreeAction[] {
  if (worktree === undefined) return ['open', 'remove'];
  const lock = worktree.record.locked === undefined ? 'lock' : 'unlock';
  if (state === 'gone') return [lock, 'remove'];
  return worktree.record.state === 'creating' ? ['open', lock, 'remove'] : ['open', 'changes', 'apply', 'commit', 'patch', lock, 'remove'];
}
