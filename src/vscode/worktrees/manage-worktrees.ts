import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AgentHost } from '../../agent-host/agent-host.js';
import { ManagedWorktrees } from '../../agent-host/worktrees/managed-worktrees.js';
import { notCommittedText } from '../../agent-host/worktrees/worktree-problems.js';
import { type RowFacts, type WorktreeAction, type WorktreeRow, worktreeRows } from '../../agent-host/worktrees/worktree-rows.js';
import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { isKeptByCommit, type Reason, reasonText } from '../../worktree/reasons.js';
import type { Worktree } from '../../worktree/record.js';
import { showComparison } from '../dialogs/comparison.js';
import { vscodeDialogs } from '../dialogs/vscode-dialogs.js';
import { foldersOfWindow } from '../workspace/folders.js';
import { during } from './during.js';

/** Without `row`, it only says something. */
type Item = vscode.QuickPickItem & { readonly row?: WorktreeRow };
type Act = (row: WorktreeRow, managed: ManagedWorktrees, window: WorktreesWindow) => Promise<void>;

/** What the list needs of the window. */
export interface WorktreesWindow {
  /** Writes what was changed in a worktree into the files of the user, who is shown it first. @param name of the worktree */
  readonly apply: (name: string) => Promise<void>;
  /** Titles of the chats of the workspace, by their ids. */
  readonly chatTitles: () => Promise<RowFacts['chats']>;
}

/** Lists the worktrees of the repository that is open, and lets the user look at, take over, lock, remove, and restore them. */
export async function manageWorktrees(worktrees: AgentHost['worktrees'], window: WorktreesWindow): Promise<void> {
  const managed = new ManagedWorktrees(worktrees);
  try {
    for (;;) {
      const row = await choose(managed, window);
      const action = row && (await chooseAction(row));
      if (row === undefined || action === undefined) return;
      await ACTS[action](row, managed, window);
      if (!BACK.has(action)) return;
    }
  } catch (error) {
    await vscodeDialogs.notify('warning', errorMessage(error));
  }
}

/** Actions behind which the list is shown again, as it is different then. */
const BACK: ReadonlySet<WorktreeAction> = new Set(['lock', 'unlock', 'remove', 'restore']);

const LABELS: Readonly<Record<WorktreeAction, () => string>> = {
  open: () => `$(empty-window) ${t('Open in New Window')}`,
  changes: () => `$(diff-multiple) ${t('Show Changes')}`,
  apply: () => `$(check) ${t('Apply Changes…')}`,
  commit: () => `$(git-commit) ${t('Commit on a Branch…')}`,
  patch: () => `$(save) ${t('Save as Patch…')}`,
  lock: () => `$(lock) ${t('Lock…')}`,
  unlock: () => `$(unlock) ${t('Unlock')}`,
  remove: () => `$(trash) ${t('Remove')}`,
  restore: () => `$(discard) ${t('Restore')}`,
};

const ACTS: Readonly<Record<WorktreeAction, Act>> = {
  open: async ({ unit, listed }) => {
    await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(listed?.worktree?.tree ?? unit), { forceNewWindow: true });
  },
  changes: withWorktree(showChanges),
  apply: async ({ listed }, _managed, { apply }) => {
    if (listed?.worktree !== undefined) await apply(listed.worktree.record.name);
  },
  commit: withWorktree(async (worktree, managed) => void (await commit(worktree, managed))),
  patch: withWorktree(savePatch),
  lock: async ({ name, unit }, managed) => {
    const why = await vscode.window.showInputBox({
      title: t('Lock the Worktree {0}', name),
      prompt: t('It is not removed until you unlock it. Why is it kept?'),
      validateInput: (value) => (value.trim() === '' ? t('Enter a few words: they are shown when it is to be removed.') : undefined),
    });
    if (why !== undefined) await managed.lock(unit, why.trim());
  },
  unlock: async ({ unit }, managed) => void (await managed.unlock(unit)),
  remove: (row, managed) => remove(row, managed),
  restore: async ({ name, unit }, managed) => restore(name, unit, managed),
};

