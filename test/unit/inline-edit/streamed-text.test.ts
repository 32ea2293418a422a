import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonTextReader, LineStream } from '../../../src/inline-edit/change-stream.js';

/** Reads a text in pieces that end at some places. */
function read(raw: string, cuts: readonly number[] = []): { readonly text: string; readonly complete: boolean } {
  const reader = new JsonTextReader('new_text');
  const ends = [...cuts.map((cut) => cut % (raw.length + 1)), raw.length].sort((a, b) => a - b);
  const text = ends.map((end, index) => reader.push(raw.slice(ends[index - 1] ?? 0, end))).join('');
  return { text, complete: reader.complete };
}

describe('JsonTextReader', () => {
  it('gives the text of one property as it comes', () => {
    const reader = new JsonTextReader('new_text');
    expect(reader.push('{"new_t')).toBe('');
    expect(reader.push('ext": "const a')).toBe('const a');
    expect(reader.push(' = \\')).toBe(' = ');
    expect(reader.push('"x\\u00')).toBe('"x');
    expect(reader.push('e9\\n')).toBe('é\n');
    expect(reader.complete).toBe(false);
    expect(reader.push('"}')).toBe('');
    expect(reader.complete).toBe(true);
  });

  it('is not misled by other properties, by values that look like names, and by nested objects', () => {
    expect(read('{"a":"new_text","b":{"new_text":"no"},"c":["new_text","x"],"new_text":"yes"}').text).toBe('yes');
    expect(read('{"new_text":"yes","note":"more","new_text":"again"}').text).toBe('yes');
    expect(read('{"other":"text"}')).toEqual({ text: '', complete: false });
  });

  it('gives what JSON.parse gives, wherever the pieces end', () => {
    const value = fc.string({
      unit: fc.oneof(fc.string({ unit: 'grapheme', maxLength: 1 }), fc.constantFrom('"', '\\', '\n', '\r\n', '\u2028', '😀', '{', '}', ',', ':')),
    });
    fc.assert(
      fc.property(value, value, fc.array(fc.nat(), { maxLength: 8 }), fc.boolean(), (text, other, cuts, first) => {
        const args = first ? { new_text: text, note: other } : { note: other, nested: { new_text: other }, new_text: text };
        expect(read(JSON.stringify(args), cuts)).toEqual({ text, complete: true });
      }),
    );
  });
});

describe('LineStream', () => {
  it('gives the lines of a text, wherever its pieces end', () => {
    const piece = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r', '\r\n', ' ') });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const stream = new LineStream();
        const lines = [...pieces.flatMap((each) => stream.push(each)), stream.end()];
        const whole = pieces.join('').split(/\r\n|\r|\n/);
        // A carriage return at the very end may be half of an ending: it ends no line.
        expect(lines).toEqual(pieces.join('').endsWith('\r') ? whole.slice(0, -1) : whole);
      }),
    );
  });
});
