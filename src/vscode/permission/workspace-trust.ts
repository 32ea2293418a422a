import * as vscode from 'vscode';
import type { MayShow } from '../../domain/workspace/search.js';
import type { Workspace } from '../../domain/workspace/workspace.js';

/** Whether the user trusts what is in the workspace. Trust that is taken back restarts the extension host. */
export interface WorkspaceTrust {
  readonly trusted: () => boolean;
  /** Calls back when the user has come to trust the workspace. */
  onDidGrant(listener: () => void): vscode.Disposable;
}

/** The trust of this window. */
export function createWorkspaceTrust(): WorkspaceTrust {
  return { trusted: () => vscode.workspace.isTrusted, onDidGrant: (listener) => vscode.workspace.onDidGrantWorkspaceTrust(listener) };
}

/** What says which files may be shown to a model without asking. */
export interface Showing {
  readonly workspace: Workspace;
  /** Makes that check, with the rules in effect. */
  readonly readGuard: () => Promise<MayShow>;
  /** Whether the user trusts the workspace: else nothing is shown, and git, which runs what settings name, is not run. */
  readonly trusted: () => boolean;
}
