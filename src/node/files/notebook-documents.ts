import type { AppliedChange, Documents, FileContent, Modification, TextChange, TextFile } from '../../domain/workspace/documents.js';
import { ToolInputError } from '../../domain/errors.js';
import { inSlices } from '../../concurrency/steps.js';
import { cellOutputs } from '../../text/notebook/cell-outputs.js';
import { beginsWithCell, cellText } from '../../text/notebook/cell-text.js';
import { type Notebook, isNotebookPath, parseNotebook } from '../../text/notebook/notebook.js';
import { newNotebook, rewriteNotebook } from '../../text/notebook/rewrite-notebook.js';

/**
 * {@link Documents} in which notebooks are the text of their cells. What cannot be parsed, broken JSON or an older
 * format, is the text that it is written as.
 * @param files reads and changes notebooks as JSON.
 */
export function withNotebooks(files: Documents): Documents {
  return {
    stat: (path, signal) => files.stat(path, signal),
    readLines: (path, range, signal) => files.readLines(path, range, signal),
    list: (path, limit, signal) => files.list(path, limit, signal),
    read: async (path, signal) => {
      const file = await files.read(path, signal);
      return file.kind === 'text' && isNotebookPath(path) ? asCells(file, signal) : file;
    },
    apply: (change, signal) => (isNotebookPath(change.path) ? applyCells(files, change, signal) : files.apply(change, signal)),
    delete: (change, signal) => files.delete(change, signal),
  };
}

async function asCells(file: TextFile, signal: AbortSignal): Promise<FileContent> {
  // VS Code opens an empty file as a notebook without cells.
  if (file.text.trim() === '') return { ...file, text: '', notebook: { cells: 0, outputs: [] } };
  const notebook = await inSlices(parseNotebook(file.text), signal);
  if ('problem' in notebook) return file;
  const { text, ends } = await inSlices(cellText(notebook), signal);
  return { ...file, text, notebook: { cells: notebook.cells.length, outputs: await inSlices(cellOutputs(notebook, ends), signal) } };
}

async function applyCells(files: Documents, change: TextChange, signal: AbortSignal): Promise<AppliedChange> {
  const json = change.action === 'create' ? await inSlices(newNotebook(change.text), signal) : await changedJson(files, change, signal);
  const applied = await files.apply({ ...change, text: json }, signal);
  const written = await inSlices(parseNotebook(json), signal);
  return 'problem' in written || json === change.text || (await isNamedAlike(written, change.text, signal)) ? applied : { ...applied, renamed: true };
}

/** The JSON that is to be written; the text as it is where the notebook is shown so. */
async function changedJson(files: Documents, change: Modification, signal: AbortSignal): Promise<string> {
  const path = change.from ?? change.path;
  const file = await files.read(path, signal);
  if (file.kind !== 'text' || file.hash !== change.baseHash) {
    throw new ToolInputError({ kind: 'changed_meanwhile', file: path, noticed: 'writing' });
  }
  const notebook = await inSlices(parseNotebook(file.text), signal);
  if (!('problem' in notebook)) return inSlices(rewriteNotebook(notebook, change.text), signal);
  // Cells in place of what was none make a notebook of it.
  return file.text.trim() === '' || beginsWithCell(change.text) ? inSlices(newNotebook(change.text), signal) : change.text;
}

async function isNamedAlike(notebook: Notebook, text: string, signal: AbortSignal): Promise<boolean> {
  const { text: now } = await inSlices(cellText(notebook), signal);
  return now.replace(/\n$/, '') === text.replace(/\r?\n$/, '');
}
