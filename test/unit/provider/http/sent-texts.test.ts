import { expect, test } from 'vitest';
import { type SentForm, SentTexts } from '../../../../src/provider/http/sent-texts.js';

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
