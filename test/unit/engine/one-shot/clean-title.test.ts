import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanTitle } from '../../../../src/engine/one-shot/improve-title.js';
import { anyCharacter } from '../../../support/any-character.js';

describe('the title in what a model wrote', () => {
  it.each([
    ['Fix the median test', 'Fix the median test'],
    ['"Fix the median test."', 'Fix the median test'],
    ['**Title: Fix the median test**', 'Fix the median test'],
    ['\n\n# Fix the median test\n\nIt is about …', 'Fix the median test'],
    ['„Die Prüfung reparieren“', 'Die Prüfung reparieren'],
    ['Read src/a.ts && b/c', 'Read src/a.ts && b/c'],
  ])('%j is %j', (words, title) => {
    expect(cleanTitle(words, false)).toBe(title);
  });

  it.each([[''], ['   \n '], ['...'], ['"“”"'], ['\u202e\u200b']])('there is none in %j', (words) => {
    expect(cleanTitle(words, false)).toBeUndefined();
  });

  it('a cut-off answer loses the word that may be half', () => {
    expect(cleanTitle('Fix the failing med', true)).toBe('Fix the failing');
    expect(cleanTitle('Supercalifragi', true)).toBeUndefined();
  });

  it('view-05 hidden and bidirectional characters do not get into a title', () => {
    expect(cleanTitle('safe\u202Etxt.exe \u0007bell', false)).toBe('safe txt.exe bell');
  });

  it('is one well-formed line of at most 60 characters, whatever comes', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), fc.boolean(), (words, cutOff) => {
        const title = cleanTitle(words, cutOff) ?? 'none';
        expect(Array.from(title).length).toBeLessThanOrEqual(60);
        expect(title).not.toMatch(/[\p{Cc}\p{Cf}]/u);
        expect(title.isWellFormed()).toBe(true);
        expect(title.trim()).toBe(title);
      }),
    );
  });
});
