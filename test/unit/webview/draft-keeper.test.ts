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
    vi.advanceTimersByTime(1_000);
    expect(posts).toEqual([{ type: 'save_draft', session: 'a', text: 'early', at: 1_000 }]);
  });

  test('a message on its way goes with the person, and is no draft of the conversation before', () => {
    const { posts, keeper, type } = rig();
    keeper.change('a');
    type('on its way');
    expect(keeper.change('b', '')).toBe(false);
    expect(posts).toEqual([{ type: 'save_draft', session: 'a', text: '', at: 1_000 }]);
    expect(keeper.yields({ session: 'b', text: '', at: 0 })).toBe(false);
    expect(posts.at(-1)).toEqual({ type: 'save_draft', session: 'b', text: 'on its way', at: 1_000 });
  });

  test('of what was written since another one was asked for, only what was there before stays behind', () => {
    const { posts, keeper, type } = rig();
    keeper.change('a');
    type('half a thought');
    type('half a thoughtHello');
    expect(keeper.change('b', 'half a thought')).toBe(false);
    expect(posts).toEqual([{ type: 'save_draft', session: 'a', text: 'half a thought', at: 1_000 }]);
  });
});
