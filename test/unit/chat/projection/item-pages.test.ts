import { describe, expect, test } from 'vitest';
import { type ViewItem, type ViewState, emptyViewState } from '../../../../src/protocol/view-state.js';
import { endOf, pageOf } from '../../../../src/chat/projection/items.js';

const user = (index: number, length = 10): ViewItem => ({ kind: 'user', id: `u${index}`, text: 'x'.repeat(length), images: [], time: 't' });
const stateOf = (items: ViewItem[], over: Partial<ViewState> = {}): ViewState => ({ ...emptyViewState('m', 'default'), items, ...over });
const prompt: ViewItem = {
  kind: 'answer',
  id: 'p',
  status: 'streaming',
  time: 't',
  summary: '',
  blocks: [{ type: 'tool', call: { id: 'c', name: 'bash', subject: 'ls', status: 'awaiting_approval', output: '', approval: { reasons: [] } } }],
};

describe('the part of a transcript that a page gets', () => {
  test('view-15 of a long conversation it is the end, with its place', () => {
    const { state, window } = endOf(stateOf(Array.from({ length: 5_000 }, (_, index) => user(index))));
    expect(window).toEqual({ start: 4_960, total: 5_000 });
    expect(state.items.map(({ id }) => id)).toEqual(Array.from({ length: 40 }, (_, index) => `u${4_960 + index}`));
  });

  test('a short conversation is there as a whole', () => {
    expect(endOf(stateOf([user(0), user(1)])).window).toEqual({ start: 0, total: 2 });
    expect(endOf(stateOf([])).window).toEqual({ start: 0, total: 0 });
  });

  test('long items are fewer, and one that is too long goes alone', () => {
    const long = Array.from({ length: 30 }, (_, index) => user(index, 100_000));
    expect(endOf(stateOf(long)).window.start).toBe(26);
    expect(endOf(stateOf([...long, user(30, 3_000_000)])).window.start).toBe(30);
    expect(pageOf(long, 3, 20)).toHaveLength(4);
    expect(pageOf([user(0, 3_000_000), user(1)], 0, 20)).toHaveLength(1);
    expect(pageOf([user(0), user(1, 3_000_000)], 0, 20)).toHaveLength(1);
  });

  test('view-14 what waits for the person is in it, however far above', () => {
    const items = [user(0), prompt, ...Array.from({ length: 100 }, (_, index) => user(index + 1))];
    expect(endOf(stateOf(items, { activity: 'waiting' })).window.start).toBe(1);
    expect(endOf(stateOf(items)).window.start).toBe(62);
  });

  test('beyond the ends there is nothing', () => {
    expect(pageOf([user(0)], 1, 20)).toEqual([]);
    expect(pageOf([user(0)], 500, 20)).toEqual([]);
    expect(pageOf([], 0, 20)).toEqual([]);
  });
});
