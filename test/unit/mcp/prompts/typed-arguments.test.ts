import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { missingIn, typedValues } from '../../../../src/mcp/prompts/typed-arguments.js';

const promptWith = (...names: readonly string[]) => ({ name: 'review', arguments: names.map((name) => ({ name, required: !name.endsWith('?') })) });
const two = promptWith('file', 'focus?');

describe('arguments as they are typed behind a command', () => {
  test.each([
    ['', {}],
    ['a.ts', { file: 'a.ts' }],
    ['a.ts speed', { file: 'a.ts', 'focus?': 'speed' }],
    ['  a.ts   "two words"  ', { file: 'a.ts', 'focus?': 'two words' }],
    ['"my file.ts" speed', { file: 'my file.ts', 'focus?': 'speed' }],
    ['a.ts speed and  clarity,\nplease', { file: 'a.ts', 'focus?': 'speed and  clarity,\nplease' }],
    [String.raw`"say \"hi\" \\ \n" x`, { file: String.raw`say "hi" \ \n`, 'focus?': 'x' }],
    ['"" speed', { 'focus?': 'speed' }],
    ['"unclosed speed', { file: '"unclosed', 'focus?': 'speed' }],
    ['it"s speed', { file: 'it"s', 'focus?': 'speed' }],
    ['"a"b c', { file: '"a"b', 'focus?': 'c' }],
    ['日本 ä', { file: '日本', 'focus?': 'ä' }],
  ])('%j', (typed, values) => {
    expect(typedValues(two, typed)).toEqual(values);
  });

  test('a prompt of one argument takes everything', () => {
    expect(typedValues(promptWith('what'), 'all of this "and this"')).toEqual({ what: 'all of this "and this"' });
    expect(typedValues(promptWith('what'), '"all of this"')).toEqual({ what: 'all of this' });
  });

  test('one without arguments takes none', () => {
    expect(typedValues(promptWith(), '')).toEqual({});
    expect(() => typedValues(promptWith(), 'x')).toThrow('The prompt “review” has no arguments.');
  });

  test('what is put in quotation marks comes back as it was', () => {
    const value = fc.string({ unit: fc.constantFrom(...Array.from('a "\\\n\'ä')), minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(value, value, (a, b) => {
        const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
        expect(typedValues(promptWith('a', 'b'), `${quoted(a)} ${quoted(b)}`)).toEqual({ a, b });
      }),
    );
  });

  test('a million characters are read at once', () => {
    for (const text of ['"'.repeat(1_000_000), '"\\'.repeat(500_000), 'a '.repeat(500_000)])
      expect(Object.keys(typedValues(two, text)).length).toBeGreaterThan(0);
  });

  test('what is missing, also by names that objects have anyway', () => {
    expect(missingIn(two, {})).toEqual(['file']);
    expect(missingIn(two, { file: ' ' })).toEqual(['file']);
    expect(missingIn(two, { file: 'x' })).toEqual([]);
    expect(missingIn(promptWith('constructor', '__proto__'), {})).toEqual(['constructor', '__proto__']);
    expect(Object.entries(typedValues(promptWith('__proto__'), 'x'))).toEqual([['__proto__', 'x']]);
  });
});
