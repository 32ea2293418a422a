/// <reference lib="es2024.string" />

const HTML = /[<>&\u2028\u2029]/g;

/** Text that UTF-8 can encode: lone surrogates become U+FFFD, as Go writes them. */
export function wellFormed(text: string): string {
  return text.toWellFormed();
}

/**
 * JSON as Go's `encoding/json` (1.22 or later) writes it, otherwise as it is: valid as UTF-8, and what Go escapes beyond JSON
 * (`<`, `>`, `&`, U+2028 and U+2029) escaped.
 */
export function escapeRaw(json: string): string {
  return wellFormed(json).replace(HTML, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A JSON string as Go writes it, quotes included. */
export function quote(value: string): string {
  return escapeRaw(JSON.stringify(wellFormed(value)));
}
