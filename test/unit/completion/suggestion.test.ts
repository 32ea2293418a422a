import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typedSince } from '../../../src/completion/suggestion.js';
import { SuggestionCache } from '../../../src/completion/suggester.js';
import { at, placeIn } from './places.js';

describe('what was typed between two places', () => {
  it('is told, with what the editor closed', () => {
    expect(typedSince(at('a|'), at('abc|'))).toEqual({ typed: 'bc', closed: '' });
    expect(typedSince(at('f|\n'), at('f(|)\n'))).toEqual({ typed: '(', closed: ')' });
    expect(typedSince(at('a|'), at('a|'))).toEqual({ typed: '', closed: '' });
  });

  it('is nothing when something else changed', () => {
    expect(typedSince(at('ab|'), at('a|'))).toBeUndefined();
    expect(typedSince(at('ab|'), at('xbc|'))).toBeUndefined();
    expect(typedSince(at('a|b'), at('ac|x'))).toBeUndefined();
    expect(typedSince(at('a|', 'typescript', 'one'), at('ab|', 'typescript', 'two'))).toBeUndefined();
  });

  it('is found in texts of every length', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 13_000 }), fc.string({ maxLength: 40 }), fc.integer({ min: 0, max: 5_000 }), (length, typed, behind) => {
        const before = textOf(length);
        const suffix = textOf(behind);
        expect(typedSince(placeIn(before, suffix), placeIn(before + typed, suffix))).toEqual({ typed, closed: '' });
      }),
    );
  });
});

describe('the cache of suggestions', () => {
  it('goes on with what is typed of a suggestion', () => {
    const cache = new SuggestionCache();
    cache.add(at('const a = |'), { text: 'first(b);', replaces: 0 });
    expect(cache.find(at('const a = |'))?.suggestion?.text).toBe('first(b);');
    expect(cache.find(at('const a = fir|'))?.suggestion?.text).toBe('st(b);');
    expect(cache.find(at('const a = first(|)'))?.suggestion).toEqual({ text: 'b);', replaces: 1 });
    expect(cache.find(at('const a = x|'))).toBeUndefined();
    expect(cache.find(at('const a = first(b);|'))).toBeUndefined();
    expect(cache.find(at('const b = |'))).toBeUndefined();
  });

  it('remembers where a model had nothing to suggest, for that place only', () => {
    const cache = new SuggestionCache();
    cache.add(at('const a = |'), undefined);
    expect(cache.find(at('const a = |'))).toEqual({ suggestion: undefined });
    expect(cache.find(at('const a = b|'))).toBeUndefined();
  });

  it('leaves out what could not be shown as an insertion', () => {
    const cache = new SuggestionCache();
    cache.add(at('call|'), { text: '(a', replaces: 0 });
    expect(cache.find(at('call(|)'))).toBeUndefined();
  });

  it('keeps the newest', () => {
    const cache = new SuggestionCache();
    for (let n = 0; n < 150; n += 1) cache.add(at(`n${n} = |`), { text: `v${n}`, replaces: 0 });
    expect(cache.find(at('n149 = |'))?.suggestion?.text).toBe('v149');
    expect(cache.find(at('n1 = |'))).toBeUndefined();
  });
});

function textOf(length: number): string {
  return Array.from({ length: Math.ceil(length / 8) }, (_, n) => `${n}`.padStart(7, 'x'))
    .join('\n')
    .slice(0, length);
}
