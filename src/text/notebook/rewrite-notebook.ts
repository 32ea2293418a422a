import { ToolInputError } from '../../domain/errors.js';
import type { Steps } from '../../concurrency/steps.js';
import type { ByteRange } from '../pieced-text.js';
import { type TextCell, parseCellText } from './cell-text.js';
import { type Cell, type Notebook, DEFAULT_LANGUAGE, fieldsOf, parseNotebook, textAt } from './notebook.js';

/**
 * The JSON of a notebook with the cells of a text form. What the form does not show stays as it is written, byte for
 * byte: other fields, metadata and outputs of cells that are still there. As when a user types in a cell of VS Code, a
 * cell with another source loses the number of its execution, and its outputs stay until it is run again.
 * @throws ToolInputError for a text that is no text form of this notebook.
 */
export function* rewriteNotebook(notebook: Notebook, text: string): Steps<string> {
  const wanted = matched(notebook.cells, yield* parseCellText(text));
  const writer = new CellWriter(notebook);
  const isInPlace = wanted.length === notebook.cells.length && wanted.every(({ known }, index) => known === notebook.cells[index]);
  const parts: string[] = [];
  let end = 0;
  if (isInPlace) {
    for (const { known, text: fresh } of wanted) {
      if (known === undefined) continue;
      parts.push(writer.between(end, known.place.offset), writer.changed(known, fresh));
      end = known.place.offset + known.place.length;
      yield;
    }
  } else {
    const cells = wanted.map(({ known, text: fresh }) => (known === undefined ? writer.created(fresh) : writer.changed(known, fresh)));
    parts.push(writer.between(0, notebook.place.offset), writer.list(cells));
    end = notebook.place.offset + notebook.place.length;
  }
  return [...parts, writer.between(end, notebook.bytes.length)].join('');
}

/**
 * The JSON of a new notebook: a text form of cells, or JSON that is one already.
 * @throws ToolInputError for what is neither.
 */
