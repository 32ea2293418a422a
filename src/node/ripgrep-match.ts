import type { GrepLine } from '../domain/search.js';
import { decodeText } from '../text/encoding.js';
import type { SplitterOptions, StreamRecord } from './record-splitter.js';

/** Characters of a line that are handed on. */
const MAX_LINE_CHARACTERS = 2_000;
/** A line feed ends each message of ripgrep. Beyond the limit, only the line number is still looked for. */
export const MESSAGES: SplitterOptions = { separator: 0x0a, limit: 256 * 1024, mark: Buffer.from('},"line_number":') };

/**
 * The line that a message of `rg --json` shows; `undefined` for messages of other kinds.
 * Format: ripgrep's crate grep-printer, module `json` (stable; text that is not UTF-8 comes as base64 in `bytes`).
 */
export function lineOf(record: StreamRecord): GrepLine | undefined {
  return record.complete ? parsedLine(record.head.toString('utf8')) : cutOffLine(record);
}

function parsedLine(json: string): GrepLine | undefined {
  const message: unknown = JSON.parse(json);
  const type = field(message, 'type');
  if (type !== 'match' && type !== 'context') return undefined;
  const data = field(message, 'data');
  const path = textOf(field(data, 'path'));
  const text = textOf(field(data, 'lines'));
  const line = field(data, 'line_number');
  if (path === undefined || text === undefined || typeof line !== 'number') return undefined;
  return { path, line, text: shorten(text.replace(/\r?\n$/, '')), match: type === 'match' };
}

/** A message too long to keep: its beginning holds path and text, the number was caught as it went by. */
function cutOffLine({ head, afterMark }: StreamRecord): GrepLine | undefined {
  const pattern = /^\{"type":"(match|context)","data":\{"path":(\{"text":"(?:[^"\\]|\\.)*"\}),"lines":\{"text":"((?:[^"\\]|\\.){0,2000})/;
  const [, type, path, text] = pattern.exec(head.toString('utf8')) ?? [];
  const line = Number(/:(\d+)/.exec(afterMark?.toString('latin1') ?? '')?.[1]);
  if (path === undefined || text === undefined || Number.isNaN(line)) return undefined;
  const name = textOf(JSON.parse(path));
  const start = JSON.parse(`"${text}"`) as string;
  return name === undefined ? undefined : { path: name, line, text: `${start}… [very long line]`, match: type === 'match' };
}

function shorten(text: string): string {
  if (text.length <= MAX_LINE_CHARACTERS) return text;
  return `${text.slice(0, MAX_LINE_CHARACTERS)}… [${text.length - MAX_LINE_CHARACTERS} more characters]`;
}

function textOf(value: unknown): string | undefined {
  const text = field(value, 'text');
  if (typeof text === 'string') return text;
  const bytes = field(value, 'bytes');
  if (typeof bytes !== 'string') return undefined;
  const decoded = Buffer.from(bytes, 'base64');
  return decodeText(decoded)?.text ?? decoded.toString('latin1');
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