/** Shows the list at once, and fills it. Escape stops looking. @throws Error with a sentence for the user where there can be no worktrees */
async function choose(managed: ManagedWorktrees, window: WorktreesWindow): Promise<WorktreeRow | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  const stop = new AbortController();
  Object.assign(pick, { title: t('Worktrees'), placeholder: t('Looking for worktrees…'), matchOnDescription: true, matchOnDetail: true, busy: true });
  const chosen = new Promise<WorktreeRow | undefined>((resolve) => {
    pick.onDidAccept(() => resolve(pick.selectedItems[0]?.row));
    pick.onDidHide(() => resolve(undefined));
    pick.show();
  });
  try {
    return await Promise.race([chosen, fill(pick, { managed, window }, stop.signal).then(() => chosen)]);
  } finally {
    stop.abort();
    pick.dispose();
  }
}

interface Listing {
  readonly managed: ManagedWorktrees;
  readonly window: WorktreesWindow;
}

async function fill(pick: vscode.QuickPick<Item>, { managed, window }: Listing, signal: AbortSignal): Promise<void> {
  const [list, chats] = await Promise.all([managed.list(signal), window.chatTitles()]);
  pick.placeholder = t('Select a worktree');
  const rowsWith = (counts: RowFacts['counts']): readonly Item[] => itemsOf(worktreeRows(list, { counts, chats, now: Date.now() }));
  pick.items = rowsWith(new Map());
  const counts = await managed.changeCounts(list, signal);
  pick.busy = false;
  if (counts.size === 0) return;
  // With the numbers, the rows are others, and the user may be on one.
  const active = pick.activeItems[0]?.row?.unit;
  pick.items = rowsWith(counts);
  const again = pick.items.filter(({ row }) => row !== undefined && row.unit === active);
  if (again.length > 0) pick.activeItems = again;
}

function itemsOf({ worktrees, trash }: ReturnType<typeof worktreeRows>): readonly Item[] {
  const itemOf = (row: WorktreeRow): Item => ({ label: `$(${row.icon}) ${row.name}`, description: row.description, detail: row.detail, row });
  const none: Item = {
    label: `$(info) ${t('There are no worktrees.')}`,
    detail: t('Agents get one with “isolation: worktree”, or when you ask for it in a chat.'),
    alwaysShow: true,
  };
  const heading: Item = { label: t('In the Trash'), kind: vscode.QuickPickItemKind.Separator };
  return [...(worktrees.length === 0 ? [none] : worktrees.map(itemOf)), ...(trash.length === 0 ? [] : [heading, ...trash.map(itemOf)])];
}

async function chooseAction({ name, actions }: WorktreeRow): Promise<WorktreeAction | undefined> {
  const items = actions.map((action) => ({ label: LABELS[action](), action }));
  return (await vscode.window.showQuickPick(items, { title: name, placeHolder: t('Select what to do with the worktree') }))?.action;
}

function withWorktree(act: (worktree: Worktree, managed: ManagedWorktrees) => Promise<void>): Act {
  return async ({ listed }, managed) => {
    if (listed?.worktree !== undefined) await act(listed.worktree, managed);
  };
}

async function showChanges(worktree: Worktree, managed: ManagedWorktrees): Promise<void> {
  const { name } = worktree.record;
  const texts = await during(t('Reading what was changed in the worktree {0}…', name), (signal) => managed.changes(worktree, signal));
  if (texts === undefined) return;
  if (texts.length === 0) return tellNothing(name);
  await showComparison(t('Changes in the Worktree {0}', name), texts);
}

