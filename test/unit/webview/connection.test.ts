import { describe, expect, test } from 'vitest';
import type { PanelMessage } from '../../../src/protocol/messages.js';
import { type ViewEvent, applyViewEvent } from '../../../src/protocol/view-event.js';
import { type ViewState, emptyViewState } from '../../../src/protocol/view-state.js';
import { type ItemsMessage, type SideMessage, Connection } from '../../../webview/state/connection/connection.js';

const place = { session: 's', epoch: 'e' };

/** A connection whose frames are taken by hand. */
function rig() {
  const posts: PanelMessage[] = [];
  const side: SideMessage[] = [];
  const shown: { state: ViewState | undefined; session: string; start: number } = { state: undefined, session: '', start: -1 };
  const pages: ItemsMessage[] = [];
  let frames = 0;
  const connection = new Connection({
    post: (message) => posts.push(message),
    show: (state, session, start) => Object.assign(shown, { state, session, start }),
    apply: (events) => {
      for (const event of events) if (shown.state !== undefined) applyViewEvent(shown.state, event);
    },
    items: (message) => pages.push(message),
    side: (message) => side.push(message),
    schedule: () => (frames += 1),
  });
  const receive = (...messages: readonly unknown[]): void => {
    for (const message of messages) connection.receive(structuredClone(message));
    connection.drain();
  };
  return { connection, posts, side, shown, pages, receive, frames: () => frames };
}

const snapshot = (seq: number, state = emptyViewState('m', 'default'), at = place) => ({ type: 'snapshot', ...at, seq, state: structuredClone(state) });
const batch = (first: number, events: readonly ViewEvent[], at = place) => ({ type: 'events', ...at, first, events: structuredClone(events) });
const answer: ViewEvent = {
  type: 'item_added',
  item: { kind: 'answer', id: 'a', blocks: [{ type: 'text', text: '' }], status: 'streaming', time: 't', summary: '' },
};
const delta = (text: string): ViewEvent => ({ type: 'delta', item: 'a', block: 0, delta: text });

function textOf(state: ViewState | undefined): string {
  const item = state?.items.at(-1);
  const block = item?.kind === 'answer' ? item.blocks[0] : undefined;
  return block?.type === 'text' ? block.text : 'nothing';
}

