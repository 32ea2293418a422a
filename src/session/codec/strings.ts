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

/** Bytes as standard padded base64. */
export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/**
 * The bytes of standard padded base64. Line breaks are read over, as Go does.
 * @returns `undefined` for anything else: another alphabet, missing padding, stray characters.
 */
export function fromBase64(text: string): Uint8Array | undefined {
  const compact = /[\r\n]/.test(text) ? text.replace(/[\r\n]/g, '') : text;
  if (compact.length % 4 !== 0) return undefined;
  const end = compact.search(/[^A-Za-z0-9+/]/);
  if (end >= 0 && (end < compact.length - 2 || !/^={1,2}$/.test(compact.slice(end)))) return undefined;
  const decoded = Buffer.from(compact, 'base64');
  return new Uint8Array(decoded.buffer, decoded.byteOffset, decoded.byteLength);
}