/** @param begun whether a branch is wanted of what it began with, too, where nothing was changed since @returns whether there is a branch with all of it */
async function commit(worktree: Worktree, managed: ManagedWorktrees, begun = false): Promise<boolean> {
  const { name } = worktree.record;
  const title = t('Commit the Worktree {0} on a Branch', name);
  const notEmpty = (value: string): string | undefined => (value.trim() === '' ? t('Enter something.') : undefined);
  const branch = await vscode.window.showInputBox({ title, prompt: t('Name of the new branch'), value: name, validateInput: notEmpty });
  if (branch === undefined) return false;
  const message = await vscode.window.showInputBox({ title, prompt: t('Commit message'), validateInput: notEmpty });
  if (message === undefined) return false;
  const wish = { branch: branch.trim(), message: message.trim(), begun };
  const outcome = await during(t('Committing the worktree {0}…', name), (signal) => managed.commitOnBranch(worktree, wish, signal));
  if (outcome?.kind === 'nothing') await tellNothing(name);
  if (outcome?.kind === 'failed') await vscodeDialogs.notify('warning', notCommittedText(outcome));
  if (outcome?.kind !== 'committed') return false;
  void vscodeDialogs.notify('info', t('The branch “{0}” has all that was changed in the worktree {1}.', outcome.branch, name));
  return true;
}

async function savePatch(worktree: Worktree, managed: ManagedWorktrees): Promise<void> {
  const { name } = worktree.record;
  const patch = await during(t('Reading what was changed in the worktree {0}…', name), (signal) => managed.patch(worktree, signal));
  if (patch === undefined) return;
  if (patch.length === 0) return tellNothing(name);
  const [folder = worktree.record.root] = foldersOfWindow();
  const to = await vscode.window.showSaveDialog({ defaultUri: vscode.Uri.file(join(folder, `${name}.patch`)), filters: { [t('Patch')]: ['patch', 'diff'] } });
  if (to !== undefined) await vscode.workspace.fs.writeFile(to, patch);
}

/** @param mayCommit whether a commit could still lead on: after one, what keeps it is something else */
async function remove(row: WorktreeRow, managed: ManagedWorktrees, mayCommit = true): Promise<void> {
  const { name, unit } = row;
  const title = t('Proving that nothing would be lost with the worktree {0}…', name);
  const outcome = await during(title, (signal) => managed.remove(unit, signal));
  if (outcome?.kind === 'stays' && (await leadOn(row, outcome.reasons, { managed, mayCommit }))) await remove(row, managed, false);
  if (outcome?.kind === 'in_trash') void offerRestore(name, outcome.unit, managed);
}

/** Says why a worktree stays, and what can be done about that. @returns whether it can be tried again */
async function leadOn(
  { name, listed }: WorktreeRow,
  reasons: readonly Reason[],
  { managed, mayCommit }: { readonly managed: ManagedWorktrees; readonly mayCommit: boolean },
): Promise<boolean> {
  const worktree = listed?.worktree;
  const [commitIt, saveIt] = [t('Commit on a Branch…'), t('Save as Patch…')];
  const canCommit = mayCommit && worktree !== undefined && isKeptByCommit(reasons);
  const detail = [...reasons.map(reasonText), ...(canCommit ? [t('Once it is all in a commit on a branch, the worktree can be removed.')] : [])].join('\n\n');
  const answer = await vscodeDialogs.modal(t('The worktree {0} was not removed.', name), detail, ...(canCommit ? [commitIt, saveIt] : []));
  if (worktree === undefined) return false;
  if (answer === saveIt) await savePatch(worktree, managed);
  return answer === commitIt && (await commit(worktree, managed, true));
}

async function offerRestore(name: string, unit: string, managed: ManagedWorktrees): Promise<void> {
  const restoreIt = t('Restore');
  const answer = await vscodeDialogs.notify('info', t('The worktree {0} is in the trash for ten minutes.', name), restoreIt);
  if (answer === restoreIt) await restore(name, unit, managed);
}

async function restore(name: string, unit: string, managed: ManagedWorktrees): Promise<void> {
  const restored = await managed.restore(unit).catch(() => undefined);
  if (restored === undefined)
    void vscodeDialogs.notify('warning', t('The worktree {0} cannot be restored: it is gone, or there is another one of its name.', name));
}

async function tellNothing(name: string): Promise<void> {
  await vscodeDialogs.notify('info', t('The worktree {0} has not changed anything.', name));
}
