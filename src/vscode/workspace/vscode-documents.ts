import * as vscode from 'vscode';
import {
  type AppliedChange,
  type Deletion,
  type Documents,
  type FileContent,
  type Modification,
  type TextChange,
  pathsOfChange,
} from '../../domain/workspace/documents.js';
import { ToolInputError } from '../../domain/errors.js';
import { KeyedQueue } from '../../concurrency/queue.js';
import { withNotebooks } from '../../node/files/notebook-documents.js';
import { type RegularFile, readRegularFile } from '../../node/files/regular-file.js';
import { bufferFile, caughtUp, checkEndings, checkFaithful } from './buffer.js';
import { minimalEdits } from '../../text/minimal-edits.js';
import { checkNotOpen, deleteOpen, editorOf, renameOpen } from './move-open-file.js';
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
  await checkBuffer(document, { name, change, file: await readRegularFile(change.path, signal) });
  return edit(document, name, change);
}

interface Target {
  readonly name: string;
  readonly change: Modification;
  /** What is on disk. */
  readonly file: RegularFile;
}

async function checkBuffer(document: vscode.TextDocument, { name, change, file }: Target): Promise<void> {
  const stale = new ToolInputError({ kind: 'changed_meanwhile', file: name, noticed: 'editing' });
  if (!document.isDirty && file.hash !== change.baseHash) throw stale;
  await checkFaithful(name, document, file.bytes);
  if (!(await caughtUp(document, file.bytes))) {
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
