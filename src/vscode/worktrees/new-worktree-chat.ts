import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { AgentHost } from '../../agent-host/agent-host.js';
import { ManagedWorktrees, type MadeWorktree } from '../../agent-host/worktrees/managed-worktrees.js';
import { errorMessage } from '../../domain/errors.js';
import { wantChat } from '../../chat/pane/place.js';
import type { Memory } from '../../domain/host/memory.js';
import { formatBytes, formatNumber, t } from '../../domain/l10n.js';
import { MUCH_ROOM } from '../../elf/brought.js';
import type { WantedBase } from '../../worktree/create.js';
import type { Inspection } from '../../worktree/repository.js';
import type { CommandEnd } from '../../worktree/set-up.js';
import { vscodeDialogs } from '../dialogs/vscode-dialogs.js';
import { during } from './during.js';

/** Where choices of the user are kept. */
export interface NewWorktreeMemory {
  readonly global: Memory;
  readonly workspace: Memory;
}

/** Key under which it is kept what the last worktree of this workspace began with: a branch, or nothing for the working tree. */
const LAST_BASE = 'gnomon.worktreeBase';

/** Makes a worktree as the user wants it, and opens it in a window of its own, with the chat. */
export async function newWorktreeChat(worktrees: AgentHost['worktrees'], memory: NewWorktreeMemory): Promise<void> {
  const managed = new ManagedWorktrees(worktrees);
  try {
    const found = await during(t('Looking at the repository…'), (signal) => managed.inspect(signal));
    const base = found && (await chooseBase(found, memory.workspace.get(LAST_BASE)));
    const name = base && (await chooseName(managed));
    if (found === undefined || base === undefined || name === undefined || !(await hasRoom(found))) return;
    await memory.workspace.update(LAST_BASE, base === 'snapshot' ? undefined : base.branch);
    const made = await during(t('Creating the worktree {0}…', name), (signal) => managed.create({ name, base }, signal));
    if (made === undefined) return;
    try {
      if (!(await setUp(managed, made))) return;
      await wantChat(memory.global, made.folder);
      await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(made.folder), { forceNewWindow: true });
    } finally {
      await made.release();
    }
  } catch (error) {
    await vscodeDialogs.notify('warning', errorMessage(error));
  }
}

type BaseItem = vscode.QuickPickItem & { readonly base: WantedBase };

/** @param last the branch that the last one began with */
async function chooseBase({ head, branches, files, bytes }: Inspection, last: unknown): Promise<WantedBase | undefined> {
  const current = head.kind === 'branch' ? head.branch : undefined;
  const size = [t('{0} files', formatNumber(files)), formatBytes(bytes.checkout + bytes.untracked)].join(' · ');
  const tree: BaseItem = {
    label: `$(files) ${t('Your Files as They Are')}`,
    description: size,
    detail: t('With changes that are not committed, and with new files that Git does not ignore'),
    base: 'snapshot',
  };
  const ofBranches = branches.map(({ name }): BaseItem => ({
    label: `$(git-branch) ${name}`,
    ...(name === current ? { description: t('Current branch, without changes that are not committed') } : {}),
    base: { branch: name },
  }));
  const isLast = ({ base }: BaseItem): boolean => base !== 'snapshot' && base.branch === last;
  const rank = (item: BaseItem): number => (isLast(item) ? 0 : item.base !== 'snapshot' && item.base.branch === current ? 1 : 2);
  const sorted = [...ofBranches].sort((one, other) => rank(one) - rank(other));
  const items = sorted.some(isLast) ? [...sorted.slice(0, 1), tree, ...sorted.slice(1)] : [tree, ...sorted];
  const title = t('New Chat in a Worktree');
  return (await vscode.window.showQuickPick(items, { title, placeHolder: t('What does the worktree begin with?'), matchOnDescription: true }))?.base;
}

async function chooseName(managed: ManagedWorktrees): Promise<string | undefined> {
  const taken = new Set(await managed.names());
  let number = 1;
  while (taken.has(`chat-${number}`)) number += 1;
  return vscode.window.showInputBox({
    title: t('New Chat in a Worktree'),
    prompt: t('Name of the worktree, and of the branch in it'),
    value: `chat-${number}`,
    validateInput: (value) => (taken.has(value) ? t('There is a worktree of this name already.') : managed.nameProblem(value)),
  });
}

async function hasRoom({ bytes }: Inspection): Promise<boolean> {
  const needed = bytes.checkout + bytes.untracked;
  if (needed <= MUCH_ROOM) return true;
  const create = t('Create');
  return (await vscodeDialogs.modal(t('The worktree takes {0} on the disk.', formatBytes(needed)), '', create)) === create;
}

/** Sets it up if the user wants that. @returns whether it is to be opened */
async function setUp(managed: ManagedWorktrees, made: MadeWorktree): Promise<boolean> {
  const { plan } = made;
  if (!vscode.workspace.isTrusted || (plan.commands.length === 0 && plan.copy.length === 0)) return true;
  const text = [
    ...(plan.copy.length === 0 ? [] : [t('Files that Git ignores, copied from your checkout:'), ...plan.copy.map((pattern) => `  ${pattern}`), '']),
    ...(plan.commands.length === 0 ? [] : [t('Commands, run in the worktree:'), ...plan.commands.map((command) => `  ${command}`)]),
  ].join('\n');
  const [yes, no] = [t('Set Up'), t('Open Without')];
  const question = t('Set the worktree up as {0} says?', plan.files.map(({ path }) => path).join(', '));
  const answer = await vscodeDialogs.beside(question, { title: t('Set-up of the worktree'), text }, yes, no);
  if (answer !== yes) return answer === no;
  const { kind, steps } = await managed.setUp(made, (command) => runAsTask(command, made), new AbortController().signal);
  if (kind === 'done') return true;
  const openIt = t('Open Anyway');
  const failed = t('The set-up of the worktree failed at “{0}”. Its output is in the terminal.', steps.at(-1)?.command ?? '');
  return (await vscodeDialogs.notify('warning', failed, openIt)) === openIt;
}

/** Runs a command in a terminal of the window, where its output is seen. */
async function runAsTask(command: string, { tree, variables }: MadeWorktree): Promise<CommandEnd> {
  const shell = new vscode.ShellExecution(command, { cwd: tree, env: { ...variables } });
  const task = new vscode.Task({ type: 'shell' }, vscode.TaskScope.Workspace, t('Set up {0}', basename(tree)), 'Gnomon', shell);
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, panel: vscode.TaskPanelKind.Shared };
  const ended = new Promise<number | undefined>((resolve) => {
    const heard = vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
      if (execution.task.name !== task.name || execution.task.source !== task.source) return;
      heard.dispose();
      resolve(exitCode);
    });
  });
  await vscode.tasks.executeTask(task);
  return { exitCode: await ended, output: '' };
}
