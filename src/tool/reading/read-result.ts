import type { LargeFile, LineStretch, TextFile } from '../../domain/workspace/documents.js';
import { ToolInputError } from '../../domain/errors.js';
import { notebookText } from './notebook.js';
import { numberedLines } from './numbered-lines.js';
import { READ_CHARACTERS, READ_LINE_CHARACTERS } from './read-limits.js';
import { count, showSize } from '../../text/show.js';

/** Lines of a file that was read. */
export interface ReadStretch {
  readonly name: string;
  /** Number of the first line that was asked for. */
  readonly first: number;
  readonly stretch: LineStretch;
  readonly file: TextFile | LargeFile;
}

/**
 * Lines with their numbers, what there is to know about them, and how to go on.
 * @throws ToolInputError when there are none, since the file has fewer lines.
 */
export function shownStretch({ name, first, stretch, file }: ReadStretch): string {
  const { lines, total } = stretch;
  if (total === 0) return `${name} is empty.`;
  if (lines.length === 0) throw new ToolInputError(`${name} has ${count(total ?? 0, 'line')}; offset ${first} is past the end.`);
  const unit = file.kind === 'large' ? 'bytes' : 'characters';
  const numbered = numberedLines(
    lines.map(({ text, omitted }, index) => ({ number: first + index, text: text + (omitted === 0 ? '' : `… [${omitted} more ${unit} in this line]`) })),
  );
  const cut = lines.findIndex(({ omitted }) => omitted > 0);
  return [...notes(file), ...(cut === -1 ? [] : [cutNote(first + cut)]), ...numbered, ...continuation(first, stretch, file)].join('\n');
}

function notes(file: TextFile | LargeFile): readonly string[] {
  if (file.kind === 'large') return [`[The file has ${showSize(file.size)}. edit takes up to ${showSize(file.limit)}; change this one with a command.]`];
  return [
    ...(file.unsaved ? ['[The editor has unsaved changes; this is the text in the editor.]'] : []),
    ...(file.encoding === 'windows1252' ? ['[Not UTF-8: read as windows-1252, which may show wrong characters.]'] : []),
  ];
}

function cutNote(line: number): string {
  const command = `sed -n ${line}p FILE | cut -c ${READ_LINE_CHARACTERS + 1}-${2 * READ_LINE_CHARACTERS}`;
  return `[PARTIAL: lines are cut at ${READ_LINE_CHARACTERS} characters. More of one with bash: ${command}]`;
}

function continuation(first: number, { lines, total }: LineStretch, file: TextFile | LargeFile): readonly string[] {
  const last = first + lines.length - 1;
  if (last === total) return [];
  const of = total ?? (file.kind === 'large' ? showSize(file.size) : 'more');
  return [`[PARTIAL: lines ${first}-${last} of ${of}. Continue with offset ${last + 1}.]`];
}

/** A notebook as cells; `undefined` for a text that is none. */
export function shownCells(name: string, file: TextFile): string | undefined {
  const notebook = notebookText(file.text);
  if (notebook === undefined) return undefined;
  const { cells, language } = notebook;
  const shown: string[] = [];
  let characters = 0;
  for (const cell of cells) {
    characters += cell.length + 1;
    if (characters > READ_CHARACTERS && shown.length > 0) break;
    shown.push(cell);
  }
  const about = `[${name}: notebook${language === undefined ? '' : ` (${language})`}, ${count(cells.length, 'cell')}. To edit it, read its JSON with an offset.]`;
  const rest = `[PARTIAL: cells 1-${shown.length} of ${cells.length}. Find later ones with grep and read the JSON there with an offset.]`;
  return [about, ...notes(file), ...shown, ...(shown.length < cells.length ? [rest] : [])].join('\n');
}
