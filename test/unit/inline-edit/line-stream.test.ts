import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineStream } from '../../../src/inline-edit/line-stream.js';

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
