import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/domain/model/message.js';
import type { ViewItem } from '../../../src/protocol/view-state.js';
import { imageOf, itemText } from '../../../src/chat/projection/items.js';
import { placeOfItem } from '../../../src/chat/conversation/branches.js';
import { itemsOf } from '../../../src/chat/projection/transcript-items.js';

const timestamp = '2026-01-01T00:00:00Z';
const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 2, cacheWriteTokens: 1 };
const png = (byte: number) => ({ type: 'image' as const, mimeType: 'image/png' as const, data: Uint8Array.of(byte) });
const said = (text: string, images: readonly ReturnType<typeof png>[] = []): Message => ({
  role: 'user',
  content: [...images, { type: 'text', text }],
  timestamp,
});
const answered = (content: Extract<Message, { role: 'assistant' }>['content']): Message => ({
  role: 'assistant',
  content,
  stopReason: 'end_turn',
  rawStopReason: 'end_turn',
  usage,
  timestamp,
});
const messages: readonly Message[] = [
  said('one', [png(1), png(2)]),
  answered([
    { type: 'thinking', thinking: 'hm' },
    { type: 'text', text: 'First.' },
    { type: 'tool_call', id: 'c1', name: 'read', arguments: '{"file_path":"a.png"}' },
  ]),
  { role: 'tool_result', toolCallId: 'c1', toolName: 'read', content: [{ type: 'text', text: 'An image.' }, png(3)], isError: false, timestamp },
  answered([{ type: 'text', text: 'Second.\n' }]),
  said('two'),
  answered([{ type: 'text', text: 'Third.' }]),
];
const items = itemsOf(messages, { models: { '1': 'demo/a', '3': 'demo/b' }, turns: { '3': { durationMs: 1_500, costUsd: 0.25 } } });

describe('messages of the transcript', () => {
  test('are found in the conversation, questions and answers', () => {
    expect(items.map(({ id }) => id)).toEqual(['u0', 'a1', 'u4', 'a5']);
    expect(items.map(({ id }) => placeOfItem(items, id, messages.length))).toEqual([
      { question: 0, end: 1 },
      { question: 0, end: 4 },
      { question: 4, end: 5 },
      { question: 4, end: 6 },
    ]);
  });

  test('an answer that was live is found by the question before it, whatever its id', () => {
    const live: readonly ViewItem[] = items.map((item) => (item.id === 'a1' ? { ...item, id: 'r-1' } : item));
    expect(placeOfItem(live, 'r-1', messages.length)).toEqual({ question: 0, end: 4 });
  });

  test('notices and what is not there have no place', () => {
    const notice: ViewItem = { kind: 'notice', id: 'n', level: 'info', text: '', actions: [] };
    expect(placeOfItem([notice, ...items], 'n', 6)).toBeUndefined();
    expect(placeOfItem(items, 'u99', 6)).toBeUndefined();
    expect(placeOfItem([{ kind: 'answer', id: 'a', blocks: [], status: 'complete', time: '', summary: '' }], 'a', 1)).toBeUndefined();
  });

  test('what they took is known of stored answers too: rounds, tokens, time, cost and the last model', () => {
    expect(items[1]).toMatchObject({
      facts: {
        rounds: 2,
        model: 'demo/b',
        durationMs: 1_500,
        costUsd: 0.25,
        usage: { inputTokens: 20, outputTokens: 10, cacheReadTokens: 4, cacheWriteTokens: 2 },
      },
    });
    expect(items[3]).toMatchObject({ facts: { rounds: 1, usage } });
    for (const fact of ['model', 'durationMs', 'costUsd']) expect(items[3]).not.toHaveProperty(`facts.${fact}`);
  });

  test('are copied as what was said, without what was thought and done', () => {
    const [question, answer] = items;
    expect([question, answer].map((item) => (item === undefined ? '' : itemText(item)))).toEqual(['one', 'First.\n\nSecond.']);
  });

  test('their images are found, and no others', () => {
    expect(items[0]).toMatchObject({ imageCount: 2 });
    expect(items[1]).toMatchObject({ blocks: [{}, {}, { call: { images: 1, output: 'An image.' } }, {}] });
    const load = (over: object): Uint8Array | undefined => imageOf(messages, { type: 'load_image', item: 'u0', index: 0, ...over })?.data;
    expect(load({})).toEqual(Uint8Array.of(1));
    expect(load({ index: 1 })).toEqual(Uint8Array.of(2));
    expect(load({ item: 'a1', call: 'c1' })).toEqual(Uint8Array.of(3));
    for (const wrong of [{ index: 2 }, { item: 'a1' }, { item: 'u1' }, { item: '../x' }, { call: 'c2' }]) expect(load(wrong)).toBeUndefined();
  });
});
