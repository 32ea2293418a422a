import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AgentHost } from '../../agent-host/agent-host.js';
import { ManagedWorktrees } from '../../agent-host/worktrees/managed-worktrees.js';
import { notCommittedText } from '../../agent-host/worktrees/worktree-problems.js';
import { type WorktreeAction, type WorktreeRow, worktreeRows } from '../../agent-host/worktrees/worktree-rows.js';
import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { reasonText } from '../../worktree/reasons.js';
import type { Worktree } from '../../worktree/record.js';
import { vscodeDialogs } from '../dialogs/vscode-dialogs.js';
import { foldersOfWindow } from '../workspace/folders.js';
import { during } from './during.js';
import { showWorktreeChanges } from './worktree-changes.js';

/** Without `row`, it only says something. */
type Item = vscode.QuickPickItem & { readonly row?: WorktreeRow };
type Act = (row: WorktreeRow, managed: ManagedWorktrees, apply: ApplyWorktree) => Promise<void>;
/** Writes what was changed in a worktree into the files of the user, who is shown it first. @param name of the worktree */
type ApplyWorktree = (name: string) => Promise<void>;

/** Lists the worktrees of the repository that is open, and lets the user look at, take over, lock, remove, and restore them. */
export async function manageWorktrees(worktrees: AgentHost['worktrees'], apply: ApplyWorktree): Promise<void> {
  const managed = new ManagedWorktrees(worktrees);
  try {
    for (;;) {
      const row = await choose(managed);
      const action = row && (await chooseAction(row));
      if (row === undefined || action === undefined) return;
      await ACTS[action](row, managed, apply);
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
  apply: async ({ listed }, _managed, apply) => {
    if (listed?.worktree !== undefined) await apply(listed.worktree.record.name);
  },
  commit: withWorktree(commit),
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
  remove,
  restore: async ({ name, unit }, managed) => restore(name, unit, managed),
};

/** Shows the list at once, and fills it. Escape stops looking. @throws Error with a sentence for the user where there can be no worktrees */
async function choose(managed: ManagedWorktrees): Promise<WorktreeRow | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  const stop = new AbortController();
  Object.assign(pick, { title: t('Worktrees'), placeholder: t('Looking for worktrees…'), matchOnDescription: true, matchOnDetail: true, busy: true });
  const chosen = new Promise<WorktreeRow | undefined>((resolve) => {
    pick.onDidAccept(() => resolve(pick.selectedItems[0]?.row));
    pick.onDidHide(() => resolve(undefined));
    pick.show();
  });
  try {
    return await Promise.race([chosen, fill(pick, managed, stop.signal).then(() => chosen)]);
  } finally {
    stop.abort();
    pick.dispose();
  }
}

async function fill(pick: vscode.QuickPick<Item>, managed: ManagedWorktrees, signal: AbortSignal): Promise<void> {
  const list = await managed.list(signal);
  pick.placeholder = t('Select a worktree');
  pick.items = itemsOf(worktreeRows(list, new Map(), Date.now()));
  const changed = await managed.changedFiles(list, signal);
  pick.busy = false;
  if (changed.size === 0) return;
  // With the numbers, the rows are others, and the user may be on one.
  const active = pick.activeItems[0]?.row?.unit;
  pick.items = itemsOf(worktreeRows(list, changed, Date.now()));
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
  const set = await during(t('Reading what was changed in the worktree {0}…', name), (signal) => managed.changes(worktree, signal));
  if (set === undefined) return;
  if (set.files.length === 0) return tellNothing(name);
  await showWorktreeChanges(t('Changes in the Worktree {0}', name), set);
}

async function commit(worktree: Worktree, managed: ManagedWorktrees): Promise<void> {
  const { name } = worktree.record;
  const title = t('Commit the Worktree {0} on a Branch', name);
  const notEmpty = (value: string): string | undefined => (value.trim() === '' ? t('Enter something.') : undefined);
  const branch = await vscode.window.showInputBox({ title, prompt: t('Name of the new branch'), value: name, validateInput: notEmpty });
  if (branch === undefined) return;
  const message = await vscode.window.showInputBox({ title, prompt: t('Commit message'), validateInput: notEmpty });
  if (message === undefined) return;
  const wish = { branch: branch.trim(), message: message.trim() };
  const outcome = await during(t('Committing the worktree {0}…', name), (signal) => managed.commitOnBranch(worktree, wish, signal));
  if (outcome?.kind === 'nothing') return tellNothing(name);
  if (outcome?.kind === 'failed') await vscodeDialogs.notify('warning', notCommittedText(outcome));
  if (outcome?.kind === 'committed')
    await vscodeDialogs.notify('info', t('The branch “{0}” has all that was changed in the worktree {1}.', outcome.branch, name));
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

async function remove({ name, unit }: WorktreeRow, managed: ManagedWorktrees): Promise<void> {
  const title = t('Proving that nothing would be lost with the worktree {0}…', name);
  const outcome = await during(title, (signal) => managed.remove(unit, signal));
  if (outcome?.kind === 'stays') {
    // A notification is one line.
    const reasons = outcome.reasons.map(reasonText).join(' · ');
    void vscodeDialogs.notify('warning', `${t('The worktree {0} was not removed.', name)} ${reasons}`);
  }
  if (outcome?.kind === 'in_trash') void offerRestore(name, outcome.unit, managed);
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
