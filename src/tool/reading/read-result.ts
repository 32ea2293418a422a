import type { LargeFile, LineStretch, NotebookFacts, TextFile } from '../../domain/workspace/documents.js';
import { ToolInputError } from '../../domain/errors.js';
import type { ResultLine } from '../../domain/tool/model-notes.js';
import type { PdfPage, PdfPages } from '../../domain/workspace/pdf.js';
import { numberedLines, READ_LINE_CHARACTERS } from './numbered-lines.js';
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
 * Lines with their numbers, what there is to know about them, and how to continue.
 * @throws ToolInputError when there are none, since the file has fewer lines.
 */
export function shownStretch({ name, first, stretch, file }: ReadStretch): readonly ResultLine[] {
  const { lines, total } = stretch;
  if (total === 0) return [file.kind === 'text' && file.notebook !== undefined ? `${name} is a notebook without cells.` : `${name} is empty.`];
  if (lines.length === 0) throw new ToolInputError(`${name} has ${count(total ?? 0, 'line')}; offset ${first} is past the end.`);
  const unit = file.kind === 'large' ? 'bytes' : 'characters';
  const numbered = numberedLines(
    lines.map(({ text, omitted }, index) => ({ number: first + index, text: text + (omitted === 0 ? '' : `… [${omitted} more ${unit} in this line]`) })),
  );
  const cut = lines.findIndex(({ omitted }) => omitted > 0);
  const shown = file.kind === 'text' && file.notebook !== undefined ? withOutputs(numbered, first, file.notebook) : numbered;
  return [...notes(file), ...(cut === -1 ? [] : [cutNote(first + cut)]), ...shown, ...continuation(first, stretch, file)];
}

/** Characters of outputs that one call returns at most. */
const OUTPUT_CHARACTERS = 20_000;

/** Lines of a notebook with the outputs of each cell below it, marked and without numbers, since they are no part of the text. */
function withOutputs(lines: readonly string[], first: number, { outputs }: NotebookFacts): readonly string[] {
  const byLine = new Map(outputs.map(({ line, text }) => [line, text]));
  let left = OUTPUT_CHARACTERS;
  return lines.flatMap((line, index) => {
    const output = byLine.get(first + index);
    if (output === undefined) return [line];
    left -= output.length;
    const shown = left >= 0 ? output : `[left out; read with offset ${first + index}]`;
    return [line, ...shown.split('\n').map((each) => `| ${each}`)];
  });
}

function notes(file: TextFile | LargeFile): readonly string[] {
  if (file.kind === 'large') return [`[The file has ${showSize(file.size)}. edit takes up to ${showSize(file.limit)}; change this one with a command.]`];
  return [
    ...(file.notebook === undefined ? [] : [notebookNote(file.notebook)]),
    ...(file.unsaved ? ['[The editor has unsaved changes; this is the text in the editor.]'] : []),
    ...(file.encoding === 'windows1252' ? ['[Not UTF-8: read as windows-1252, which may show wrong characters.]'] : []),
  ];
}

function notebookNote({ cells, outputs }: NotebookFacts): string {
  const about = outputs.length === 0 ? '' : ' Lines with | are outputs: not part of the text.';
  return `[Notebook, ${count(cells, 'cell')}. edit and write take this text: a line such as %% cell code or %% cell markdown begins a new cell.${about}]`;
}

function cutNote(line: number): ResultLine {
  const command = `sed -n ${line}p FILE | cut -c ${READ_LINE_CHARACTERS + 1}-${2 * READ_LINE_CHARACTERS}`;
  return { note: `[PARTIAL: lines are cut at ${READ_LINE_CHARACTERS} characters. More of one with bash: ${command}]` };
}

function continuation(first: number, { lines, total }: LineStretch, file: TextFile | LargeFile): readonly ResultLine[] {
  const last = first + lines.length - 1;
  if (last === total) return [];
  const of = total ?? (file.kind === 'large' ? showSize(file.size) : 'more');
  return [{ note: `[PARTIAL: lines ${first}-${last} of ${of}. Continue with offset ${last + 1}.]` }];
}

/** Pages of a PDF document as text, each after a line with its number. */
export function pagesText({ total, pages }: PdfPages): string {
  return pages.map((page) => `--- page ${page.number} of ${total}\n${pageText(page)}`).join('\n');
}

function pageText({ text, omitted }: PdfPage): string {
  if (text === undefined) return '[This page is broken and cannot be read.]';
  if (text === '') return '[no text]';
  return omitted === 0 ? text : `${text}… [${count(omitted, 'more character')} on this page]`;
}

/** What to do about pages without text; nothing when there is some. */
export function scanNote({ pages }: PdfPages): readonly string[] {
  if (pages.length === 0 || pages.some(({ text }) => text !== '')) return [];
  return [
    '[There is no text on these pages: they are images, as of a scan. ' +
      'To see one, make a png of it with a command, such as pdftoppm -png -r 100 -f 1 -l 1 FILE page, and read that.]',
  ];
}

/** What `read` shows of a document. `offset` and `limit` count pages, which the result says. */
export function shownPages(name: string, document: PdfPages): readonly ResultLine[] {
  const { total, pages } = document;
  const last = pages.at(-1)?.number ?? 0;
  const rest =
    last < total
      ? [{ note: `[PARTIAL: pages ${pages[0]?.number ?? 0}-${last} of ${total}. Continue with offset ${last + 1}: offset and limit count pages here.]` }]
      : [];
  return [`[${name}: PDF document, ${count(total, 'page')}.]`, ...scanNote(document), pagesText(document), ...rest];
}
