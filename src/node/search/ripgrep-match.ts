import { decodeText } from '../../text/encoding.js';
import type { SplitterOptions, StreamRecord } from './record-splitter.js';
import { type FoundPath, foundPath } from './ripgrep-path.js';

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
export function kindOf({ head }: StreamRecord): 'begin' | 'match' | 'context' | undefined {
  const letter = head[KIND_AT];
  return letter === 0x62 ? 'begin' : letter === 0x6d ? 'match' : letter === 0x63 ? 'context' : undefined;
}

/** The file that a message `begin` names. */
export function beginOf({ head }: StreamRecord): FoundPath | undefined {
  const bytes = bytesOf(field(field(JSON.parse(head.toString('utf8')), 'data'), 'path'));
  return bytes === undefined ? undefined : foundPath(bytes);
}

/**
 * The lines that a message `match` or `context` shows.
 * Format: ripgrep's crate grep-printer, module `json` (stable; what is not UTF-8 comes as base64 in `bytes`).
 */
export function linesOf(record: StreamRecord): MatchedLines | undefined {
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
