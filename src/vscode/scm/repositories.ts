import * as vscode from 'vscode';
import { t } from '../../domain/l10n.js';

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

/** A repository, as the Git extension of VS Code offers it (version 1 of its interface). */
export interface GitRepository {
  readonly rootUri: vscode.Uri;
  /** Where the user writes the message of the next commit. */
  readonly inputBox: { value: string };
}

interface GitApi {
  readonly repositories: readonly GitRepository[];
  getRepository(uri: vscode.Uri): GitRepository | null;
}

interface GitExtension {
  /** @throws Error when Git is switched off. */
  getAPI(version: 1): GitApi;
}

/** The repositories that VS Code has open; none when its Git extension is switched off or missing. */
async function gitRepositories(): Promise<readonly GitRepository[]> {
  const extension = vscode.extensions.getExtension<GitExtension | undefined>('vscode.git');
  const git = extension === undefined ? undefined : await extension.activate();
  if (git === undefined || !vscode.workspace.getConfiguration('git').get<boolean>('enabled', true)) return [];
  return git.getAPI(1).repositories;
}
