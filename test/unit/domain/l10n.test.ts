import { afterEach, describe, expect, test } from 'vitest';
import { parseTexts, t, useTexts } from '../../../src/domain/l10n.js';

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
});
