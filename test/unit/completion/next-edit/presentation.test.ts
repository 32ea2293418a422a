import { describe, expect, it } from 'vitest';
import { asSuggestion } from '../../../../src/completion/next-edit/as-suggestion.js';
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
    expect(previewOf({ first: 2, before: ['return total;'], after: ['return sum;'] }, 9)).toEqual([{ line: 2, from: 7, to: 12, added: 'sum', lines: [], above: false }]);
  });

  it('lines that stay within it are not marked', () => {
    expect(previewOf({ first: 0, before: ['a', 'same', 'b'], after: ['c', 'same', 'd'] }, 9).map(({ line }) => line)).toEqual([0, 2]);
  });

  it('lines that come stand at the one above, those before the first at the first', () => {
    expect(previewOf({ first: 3, before: [], after: ['x', 'y'] }, 9)).toEqual([{ line: 2, from: 0, to: 0, added: '', lines: ['x', 'y'], above: false }]);
    expect(previewOf({ first: 0, before: [], after: ['x'] }, 9)).toMatchObject([{ line: 0, above: true }]);
    expect(previewOf({ first: 1, before: ['a'], after: ['b', 'x'] }, 9)).toEqual([{ line: 1, from: 0, to: 1, added: 'b', lines: ['x'], above: false }]);
  });

  it('lines that go are marked as a whole, empty ones too', () => {
    expect(previewOf({ first: 1, before: ['abc', ''], after: [] }, 9)).toEqual([
      { line: 1, from: 0, to: 3, added: '', lines: [], above: false },
      { line: 2, from: 0, to: 1, added: '', lines: [], above: false },
    ]);
  });
});
