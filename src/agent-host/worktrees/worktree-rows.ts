import { escapeHidden } from '../../domain/hidden-characters.js';
import { formatBytes, formatNumber, formatRelative, t } from '../../domain/l10n.js';
import { elfAuthor } from '../../elf/elf-author.js';
import { showName, withoutIcons } from '../../text/show.js';
import type { ChangeCounts } from '../../worktree/applied.js';
import type { ListedWorktree, WorktreeState } from '../../worktree/list.js';
import type { Worktree } from '../../worktree/record.js';
import { KEPT_MS } from '../../worktree/trash.js';
import type { TrashedWorktree, WorktreeList } from './managed-worktrees.js';

/** What users can do with a worktree. */
export type WorktreeAction = 'open' | 'changes' | 'apply' | 'commit' | 'patch' | 'lock' | 'unlock' | 'remove' | 'restore';

/** A worktree as a list shows it: no text of it draws an icon. */
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

/** What is known beside the list of worktrees. */
export interface RowFacts {
  /** By the folders of the worktrees; empty as long as that is not known. */
  readonly counts: ReadonlyMap<string, ChangeCounts>;
  /** Titles of the chats of the workspace, by their ids. */
  readonly chats: ReadonlyMap<string, string>;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** What there is to show of worktrees, the last used first. */
export function worktreeRows(
  { worktrees, trash }: WorktreeList,
  facts: RowFacts,
): { readonly worktrees: readonly WorktreeRow[]; readonly trash: readonly WorktreeRow[] } {
  return {
    worktrees: worktrees.toSorted((one, other) => other.lastUse - one.lastUse).map((listed) => rowOf(listed, facts)),
    trash: trash.toSorted((one, other) => other.removedAt - one.removedAt).map((trashed) => trashRow(trashed, facts)),
  };
}

function rowOf(listed: ListedWorktree, { counts, chats, now }: RowFacts): WorktreeRow {
  const { unit, name, worktree, state, bytes, lastUse } = listed;
  const changes = counts.get(unit);
  return {
    name: withoutIcons(escapeHidden(name)),
    icon: ICONS[state],
    description: purposeOf(worktree, chats),
    detail: [
      ...[STATES[state](), ...(changes === undefined ? [] : changeTexts(changes))],
      ...[formatBytes(bytes), t('Last used {0}', formatRelative(lastUse, now))],
    ].join(' · '),
    actions: actionsOf(listed),
    unit,
    listed,
  };
}

function trashRow({ unit, name, worktree, removedAt }: TrashedWorktree, { chats, now }: RowFacts): WorktreeRow {
  const until = removedAt + KEPT_MS;
  // After that, it is only still there because something would be lost with it.
  const detail =
    until > now ? t('Can be restored, and is deleted {0}', formatRelative(until, now)) : t('Stays in the trash until nothing would be lost with it');
  return { name: withoutIcons(escapeHidden(name)), icon: 'trash', description: purposeOf(worktree, chats), detail, actions: ['restore'], unit };
}

/** Whose work is in it, and for which chat; empty for one that the user has made. */
function purposeOf(worktree: Worktree | undefined, chats: ReadonlyMap<string, string>): string {
  const agent = worktree?.record.agent;
  if (agent === undefined) return '';
  const title = chats.get(agent.chat);
  const purpose = [elfAuthor(agent.chat, agent.type, agent.task).name, ...(title === undefined ? [] : [t('chat “{0}”', showName(title))])];
  return withoutIcons(purpose.join(' · '));
}

/** What was changed, and how much of that is in the files of the user now. */
function changeTexts({ changed, open, undone }: ChangeCounts): readonly string[] {
  if (changed === 0) return [t('No changed files')];
  return [
    changed === 1 ? t('1 changed file') : t('{0} changed files', formatNumber(changed)),
    ...(open === 0 ? [] : [open === changed ? t('not applied yet') : t('{0} not applied yet', formatNumber(open))]),
    ...(undone === 0 ? [] : [undone === changed ? t('applied and undone') : t('{0} undone', formatNumber(undone))]),
    ...(open + undone > 0 ? [] : [t('applied')]),
  ];
}

/** Of one without its files, nothing can be taken over; one that Gnomon does not know cannot be marked. */
function actionsOf({ worktree, state }: ListedWorktree): readonly WorktreeAction[] {
  if (worktree === undefined) return ['open', 'remove'];
  const lock = worktree.record.locked === undefined ? 'lock' : 'unlock';
  if (state === 'gone') return [lock, 'remove'];
  return worktree.record.state === 'creating' ? ['open', lock, 'remove'] : ['open', 'changes', 'apply', 'commit', 'patch', lock, 'remove'];
}
