import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shown, shownExactly, shownJson, shownLine, ShownPieces, unfollowed } from '../../../src/headless/shown.js';

describe('what is shown on a terminal', () => {
  it('cannot write over what stands before it', () => {
    expect(shown('rm -rf ~\recho fine')).toBe('rm -rf ~\\u{d}echo fine');
    expect(shown('one\r\ntwo\tthree')).toBe('one\ntwo\tthree');
    expect(shownExactly('one\r\ntwo')).toBe('one\\u{d}\ntwo');
  });

  it('stays on one line where it is to', () => {
    expect(shownLine(' a\n\tb\u001B[2J\u202E ')).toBe('a b\\u{1b}[2J\\u{202e}');
  });

  it('is the same value as JSON, with nothing to follow in it', () => {
    const value = { a: 'x\u009B31m\u202E\u2028\u{E0041}\u001B', 'b\u200B': ['é', '👩‍💻', '\\u{1b}'] };
    const json = shownJson(JSON.stringify(value));
    expect(JSON.parse(json)).toEqual(value);
    expect(json).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
  });

  it.each([shown, unfollowed])('is the same however it is cut into pieces (%o)', (how) => {
    const parts = fc.constantFrom('a', '1', ' ', '\n', '\r\n', '\r', '👩‍💻', '🏳️‍🌈', '👍🏽', '✔️', '\u200D', '\u202E', '\u001B[2J', '\u200D💻', '©');
    const text = fc.array(parts, { maxLength: 12 }).map((all) => all.join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat(40)), (whole, cuts) => {
        const at = [0, ...cuts.map((cut) => cut % (whole.length + 1)).toSorted((one, other) => one - other), whole.length];
        const pieces = new ShownPieces(how);
        const written = at.slice(1).map((end, index) => pieces.push(whole.slice(at[index], end)));
        expect([...written, pieces.flush()].join('')).toBe(how(whole));
      }),
    );
  });

  it('does not wait for more where no more can belong to it', () => {
    expect(new ShownPieces(shown).push('All done.')).toBe('All done.');
  });

  it('is the text itself behind a pipe, but for what a terminal would follow', () => {
    expect(unfollowed('a\u001B[2J\u009Bm\r\nb\rc\td\u200Be é 👩‍💻')).toBe('a\\u{1b}[2J\\u{9b}m\nb\\u{d}c\td\u200Be é 👩‍💻');
  });
});
