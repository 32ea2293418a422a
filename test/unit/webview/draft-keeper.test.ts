import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PanelMessage } from '../../../src/protocol/messages.js';
import { DraftKeeper } from '../../../webview/state/composer/draft-keeper.js';

function rig(stored: unknown = {}) {
  const posts: PanelMessage[] = [];
  const written = { text: '' };
  const host = { post: (message: PanelMessage) => void posts.push(message), getState: () => stored, setState: () => undefined };
  const keeper = new DraftKeeper(host, () => written.text);
  const type = (text: string): void => {
    written.text = text;
    keeper.changed();
  };
  return { posts, written, keeper, type };
}

beforeEach(() => vi.useFakeTimers({ now: 1_000 }));
afterEach(() => vi.useRealTimers());

describe('going over to another conversation', () => {
  test('what is written stays behind, and the host is told of it first', () => {
    const { posts, keeper, type } = rig();
    keeper.change('a');
    type('for a');
    expect(keeper.change('b')).toBe(true);
    expect(posts).toEqual([{ type: 'save_draft', session: 'a', text: 'for a', at: 1_000 }]);
    vi.advanceTimersByTime(1_000);
    expect(posts).toHaveLength(1);
  });

  test('what was written before any conversation was known is for the first one', () => {
    const { posts, keeper, type } = rig();
    type('early');
    expect(keeper.change('a')).toBe(false);
    expect(keeper.merge({ session: 'a', text: '', at: 0 })).toBe('early');
    vi.advanceTimersByTime(1_000);
    expect(posts).toEqual([{ type: 'save_draft', session: 'a', text: 'early', at: 1_001 }]);
  });

  test('a message on its way goes with the person, and is no draft of the conversation before', () => {
    const { posts, keeper, type } = rig();
    keeper.change('a');
    type('on its way');
    expect(keeper.change('b', '')).toBe(false);
    expect(posts).toEqual([{ type: 'save_draft', session: 'a', text: '', at: 1_000 }]);
    expect(keeper.merge({ session: 'b', text: '', at: 0 })).toBe('on its way');
    expect(posts.at(-1)).toEqual({ type: 'save_draft', session: 'b', text: 'on its way', at: 1_001 });
  });

  test('of what was written since another one was asked for, only what was there before stays behind', () => {
    const { posts, keeper, type } = rig();
    keeper.change('a');
    type('half a thought');
    type('half a thoughtHello');
    expect(keeper.change('b', 'half a thought')).toBe(false);
    expect(posts).toEqual([{ type: 'save_draft', session: 'a', text: 'half a thought', at: 1_001 }]);
  });

  test('what is written before the draft of the other one has come goes behind that, and the host hears of neither alone', () => {
    const { posts, written, keeper, type } = rig();
    keeper.change('b');
    vi.advanceTimersByTime(1_000);
    type('new');
    vi.advanceTimersByTime(1_000);
    expect(posts).toEqual([]);
    written.text = keeper.merge({ session: 'b', text: 'kept', at: 5 });
    expect(written.text).toBe('kept\n\nnew');
    expect(posts).toEqual([{ type: 'save_draft', session: 'b', text: 'kept\n\nnew', at: 3_000 }]);
    expect(keeper.merge({ session: 'b', text: 'kept', at: 5 })).toBe('kept\n\nnew');
  });

  test('what was written and removed before the draft has come removes nothing of that', () => {
    const { posts, keeper, type } = rig();
    keeper.change('b');
    vi.advanceTimersByTime(1_000);
    type('no');
    type('');
    expect(keeper.merge({ session: 'b', text: 'kept', at: 5 })).toBe('kept');
    vi.advanceTimersByTime(1_000);
    expect(posts.filter((post) => post.type === 'save_draft' && post.text !== 'kept')).toEqual([]);
  });

  test('what is typed is newer than what the host has, also where the clock of the host is ahead', () => {
    const { posts, keeper, type } = rig();
    keeper.change('a');
    keeper.merge({ session: 'a', text: 'from elsewhere', at: 90_000 });
    type('from elsewhere, and on');
    vi.advanceTimersByTime(1_000);
    expect(posts).toEqual([{ type: 'save_draft', session: 'a', text: 'from elsewhere, and on', at: 90_001 }]);
    keeper.change('b');
    type('typed at once');
    keeper.merge({ session: 'b', text: '', at: 95_000 });
    expect(posts.at(-1)).toEqual({ type: 'save_draft', session: 'b', text: 'typed at once', at: 95_001 });
  });

  test('the host is told when it has not heard of a draft before the conversation is left', () => {
    const { posts, keeper, type } = rig();
    keeper.change('a');
    type('for a');
    keeper.change('b');
    expect(posts).toEqual([{ type: 'save_draft', session: 'a', text: 'for a', at: 1_000 }]);
  });
});
