import { ToolInputError } from '../../domain/errors.js';
import { type Steps, LINES_PER_STEP } from '../../concurrency/steps.js';
import { type CellKind, type Notebook, CELL_KINDS } from './notebook.js';

/** A cell in the text form of a notebook. */
export interface TextCell {
  readonly kind: CellKind;
  /** As it is named; `undefined` where it is not. */
  readonly language: string | undefined;
  /** Reference to a cell of the notebook; `undefined` for a new one. */
  readonly ref: string | undefined;
  readonly source: string;
}

/** The line that begins a new cell, for messages. */
const NEW_CELL = '%% cell code';
/** Beginning of the line before each cell. No magic command of IPython is written so. */
const BEGINNING = /^%% cell(?![\w-])/;
const MARKER = /^%% cell (code|markdown|raw)(?: (?!id=|nr=)([\w.+#-]+))?(?: (id=[A-Za-z0-9_-]{1,64}|nr=\d{1,9}))?\s*$/;
/** Lines of a source that would be taken for a marker, or for one that is escaped; they have a backslash before them. */
const ESCAPED = /^\\+%% cell(?![\w-])/;
const TO_ESCAPE = /^\\*%% cell(?![\w-])/gm;

/** Whether a text begins as the text form of a notebook does. */
export function beginsWithCell(text: string): boolean {
  return BEGINNING.test(text.trimStart());
}

/** A notebook as text. */
export interface CellText {
  readonly text: string;
  /** Line number of the end of each cell. */
  readonly ends: readonly number[];
}

/**
 * The cells of a notebook as one text: before each a line such as `%% cell code python id=1f3a`, then its source. Unlike
 * JSON, that is what models know and users can read.
 */
export function* cellText({ cells }: Pick<Notebook, 'cells'>): Steps<CellText> {
  const parts: string[] = [];
  const ends: number[] = [];
  let lines = 0;
  for (const { kind, language, ref, source } of cells) {
    const marker = ['%% cell', kind, ...(language === undefined ? [] : [language]), ref].join(' ');
    const body = source === '' ? '' : `${source.replace(TO_ESCAPE, (line) => `\\${line}`)}\n`;
    parts.push(`${marker}\n${body}`);
    lines += 1 + (body.match(/\n/g)?.length ?? 0);
    ends.push(lines);
    yield;
  }
  return { text: parts.join(''), ends };
}

/**
 * The cells of a text form.
 * @throws ToolInputError when it is invalid, with the line that is wrong.
 */
export function* parseCellText(text: string): Steps<readonly TextCell[]> {
  const cells: { readonly marker: Omit<TextCell, 'source'>; readonly lines: string[] }[] = [];
  for (const [index, line] of text
    .replace(/\r?\n$/, '')
    .split('\n')
    .entries()) {
    const plain = line.replace(/\r$/, '');
    if (BEGINNING.test(plain)) cells.push({ marker: markerOf(plain, index + 1), lines: [] });
    else if (cells.length > 0) cells.at(-1)?.lines.push(ESCAPED.test(line) ? line.slice(1) : line);
    else if (plain.trim() !== '') throw new ToolInputError(`Line ${index + 1} of the notebook is in no cell. Begin each cell with a line such as ${NEW_CELL}.`);
    if (index % LINES_PER_STEP === 0) yield;
  }
  return cells.map(({ marker, lines }) => ({ ...marker, source: lines.join('\n') }));
}

function markerOf(line: string, number: number): Omit<TextCell, 'source'> {
  const [, name, language, ref] = MARKER.exec(line) ?? [];
  const kind = CELL_KINDS.find((one) => one === name);
  if (kind !== undefined) return { kind, language, ref };
  throw new ToolInputError(
    `Line ${number} of the notebook does not begin a cell: write %% cell code, %% cell markdown or %% cell raw. ` +
      'If it is a line of a source, write it with a backslash before it.',
  );
}
