import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { MayShow } from '../../domain/workspace/search.js';
import type { Workspace, WorkspaceFolder } from '../../domain/workspace/workspace.js';
import { createWorkspace } from '../../node/files/workspace.js';
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

/**
 * The folders that are open in this window. Folders of a file system that is not this machine's (`vscode-vfs:` and the
 * like) are left out: commands could not run in them, and there is no byte-exact way to change their files.
 * @param guard as `createWorkspace` has it; for paths that models give.
 */
export function createVsCodeWorkspace(guard?: () => Promise<MayShow>): Workspace {
  return createWorkspace(localFolders, homedir(), guard);
}
