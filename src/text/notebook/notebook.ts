import { type ByteRange, bytesOf } from '../pieced-text.js';
import { JsonScanner, JsonSyntaxError } from '../json-scanner.js';
import type { Steps } from '../../concurrency/steps.js';

/** Kinds of cells of nbformat 4. */
export const CELL_KINDS = ['code', 'markdown', 'raw'] as const;
/** One of {@link CELL_KINDS}. */
export type CellKind = (typeof CELL_KINDS)[number];

/** A cell and where it stands in the JSON of its notebook. */
export interface Cell {
  readonly kind: CellKind;
  /** Its name in the text form: `id=` and its own id, or `nr=` and its place, from 1, where it has none of its own. */
  readonly ref: string;
  /** The language of a code cell, such as `python`; `undefined` of others. */
  readonly language: string | undefined;
  readonly source: string;
  /** Whether the source is a list of lines in the JSON, rather than one string. */
  readonly isList: boolean;
  /** The outputs as they are written; absent where there are none. */
  readonly outputs: ByteRange | undefined;
  readonly place: ByteRange;
  /** Where the source is; absent where the cell has none. */
  readonly sourcePlace: ByteRange | undefined;
  /** Where the number of its last execution is; absent where there is none. */
  readonly countPlace: ByteRange | undefined;
}

/** A Jupyter notebook, with places in its JSON so that what is not changed stays as it is written. */
export interface Notebook {
  /** The JSON in UTF-8. */
  readonly bytes: Buffer;
  readonly cells: readonly Cell[];
  /** The list of cells. */
  readonly place: ByteRange;
  /** The language of code cells that name none. */
  readonly language: string;
  /** Whether cells have ids; from nbformat 4.5 on they must. */
  readonly hasIds: boolean;
}

/** Why a text cannot be parsed as a notebook. */
export interface NotebookProblem {
  readonly problem: string;
}

/** Whether a file is a notebook by its name. */
export function isNotebookPath(path: string): boolean {
  return /\.ipynb$/i.test(path);
}

/** Language that VS Code uses for a notebook without one. */
export const DEFAULT_LANGUAGE = 'python';
/** Allowed names of languages; others could not be separated from the rest of a line. */
const LANGUAGE = /^[\w.+#-]+$/;
/** Ids as nbformat 4.5 has them. Source: its JSON schema, `cell_id`. */
const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Takes the JSON of a notebook of nbformat 4 apart. Source of the format: nbformat.v4.schema.json of Jupyter. */
export function* parseNotebook(json: string): Steps<Notebook | NotebookProblem> {
  try {
    return yield* new NotebookParser(Buffer.from(json)).parse();
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { problem: `it is broken JSON: ${error.message}` };
    throw error;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields of an object; none of anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** A text that notebooks keep whole or as a list of lines. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((line) => typeof line === 'string') ? value.join('') : undefined;
}

/** A cell as it is written. */
interface WrittenCell {
  readonly fields: Fields;
  readonly place: ByteRange;
  readonly outputs: ByteRange | undefined;
  readonly sourcePlace: ByteRange | undefined;
  readonly countPlace: ByteRange | undefined;
}

class NotebookParser {
  private readonly scanner: JsonScanner;
  private readonly fields: Record<string, unknown> = {};
  private readonly written: WrittenCell[] = [];
  private place: ByteRange | undefined;

  constructor(private readonly bytes: Buffer) {
    this.scanner = new JsonScanner(bytesOf(bytes));
  }

  *parse(): Steps<Notebook | NotebookProblem> {
    const { scanner, bytes } = this;
    if (scanner.peek() !== 0x7b) return { problem: 'it is no JSON object' };
    for (const key of scanner.keys()) {
      if (key === 'cells' && scanner.peek() === 0x5b && this.place === undefined) yield* this.takeCells();
      else if (key === 'metadata' || key.startsWith('nbformat')) this.fields[key] = JSON.parse(scanner.raw());
      else scanner.skip();
    }
    scanner.end();
    const { nbformat } = this.fields;
    if (nbformat !== undefined && nbformat !== 4)
      return { problem: `it has nbformat ${JSON.stringify(nbformat)}; only 4 is understood. Convert it with: jupyter nbconvert --to notebook --inplace` };
    if (this.place === undefined) return { problem: 'it has no list of cells' };
    const language = this.language();
    const cells = this.cells(language);
    return typeof cells === 'string' ? { problem: cells } : { bytes, cells, place: this.place, language, hasIds: this.hasIds() };
  }

  private *takeCells(): Steps<void> {
    const { scanner } = this;
    scanner.peek();
    const start = scanner.position;
    for (const index of scanner.items()) {
      void index;
      this.written.push(this.takeCell());
      yield;
    }
    this.place = { offset: start, length: scanner.position - start };
  }

  private takeCell(): WrittenCell {
    const { scanner } = this;
    if (scanner.peek() !== 0x7b) return { fields: {}, place: scanner.skip(), outputs: undefined, sourcePlace: undefined, countPlace: undefined };
    const start = scanner.position;
    const fields: Record<string, unknown> = {};
    const places: Record<string, ByteRange> = {};
    for (const key of scanner.keys()) {
      const place = scanner.skip();
      places[key] = place;
      // Outputs can be large, and are rarely wanted.
      if (key !== 'outputs') fields[key] = JSON.parse(textAt(this.bytes, place));
    }
    return {
      fields,
      place: { offset: start, length: scanner.position - start },
      outputs: places['outputs'],
      sourcePlace: places['source'],
      countPlace: places['execution_count'],
    };
  }

  /** The cells; what is wrong with one when it is not of nbformat 4. */
  private cells(language: string): readonly Cell[] | string {
    const ids = new Set<unknown>();
    const cells: Cell[] = [];
    for (const [index, { fields, ...places }] of this.written.entries()) {
      const kind = CELL_KINDS.find((name) => name === fields['cell_type']);
      const source = textOf(fields['source'] ?? '');
      if (kind === undefined || source === undefined) return `cell ${index + 1} is not as nbformat 4 has it`;
      const { id } = fields;
      const isId = typeof id === 'string' && ID.test(id) && !ids.has(id);
      ids.add(id);
      const own = kind === 'code' ? (languageOf(fieldsOf(fieldsOf(fields['metadata'])['vscode'])['languageId']) ?? language) : undefined;
      cells.push({ kind, ref: isId ? `id=${id}` : `nr=${index + 1}`, language: own, source, isList: typeof fields['source'] !== 'string', ...places });
    }
    return cells;
  }

  /** As VS Code finds it: `getPreferredLanguage` of its extension for notebooks. */
  private language(): string {
    const metadata = fieldsOf(this.fields['metadata']);
    const named = fieldsOf(metadata['language_info'])['name'] ?? fieldsOf(metadata['kernelspec'])['language'];
    return languageOf(named) ?? DEFAULT_LANGUAGE;
  }

  private hasIds(): boolean {
    const minor = this.fields['nbformat_minor'];
    return typeof minor === 'number' && minor >= 5;
  }
}

function languageOf(name: unknown): string | undefined {
  return typeof name === 'string' && LANGUAGE.test(name) ? name : undefined;
}

/** The text at a place of some JSON. */
export function textAt(bytes: Buffer, { offset, length }: ByteRange): string {
  return bytes.toString('utf8', offset, offset + length);
}
