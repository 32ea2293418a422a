import * as vscode from 'vscode';
import {
  type AppliedChange,
  type Deletion,
  type Documents,
  type FileContent,
  type Modification,
  pathsOfChange,
  type TextChange,
} from '../../domain/workspace/documents.js';
import { ToolInputError } from '../../domain/errors.js';
import { KeyedQueue } from '../../concurrency/queue.js';
import { exists } from '../../node/files/exists.js';
import { checkRemovable, type Move } from '../../node/files/move-file.js';
import { withNotebooks } from '../../node/files/notebook-documents.js';
import { readRegularFile, type RegularFile } from '../../node/files/regular-file.js';
import { checkFolder } from '../../node/files/replace-file.js';
import { bufferFile, caughtUp, checkEndings, checkFaithful } from './buffer.js';
import { minimalEdits } from '../../text/minimal-edits.js';
import { openDocument, openNotebook } from './open-documents.js';
import { applyToNotebook, notebookFile } from './open-notebook.js';
import { uriOf } from './paths.js';

/**
 * {@link Documents} of this window: a file that is open in an editor is read from, and changed in, its buffer; any other
 * by `disk`. Notebooks are the text of their cells. A change to a document without unsaved changes is saved; one with unsaved changes stays unsaved, since
 * saving would write what the user has not decided to.
 */
export function createVsCodeDocuments(disk: Documents): Documents {
  const queue = new KeyedQueue();
  return withNotebooks({
    stat: (path, signal) => disk.stat(path, signal),
    read: (path, signal) => read(disk, path, signal),
    // A file that is too large to load is not available to extensions as a document either.
    readLines: (path, range, signal) => disk.readLines(path, range, signal),
    list: (path, limit, signal) => disk.list(path, limit, signal),
    apply: (change, signal) => queue.runOn(pathsOfChange(change), () => apply(disk, change, signal)),
    delete: (change, signal) => queue.run(change.path, () => deleteFile(disk, change, signal)),
  });
}

async function read(disk: Documents, path: string, signal: AbortSignal): Promise<FileContent> {
  const notebook = await openNotebook(path);
  if (notebook?.isDirty === true) return notebookFile(path, notebook);
  const document = await openDocument(path);
  if (document?.isDirty === true) return bufferFile(path, document);
  const file = await disk.read(path, signal);
  if (document === undefined || file.kind !== 'text') return file;
  // The editor knows encodings that we do not; where its text encodes to the same bytes, it is the better one.
  const buffer = await bufferFile(path, document);
  return buffer.hash === file.hash ? buffer : file;
}

/**
 * URI under which an editor shows a file that is to be deleted or moved; `undefined` when none does.
 * @throws ToolInputError when it has unsaved changes, which would be lost.
 */
async function editorOf(path: string, what: 'deleted' | 'moved'): Promise<vscode.Uri | undefined> {
  const open = (await openNotebook(path)) ?? (await openDocument(path));
  if (open?.isDirty === true)
    throw new ToolInputError(
      `${vscode.workspace.asRelativePath(open.uri)} has unsaved changes of the user in an editor; nothing was ${what}. Ask the user to save or discard them.`,
    );
  return open?.uri;
}

/** @throws ToolInputError when an editor shows a file where one is to be moved, be it on disk or not. */
async function checkNotOpen(path: string): Promise<void> {
  const open = (await openNotebook(path)) ?? (await openDocument(path));
  if (open === undefined) return;
  throw new ToolInputError(`${vscode.workspace.asRelativePath(open.uri)} is open in an editor already; nothing was moved. Choose another name.`);
}

/** The version of a file that may be deleted or moved. */
interface KnownFile {
  readonly path: string;
  /** SHA-256 of its bytes in hex. */
  readonly hash: string;
}

/**
 * Deletes a file that is open without unsaved changes: its editors are closed, and VS Code can undo it.
 * @throws ToolInputError when it is another version by now, is read-only, or has other names; it is still there then.
 */
async function deleteOpen(uri: vscode.Uri, file: KnownFile, signal: AbortSignal): Promise<void> {
  await checkVersion(uri, file, 'deleted', signal);
  const edit = new vscode.WorkspaceEdit();
  edit.deleteFile(uri, OPTIONS);
  if (!(await vscode.workspace.applyEdit(edit)) || (await exists(file.path)))
    throw new ToolInputError(`The editor did not delete ${vscode.workspace.asRelativePath(uri)}. Ask the user to close it, and try again.`);
}

