import { cutLine, showSize } from '../../text/show.js';

/** Characters of a notebook's text beyond which it is not taken apart, since that keeps the host to itself. */
const LARGEST_NOTEBOOK = 20_000_000;
/** Characters of one cell's source, and of one output. */
const SOURCE_CHARACTERS = 20_000;
const OUTPUT_CHARACTERS = 1_000;
/** Outputs of one cell. */
const SHOWN_OUTPUTS = 5;

/** A Jupyter notebook as text. */
export interface NotebookText {
  readonly language: string | undefined;
  /** One text for each cell. */
  readonly cells: readonly string[];
}

/** The cells of a notebook with short outputs; `undefined` for what is not a notebook of format 4. */
export function notebookText(json: string): NotebookText | undefined {
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
