import { beforeEach, describe, expect, it } from 'vitest';
import { useTexts } from '../../../../src/domain/l10n.js';
import { itemOfMessage } from '../../../../src/chat/projection/item-ids.js';
import { type Place, Places, introduce } from '../../../../src/chat/pane/place.js';
import { historyEntries } from '../../../../src/chat/pane/pane-sessions.js';

function place(): Place {
  return { visible: true, reveal: () => Promise.resolve() };
}

describe('the active place', () => {
  it('is the one that the person worked in last, and the sidebar when that is gone', () => {
    const [sidebar, one, two] = [place(), place(), place()];
    const places = new Places(sidebar);
    let changes = 0;
    const stop = places.onDidChange(() => (changes += 1));
    expect(places.active).toBe(sidebar);
    places.activate(one);
    places.activate(one);
    places.activate(two);
    expect(places.active).toBe(two);
    places.remove(one);
    expect(places.active).toBe(two);
    places.remove(two);
    expect(places.active).toBe(sidebar);
    expect(changes).toBe(3);
    places.moved();
    expect(changes).toBe(4);
    stop();
    places.activate(one);
    expect(changes).toBe(4);
  });
});

describe('the chat of somebody who has just installed Gnomon', () => {
  let memory: Parameters<typeof introduce>[0];
  let shown = 0;

  beforeEach(() => {
    const kept = new Map<string, unknown>();
    memory = { get: (key: string): unknown => kept.get(key), update: (key, value) => Promise.resolve(void kept.set(key, value)) };
    shown = 0;
  });

  /** A window starts. @param startup what VS Code begins with */
  const start = (startup: string): Promise<void> => introduce(memory, startup, () => Promise.resolve((shown += 1)));

  it('is shown by itself once, and not again where it was closed or moved away', async () => {
    for (const startup of ['welcomePage', 'welcomePage', 'readme']) await start(startup);
    expect(shown).toBe(1);
  });

  it('is not shown to those who want nothing at the start, later neither', async () => {
    for (const startup of ['none', 'welcomePage']) await start(startup);
    expect(shown).toBe(0);
  });

  it('is not tried again when it could not be shown', async () => {
    await expect(introduce(memory, 'welcomePage', () => Promise.reject(new Error('There is no such command.')))).rejects.toThrow('no such command');
    await start('welcomePage');
    expect(shown).toBe(0);
  });
});

describe('the item that shows a message', () => {
  const items = ['u0', 'a0', 'n1-a0', 'u6', 'a7'].map((id) => ({ id }));
  it.each([
    [0, 'a0'],
    [3, 'a0'],
    [6, 'u6'],
    [9, 'a7'],
  ])('of message %d is %s', (index, id) => {
    expect(itemOfMessage(items, index)).toBe(id);
  });

  it('there is none before the first', () => {
    expect(itemOfMessage([], 3)).toBeUndefined();
  });
});

describe('the lines of the history', () => {
  it('say only what is known', () => {
    const updatedAt = '2026-01-01T00:00:00Z';
    const sessions = [
      { id: 'a', title: 'A', updatedAt, messageCount: 2, model: 'x/y', costUsd: 0.5, pinned: true },
      { id: 'b', title: 'B', updatedAt, messageCount: 1, costUsd: 0.0123, parent: { id: 'a', count: 1 }, elsewhere: true },
      { id: 'c', title: 'C', updatedAt, messageCount: 0, costUsd: 0, parent: { id: 'gone', count: 1 }, problem: 'It is damaged.' },
      { id: 'd', title: 'D', updatedAt, messageCount: 1, costUsd: 0.0004 },
    ];
    expect(historyEntries(sessions, { modelName: (key) => key.toUpperCase() })).toEqual([
      { id: 'a', title: 'A', updatedAt, messageCount: 2, model: 'X/Y', cost: '$0.50', pinned: true },
      { id: 'b', title: 'B', updatedAt, messageCount: 1, cost: '$0.01', parent: 'A', elsewhere: true },
      { id: 'c', title: 'C', updatedAt, messageCount: 0, parent: '', problem: 'It is damaged.' },
      { id: 'd', title: 'D', updatedAt, messageCount: 1, cost: '< $0.01' },
    ]);
  });

  it('write what a chat cost in the user’s language', () => {
    useTexts({ Cost: 'Kosten' }, 'de');
    try {
      const [entry] = historyEntries([{ id: 'a', title: 'A', updatedAt: '2026-01-01T00:00:00Z', messageCount: 2, costUsd: 0.0123 }], {
        modelName: (key) => key,
      });
      expect(entry?.cost?.replace(/\s/g, ' ')).toBe('0,01 $');
    } finally {
      useTexts({});
    }
  });
});