export function* newNotebook(text: string): Steps<string> {
  if (/^\s*\{/.test(text)) {
    const made = yield* parseNotebook(text);
    if ('problem' in made) throw new ToolInputError(`This is no notebook: ${made.problem}. Write its cells, each after a line such as %% cell code.`);
    return text;
  }
  const cells = yield* parseCellText(text);
  const name = cells.find(({ kind, language }) => kind === 'code' && language !== undefined)?.language ?? DEFAULT_LANGUAGE;
  const empty = { cells: [], metadata: { language_info: { name } }, nbformat: 4, nbformat_minor: 5 };
  const notebook = yield* parseNotebook(`${JSON.stringify(empty, undefined, 1)}\n`);
  if ('problem' in notebook) throw new TypeError(notebook.problem);
  return yield* rewriteNotebook(notebook, text);
}

/** The JSON of an earlier notebook, with the cells of a later one in place of those with the same source: they may have been run since. */
export function withRuns(earlier: Notebook, later: Notebook): string {
  const run = new Map(later.cells.map((cell) => [cell.ref, cell]));
  const parts: string[] = [];
  let end = 0;
  for (const { ref, kind, source, place } of earlier.cells) {
    const same = run.get(ref);
    const isSame = same?.kind === kind && same.source === source;
    parts.push(earlier.bytes.toString('utf8', end, place.offset), isSame ? textAt(later.bytes, same.place) : textAt(earlier.bytes, place));
    end = place.offset + place.length;
  }
  return [...parts, earlier.bytes.toString('utf8', end)].join('');
}

/**
 * Checks a text form before anything is written.
 * @param before the text form as it is; `undefined` for a new notebook.
 * @throws ToolInputError for cells that are not there, or twice.
 */
export function* checkCells(before: string | undefined, after: string): Steps<void> {
  if (before === undefined) yield* newNotebook(after);
  else
    matched(
      (yield* parseCellText(before)).flatMap((cell) => (cell.ref === undefined ? [] : [{ ...cell, ref: cell.ref }])),
      yield* parseCellText(after),
    );
}

function matched<T extends { readonly ref: string }>(
  known: readonly T[],
  wanted: readonly TextCell[],
): readonly { readonly known: T | undefined; readonly text: TextCell }[] {
  const left = new Map(known.map((cell) => [cell.ref, cell]));
  const used = new Set<string>();
  return wanted.map((text) => {
    const { ref } = text;
    if (ref === undefined) return { known: undefined, text };
    const found = left.get(ref);
    if (used.has(ref))
      throw new ToolInputError(`The notebook would have two cells with ${ref}; nothing was changed. Leave it out of the line that begins the new one.`);
    if (found === undefined)
      throw new ToolInputError(
        `The notebook has no cell with ${ref}; nothing was changed. Leave it out of the line that begins a new cell, or read the notebook again.`,
      );
    used.add(ref);
    return { known: found, text };
  });
}

/** Writes cells as the file of a notebook is written. */
class CellWriter {
  /** Indentation of each level; `undefined` where all is on one line. */
  private readonly indent: string | undefined;
  private readonly newline: string;
  private readonly ids: Set<string>;

  constructor(private readonly notebook: Notebook) {
    // The indentation of the first key; it says enough where the JSON begins with much else.
    const [, newline, indent] = /^\s*\{\s*?(\r?\n)([ \t]*)"/.exec(textAt(notebook.bytes, { offset: 0, length: Math.min(notebook.bytes.length, 4_096) })) ?? [];
    this.indent = indent;
    this.newline = newline ?? '\n';
    this.ids = new Set(notebook.cells.map(({ ref }) => ref));
  }

  between(start: number, end: number): string {
    return this.notebook.bytes.toString('utf8', start, end);
  }

  /** The list of all cells. */
  list(cells: readonly string[]): string {
    if (cells.length === 0) return '[]';
    const { indent, newline } = this;
    if (indent === undefined) return `[${cells.join(', ')}]`;
    return `[${cells.map((cell) => newline + indent + indent + cell).join(',')}${newline}${indent}]`;
  }

  /** A cell of the notebook, with what is different in its text. */
  changed(cell: Cell, wanted: TextCell): string {
    const { kind, language = cell.language } = wanted;
    const isSame = withoutEnd(wanted.source) === withoutEnd(cell.source);
    const source = isSame ? cell.source : wanted.source;
    if (kind !== cell.kind || (kind === 'code' && language !== cell.language)) return this.retyped(cell, { ...wanted, language, source });
    if (isSame) return textAt(this.notebook.bytes, cell.place);
    const { sourcePlace } = cell;
    if (sourcePlace === undefined) return this.retyped(cell, { ...wanted, language, source });
    const fresh = { place: sourcePlace, text: this.json(cell.isList ? linesOf(source) : source, 3) };
    return this.spliced(cell.place, cell.countPlace === undefined ? [fresh] : [fresh, { place: cell.countPlace, text: 'null' }]);
  }

  /** A new cell, with its keys in the order of nbformat. */
  created({ kind, language, source }: TextCell): string {
    const isCode = kind === 'code';
    const metadata = isCode && language !== undefined && language !== this.notebook.language ? { vscode: { languageId: language } } : {};
    const id = this.notebook.hasIds ? { id: this.freshId() } : {};
    const code = isCode ? { outputs: [] } : {};
    return this.json({ cell_type: kind, ...(isCode ? { execution_count: null } : {}), ...id, metadata, ...code, source: linesOf(withoutEnd(source)) }, 2);
  }

  /** A cell of another kind or language. Only code has outputs. */
  private retyped(cell: Cell, { kind, language, source }: TextCell): string {
    const fields = { ...fieldsOf(JSON.parse(textAt(this.notebook.bytes, cell.place))) };
    const isCode = kind === 'code';
    if (!isCode) {
      delete fields['outputs'];
      delete fields['execution_count'];
    } else if (cell.kind !== 'code') Object.assign(fields, { execution_count: null, outputs: [] });
    else if (source !== cell.source) Object.assign(fields, { execution_count: null });
    const { vscode, ...metadata } = fieldsOf(fields['metadata']);
    const { languageId, ...others } = fieldsOf(vscode);
    const own = isCode && language !== undefined && language !== this.notebook.language ? { ...others, languageId: language } : others;
    void languageId;
    return this.json(
      {
        ...fields,
        cell_type: kind,
        metadata: { ...metadata, ...(Object.keys(own).length === 0 ? {} : { vscode: own }) },
        source: cell.isList ? linesOf(source) : source,
      },
      2,
    );
  }

  /** A part of the JSON with some values replaced. */
  private spliced({ offset, length }: ByteRange, values: readonly { readonly place: ByteRange; readonly text: string }[]): string {
    const parts: string[] = [];
    let end = offset;
    for (const { place, text } of [...values].sort((a, b) => a.place.offset - b.place.offset)) {
      parts.push(this.between(end, place.offset), text);
      end = place.offset + place.length;
    }
    return [...parts, this.between(end, offset + length)].join('');
  }

  /** @param level how deep the value lies. */
  private json(value: unknown, level: number): string {
    if (this.indent === undefined) return JSON.stringify(value);
    return JSON.stringify(value, undefined, this.indent).replaceAll('\n', this.newline + this.indent.repeat(level));
  }

  /** Eight digits, as nbformat makes them. */
  private freshId(): string {
    const id = crypto.randomUUID().slice(0, 8);
    if (this.ids.has(`id=${id}`)) return this.freshId();
    this.ids.add(`id=${id}`);
    return id;
  }
}

/** The lines of a source, each with its ending, as nbformat writes them. */
function linesOf(source: string): readonly string[] {
  return source.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Blank lines between two cells are no change of the first. */
function withoutEnd(source: string): string {
  return source.replace(/\n+$/, '');
}
