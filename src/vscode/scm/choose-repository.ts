import * as vscode from 'vscode';
import { t } from '../../domain/l10n.js';
import type { GitRepository } from './git-extension.js';
import { gitRepositories } from './git-extension.js';

/**
 * The repository of a button that was pressed; else the only one, or the one that the user picks.
 * @param target what VS Code gave the command.
 * @param trusted whether the user trusts the workspace: git runs what its settings name.
 * @param purpose what it is picked for, as a title.
 */
export async function chooseRepository(target: unknown, trusted: boolean, purpose: string): Promise<GitRepository | undefined> {
  const all = trusted ? await gitRepositories() : [];
  if (all.length === 0) void vscode.window.showInformationMessage(trusted ? t('No Git repository is open.') : t('Git is disabled in untrusted workspaces.'));
  const named = all.find(({ rootUri }) => rootUri.toString() === rootOf(target));
  if (named !== undefined || all.length < 2) return named ?? all[0];
  const items = all.map((repository) => ({ label: vscode.workspace.asRelativePath(repository.rootUri), repository }));
  return (await vscode.window.showQuickPick(items, { placeHolder: purpose }))?.repository;
}

/** The folder of a source control that a button in its title belongs to. */
function rootOf(target: unknown): string | undefined {
  if (typeof target !== 'object' || target === null || !('rootUri' in target)) return undefined;
  return target.rootUri instanceof vscode.Uri ? target.rootUri.toString() : undefined;
}
