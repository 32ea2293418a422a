import * as vscode from 'vscode';
import { oneLine } from '../../agent-host/environment.js';
import type { EnvironmentFact } from '../../domain/session/environment.js';

/** Most open editors that the model gets. */
const MAX_TABS = 20;

/** The editors of the window, as far as they show files of the workspace. */
export function openFacts(): readonly EnvironmentFact[] {
  const active = vscode.window.activeTextEditor?.document.uri;
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).map(({ input }) => (input instanceof vscode.TabInputText ? input.uri : undefined));
  const open = [...new Set(tabs.flatMap((uri) => (uri === undefined ? [] : nameOf(uri))))].slice(0, MAX_TABS);
  return [
    ...(active === undefined ? [] : nameOf(active).map((value) => ({ label: 'Active file', value }))),
    ...(open.length === 0 ? [] : [{ label: 'Open files', value: open.join(', ') }]),
  ];
}

function nameOf(uri: vscode.Uri): readonly string[] {
  const isInWorkspace = uri.scheme === 'file' && vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  return isInWorkspace ? [oneLine(vscode.workspace.asRelativePath(uri).replaceAll('\\', '/'))] : [];
}

/** Calls back when a file was saved, and when the user comes back to the window: what git says may be something else. Returns how to stop that. */
export function onDidReturn(listener: () => void): () => void {
  const subscriptions = vscode.Disposable.from(
    vscode.workspace.onDidSaveTextDocument(listener),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) listener();
    }),
  );
  return () => void subscriptions.dispose();
}
