import { escapeHtml } from './quote.js';
import type { TokenListener } from './scanner.js';
import { JsonScanner } from './scanner.js';
import { JsonSyntaxError } from './syntax.js';
import { wellFormed } from './well-formed.js';

/**
 * Arguments nested deeper are stored as a string: each level of Pipe's indentation makes every line longer, so that
 * 20 kB of brackets would become 200 MB of file.
 */
const MAX_ARGUMENT_DEPTH = 500;

const OPENING = new Set(['{', '[']);
const CLOSING = new Set(['}', ']']);

/**
 * JSON text without the white space between its tokens. Literals stay as written: `1.0`, large integers, escapes.
 * @returns `undefined` when the text is not JSON or deeper than {@link MAX_ARGUMENT_DEPTH}.
 */
export function compactJson(text: string): string | undefined {
  let depth = 0;
  let deepest = 0;
  let compact = '';
  const known = scan(text, (from, to) => {
    const token = text.slice(from, to);
    if (OPENING.has(token)) deepest = Math.max(deepest, (depth += 1));
    else if (CLOSING.has(token)) depth -= 1;
    compact += token;
  });
  return known && deepest <= MAX_ARGUMENT_DEPTH ? compact : undefined;
}

/**
 * JSON text as Go's `json.Indent` lays it out with two spaces, in the place of a value `depth` levels deep.
 * @param text JSON text without white space between its tokens.
 */
export function indentJson(text: string, depth: number): string {
  let level = depth;
  let out = '';
  let previous = '';
  scan(text, (from, to) => {
    const token = text.slice(from, to);
    const closing = CLOSING.has(token);
    if (closing) level -= 1;
    const empty = closing && OPENING.has(previous);
    const breaks = closing ? !empty : previous === ',' || OPENING.has(previous);
    out += (breaks ? lineBreak(level) : '') + token + (token === ':' ? ' ' : '');
    if (OPENING.has(token)) level += 1;
    previous = token;
  });
  return out;
}

/** Whether a text is one JSON value, however deep. */
export function isJson(text: string): boolean {
  return scan(text, undefined);
}

/** A line break and the indentation of a level. */
export function lineBreak(level: number): string {
  return `\n${'  '.repeat(level)}`;
}

/** Raw JSON as Go writes a `json.RawMessage`: escaped for HTML and valid as UTF-8, otherwise as it is. */
export function escapeRaw(compact: string): string {
  return escapeHtml(wellFormed(compact));
}

function scan(text: string, token: TokenListener | undefined): boolean {
  try {
    const scanner = new JsonScanner(text);
    scanner.skip(token);
    scanner.end();
    return true;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return false;
    throw error;
  }
}
