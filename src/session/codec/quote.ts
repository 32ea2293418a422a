import { wellFormed } from './well-formed.js';

const HTML = /[<>&\u2028\u2029]/g;

/** Escapes what Go's encoder escapes beyond JSON: `<`, `>`, `&`, U+2028 and U+2029. For text that is JSON already. */
export function escapeHtml(json: string): string {
  return json.replace(HTML, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * A JSON string as Go's `encoding/json` (1.22 or later) writes it, quotes included.
 *
 * Beyond what `JSON.stringify` does, half surrogate pairs become U+FFFD (no UTF-8 file can hold them) and the characters of
 * {@link escapeHtml} are escaped.
 */
export function quote(value: string): string {
  return escapeHtml(JSON.stringify(wellFormed(value)));
}
