import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonBody, type SentForm, SentTexts } from '../../../../src/provider/http/json-body.js';
import { anyCharacter } from '../../../support/any-character.js';
import { runs } from '../../../support/runs.js';

const written = (value: unknown): string => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(jsonBody(value));

/** Texts that are kept, and such as are not; with characters of one to four bytes, escapes and halves of pairs. */
const texts = fc.tuple(fc.string({ unit: anyCharacter, maxLength: 30 }), fc.constantFrom(1, 40, 600, 9_000)).map(([text, times]) => text.repeat(times));

test('a body is the same JSON, the first time and each time after', () => {
  fc.assert(
    fc.property(fc.array(texts), fc.jsonValue(), fc.dictionary(fc.string(), texts), (list, other, named) => {
      const value = { list, other, named, left: undefined, empty: '' };
      expect(written(value)).toBe(JSON.stringify(value));
      expect(written(value)).toBe(JSON.stringify(value));
    }),
    { numRuns: runs(60) },
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

const LIMITS = { ofConversation: 1_000, ofAll: 3_000, idleMs: 60_000 };

/** Texts of a conversation whose JSON has 100 bytes each. */
const textsOf = (name: string, count: number): readonly string[] => Array.from({ length: count }, (_, index) => `${name} ${index}`.padStart(98, '.'));

/** Sends all texts of a conversation, as each of its requests does. */
function send(kept: SentTexts, name: string, count: number, now = 0): readonly SentForm[] {
  return textsOf(name, count).map(kept.begin(name, now));
}

/** How many of the forms are those from before, and were not made anew. */
function kept(before: readonly SentForm[], after: readonly SentForm[]): number {
  return before.filter((form, index) => form === after[index]).length;
}

test('conversations side by side do not take one another’s room', () => {
  const texts = new SentTexts(LIMITS);
  const names = ['a', 'b', 'c'];
  const first = names.map((name) => send(texts, name, 10));
  const second = names.map((name) => send(texts, name, 10));
  expect(names.map((_, index) => kept(first[index] ?? [], second[index] ?? []))).toEqual([10, 10, 10]);
  expect(texts.bytes).toBe(3_000);
});

test('one conversation keeps no more than it may, the texts that were used last', () => {
  const texts = new SentTexts(LIMITS);
  const first = send(texts, 'a', 25);
  expect(texts.bytes).toBe(1_000);
  const again = texts.begin('a', 0);
  const newest = textsOf('a', 25).slice(15);
  expect(newest.map(again)).toEqual(first.slice(15));
  expect(newest.map(again).every((form, index) => form === first[15 + index])).toBe(true);
  expect(again(textsOf('a', 1)[0] ?? '')).not.toBe(first[0]);
});

test('all together keep no more than they may: the conversation that sent nothing for the longest time goes', () => {
  const texts = new SentTexts(LIMITS);
  const [a, b] = [send(texts, 'a', 10), send(texts, 'b', 10)];
  send(texts, 'c', 10);
  send(texts, 'a', 10);
  send(texts, 'd', 10);
  expect(texts.bytes).toBeLessThanOrEqual(3_000);
  expect(kept(a, send(texts, 'a', 10))).toBe(10);
  expect(kept(b, send(texts, 'b', 10))).toBe(0);
});

test('what is idle for long is not kept', () => {
  const texts = new SentTexts(LIMITS);
  send(texts, 'a', 10, 0);
  send(texts, 'b', 5, 60_000);
  expect(texts.bytes).toBe(1_500);
  send(texts, 'b', 5, 60_001);
  expect(texts.bytes).toBe(500);
});
