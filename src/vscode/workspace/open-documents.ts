import * as vscode from 'vscode';
import { realPathOf } from '../../node/files/real-path.js';

/**
 * The document that is open in an editor for the file at a real path; found through links too.
 *
 * Open means that a tab shows it or that it has unsaved changes. VS Code keeps other documents in memory for a while,
 * for extensions or after their tab was closed; those follow the file on disk on their own.
 */
export async function openDocument(realPath: string): Promise<vscode.TextDocument | undefined> {
  return leadingTo(vscode.workspace.textDocuments, realPath);
}

/** The notebook that is open in an editor for the file at a real path; it keeps cells rather than text. */
export async function openNotebook(realPath: string): Promise<vscode.NotebookDocument | undefined> {
  return leadingTo(vscode.workspace.notebookDocuments, realPath);
}

interface Openable {
  readonly uri: vscode.Uri;
  readonly isClosed: boolean;
  readonly isDirty: boolean;
}

async function leadingTo<T extends Openable>(documents: readonly T[], realPath: string): Promise<T | undefined> {
  const shown = new Set(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.flatMap(({ input }) => urisOf(input))));
  const open = documents.filter(({ isClosed, isDirty, uri }) => !isClosed && uri.scheme === 'file' && (isDirty || shown.has(uri.toString())));
  const direct = open.find((document) => document.uri.fsPath === realPath);
  if (direct !== undefined) return direct;
  const paths = await Promise.all(open.map((document) => leadsTo(document, realPath)));
  return open.find((_, index) => paths[index] === true);
}

/** URIs that a tab shows: one resource, or the two sides of a diff. */
function urisOf(input: unknown): readonly string[] {
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook || input instanceof vscode.TabInputCustom) {
    return [input.uri.toString()];
  }
  if (input instanceof vscode.TabInputTextDiff || input instanceof vscode.TabInputNotebookDiff) {
    return [input.original.toString(), input.modified.toString()];
  }
  return [];
}

async function leadsTo(document: Openable, realPath: string): Promise<boolean> {
  // Where a path cannot be followed, it is not the file that was found by following.
  return realPathOf(document.uri.fsPath).then(
    (path) => path === realPath,
    () => false,
  );
}
