import * as vscode from 'vscode';
import type { Sandbox } from '../../node/sandbox/sandbox.js';

/** Tells the sandbox which files come into being in the workspace, and which of them the user or the editor makes. */
export function watchNewFiles(told: Pick<Sandbox, 'noteChange' | 'noteOwn'>): vscode.Disposable {
  const own = ({ scheme, fsPath }: vscode.Uri): void => {
    if (scheme === 'file') told.noteOwn(fsPath);
  };
  const watcher = vscode.workspace.createFileSystemWatcher('**/*', false, true, true);
  return vscode.Disposable.from(
    watcher,
    watcher.onDidCreate(({ scheme, fsPath }) => scheme === 'file' && told.noteChange(fsPath)),
    vscode.workspace.onWillSaveTextDocument(({ document: { uri } }) => own(uri)),
    vscode.workspace.onWillCreateFiles(({ files }) => files.forEach(own)),
    vscode.workspace.onWillRenameFiles(({ files }) => files.forEach(({ newUri }) => own(newUri))),
  );
}
