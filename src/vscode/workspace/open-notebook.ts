import * as vscode from 'vscode';
import type { AppliedChange, Documents, TextChange, TextFile } from '../../domain/workspace/documents.js';
import { ToolInputError } from '../../domain/errors.js';
import { sha256 } from '../../node/files/sha256.js';
import { JUPYTER, bringTo, bytesOfNotebook, hasCells, notebookOfBytes } from './notebook-cells.js';
import { untilShown } from './until-shown.js';

/**
 * The JSON of an open notebook, as saving it would write it. The hash is that of its sources alone: metadata and outputs
 * change by themselves, while extensions look after them and cells run.
 */
export async function notebookFile(path: string, notebook: vscode.NotebookDocument): Promise<TextFile> {
  checkType(path, notebook);
  const text = new TextDecoder().decode(await bytesOfNotebook(notebook));
  const sources = notebook
    .getCells()
    .map(({ kind, document, metadata }): readonly unknown[] => [kind, document.languageId, document.getText(), metadata['id']]);
  return { kind: 'text', path, text, hash: sha256(new TextEncoder().encode(JSON.stringify(sources))), encoding: 'utf8', unsaved: notebook.isDirty };
}

/**
 * Changes an open notebook in its editor, as one step to undo, and saves it unless it has unsaved changes already.
 * @param change its text is the whole JSON.
 */
export async function applyToNotebook(disk: Documents, notebook: vscode.NotebookDocument, change: TextChange, signal: AbortSignal): Promise<AppliedChange> {
  const name = vscode.workspace.asRelativePath(notebook.uri);
  checkType(name, notebook);
  const wasDirty = notebook.isDirty;
  if (change.action === 'create') throw new ToolInputError(`${name} is open in an editor already. Read it first, or choose another name.`);
  const present = wasDirty ? await notebookFile(change.path, notebook) : await disk.read(change.path, signal);
  if (present.kind !== 'text' || present.hash !== change.baseHash) throw new ToolInputError({ kind: 'changed_meanwhile', file: name, noticed: 'editing' });
  if (!wasDirty && !(await caughtUp(notebook, present.text, signal))) {
    throw new ToolInputError(`${name} has changed on disk, and its editor does not show that yet; nothing was changed. Try again.`);
  }
  const wanted = await notebookOfBytes(notebook, Buffer.from(change.text));
  signal.throwIfAborted();
  if (notebook.isDirty !== wasDirty || !(await bringTo(notebook, wanted))) {
    throw new ToolInputError(`The editor did not take the change to ${name}; nothing was changed. Read it again.`);
  }
  // What could not be saved stays in the editor for the user to see.
  const saved = !wasDirty && (await notebook.save());
  const { hash } = saved ? await savedFile(disk, change.path, signal) : await notebookFile(change.path, notebook);
  return { hash, where: saved ? 'disk' : 'editor', ...(hasCells(notebook, wanted) ? {} : { formatted: true as const }) };
}

async function savedFile(disk: Documents, path: string, signal: AbortSignal): Promise<TextFile> {
  const file = await disk.read(path, signal);
  if (file.kind !== 'text') throw new ToolInputError(`${path} was saved, but reads back differently.`);
  return file;
}

function checkType(name: string, { notebookType }: vscode.NotebookDocument): void {
  if (notebookType === JUPYTER) return;
  throw new ToolInputError(`${name} is open as a notebook of another kind (${notebookType}), which cannot be changed. Ask the user to close it.`);
}

/** Waits until a notebook without unsaved changes shows what is on disk. @returns whether it does. */
async function caughtUp(notebook: vscode.NotebookDocument, json: string, signal: AbortSignal): Promise<boolean> {
  const wanted = await notebookOfBytes(notebook, Buffer.from(json));
  return untilShown(() => notebook.isDirty || hasCells(notebook, wanted), vscode.workspace.onDidChangeNotebookDocument, signal);
}
