import * as vscode from 'vscode';

/** Whether the user trusts what is in the workspace. Trust that is taken back restarts the extension host. */
export interface WorkspaceTrust {
  readonly trusted: () => boolean;
  /** Calls back when the user has come to trust the workspace. */
  onDidGrant(listener: () => void): vscode.Disposable;
}

/** The trust of this window. */
export function createWorkspaceTrust(): WorkspaceTrust {
  return {
    trusted: () => vscode.workspace.isTrusted,
    onDidGrant: (listener) => vscode.workspace.onDidGrantWorkspaceTrust(listener),
  };
}