/**
 * Deletes without the trash, which some disks lack: the content is kept for review. The option is no part of the documented
 * API: VS Code passes it on (bulkFileEdits.ts, `DeleteOperation`), and where it does not know it, the file goes to the trash.
 */
const OPTIONS = { ignoreIfNotExists: false, skipTrashBin: true };

/**
 * Moves a file that is open without unsaved changes to where nothing is: its editors follow, and VS Code can undo it.
 * @throws ToolInputError as {@link deleteOpen} does, and when something is there.
 */
async function renameOpen(uri: vscode.Uri, { from, to }: Move, hash: string, signal: AbortSignal): Promise<void> {
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

async function deleteFile(disk: Documents, change: Deletion, signal: AbortSignal): Promise<void> {
  const { path, baseHash: hash } = change;
  const uri = await editorOf(path, 'deleted');
  if (uri === undefined) return disk.delete(change, signal);
  await deleteOpen(uri, { path, hash }, signal);
}

/** Moves a file. One that an editor shows is moved there first and then changed: where that fails, it is moved back. */
async function move(disk: Documents, change: Modification & { readonly from: string }, signal: AbortSignal): Promise<AppliedChange> {
  const { path, from, baseHash, text } = change;
  const uri = await editorOf(from, 'moved');
  await checkNotOpen(path);
  if (uri === undefined) return disk.apply(change, signal);
  await renameOpen(uri, { from, to: path }, baseHash, signal);
  try {
    const moved = await read(disk, path, signal);
    if (moved.kind === 'text' && moved.text === text) return { hash: moved.hash, where: 'disk' };
    return await apply(disk, { action: 'modify', path, baseHash, text }, signal);
  } catch (error) {
    // Also where the call was stopped.
    await renameOpen(uriOf(path), { from: path, to: from }, baseHash, new AbortController().signal);
    throw error;
  }
}

async function apply(disk: Documents, change: TextChange, signal: AbortSignal): Promise<AppliedChange> {
  if (change.action === 'modify' && change.from !== undefined) return move(disk, { ...change, from: change.from }, signal);
  const notebook = await openNotebook(change.path);
  if (notebook !== undefined) return applyToNotebook(disk, notebook, change, signal);
  const document = await openDocument(change.path);
  if (document === undefined) return disk.apply(change, signal);
  signal.throwIfAborted();
  const name = vscode.workspace.asRelativePath(document.uri);
  if (change.action === 'create') {
    throw new ToolInputError(`${name} is open in an editor already. Read it first, or choose another name.`);
  }
  await checkBuffer(document, { name, change, file: await readRegularFile(change.path, signal) }, signal);
  return edit(document, name, change);
}

interface Target {
  readonly name: string;
  readonly change: Modification;
  /** The file on disk. */
  readonly file: RegularFile;
}

async function checkBuffer(document: vscode.TextDocument, { name, change, file }: Target, signal: AbortSignal): Promise<void> {
  const stale = new ToolInputError({ kind: 'changed_meanwhile', file: name, noticed: 'editing' });
  if (!document.isDirty && file.hash !== change.baseHash) throw stale;
  await checkFaithful(name, document, file.bytes);
  if (!(await caughtUp(document, file.bytes, signal))) {
    throw new ToolInputError(`${name} has changed on disk, and its editor does not show that yet; nothing was changed. Try again.`);
  }
  checkEndings(name, document, change.text);
  if ((await bufferFile(change.path, document)).hash !== change.baseHash) throw stale;
}

async function edit(document: vscode.TextDocument, name: string, change: Modification): Promise<AppliedChange> {
  const wasDirty = document.isDirty;
  const version = document.version;
  const edits = await minimalEdits(document.getText(), change.text);
  if (document.version !== version) throw new ToolInputError(`${name} was edited just now; nothing was changed. Read it again.`);
  const workspaceEdit = new vscode.WorkspaceEdit();
  for (const { start, end, text } of edits) {
    workspaceEdit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), text);
  }
  if (!(await vscode.workspace.applyEdit(workspaceEdit))) {
    throw new ToolInputError(`The editor did not take the change to ${name}; nothing was changed. Read it again.`);
  }
  // What could not be saved (a read-only file, a failing formatter) stays in the editor for the user to see.
  const saved = !wasDirty && (await document.save());
  const { hash, text } = await bufferFile(change.path, document);
  return { hash, where: saved ? 'disk' : 'editor', ...(text === change.text ? {} : { formatted: true as const }) };
}
