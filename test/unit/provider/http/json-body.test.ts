import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonBytes } from '../../../../src/provider/http/json-body.js';

const written = (value: unknown): string => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(jsonBytes(value));

/** Texts that are kept, and such as are not; with characters of one to four bytes, escapes and halves of pairs. */
const texts = fc.tuple(fc.string({ unit: 'binary', maxLength: 30 }), fc.constantFrom(1, 40, 600)).map(([text, times]) => text.repeat(times));

test('a body is the same JSON, the first time and each time after', () => {
  fc.assert(
    fc.property(fc.array(texts), fc.jsonValue(), fc.dictionary(fc.string(), texts), (list, other, named) => {
      const value = { list, other, named, left: undefined, empty: '' };
      expect(written(value)).toBe(JSON.stringify(value));
      expect(written(value)).toBe(JSON.stringify(value));
    }),
    { numRuns: 60 },
  );
});

test('long texts as keys, the same text twice, and halves of a pair', () => {
  const long = 'a "long" text\n — 世界 👩‍👩‍👧 \ud800'.repeat(100);
  const value = { [long]: long, again: [long, long], nested: { deep: [{ long: `${long}.` }] } };
  expect(written(value)).toBe(JSON.stringify(value));
});

test('texts that are not kept any more are written anew', () => {
  const conversation = (name: number): readonly string[] => Array.from({ length: 400 }, (_, index) => `${name}/${index} ${'é'.repeat(10_000)}`);
  for (const name of [1, 2, 3, 4, 5, 1, 5, 1]) expect(written(conversation(name))).toBe(JSON.stringify(conversation(name)));
});