describe('Connection', () => {
  test('says that it is there, shows the snapshot and acknowledges it', () => {
    const { connection, posts, shown, receive } = rig();
    connection.start();
    receive(snapshot(7));
    expect(posts).toEqual([{ type: 'ready' }, { type: 'ack', seq: 7 }]);
    expect(shown.session).toBe('s');
  });

  test('applies nothing before the frame, and many batches with one acknowledgement', () => {
    const { connection, posts, shown, frames } = rig();
    connection.receive(snapshot(0));
    connection.receive(batch(1, [answer, delta('a')]));
    connection.receive(batch(3, [delta('b')]));
    expect(shown.state).toBeUndefined();
    expect(frames()).toBe(3);
    connection.drain();
    expect(textOf(shown.state)).toBe('ab');
    expect(posts).toEqual([{ type: 'ack', seq: 3 }]);
  });

  test('view-14 events that are known already are not applied again', () => {
    const { posts, shown, receive } = rig();
    receive(snapshot(0), batch(1, [answer, delta('a')]));
    receive(batch(1, [answer, delta('a'), delta('b')]));
    receive(batch(2, [delta('a')]));
    expect(textOf(shown.state)).toBe('ab');
    expect(posts.at(-1)).toEqual({ type: 'ack', seq: 3 });
  });

  test('after a gap it asks once for a snapshot and goes on from there', () => {
    const { posts, shown, receive } = rig();
    receive(snapshot(0), batch(1, [answer]));
    receive(batch(3, [delta('lost its neighbor')]), batch(4, [delta('too')]));
    expect(textOf(shown.state)).toBe('');
    expect(posts.filter((message) => message.type === 'ready')).toEqual([{ type: 'ready' }]);
    const state = emptyViewState('m', 'default');
    for (const event of [answer, delta('abc')]) applyViewEvent(state, structuredClone(event));
    receive(snapshot(4, state), batch(4, [delta('c')]), batch(5, [delta('d')]));
    expect(textOf(shown.state)).toBe('abcd');
    expect(posts.at(-1)).toEqual({ type: 'ack', seq: 5 });
  });

  test('events of another session or epoch are not applied', () => {
    for (const other of [
      { session: 'x', epoch: 'e' },
      { session: 's', epoch: 'x' },
    ]) {
      const { posts, shown, receive } = rig();
      receive(snapshot(0), batch(1, [answer]));
      receive(batch(2, [delta('x')], other));
      expect(textOf(shown.state)).toBe('');
      expect(posts.at(-1)).toEqual({ type: 'ready' });
    }
  });

  test('events before any snapshot ask for one', () => {
    const { posts, receive } = rig();
    receive(batch(1, [answer]));
    expect(posts).toEqual([{ type: 'ready' }]);
  });

  test('a page that comes back says what it has', () => {
    const { connection, posts, receive } = rig();
    connection.catchUp();
    expect(posts).toEqual([]);
    receive(snapshot(4));
    connection.catchUp();
    expect(posts.at(-1)).toEqual({ type: 'ready', attached: { ...place, seq: 4 } });
  });

  test('other messages pass at once, and what is not of the protocol is ignored', () => {
    const { connection, side, posts } = rig();
    connection.receive({ type: 'accepted', sendId: '1' });
    connection.receive({ type: 'accepted' });
    connection.receive({ type: 'evil' });
    connection.receive(null);
    expect(side).toEqual([{ type: 'accepted', sendId: '1' }]);
    expect(posts).toEqual([]);
  });

  test('a snapshot says where its items begin', () => {
    const { shown, receive } = rig();
    receive({ ...snapshot(1), window: { start: 0, total: 0 } });
    expect(shown.start).toBe(0);
    const state = { ...emptyViewState('m', 'default'), items: [{ kind: 'user', id: 'u9', text: '', images: [], time: 't' }] };
    receive({ ...snapshot(2), state, window: { start: 9, total: 10 } });
    expect(shown.start).toBe(9);
    receive({ ...snapshot(3), state, window: { start: 9, total: 12 } });
    receive({ ...snapshot(3), state, window: { start: -1, total: 0 } });
    expect(shown.start).toBe(9);
    receive(snapshot(4));
    expect(shown.start).toBe(0);
  });

  test('items are taken after the events that came before them, with no acknowledgement of their own', () => {
    const { shown, pages, posts, receive } = rig();
    receive(snapshot(0), batch(1, [answer, delta('a')]));
    receive(batch(3, [delta('b')]), { type: 'items', ...place, seq: 3, start: 0, items: [] });
    expect(textOf(shown.state)).toBe('ab');
    expect(pages).toHaveLength(1);
    receive({ type: 'items', ...place, seq: 3, start: 0, items: [], sought: 'x' });
    expect(pages).toHaveLength(2);
    expect(posts).toEqual([
      { type: 'ack', seq: 2 },
      { type: 'ack', seq: 3 },
    ]);
  });

  test('items of another moment or conversation are not taken, and a snapshot is asked for', () => {
    for (const other of [{ seq: 4 }, { seq: 2 }, { session: 'x' }, { epoch: 'x' }]) {
      const { pages, posts, receive } = rig();
      receive(snapshot(3));
      receive({ type: 'items', ...place, seq: 3, start: 0, items: [], ...other });
      receive({ type: 'items', ...place, seq: 3, start: 0, items: [] });
      expect(pages).toEqual([]);
      expect(posts.filter(({ type }) => type === 'ready')).toHaveLength(1);
      receive(snapshot(5), { type: 'items', ...place, seq: 5, start: 0, items: [] });
      expect(pages).toHaveLength(1);
    }
  });
});
