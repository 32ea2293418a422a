import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asSuggestion } from '../../../../src/completion/next-edit/line-replacement.js';
import { previewOf } from '../../../../src/completion/next-edit/preview.js';

const end = { line: 3, character: 5 };

describe('as text behind the cursor', () => {
  it('is what only adds there', () => {
    expect(asSuggestion({ first: 3, before: ['abcde'], after: ['abcdefg'] }, end, 'abcde')).toEqual({ text: 'fg', replaces: 0 });
    expect(asSuggestion({ first: 3, before: ['ab()'], after: ['ab(c)'] }, { line: 3, character: 3 }, 'ab()')).toEqual({ text: 'c', replaces: 0 });
    expect(asSuggestion({ first: 4, before: [], after: ['x', 'y'] }, end, 'abcde')).toEqual({ text: '\nx\ny', replaces: 0 });
    expect(asSuggestion({ first: 3, before: ['abcde'], after: ['abcde {', '}'] }, end, 'abcde')).toEqual({ text: ' {\n}', replaces: 0 });
  });

  it.each([
    ['another line', { first: 2, before: ['abcde'], after: ['abcdef'] }, end],
    ['a rewrite', { first: 3, before: ['abcde'], after: ['xbcdef'] }, end],
    ['something before the cursor', { first: 3, before: ['abcde'], after: ['xabcde'] }, end],
    ['lines below one that goes on', { first: 4, before: [], after: ['x'] }, { line: 3, character: 2 }],
    ['lines that go', { first: 4, before: ['x'], after: [] }, end],
    ['a line that is another by now', { first: 3, before: ['abcd'], after: ['abcdef'] }, end],
    ['several lines before the rest of one', { first: 3, before: ['abcde'], after: ['ab', 'xcde'] }, { line: 3, character: 2 }],
  ])('is not %s', (_, change, cursor) => {
    expect(asSuggestion(change, cursor, 'abcde')).toBeUndefined();
  });
});

describe('how a change is shown at its lines', () => {
  it('what goes and what comes on a line', () => {
    expect(previewOf({ first: 2, before: ['return total;'], after: ['return sum;'] }, 9)).toEqual([
      { line: 2, from: 7, to: 12, added: 'sum', lines: [], above: false },
    ]);
  });

  it('lines that stay within it are not marked', () => {
    expect(previewOf({ first: 0, before: ['a', 'same', 'b'], after: ['c', 'same', 'd'] }, 9).map(({ line }) => line)).toEqual([0, 2]);
  });

  it('lines that come stand at the one above, those before the first at the first', () => {
    expect(previewOf({ first: 3, before: [], after: ['x', 'y'] }, 9)).toEqual([{ line: 2, from: 0, to: 0, added: '', lines: ['x', 'y'], above: false }]);
    expect(previewOf({ first: 0, before: [], after: ['x'] }, 9)).toMatchObject([{ line: 0, above: true }]);
    expect(previewOf({ first: 9, before: [], after: ['x'] }, 9)).toMatchObject([{ line: 8, lines: ['x'] }]);
    expect(previewOf({ first: 1, before: ['a'], after: ['b', 'x'] }, 9)).toEqual([
      { line: 1, from: 0, to: 1, added: 'b', lines: [], above: false },
      { line: 1, from: 0, to: 0, added: '', lines: ['x'], above: false },
    ]);
  });

  it('a line is shown beside the one that it becomes, also when others come before it', () => {
    const before = ['function least() {', '  return min(prices);'];
    const after = ['/** The least. */', 'function least(list) {', '  if (list.length === 0) return 0;', '  return min(list);'];
    expect(previewOf({ first: 3, before, after }, 9)).toEqual([
      { line: 2, from: 0, to: 0, added: '', lines: ['/** The least. */'], above: false },
      { line: 3, from: 15, to: 15, added: 'list', lines: [], above: false },
      { line: 3, from: 0, to: 0, added: '', lines: ['  if (list.length === 0) return 0;'], above: false },
      { line: 4, from: 13, to: 19, added: 'list', lines: [], above: false },
    ]);
  });

  it('all that comes is shown, and all that goes, at lines that are there', () => {
    const some = fc.array(fc.constantFrom('', 'a', 'abcd', 'abce', 'xbcd', 'other'), { maxLength: 6 });
    fc.assert(
      fc.property(fc.nat(4), some, some, (first, before, after) => {
        const count = first + before.length + 2;
        const pieces = previewOf({ first, before, after }, count);
        expect(pieces.every(({ line }) => line >= 0 && line < count)).toBe(true);
        const touched = new Set(pieces.filter(({ lines }) => lines.length === 0).map(({ line }) => line));
        const come = pieces.reduce((sum, { lines }) => sum + lines.length, 0);
        const gone = before.filter((_, index) =>
          pieces.some(({ line, from, to, added }) => line === first + index && from === 0 && to > 0 && added === ''),
        ).length;
        expect([...touched].every((line) => line >= first && line < first + before.length)).toBe(true);
        expect(come).toBeGreaterThanOrEqual(after.length - before.length);
        expect(come).toBeLessThanOrEqual(after.length);
        expect(gone).toBeGreaterThanOrEqual(before.length + come - after.length);
      }),
    );
  });

  it('lines that go are marked as a whole, empty ones too', () => {
    expect(previewOf({ first: 1, before: ['abc', ''], after: [] }, 9)).toEqual([
      { line: 1, from: 0, to: 3, added: '', lines: [], above: false },
      { line: 2, from: 0, to: 1, added: '', lines: [], above: false },
    ]);
  });
});
