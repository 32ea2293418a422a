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
export function encodeWindows1252(text: string): Uint8Array | string {
  let foreign: string | undefined;
  const latin1 = text.replace(/[^\p{ASCII}\u00A0-\u00FF]/gu, (character) => {
    const byte = BYTE_OF.get(character);
    if (byte === undefined) foreign ??= character;
    return String.fromCharCode(byte ?? 0x3f);
  });
  return foreign ?? Buffer.from(latin1, 'latin1');
}
