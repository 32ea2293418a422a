import { compactJson, escapeRaw, indentJson, isJson } from './raw-json.js';
import { quote } from './quote.js';

/** Where and how a value is written: `undefined` for one line, otherwise the number of levels around it. */
export type Depth = number | undefined;

/**
 * Tool arguments as they are stored. What is guaranteed:
 *
 * - JSON is stored as that value. Its numbers, key order, duplicate keys and escapes stay as they were written, so large
 *   integers and `1.0` survive; only white space changes, and `<`, `>`, `&`, U+2028 and U+2029 become escapes.
 * - Text that is not JSON, because the answer was cut off, is stored as a JSON string of that text, and comes back as that text.
 * - No text at all and `null` are stored as `{}`.
 * - JSON nested more than 500 levels deep is stored as a string and comes back as a JSON string.
 * - What is read is written again byte for byte, when it stood there as Pipe writes it; only `null` and missing become `{}`.
 *   One value changes in memory: a JSON string that holds no JSON (`"abc"`, which no tool accepts) comes back without quotes.
 */
export function writeArguments(text: string, depth: Depth): string {
  const compact = text.trim() === '' ? '{}' : compactJson(text);
  if (compact === 'null') return '{}';
  if (compact === undefined) return quote(text);
  const raw = escapeRaw(compact);
  return depth === undefined ? raw : indentJson(raw, depth);
}

/**
 * The text of stored arguments, the reverse of {@link writeArguments}.
 * @param raw the JSON value as it stands in the file, `undefined` when missing or null.
 */
export function readArguments(raw: string | undefined): string {
  if (raw === undefined) return '{}';
  if (!raw.startsWith('"')) return compactJson(raw) ?? raw;
  const text = JSON.parse(raw) as string;
  const ours = quote(text) === escapeRaw(raw) && text.trim() !== '' && !isJson(text);
  return ours ? text : raw;
}
