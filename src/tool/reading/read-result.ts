import type { LargeFile, LineStretch, TextFile } from '../../domain/workspace/documents.js';
import { ToolInputError } from '../../domain/errors.js';
import { numberedLines, READ_CHARACTERS, READ_LINE_CHARACTERS } from './numbered-lines.js';
import { count, showSize, cutLine } from '../../text/show.js';

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

/** A notebook as cells; `undefined` for a text that is not one. */
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

/** Characters of a notebook's text beyond which it is not split, since that keeps the host to itself. */
const LARGEST_NOTEBOOK = 20_000_000;
/** Characters of one cell's source, and of one output. */
const SOURCE_CHARACTERS = 20_000;
const OUTPUT_CHARACTERS = 1_000;
/** Outputs of one cell. */
const SHOWN_OUTPUTS = 5;

/** A Jupyter notebook as text. */
interface NotebookText {
  readonly language: string | undefined;
  /** One text for each cell. */
  readonly cells: readonly string[];
}

/** The cells of a notebook with short outputs; `undefined` for what is not a notebook of format 4. */
function notebookText(json: string): NotebookText | undefined {
  const notebook = json.length > LARGEST_NOTEBOOK ? undefined : parsed(json);
  const cells = recordOf(notebook)?.['cells'];
  if (!Array.isArray(cells)) return undefined;
  const texts = cells.map((cell: unknown, index) => cellText(recordOf(cell), index + 1, cells.length));
  if (!texts.every((text) => text !== undefined)) return undefined;
  const metadata = recordOf(recordOf(notebook)?.['metadata']);
  const language = recordOf(metadata?.['kernelspec'])?.['language'] ?? recordOf(metadata?.['language_info'])?.['name'];
  return { language: typeof language === 'string' ? language : undefined, cells: texts };
}

function cellText(cell: Fields | undefined, number: number, total: number): string | undefined {
  const source = textOf(cell?.['source']);
  const type = cell?.['cell_type'];
  if (source === undefined || typeof type !== 'string') return undefined;
  const outputs: readonly unknown[] = Array.isArray(cell?.['outputs']) ? cell['outputs'] : [];
  const shown = outputs.slice(0, SHOWN_OUTPUTS).map((output) => `--- output\n${outputText(recordOf(output))}`);
  const more = outputs.length > shown.length ? [`--- ${outputs.length - shown.length} more outputs`] : [];
  return [`--- cell ${number} of ${total}: ${type}`, cut(source, SOURCE_CHARACTERS), ...shown, ...more].join('\n');
}

function outputText(output: Fields | undefined): string {
  const streamed = textOf(output?.['text']);
  if (streamed !== undefined) return cut(streamed, OUTPUT_CHARACTERS);
  const name = output?.['ename'];
  if (typeof name === 'string') return cut(`${name}: ${textOf(output?.['evalue']) ?? ''}`, OUTPUT_CHARACTERS);
  const data = Object.entries(recordOf(output?.['data']) ?? {});
  const named = data.filter(([type]) => !type.startsWith('text/')).map(([type, value]) => `[${type}, ${showSize(JSON.stringify(value).length)}]`);
  const plain = textOf(data.find(([type]) => type === 'text/plain')?.[1]);
  return [...(plain === undefined ? [] : [cut(plain, OUTPUT_CHARACTERS)]), ...named].join('\n');
}

type Fields = Readonly<Record<string, unknown>>;

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    // Malformed: the caller shows the text as it is.
    return undefined;
  }
}

function recordOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** A text that notebooks keep whole or as a list of lines. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((line) => typeof line === 'string') ? value.join('') : undefined;
}

function cut(text: string, limit: number): string {
  return cutLine(text.replace(/\n$/, ''), limit).replace(/ more characters in this line\]$/, ' more characters]');
}
