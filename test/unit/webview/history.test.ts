import { describe, expect, test } from 'vitest';
import type { HistoryEntry } from '../../../src/protocol/host/session-messages.js';
import { type ViewBlock, type ViewToolCall, emptyViewState } from '../../../src/protocol/view-state.js';
import { activityLine } from '../../../webview/state/transcript/activity-line.js';
import { firstOf, historyGroups, withTitle } from '../../../webview/state/history/history-groups.js';

function entry(id: string, date: Date, more: Partial<HistoryEntry> = {}): HistoryEntry {
  return { id, title: `Title ${id}`, updatedAt: date.toISOString(), messageCount: 1, ...more };
}

describe('sessions under headings', () => {
  const now = new Date(2026, 2, 29, 0, 30).getTime();
  const entries = [
    entry('a', new Date(2026, 2, 29, 0, 10)),
    entry('b', new Date(2026, 2, 28, 23, 59)),
    entry('c', new Date(2026, 2, 28, 0, 0)),
    entry('d', new Date(2026, 2, 27, 23, 59)),
    entry('e', new Date(2020, 0, 1), { pinned: true }),
    { ...entry('f', new Date(0)), updatedAt: 'no time' },
  ];

  test('are by days of the person’s clock, pinned ones first, in the order given', () => {
    expect(historyGroups(entries, now).map(({ name, entries: found }) => [name, found.map(({ id }) => id)])).toEqual([
      ['Pinned', ['e']],
      ['Today', ['a']],
      ['Yesterday', ['b', 'c']],
      ['Earlier', ['d', 'f']],
    ]);
    expect(historyGroups([], now)).toEqual([]);
  });

  test('the first of them leave out whole groups at the end', () => {
    const groups = firstOf(historyGroups(entries, now), 3);
    expect(groups.map(({ name, entries: found }) => [name, found.length])).toEqual([
      ['Pinned', 1],
      ['Today', 1],
      ['Yesterday', 1],
    ]);
  });

  test('are found by a part of their title in any case', () => {
    expect(withTitle(entries, '  TITLE b ').map(({ id }) => id)).toEqual(['b']);
    expect(withTitle(entries, ' ')).toBe(entries);
  });
});

describe('the state of a conversation in a line', () => {
  const state = emptyViewState('demo/demo', 'default');
  const withCall = (call: Partial<ViewToolCall>, activity: 'running' | 'waiting' = 'running') => {
    const block: ViewBlock = { type: 'tool', call: { id: '1', name: 'bash', subject: 'npm test', status: 'running', output: '', ...call } };
    return { ...state, activity, items: [{ kind: 'answer' as const, id: 'a0', blocks: [block], status: 'streaming' as const, time: '', summary: '' }] };
  };

  test('says what it does', () => {
    expect(activityLine(state)).toEqual({ look: 'ready', text: 'Ready' });
    expect(activityLine({ ...state, activity: 'running' }).text).toBe('Working');
    expect(activityLine(withCall({})).text).toBe('Running npm test');
    expect(activityLine({ ...withCall({}), hookStatus: 'Checking the style' }).text).toBe('Checking the style');
    expect(activityLine(withCall({ status: 'done' })).text).toBe('Working');
    expect(activityLine(withCall({ status: 'awaiting_approval' }, 'waiting')).text).toBe('Waiting for your permission');
    expect(activityLine(withCall({}, 'waiting')).text).toBe('Waiting for your answer');
    expect(activityLine({ ...withCall({}), retry: { reason: '', attempt: 1, maxAttempts: 2, at: 0 } }).text).toBe('Retrying…');
    expect(activityLine({ ...state, elsewhere: true }).text).toBe('Continued in another window');
  });

  test('nothing can hide in it', () => {
    expect(activityLine(withCall({ subject: 'a\u202Eb' })).text).toBe(String.raw`Running a\u202Eb`);
  });
});
