import type * as vscode from 'vscode';
import { fieldsOf } from '../../text/notebook/notebook.js';

/** What the extension for Jupyter notebooks calls the texts of programs. Source: `CellOutputMimeTypes` of VS Code's extension `ipynb`. */
const STREAMS: ReadonlyMap<string, string> = new Map([
  ['application/vnd.code.notebook.stdout', 'stdout'],
  ['application/vnd.code.notebook.stderr', 'stderr'],
  ['application/x.notebook.stdout', 'stdout'],
  ['application/x.notebook.stderr', 'stderr'],
]);
const ERROR = 'application/vnd.code.notebook.error';

/** An output of a cell in the form of nbformat 4, with its keys in order. */
export function writtenOutput({ items, metadata = {} }: vscode.NotebookCellOutput): object {
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

/** Pictures are base64, JSON is itself, and all else text. */
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
