import { realpathSync } from 'node:fs';
import * as vscode from 'vscode';
import { isWithin } from '../../node/files/within.js';
import { isNotebookPath } from '../../text/notebook/notebook.js';

/** The scheme under which files are shown as they were before the agent. */
export const BEFORE_SCHEME = 'gnomon-before';

/** The file at a real path, as VS Code names it: a folder may have been opened through a link. */
export function uriOf(path: string): vscode.Uri {
  for (const { uri } of localFolders()) {
    const real = realOf(uri.fsPath);
    if (real !== uri.fsPath && isWithin(real, path)) return vscode.Uri.file(uri.fsPath + path.slice(real.length));
  }
  return vscode.Uri.file(path);
}

/** The real path of a file that VS Code names. */
export function pathOf(uri: vscode.Uri): string {
  const path = uri.with({ scheme: 'file' }).fsPath;
  for (const folder of localFolders()) {
    if (isWithin(folder.uri.fsPath, path)) return realOf(folder.uri.fsPath) + path.slice(folder.uri.fsPath.length);
  }
  return path;
}

/** The file as it was before the agent: the same path, or comparisons show it as renamed. */
export function beforeUri(path: string): vscode.Uri {
  return uriOf(path).with({ scheme: BEFORE_SCHEME });
}

/** The two sides of a comparison with a file as it was before the agent. Notebooks are compared as texts, which VS Code would otherwise take apart. */
export function comparedUris(path: string): { readonly before: vscode.Uri; readonly now: vscode.Uri } {
  if (!isNotebookPath(path)) return { before: beforeUri(path), now: uriOf(path) };
  const text = beforeUri(`${path}.txt`);
  return { before: text.with({ query: 'before' }), now: text.with({ query: 'now' }) };
}

/** File path of one side of a diff editor, and whether it shows the current content. */
export function comparedFile(uri: vscode.Uri): { readonly path: string; readonly isNow: boolean } {
  const path = pathOf(uri.with({ query: '' }));
  return { path: uri.query === '' ? path : path.replace(/\.txt$/, ''), isNow: uri.query === 'now' };
}

function localFolders(): readonly vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
}

/** Where folders lead; asked for with every key that is pressed. */
const known = new Map<string, string>();

function realOf(folder: string): string {
  const real = known.get(folder) ?? resolved(folder);
  known.set(folder, real);
  return real;
}

function resolved(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    // A folder that is gone has no files under review; its name will do.
    return folder;
  }
}
