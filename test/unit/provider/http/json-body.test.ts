import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonBody } from '../../../../src/provider/http/json-body.js';
import { runs } from '../../../support/runs.js';

const written = async (value: unknown): Promise<string> =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await jsonBody(value).arrayBuffer());

/** Texts that are kept, and such as are not; with characters of one to four bytes, escapes and halves of pairs. */
const texts = fc.tuple(fc.string({ unit: 'binary', maxLength: 30 }), fc.constantFrom(1, 40, 600, 9_000)).map(([text, times]) => text.repeat(times));

test('a body is the same JSON, the first time and each time after', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(texts), fc.jsonValue(), fc.dictionary(fc.string(), texts), async (list, other, named) => {
      const value = { list, other, named, left: undefined, empty: '' };
      expect(await written(value)).toBe(JSON.stringify(value));
      expect(await written(value)).toBe(JSON.stringify(value));
    }),
    { numRuns: runs(60) },
  );
});

test('long texts as keys, the same text twice, and halves of a pair', async () => {
  const long = 'a "long" text\n — 世界 👩‍👩‍👧 \ud800'.repeat(100);
  const value = { [long]: long, again: [long, long], nested: { deep: [{ long: `${long}.` }] } };
  expect(await written(value)).toBe(JSON.stringify(value));
});

test('texts that are not kept any more are written anew', async () => {
  const conversation = (name: number): readonly string[] => Array.from({ length: 400 }, (_, index) => `${name}/${index} ${'é'.repeat(10_000)}`);
  for (const name of [1, 2, 3, 4, 5, 1, 5, 1]) expect(await written(conversation(name))).toBe(JSON.stringify(conversation(name)));
});
