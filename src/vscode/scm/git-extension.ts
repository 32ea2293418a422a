import * as vscode from 'vscode';

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
export async function gitRepositories(): Promise<readonly GitRepository[]> {
  const extension = vscode.extensions.getExtension<GitExtension | undefined>('vscode.git');
  const git = extension === undefined ? undefined : await extension.activate();
  if (git === undefined || !vscode.workspace.getConfiguration('git').get<boolean>('enabled', true)) return [];
  return git.getAPI(1).repositories;
}
