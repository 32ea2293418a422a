import { describe, expect, test } from 'vitest';
import type { ViewItem, ViewToolCall } from '../../../src/protocol/view-state.js';
import { findText } from '../../../src/chat/code/find-text.js';

const time = '2026-01-01T00:00:00Z';
const user = (id: string, text: string): ViewItem => ({ kind: 'user', id, text, images: [], time });
const call: ViewToolCall = {
  id: 'c',
  name: 'edit',
  subject: 'src/needle.ts',
  status: 'failed',
  output: 'a Needle and a needle',
  problem: 'no needle',
  preview: { kind: 'diff', path: 'x', diff: '+needle', created: false },
};
const items: readonly ViewItem[] = [
  user('u0', 'Where is the needle?'),
  {
    kind: 'answer',
    id: 'a1',
    status: 'complete',
    time,
    summary: 'needle',
    blocks: [
      { type: 'thinking', text: 'NEEDLE', done: true },
      { type: 'text', text: 'nothing' },
      { type: 'tool', call },
    ],
  },
  { kind: 'notice', id: 'n1', level: 'info', text: 'A needle.', actions: [] },
  { kind: 'compaction', id: 'c1', trigger: 'manual', summary: 'needle needle', tokensBefore: 1, tokensAfter: 1, status: 'active' },
];

describe('findText', () => {
  test('counts in all that is shown, folded or not, in any case', async () => {
    expect(await findText(items, 'needle')).toEqual({
      places: [
        { item: 'u0', count: 1 },
        { item: 'a1', block: 0, count: 1 },
        { item: 'a1', block: 2, count: 5 },
        { item: 'n1', count: 1 },
        { item: 'c1', count: 2 },
      ],
      total: 10,
      more: false,
    });
  });

  test('what is not there is found nowhere, and signs of patterns are only themselves', async () => {
    expect((await findText(items, 'haystack')).total).toBe(0);
    expect((await findText([user('u', 'a.b a*b')], 'a.b')).total).toBe(1);
    expect((await findText([user('u', 'aaaa')], 'aa')).total).toBe(2);
  });

  test('a bounded number of places is named, all of them are counted', async () => {
    const many = Array.from({ length: 1_500 }, (_, index) => user(`u${index}`, 'x x'));
    const { places, total, more } = await findText(many, 'X');
    expect([places.length, total, more]).toEqual([1_000, 3_000, true]);
  });

  test('a long conversation does not keep others from their turn', async () => {
    const long = Array.from({ length: 200 }, (_, index) => user(`u${index}`, 'words '.repeat(20_000)));
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    const { total } = await findText(long, 'WORDS');
    clearInterval(timer);
    expect(total).toBe(4_000_000);
    expect(turns).toBeGreaterThan(2);
  });
});
