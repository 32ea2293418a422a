import type { GrepLine, GrepQuery } from '../../domain/workspace/search.js';
import { decodeText } from '../../text/encoding.js';
import type { SplitterOptions, StreamRecord } from './run-ripgrep.js';
import { type FoundPath, foundPath } from './ripgrep-path.js';

/** Lines of one file; ripgrep gives those of a file together. */
interface FileLines {
  readonly path: FoundPath;
  readonly lines: GrepLine[];
  matches: number;
}

/** Characters of a line that are handed on. */
const MAX_LINE_CHARACTERS = 2_000;
/** A line feed ends each message of ripgrep. Beyond the limit, only the line number is still looked for. */
export const MESSAGES: SplitterOptions = { separator: 0x0a, limit: 256 * 1024, mark: Buffer.from('},"line_number":') };
/** Where the kind of a message differs: `{"type":"begin"`. */
const KIND_AT = 9;
const CUT_OFF =
  /^\{"type":"\w+","data":\{"path":\{"\w+":"(?:[^"\\]|\\.)*"\},"lines":\{(?:"text":"((?:[^"\\]|\\u[0-9a-f]{4}|\\[^u]){0,2000})|"bytes":"([\w+/]{0,2000}))/;

/** Lines of a message: one, but for a match that spans several. */
interface MatchedLines {
  /** Number of the first line. */
  readonly line: number;
  readonly texts: readonly string[];
}

/** What kind of message of `rg --json` a record is; only these three are of use. */
function kindOf({ head }: StreamRecord): 'begin' | 'match' | 'context' | undefined {
  const letter = head[KIND_AT];
  return letter === 0x62 ? 'begin' : letter === 0x6d ? 'match' : letter === 0x63 ? 'context' : undefined;
}

/** The file that a message `begin` names. */
function beginOf({ head }: StreamRecord): FoundPath | undefined {
  const bytes = bytesOf(field(field(JSON.parse(head.toString('utf8')), 'data'), 'path'));
  return bytes === undefined ? undefined : foundPath(bytes);
}

/**
 * The lines that a message `match` or `context` shows.
 * Format: ripgrep's crate grep-printer, module `json` (stable; what is not UTF-8 comes as base64 in `bytes`).
 */
function linesOf(record: StreamRecord): MatchedLines | undefined {
  return record.complete ? parsedLines(record.head.toString('utf8')) : cutOffLine(record);
}

function parsedLines(json: string): MatchedLines | undefined {
  const data = field(JSON.parse(json), 'data');
  const text = textOf(field(data, 'lines'));
  const line = field(data, 'line_number');
  if (text === undefined || typeof line !== 'number') return undefined;
  return {
    line,
    texts: text
      .replace(/\r?\n$/, '')
      .split(/\r?\n/)
      .map(shorten),
  };
}

/** A message too long to keep: its beginning contains the text, the line number was captured while streaming. */
function cutOffLine({ head, afterMark }: StreamRecord): MatchedLines | undefined {
  const [, text, bytes = ''] = CUT_OFF.exec(head.toString('utf8')) ?? [];
  const line = Number(/:(\d+)/.exec(afterMark?.toString('latin1') ?? '')?.[1]);
  if (Number.isNaN(line)) return undefined;
  const start = text === undefined ? Buffer.from(bytes, 'base64').toString('latin1') : (JSON.parse(`"${text}"`) as string);
  return { line, texts: [`${start.replace(/\r?\n[^]*/, '')}… [very long line]`] };
}

function shorten(text: string): string {
  if (text.length <= MAX_LINE_CHARACTERS) return text;
  return `${text.slice(0, MAX_LINE_CHARACTERS)}… [${text.length - MAX_LINE_CHARACTERS} more characters]`;
}

function textOf(value: unknown): string | undefined {
  const text = field(value, 'text');
  if (typeof text === 'string') return text;
  const decoded = bytesOf(value);
  return decoded === undefined ? undefined : (decodeText(decoded)?.text ?? decoded.toString('latin1'));
}

function bytesOf(value: unknown): Buffer | undefined {
  const text = field(value, 'text');
  if (typeof text === 'string') return Buffer.from(text, 'utf8');
  const bytes = field(value, 'bytes');
  return typeof bytes === 'string' ? Buffer.from(bytes, 'base64') : undefined;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** Results of one file. */
interface Entry<T> {
  /** What files are ordered by. */
  readonly key: string;
  /** Number of results in it. */
  readonly weight: number;
  readonly value: T;
}

/**
 * Keeps the first results by path of a stream in any order. Memory is bounded: at most about three times as many results
 * as are wanted are ever kept.
 */
export class FirstByPath<T> {
  private entries: Entry<T>[] = [];
  private weight = 0;
  /** Files after this one cannot be among the first any more. */
  private last: string | undefined;

  /** @param wanted how many results are wanted. */
  constructor(private readonly wanted: number) {}

  /** Whether a file can still be among the first. */
  wants(key: string): boolean {
    return this.last === undefined || key < this.last;
  }

  add(entry: Entry<T>): void {
    if (!this.wants(entry.key)) return;
    this.entries.push(entry);
    this.weight += entry.weight;
    if (this.weight > 3 * this.wanted) this.prune();
  }

  /** The kept entries, in order of path: all of the first results that are wanted, and maybe more. */
  inOrder(): readonly T[] {
    this.prune();
    return this.entries.map(({ value }) => value);
  }

  private prune(): void {
    this.entries.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    let weight = 0;
    const end = this.entries.findIndex((entry) => (weight += entry.weight) >= this.wanted);
    if (end === -1) return;
    this.entries.length = end + 1;
    this.weight = weight;
    this.last = this.entries[end]?.key;
  }
}

/** Gathers the lines of a page from the messages of `rg --json`, which searches files side by side, in any order. */
export class PageOfLines {
  private readonly files: FirstByPath<FileLines>;
  private current: FileLines | undefined;

  /** @param accepts whether lines of a file are wanted, by its name. */
  constructor(
    private readonly query: GrepQuery,
    private readonly accepts: (name: string) => boolean,
  ) {
    this.files = new FirstByPath(query.offset + query.limit + 1);
  }

  /** Takes the next message. */
  add(record: StreamRecord): void {
    const kind = kindOf(record);
    if (kind === undefined) return;
    if (kind === 'begin') this.begin(beginOf(record));
    else if (this.current !== undefined) this.addLines(this.current, record, kind === 'match');
  }

  /** The page in order, and whether more follows. */
  end(): { readonly lines: readonly GrepLine[]; readonly skipped: number; readonly truncated: boolean } {
    this.closeFile();
    const { offset, limit } = this.query;
    let matches = 0;
    const lines = this.files.inOrder().flatMap((file) => {
      const start = matches;
      matches += file.matches;
      return start >= offset && matches <= offset + limit ? file.lines : this.shownOf(file, start);
    });
    return { lines, skipped: Math.min(offset, matches), truncated: matches > offset + limit };
  }

  private begin(path: FoundPath | undefined): void {
    this.closeFile();
    const wanted = path !== undefined && this.files.wants(path.key) && this.accepts(path.name);
    this.current = wanted ? { path, lines: [], matches: 0 } : undefined;
  }

  private addLines(file: FileLines, record: StreamRecord, match: boolean): void {
    const { line = 0, texts = [] } = linesOf(record) ?? {};
    // A match of very many lines is cut like very many matches.
    const kept = texts.slice(0, this.query.offset + this.query.limit + 1);
    file.lines.push(...kept.map((text, index) => ({ path: file.path.name, line: line + index, text, match })));
    if (match) file.matches += kept.length;
  }

  private closeFile(): void {
    const { current } = this;
    if (current !== undefined) this.files.add({ key: current.path.key, weight: current.matches, value: current });
    this.current = undefined;
  }

  /** The lines of a file of which only some belong to the page; other lines stay where they are context of those. */
  private shownOf(file: FileLines, start: number): readonly GrepLine[] {
    const { offset, limit, before, after } = this.query;
    const shown = file.lines.filter(({ match }) => match).slice(Math.max(offset - start, 0), Math.max(offset + limit - start, 0));
    const near = (line: number): boolean => shown.some((match) => line >= match.line - before && line <= match.line + after);
    const numbers = new Set(shown.map(({ line }) => line));
    return file.lines.flatMap((line) => (numbers.has(line.line) ? [line] : near(line.line) ? [{ ...line, match: false }] : []));
  }
}
