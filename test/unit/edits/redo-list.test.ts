import { expect, it } from 'vitest';
import { RedoList } from '../../../src/edits/redo-list.js';

it('C-8: redo is about the conversation that was restored last; those opened with older restores come after', () => {
  const told: boolean[] = [];
  const list = new RedoList((any) => told.push(any));
  expect(list.latest).toBeUndefined();
  list.restored('a');
  list.opened('old');
  list.restored('b');
  list.opened('a');
  expect(list.latest).toBe('b');
  list.forget('b');
  expect(list.latest).toBe('a');
  list.restored('a');
  list.forget('a');
  expect(list.latest).toBe('old');
  list.forget('unknown');
  list.forget('old');
  expect([list.latest, told.at(-1), told.filter((any) => !any)]).toEqual([undefined, false, [false]]);
});
