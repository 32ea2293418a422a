import * as vscode from 'vscode';
import { ToolInputError } from '../../domain/errors.js';
import { exists } from '../../node/files/exists.js';
import { checkRemovable, type Move } from '../../node/files/move-file.js';
import { readRegularFile } from '../../node/files/regular-file.js';
import { checkFolder } from '../../node/files/replace-file.js';
import { openDocument, openNotebook } from './open-documents.js';
import { uriOf } from './paths.js';

/**
 * How an editor knows a file that is to be deleted or moved; `undefined` when none shows it.
 * @throws ToolInputError when it has unsaved changes, which would be lost.
 */
export async function editorOf(path: string, what: 'deleted' | 'moved'): Promise<vscode.Uri | undefined> {
  const open = (await openNotebook(path)) ?? (await openDocument(path));
  if (open?.isDirty === true)
    throw new ToolInputError(
      `${vscode.workspace.asRelativePath(open.uri)} has unsaved changes of the user in an editor; nothing was ${what}. Ask the user to save or discard them.`,
    );
  return open?.uri;
}

/** @throws ToolInputError when an editor shows a file where one is to be moved, be it on disk or not. */
export async function checkNotOpen(path: string): Promise<void> {
  const open = (await openNotebook(path)) ?? (await openDocument(path));
  if (open === undefined) return;
  throw new ToolInputError(`${vscode.workspace.asRelativePath(open.uri)} is open in an editor already; nothing was moved. Choose another name.`);
}

/** The version of a file that may be deleted or moved. */
export interface KnownFile {
  readonly path: string;
  /** SHA-256 of its bytes in hex. */
  readonly hash: string;
}

/**
 * Deletes a file that is open without unsaved changes: its editors are closed, and VS Code can undo it.
 * @throws ToolInputError when it is another version by now, is read-only, or has other names; it is still there then.
 */
export async function deleteOpen(uri: vscode.Uri, file: KnownFile, signal: AbortSignal): Promise<void> {
  await checkVersion(uri, file, 'deleted', signal);
  const edit = new vscode.WorkspaceEdit();
  edit.deleteFile(uri, OPTIONS);
  if (!(await vscode.workspace.applyEdit(edit)) || (await exists(file.path)))
    throw new ToolInputError(`The editor did not delete ${vscode.workspace.asRelativePath(uri)}. Ask the user to close it, and try again.`);
}

/**
 * What is deleted is kept for review, so that it need not go to the trash, which some disks have not. The option is no part of the documented
 * API: VS Code passes it on (bulkFileEdits.ts, `DeleteOperation`), and where it does not know it, the file goes to the trash.
 */
const OPTIONS = { ignoreIfNotExists: false, skipTrashBin: true };

/**
 * Moves a file that is open without unsaved changes to where nothing is: its editors follow, and VS Code can undo it.
 * @throws ToolInputError as {@link deleteOpen} does, and when something is there.
 */
export async function renameOpen(uri: vscode.Uri, { from, to }: Move, hash: string, signal: AbortSignal): Promise<void> {
  await checkVersion(uri, { path: from, hash }, 'moved', signal);
  await checkFolder(to);
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(uri, uriOf(to), { overwrite: false });
  if (!(await vscode.workspace.applyEdit(edit)) || (await exists(from)))
    throw new ToolInputError(`The editor did not move ${vscode.workspace.asRelativePath(uri)}; something may be in the new place. Choose another name.`);
}

async function checkVersion(uri: vscode.Uri, { path, hash }: KnownFile, what: 'deleted' | 'moved', signal: AbortSignal): Promise<void> {
  const current = await readRegularFile(path, signal);
  checkRemovable(path, current.stats, what);
  if (current.hash !== hash)
    throw new ToolInputError(`${vscode.workspace.asRelativePath(uri)} has changed since it was read; nothing was ${what}. Read it again.`);
}
