/// <reference lib="es2024.string" />
import { assertNever } from '../domain/assert-never.js';
import { ToolInputError } from '../domain/errors.js';

/** The encodings that files are read and written in. */
export const ENCODINGS = ['utf8', 'utf8bom', 'utf16le', 'utf16be', 'windows1252'] as const;
/** One of {@link ENCODINGS}. */
export type Encoding = (typeof ENCODINGS)[number];

/** Text and the encoding that gives back exactly its bytes. */
export interface DecodedText {
  /** Without the byte-order mark. */
  readonly text: string;
  readonly encoding: Encoding;
}

/** Number of bytes at the start that decide whether a file is binary; the same as in git (buffer_is_binary). */
const SNIFFED_BYTES = 8_000;
/** The share of control bytes above which bytes that are not UTF-8 count as binary. */
const MAX_CONTROL_SHARE = 0.02;
const UTF8_BOM = [0xef, 0xbb, 0xbf];

/**
 * Bytes as text: a byte-order mark decides, else strict UTF-8, else windows-1252, in which every byte is a character.
 *
 * For every input that is accepted, {@link encodeText} gives back the same bytes. A legacy multi-byte encoding comes
 * out as the wrong characters, yet byte for byte intact, so its ASCII lines can be edited.
 * @returns `undefined` for binary data.
 */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  if (startsWith(bytes, [0xff, 0xfe])) return decodeUtf16(bytes, 'utf16le');
  if (startsWith(bytes, [0xfe, 0xff])) return decodeUtf16(bytes, 'utf16be');
  if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) return undefined;
  const bom = startsWith(bytes, UTF8_BOM);
  const text = strictly('utf-8', bom ? bytes.subarray(UTF8_BOM.length) : bytes);
  if (text !== undefined) return { text, encoding: bom ? 'utf8bom' : 'utf8' };
  if (looksBinary(bytes)) return undefined;
  return { text: decodeWindows1252(bytes), encoding: 'windows1252' };
}

/**
 * Text as bytes, with the byte-order mark of the encoding.
 * @throws ToolInputError naming the first character that the encoding does not have.
 */
export function encodeText(text: string, encoding: Encoding): Uint8Array {
  const lone = text.isWellFormed() ? undefined : /\p{Surrogate}/u.exec(text)?.[0];
  if (lone !== undefined) throw unencodable(lone, encoding);
  switch (encoding) {
    case 'utf8':
      return Buffer.from(text, 'utf8');
    case 'utf8bom':
      return Buffer.concat([Buffer.from(UTF8_BOM), Buffer.from(text, 'utf8')]);
    case 'utf16le':
      return Buffer.from(`\uFEFF${text}`, 'utf16le');
    case 'utf16be':
      return Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
    case 'windows1252': {
      const encoded = encodeWindows1252(text);
      if (typeof encoded === 'string') throw unencodable(encoded, encoding);
      return encoded;
    }
    default:
      return assertNever(encoding);
  }
}

function decodeUtf16(bytes: Uint8Array, encoding: 'utf16le' | 'utf16be'): DecodedText | undefined {
  const body = bytes.subarray(2);
  if (body.length % 2 !== 0) return undefined;
  const text = strictly(encoding === 'utf16le' ? 'utf-16le' : 'utf-16be', body);
  // UTF-32 begins with the same mark as UTF-16 and then has NULs, which no text has.
  return text === undefined || text.includes('\0') ? undefined : { text, encoding };
}

function strictly(label: 'utf-8' | 'utf-16le' | 'utf-16be', bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function looksBinary(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return true;
  const sniffed = bytes.subarray(0, SNIFFED_BYTES);
  const controls = sniffed.reduce((count, byte) => count + (isOddControl(byte) ? 1 : 0), 0);
  return controls > sniffed.length * MAX_CONTROL_SHARE;
}

/** Control bytes other than those of ordinary text: backspace, tab, line feed, form feed, carriage return, escape. */
function isOddControl(byte: number): boolean {
  return byte === 0x7f || (byte < 0x20 && ![0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte));
}

function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return prefix.every((byte, index) => bytes[index] === byte);
}

function unencodable(character: string, encoding: Encoding): ToolInputError {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const shown = /\p{Surrogate}/u.test(character) ? 'half of a surrogate pair' : `"${character}"`;
  return new ToolInputError(
    `The file is encoded as ${encoding}, which cannot hold ${shown} (${code}). Nothing was written. ` +
      'Use characters that the encoding has, or convert the file to UTF-8 first.',
  );
}

/**
 * Characters of the bytes 0x80–0x9F in windows-1252, in order. The five undefined bytes map to the C1 controls of
 * the same number, so every byte has one character and back. Source: WHATWG Encoding Standard, index windows-1252.
 */
const HIGH =
  '\u20AC\u0081\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\u008D\u017D\u008F' +
  '\u0090\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\u009D\u017E\u0178';

const BYTE_OF = new Map(Array.from(HIGH, (character, index) => [character, 0x80 + index]));

/** Bytes as windows-1252 text; every byte is one character, so nothing can fail. */
export function decodeWindows1252(bytes: Uint8Array): string {
  const latin1 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return latin1.replace(/[\u0080-\u009F]/g, (character) => HIGH.charAt(character.charCodeAt(0) - 0x80));
}

/** Text as windows-1252 bytes, or the first character that has none. */
function encodeWindows1252(text: string): Uint8Array | string {
  let foreign: string | undefined;
  const latin1 = text.replace(/[^\p{ASCII}\u00A0-\u00FF]/gu, (character) => {
    const byte = BYTE_OF.get(character);
    if (byte === undefined) foreign ??= character;
    return String.fromCharCode(byte ?? 0x3f);
  });
  return foreign ?? Buffer.from(latin1, 'latin1');
}
