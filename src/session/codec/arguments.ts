import { JsonScanner, JsonSyntaxError } from '../../text/json-scanner.js';
import { bytesOf } from '../../text/pieced-text.js';
import { escapeRaw, quote } from './strings.js';

/** Where and how a value is written: `undefined` for one line, otherwise the number of levels around it. */
export type Depth = number | undefined;

/**
 * Arguments nested deeper are stored as a string: each level of Pipe's indentation makes every line longer, so that
 * 20 kB of brackets would become 200 MB of file.
 */
const MAX_DEPTH = 500;

/**
 * Tool arguments as they are stored. What is guaranteed:
 *
 * - JSON is stored as that value. Its numbers, key order, duplicate keys and escapes stay as they were written, so large
 *   integers and `1.0` survive; only white space changes, and `<`, `>`, `&`, U+2028 and U+2029 become escapes.
 * - Text that is not JSON, because the answer was cut off, is stored as a JSON string of that text, and comes back as that text.
 * - No text at all and `null` are stored as `{}`.
 * - JSON nested more than 500 levels deep is stored as a string and comes back as a JSON string.
 * - What is read is written again byte for byte, when it was formatted as Pipe writes it; only `null` and missing become `{}`.
 *   One value changes in memory: a JSON string that contains no JSON (`"abc"`, which no tool accepts) comes back without quotes.
 */
export function writeArguments(text: string, depth: Depth): string {
  const { laidOut } = layOut(text.trim() === '' ? '{}' : text, depth);
  if (laidOut === 'null') return '{}';
  return laidOut === undefined ? quote(text) : escapeRaw(laidOut);
}

/**
 * The text of stored arguments, the reverse of {@link writeArguments}.
 * @param raw the JSON value as in the file, `undefined` when missing or null.
 */
export function readArguments(raw: string | undefined): string {
  if (raw === undefined) return '{}';
  if (!raw.startsWith('"')) return layOut(raw, undefined).laidOut ?? raw;
  const text = JSON.parse(raw) as string;
  const ours = quote(text) === escapeRaw(raw) && text.trim() !== '' && !layOut(text, undefined).isJson;
  return ours ? text : raw;
}

/** A line break and the indentation of a level. */
export function lineBreak(level: number): string {
  return `\n${'  '.repeat(level)}`;
}

/**
 * JSON text as Go's `json.Indent` lays it out with two spaces, or on one line without spaces. Literals stay as written.
 * `laidOut` is missing when the text is no JSON, or is deeper than {@link MAX_DEPTH}.
 */
export function layOut(json: string, depth: Depth): { readonly isJson: boolean; readonly laidOut?: string } {
  const bytes = Buffer.from(json);
  const scanner = new JsonScanner(bytesOf(bytes));
  try {
    const laidOut = withSpaces(bytes.toString('latin1'), scanner, depth);
    scanner.end();
    return scanner.deepest > MAX_DEPTH ? { isJson: true } : { isJson: true, laidOut: Buffer.from(laidOut, 'latin1').toString() };
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { isJson: false };
    throw error;
  }
}

/** @param json a character for each byte, so that the scanner's offsets are valid in it. */
function withSpaces(json: string, scanner: JsonScanner, depth: Depth): string {
  let [laidOut, gap, previous, end, level] = ['', '', '', 0, 0];
  const line = (): string => (depth === undefined || scanner.deepest > MAX_DEPTH ? '' : lineBreak(depth + level));
  for (const place of scanner.marks()) {
    const mark = json.charAt(place);
    const value = json.slice(end, place).trim();
    if (value !== '') laidOut += gap + value;
    if (mark === '{' || mark === '[') {
      laidOut += gap;
      level += 1;
    } else if (mark === '}' || mark === ']') {
      level -= 1;
      if (value !== '' || (previous !== '{' && previous !== '[')) laidOut += line();
    }
    laidOut += mark;
    gap = mark === ':' ? (depth === undefined ? '' : ' ') : mark === '}' || mark === ']' ? '' : line();
    previous = mark;
    end = place + 1;
  }
  return laidOut + json.slice(end).trim();
}
