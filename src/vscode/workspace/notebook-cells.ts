import * as vscode from 'vscode';
import { type Difference, shortestDifferences, trimmed } from '../../text/line-diff.js';
import { fieldsOf } from '../../text/notebook/notebook.js';

/** The notebooks of Jupyter, as the extension that comes with VS Code calls them. */
export const JUPYTER = 'jupyter-notebook';
/** The most cells added and removed that are looked for one by one. */
const MAX_EDITS = 400;

/** MIME types of VS Code's Jupyter support for the output streams of programs. Source: `CellOutputMimeTypes` of VS Code's extension `ipynb`. */
const STREAMS: ReadonlyMap<string, string> = new Map([
  ['application/vnd.code.notebook.stdout', 'stdout'],
  ['application/vnd.code.notebook.stderr', 'stderr'],
  ['application/x.notebook.stdout', 'stdout'],
  ['application/x.notebook.stderr', 'stderr'],
]);
const ERROR = 'application/vnd.code.notebook.error';

/** An output of a cell in the form of nbformat 4, with its keys in order. */
function writtenOutput({ items, metadata = {} }: vscode.NotebookCellOutput): object {
  const type: unknown = metadata['outputType'];
  const [first] = items;
  const stream = first === undefined ? undefined : STREAMS.get(first.mime);
  if (stream !== undefined) return { name: stream, output_type: 'stream', text: linesOf(items.map(({ data }) => textOf(data)).join('')) };
  if (first?.mime === ERROR) return errorOutput(fieldsOf(parsed(first.data)), metadata['originalError']);
  const data = Object.fromEntries([...items].sort((a, b) => (a.mime < b.mime ? -1 : 1)).map(({ mime, data: bytes }) => [mime, valueOf(mime, bytes)]));
  const about = { metadata: fieldsOf(metadata['metadata']) };
  if (type !== 'execute_result') return { data, ...about, output_type: typeof type === 'string' ? type : 'display_data' };
  const count: unknown = metadata['executionCount'];
  return { data, execution_count: typeof count === 'number' ? count : null, ...about, output_type: type };
}

function errorOutput({ name, message, stack }: Readonly<Record<string, unknown>>, original: unknown): object {
  const { ename = name, evalue = message, traceback = typeof stack === 'string' ? stack.split('\n') : [] } = fieldsOf(original);
  return { ename, evalue, output_type: 'error', traceback };
}

/** Images are base64, JSON is itself, and all else text. */
function valueOf(mime: string, data: Uint8Array): unknown {
  if (/^(?:image\/(?!svg)|audio\/|video\/)|pdf$/.test(mime)) return Buffer.from(data).toString('base64');
  return /[/+]json$/.test(mime) ? parsed(data) : linesOf(textOf(data));
}

function parsed(data: Uint8Array): unknown {
  try {
    return JSON.parse(textOf(data)) as unknown;
  } catch {
    // It says that it is JSON, and is not.
    return textOf(data);
  }
}

function textOf(data: Uint8Array): string {
  return new TextDecoder().decode(data);
}

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/**
 * The bytes of a notebook, as saving it would write them. Outputs are written here: with any, the command of VS Code never
 * comes to an end (seen in VS Code 1.139). Source of the commands: API documentation, built-in commands.
 */
export async function bytesOfNotebook(notebook: vscode.NotebookDocument): Promise<Uint8Array> {
  const cells = notebook.getCells();
  const data = new vscode.NotebookData(cells.map((cell) => Object.assign(dataOf(cell), { outputs: [] })));
  data.metadata = notebook.metadata;
  const bytes = await vscode.commands.executeCommand<Uint8Array>('vscode.executeNotebookToData', notebook.notebookType, data);
  const json = JSON.parse(new TextDecoder().decode(bytes)) as { readonly cells: readonly object[] };
  const written = json.cells.map((cell, index) => ('outputs' in cell ? { ...cell, outputs: cells[index]?.outputs.map(writtenOutput) ?? [] } : cell));
  const indent: unknown = notebook.metadata['indentAmount'];
  return new TextEncoder().encode(`${JSON.stringify({ ...json, cells: written }, undefined, typeof indent === 'string' ? indent : 1)}\n`);
}

/** Bytes of a file as a notebook; as its editor would load them. */
export async function notebookOfBytes({ notebookType }: vscode.NotebookDocument, bytes: Uint8Array): Promise<vscode.NotebookData> {
  return vscode.commands.executeCommand<vscode.NotebookData>('vscode.executeDataToNotebook', notebookType, Uint8Array.from(bytes));
}

/** Makes an open notebook another one, as one step to undo. Cells that stay the same are left alone. @returns whether the editor took it. */
export async function bringTo(notebook: vscode.NotebookDocument, wanted: vscode.NotebookData): Promise<boolean> {
  const { version } = notebook;
  const { diffArrays } = await import('../../text/diffs.js');
  if (notebook.version !== version) return false;
  const [old, fresh] = [notebook.getCells().map(dataOf).map(keyOf), wanted.cells.map(keyOf)];
  const whole = trimmed(old, fresh, { start: 0, end: old.length, newStart: 0, newEnd: fresh.length });
  const some: readonly Difference[] =
    whole.start === whole.end && whole.newStart === whole.newEnd ? [] : (shortestDifferences(old, fresh, whole, diffArrays, MAX_EDITS) ?? [whole]);
  const edits = some.map(({ start, end, newStart, newEnd }) =>
    vscode.NotebookEdit.replaceCells(new vscode.NotebookRange(start, end), wanted.cells.slice(newStart, newEnd)),
  );
  if (sorted(notebook.metadata) !== sorted(wanted.metadata ?? {})) edits.push(vscode.NotebookEdit.updateNotebookMetadata(wanted.metadata ?? {}));
  if (edits.length === 0) return true;
  const edit = new vscode.WorkspaceEdit();
  edit.set(notebook.uri, edits);
  return vscode.workspace.applyEdit(edit);
}

/** Whether an open notebook has the cells of another one. */
export function hasCells(notebook: vscode.NotebookDocument, { cells }: vscode.NotebookData): boolean {
  const now = notebook.getCells();
  return (
    now.length === cells.length && now.every(({ kind, document }, index) => kind === cells[index]?.kind && sameText(document.getText(), cells[index].value))
  );
}

function dataOf({ kind, document, metadata, outputs, executionSummary }: vscode.NotebookCell): vscode.NotebookCellData {
  const data = new vscode.NotebookCellData(kind, document.getText(), document.languageId);
  data.metadata = metadata;
  data.outputs = [...outputs];
  if (executionSummary !== undefined) data.executionSummary = executionSummary;
  return data;
}

/** Comparison key of a cell. Of its outputs, only the sizes are compared, since they can be large. */
function keyOf({ kind, value, languageId, metadata, outputs, executionSummary }: vscode.NotebookCellData): string {
  const sizes = outputs?.flatMap(({ items }) => items.map(({ mime, data }) => [mime, data.length])) ?? [];
  return JSON.stringify([kind, value.replaceAll('\r\n', '\n'), languageId, sorted(metadata ?? {}), sizes, executionSummary?.executionOrder ?? null]);
}

/** Data as text, whatever the order of its keys. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}

/** An editor gives all lines of a cell the same ending. */
function sameText(a: string, b: string): boolean {
  return a.replaceAll('\r\n', '\n') === b.replaceAll('\r\n', '\n');
}
