import * as vscode from 'vscode';
import { realPathOf } from '../../node/real-path.js';

/** The document that is open for the file at a real path; found through links too. */
export async function openDocument(realPath: string): Promise<vscode.TextDocument | undefined> {
  return leadingTo(vscode.workspace.textDocuments, realPath);
}

/** Whether the file at a real path is open as a notebook, which keeps cells rather than text. */
export async function isOpenNotebook(realPath: string): Promise<boolean> {
  return (await leadingTo(vscode.workspace.notebookDocuments, realPath)) !== undefined;
}

interface Openable {
  readonly uri: vscode.Uri;
  readonly isClosed: boolean;
}

async function leadingTo<T extends Openable>(documents: readonly T[], realPath: string): Promise<T | undefined> {
  const open = documents.filter((document) => !document.isClosed && document.uri.scheme === 'file');
  const direct = open.find((document) => document.uri.fsPath === realPath);
  if (direct !== undefined) return direct;
  const paths = await Promise.all(open.map((document) => leadsTo(document, realPath)));
  return open.find((_, index) => paths[index] === true);
}

async function leadsTo(document: Openable, realPath: string): Promise<boolean> {
  // Where a path cannot be followed, it is not the file that was found by following.
  return realPathOf(document.uri.fsPath).then(
    (path) => path === realPath,
    () => false,
  );
}
