import * as vscode from 'vscode';
import type { WorkspaceFolder } from '../../domain/workspace/workspace.js';
import type { Folders, WorkspaceTrust } from '../../domain/host/folders.js';

/** The open folders that are on this machine. */
export function localFolders(): readonly WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ name, uri }) => ({ name, path: uri.fsPath }));
}

/** Absolute paths of the open folders that are on this machine. */
export function foldersOfWindow(): readonly string[] {
  return localFolders().map(({ path }) => path);
}

/** The folders of this window. */
export const vscodeFolders: Folders = {
  all: () =>
    (vscode.workspace.workspaceFolders ?? []).map(({ name, uri }) => ({ name, uri: uri.toString(), ...(uri.scheme === 'file' ? { path: uri.fsPath } : {}) })),
  local: localFolders,
  paths: foldersOfWindow,
  onDidChange: (listener) => stopOf(vscode.workspace.onDidChangeWorkspaceFolders(() => listener())),
};

/** The trust of this window. */
export const vscodeTrust: WorkspaceTrust = {
  trusted: () => vscode.workspace.isTrusted,
  onDidGrant: (listener) => stopOf(vscode.workspace.onDidGrantWorkspaceTrust(() => listener())),
};

function stopOf(subscription: vscode.Disposable): () => void {
  return () => void subscription.dispose();
}
