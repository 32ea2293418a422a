import * as vscode from 'vscode';
import { type ChangedFiles, type Contents, type FileVersion, type FileSnapshot, sameContent, versionOf } from '../../domain/workspace/changes.js';
import { t } from '../../domain/l10n.js';
import { KeyedQueue } from '../../concurrency/queue.js';
import { sha256 } from '../../node/files/sha256.js';
import { lineEndingsOf } from '../../text/line-endings.js';
import { minimalEdits } from '../../text/minimal-edits.js';
import { JUPYTER, bringTo, bytesOfNotebook, notebookOfBytes } from '../workspace/notebook-cells.js';
import { openDocument, openNotebook } from '../workspace/open-documents.js';

/** Permission bits of a file that exists only in an editor yet. */
const NEW_MODE = 0o644;

/**
 * {@link ChangedFiles} of this window: unsaved text in an editor counts as the file's content, and it is never saved or
 * discarded here. A file that is open without unsaved changes is changed in its editor, as one step to undo, and saved.
 */
export function createEditorFiles(disk: ChangedFiles): ChangedFiles {
  const queue = new KeyedQueue();
  const look = (path: string): Promise<FileSnapshot> => lookAt(disk, path);
  return { look, put: (path, expected, wanted) => queue.run(path, () => put({ disk, path }, expected, wanted)) };
}

async function lookAt(disk: ChangedFiles, path: string): Promise<FileSnapshot> {
  const saved = await disk.look(path);
  const notebook = await openNotebook(path);
  if (notebook?.isDirty === true && saved.kind !== 'skipped') return notebookSnapshot(notebook, saved);
  const document = await openDocument(path);
  if (document?.isDirty !== true || saved.kind === 'skipped') return saved;
  const bytes = await vscode.workspace.encode(document.getText(), { encoding: document.encoding });
  return { kind: 'file', hash: sha256(bytes), mode: saved.kind === 'file' ? saved.mode : NEW_MODE, bytes, unsaved: true };
}

/** Notebooks of other kinds than ours are left alone. */
async function notebookSnapshot(notebook: vscode.NotebookDocument, saved: FileSnapshot): Promise<FileSnapshot> {
  if (notebook.notebookType !== JUPYTER) return { kind: 'skipped', reason: 'unreadable' };
  const bytes = await bytesOfNotebook(notebook);
  return { kind: 'file', hash: sha256(bytes), mode: saved.kind === 'file' ? saved.mode : NEW_MODE, bytes, unsaved: true };
}

interface Place {
  readonly disk: ChangedFiles;
  readonly path: string;
}

async function put(place: Place, expected: FileVersion, wanted: Contents | undefined): Promise<void> {
  const notebook = await openNotebook(place.path);
  // Without unsaved changes its editor follows the disk, to which the same bytes are written.
  if (notebook?.isDirty === true) return putInNotebook(place, notebook, { expected, wanted });
  const document = await openDocument(place.path);
  if (document === undefined) return place.disk.put(place.path, expected, wanted);
  const text = wanted === undefined ? undefined : await textFor(document, wanted.bytes);
  if (document.isDirty) {
    if (text === undefined) throw cannotApply();
    return change(place, { document, expected, text });
  }
  // An editor without unsaved changes follows the disk.
  if (wanted === undefined || text === undefined || expected.kind !== 'file') return place.disk.put(place.path, expected, wanted);
  await change(place, { document, expected, text });
  if (await document.save()) await exactly(place, wanted);
}

function cannotApply(): Error {
  return new Error(t('The file has unsaved changes in an editor that cannot apply this change. Save or close the file and try again.'));
}

interface NotebookChange {
  readonly expected: FileVersion;
  readonly wanted: Contents | undefined;
}

async function putInNotebook({ disk, path }: Place, notebook: vscode.NotebookDocument, { expected, wanted }: NotebookChange): Promise<void> {
  if (wanted === undefined || notebook.notebookType !== JUPYTER) throw cannotApply();
  const data = await notebookOfBytes(notebook, wanted.bytes);
  if (!sameContent(versionOf(await lookAt(disk, path)), expected)) throw new Error(t('The file changed in the meantime and was skipped.'));
  if (!(await bringTo(notebook, data))) throw new Error(t('The editor rejected the change, so the file was not changed.'));
}

interface BufferChange {
  readonly document: vscode.TextDocument;
  readonly expected: FileVersion;
  readonly text: string;
}

async function change({ disk, path }: Place, { document, expected, text }: BufferChange): Promise<void> {
  const meanwhile = new Error(t('The file changed in the meantime and was skipped.'));
  if (!sameContent(versionOf(await lookAt(disk, path)), expected)) throw meanwhile;
  const version = document.version;
  const edits = await minimalEdits(document.getText(), text);
  if (document.version !== version) throw meanwhile;
  const workspaceEdit = new vscode.WorkspaceEdit();
  for (const { start, end, text: fresh } of edits) {
    workspaceEdit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), fresh);
  }
  if (!(await vscode.workspace.applyEdit(workspaceEdit))) throw new Error(t('The editor rejected the change, so the file was not changed.'));
}

/** Writes the exact content and file mode again when formatters changed them while saving. */
async function exactly({ disk, path }: Place, wanted: Contents): Promise<void> {
  const saved = await disk.look(path);
  if (saved.kind !== 'file' || (saved.hash === sha256(wanted.bytes) && saved.mode === wanted.mode)) return;
  await disk.put(path, versionOf(saved), wanted);
}

/** The text of bytes in an open document; `undefined` when saving it there would write other bytes. */
async function textFor(document: vscode.TextDocument, bytes: Uint8Array): Promise<string | undefined> {
  const encoding = { encoding: document.encoding };
  const text = await vscode.workspace.decode(bytes, encoding);
  if (Buffer.compare(await vscode.workspace.encode(text, encoding), bytes) !== 0) return undefined;
  const endings = lineEndingsOf(text);
  const own = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  return endings === 'none' || endings === own ? text : undefined;
}
