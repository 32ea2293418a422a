import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holds, replaced, signatureOf, smallest, textEditOf } from '../../../../src/completion/next-edit/line-replacement.js';
import { edited, replacementIn, someLines } from './edits.js';

const place = fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.double({ min: 0, max: 0.999, noNaN: true }));
const after = fc.oneof(fc.constant([]), someLines);

describe('some lines in the place of others', () => {
  it('mean the same without those that stay, and then begin and end with one that does not', () => {
    fc.assert(
      fc.property(someLines, place, after, (lines, at, next) => {
        const change = replacementIn(lines, at, next);
        const least = smallest(change);
        expect(replaced(lines, least ?? { first: 0, before: [], after: [] })).toEqual(replaced(lines, change));
        if (least === undefined) {
          expect(change.after).toEqual(change.before);
          return;
        }
        expect(holds(least, lines)).toBe(true);
        if (least.before.length > 0 && least.after.length > 0)
          expect([least.before[0] === least.after[0], least.before.at(-1) === least.after.at(-1)]).toEqual([false, false]);
      }),
    );
  });

  it('come into an editor as the same text, and never cut a character', () => {
    fc.assert(
      fc.property(someLines, place, after, (lines, at, next) => {
        const change = smallest(replacementIn(lines, at, next));
        if (change === undefined) return;
        const left = replaced(lines, change);
        const edit = textEditOf(change, lines);
        // A document has one line at least.
        expect(edited(lines, edit)).toEqual(left.length === 0 ? [''] : left);
        expect(edit.text.isWellFormed()).toBe(true);
      }),
    );
  });

  it('no longer hold when one of them was changed or is gone', () => {
    const change = { first: 1, before: ['b', 'c'], after: ['x'] };
    expect(holds(change, ['a', 'b', 'c'])).toBe(true);
    for (const lines of [['a', 'b'], ['a', 'b', 'd'], ['b', 'c'], []]) expect(holds(change, lines)).toBe(false);
    expect(holds({ ...change, first: -1 }, ['a', 'b', 'c'])).toBe(false);
  });

  it('are the same change at another place', () => {
    expect(signatureOf({ before: ['x', 'a'], after: ['x', 'b'] })).toBe(signatureOf({ before: ['a', 'y'], after: ['b', 'y'] }));
    expect(signatureOf({ before: ['a'], after: ['b'] })).not.toBe(signatureOf({ before: ['b'], after: ['a'] }));
  });
});
