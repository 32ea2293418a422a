import { afterEach, describe, expect, test } from 'vitest';
import { formatCost, formatDollars, formatNumber, formatShort, parseTexts, t, textLanguage, textsInUse, useTexts } from '../../../src/domain/l10n.js';

describe('texts in the language of the person', () => {
  afterEach(() => useTexts({}));

  test('are English where there is no translation', () => {
    expect(t('Read {0} files in {1}', 3, 'src')).toBe('Read 3 files in src');
  });

  test('put the values where the translation wants them', () => {
    useTexts({ 'Read {0} files in {1}': 'In {1} {0} Dateien gelesen' });
    expect(t('Read {0} files in {1}', 3, 'src')).toBe('In src 3 Dateien gelesen');
  });

  test('take values as they are, also such as look like places, and leave places without a value', () => {
    expect(t('{0} and {1} and {2}', '{1}', '$&')).toBe('{1} and $& and {2}');
  });

  test('are not found on the prototype of the table', () => {
    expect(t('constructor')).toBe('constructor');
    expect(t('__proto__')).toBe('__proto__');
  });

  test('from outside are only taken when they are texts', () => {
    expect(parseTexts({ a: 'b', c: 1, d: null })).toEqual({ a: 'b' });
    for (const value of [undefined, null, [], ['a'], 'a', 1]) expect(parseTexts(value)).toEqual({});
  });

  test('are handed on with their language, unless that is English', () => {
    expect(textsInUse()).toBeUndefined();
    useTexts({}, 'de');
    expect(textsInUse()).toBeUndefined();
    useTexts({ Yes: 'Ja' }, 'de');
    expect(textsInUse()).toEqual({ language: 'de', entries: { Yes: 'Ja' } });
  });

  test('costs are written to the cent, and numbers short where there is little room', () => {
    expect([0, 0.0004, 0.0122, 1.5].map(formatCost)).toEqual(['$0.00', '< $0.01', '$0.01', '$1.50']);
    expect([812, 6_597, 16_000, 999_960, 1_240_000].map(formatShort)).toEqual(['812', '6.6k', '16k', '1M', '1.2M']);
  });

  test('hold numbers and amounts as their language writes them', () => {
    expect([textLanguage(), formatNumber(12_345.6), formatNumber(2, 2), formatDollars(0.0214, 4)]).toEqual(['en', '12,345.6', '2.00', '$0.0214']);
    useTexts({ Yes: 'Ja' }, 'de');
    expect([textLanguage(), formatNumber(12_345.6), formatNumber(2, 2), formatDollars(0.0214, 4)]).toEqual(['de', '12.345,6', '2,00', '0,0214\u00A0$']);
    for (const none of ['', 'no language', '_']) {
      useTexts({ Yes: 'Ja' }, none);
      expect(textLanguage()).toBe('en');
    }
  });
});

test('E-62: the same amounts added in another order are the same to the cent', () => {
  const prices = [0.1, 0.2, 0.3];
  const [forth, back] = [prices, prices.toReversed()].map((all) => all.reduce((sum, price) => sum + price, 0));
  expect(forth).not.toBe(back);
  for (const [one, other] of [
    [forth, back],
    [97.525, 97.524_999_999_999_99],
    [0.01, 0.009_999_999_999_999],
  ])
    expect(formatDollars(one ?? Number.NaN, 2)).toBe(formatDollars(other ?? 0, 2));
});
