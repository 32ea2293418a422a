import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToolInputError } from '../../../src/domain/errors.js';
import { decodeText, ENCODINGS, encodeText } from '../../../src/text/encoding.js';
import { anyCharacter } from '../../support/any-character.js';
import { runs } from '../../support/runs.js';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

describe('decodeText', () => {
  it('takes plain UTF-8, an empty file and a file without final newline as utf8', () => {
    expect(decodeText(bytes())).toEqual({ text: '', encoding: 'utf8' });
    expect(decodeText(Buffer.from('héllo → 🎉'))).toEqual({ text: 'héllo → 🎉', encoding: 'utf8' });
  });

  it('keeps the byte-order mark out of the text and in the encoding', () => {
    expect(decodeText(bytes(0xef, 0xbb, 0xbf, 0x61))).toEqual({ text: 'a', encoding: 'utf8bom' });
    expect(decodeText(bytes(0xff, 0xfe, 0x61, 0))).toEqual({ text: 'a', encoding: 'utf16le' });
    expect(decodeText(bytes(0xfe, 0xff, 0, 0x61))).toEqual({ text: 'a', encoding: 'utf16be' });
  });

  it('falls back to windows1252 for text that is not UTF-8', () => {
    expect(decodeText(bytes(0x63, 0x61, 0x66, 0xe9, 0x20, 0x80))).toEqual({ text: 'café €', encoding: 'windows1252' });
  });

  it('refuses binary data: NULs, odd UTF-16, UTF-32, many control bytes', () => {
    expect(decodeText(bytes(0x61, 0, 0x62))).toBeUndefined();
    expect(decodeText(bytes(0xff, 0xfe, 0x61))).toBeUndefined();
    expect(decodeText(bytes(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0))).toBeUndefined();
    expect(decodeText(bytes(0x1f, 0x8b, 0x08, 0x01, 0xff, 0x02, 0x03))).toBeUndefined();
  });

  it('tool-06: gives back the same bytes for every input that it accepts', () => {
    const mark = fc.constantFrom<number[]>([], [0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff]);
    const textual = fc.array(fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.constantFrom(9, 10, 13)));
    const body = fc.oneof(fc.array(fc.integer({ min: 0, max: 255 })), textual, fc.array(fc.integer({ min: 128, max: 255 })));
    fc.assert(
      fc.property(mark, body, (bom, rest) => {
        const input = bytes(...bom, ...rest);
        const decoded = decodeText(input);
        if (decoded !== undefined) expect([...encodeText(decoded.text, decoded.encoding)]).toEqual([...input]);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('tool-06: every byte survives windows1252', () => {
    const all = bytes(0xe9, ...Array.from({ length: 224 }, (_, index) => index + 32), 10);
    const decoded = decodeText(all);
    expect(decoded?.encoding).toBe('windows1252');
    expect([...encodeText(decoded?.text ?? '', 'windows1252')]).toEqual([...all]);
  });

  it('tool-06: Shift-JIS comes through byte for byte', () => {
    const shiftJis = bytes(0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x0a, 0x61, 0x0a);
    const decoded = decodeText(shiftJis);
    const edited = encodeText((decoded?.text ?? '').replace('a\n', 'b\n'), decoded?.encoding ?? 'utf8');
    expect([...edited]).toEqual([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x0a, 0x62, 0x0a]);
  });

  it('reads back what it wrote, for all text and encodings that can hold it', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.constantFrom(...ENCODINGS.slice(1, 4)), (text, encoding) => {
        fc.pre(!text.includes('\0') && !/\p{Surrogate}/u.test(text));
        expect(decodeText(encodeText(text, encoding))).toEqual({ text, encoding });
      }),
    );
  });
});

describe('encodeText', () => {
  it('refuses characters that the encoding cannot hold, by name', () => {
    expect(() => encodeText('a → b', 'windows1252')).toThrow(/windows1252.*"→" \(U\+2192\)/);
    expect(() => encodeText('\u0080', 'windows1252')).toThrow(ToolInputError);
    expect(() => encodeText('x\uD800', 'utf8')).toThrow(/half of a surrogate pair/);
  });
});
