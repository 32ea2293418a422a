import * as vscode from 'vscode';

/** Absolute paths of the open folders that are on this machine. */
export function foldersOfWindow(): readonly string[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
}
