import { describe, expect, it } from 'vitest';
import { ApprovalQueue } from '../../../src/consent/approval-queue.js';
import type { WaitingCall } from '../../../src/consent/waiting-calls.js';

const permission = (...ids: readonly string[]): readonly WaitingCall[] => ids.map((id) => ({ id, kind: 'permission' }));

function rig(): { readonly queue: ApprovalQueue; readonly at: (time: number) => ApprovalQueue; readonly changes: () => number } {
  let now = 0;
  let changes = 0;
  const queue = new ApprovalQueue(() => now);
  queue.onDidChange(() => (changes += 1));
  return {
    queue,
    at: (time) => {
      now = time;
      return queue;
    },
    changes: () => changes,
  };
}

describe('the queue of prompts', () => {
  it('holds the conversations of all kinds, the longest wait first', () => {
    const { at, queue } = rig();
    at(5).update('b', 'Second', permission('c2'));
    at(9).update('c', 'Third', permission('c3', 'c4'));
    at(1).update('a', 'First', permission('c1'));
    expect(queue.sessions().map(({ id, since }) => [id, since])).toEqual([
      ['a', 1],
      ['b', 5],
      ['c', 9],
    ]);
    expect(queue.size).toBe(4);
  });

  it('counts the wait of each call from when it began', () => {
    const { at, queue } = rig();
    at(1).update('a', 'A', permission('c1', 'c2'));
    at(2).update('b', 'B', permission('d'));
    at(3).update('a', 'A', permission('c2'));
    expect(queue.sessions()[0]).toMatchObject({ id: 'a', since: 1 });
    at(4).update('a', 'A', permission('c3'));
    expect(queue.sessions().map(({ id }) => id)).toEqual(['b', 'a']);
  });

  it('leads from one to the next, and from the last to the first', () => {
    const { at, queue } = rig();
    expect(queue.next('a')).toBeUndefined();
    for (const [time, id] of ['a', 'b', 'c'].entries()) at(time).update(id, id, permission(`call-${id}`));
    expect(['elsewhere', 'a', 'b', 'c'].map((shown) => queue.next(shown)?.id)).toEqual(['a', 'b', 'c', 'a']);
    queue.remove('b');
    queue.remove('c');
    expect(queue.next('a')?.id).toBe('a');
  });

  it('tells of changes only', () => {
    const { at, queue, changes } = rig();
    at(1).update('a', 'A', permission('c'));
    queue.update('a', 'A', permission('c'));
    queue.update('b', 'B', []);
    queue.remove('b');
    expect(changes()).toBe(1);
    queue.update('a', 'Renamed', permission('c'));
    queue.update('a', 'Renamed', [{ id: 'c', kind: 'question' }]);
    queue.update('a', 'Renamed', []);
    expect(changes()).toBe(4);
    expect(queue.sessions()).toEqual([]);
  });
});
