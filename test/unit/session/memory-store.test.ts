import { expect, test } from 'vitest';
import type { SessionStore } from '../../../src/domain/session/session-store.js';
import { MemorySessionStore } from '../../../src/session/memory-store.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { assistant, testClock, testStore, user } from './support/setup.js';

const UUID = 'e7b1c3a0-0000-4000-8000-000000000001';

/** Both stores: who works with one need not know which it is. */
const STORES: readonly (readonly [string, () => SessionStore])[] = [
  ['in memory', () => new MemorySessionStore(testClock())],
  ['on the disk', () => testStore(temporaryFolder())],
];

test.each(STORES)('a session %s is opened again, branched, listed, and deleted', async (_, make) => {
  const store = make();
  const open = await store.create('Be good.', UUID);
  await open.recorder.append(user('Hello'));
  await open.recorder.partial(assistant('Half an'));
  await open.recorder.append(assistant('Half an answer'));
  await open.recorder.updateMeta({ mode: 'plan', model: 'demo/demo' });
  await open.recorder.updateMeta({ mode: undefined });
  await open.recorder.close();
  const again = await store.open(UUID);
  expect(again).toMatchObject({ session: { id: UUID, systemPrompt: 'Be good.', messages: [user('Hello'), assistant('Half an answer')] }, warnings: [] });
  expect([again.meta.model, again.meta.mode]).toEqual(['demo/demo', undefined]);
  await again.recorder.close();
  const branch = await store.branch(UUID, 1);
  expect([branch.session.messages, branch.meta.parent]).toEqual([[user('Hello')], { id: UUID, count: 1 }]);
  await branch.recorder.close();
  const listed = (await store.list()).map(({ id, title, messageCount }) => [id, title, messageCount]);
  expect(listed.sort()).toEqual(
    [
      [UUID, 'Hello', 2],
      [branch.session.id, 'Hello', 1],
    ].sort(),
  );
  await store.delete(UUID);
  expect((await store.list()).map(({ id }) => id)).toEqual([branch.session.id]);
  await expect(store.open(UUID)).rejects.toThrow();
});

test.each(STORES)('an id that a session %s has, or that can be none, is given to no other', async (_, make) => {
  const store = make();
  const { recorder } = await store.create('Be good.', 'mine');
  await expect(store.create('Be good.', 'mine')).rejects.toThrow('There is a chat with the ID "mine" already');
  await expect(store.create('Be good.', 'Mine')).rejects.toThrow('There is a chat with the ID "Mine" already');
  const race = await Promise.allSettled(['two', 'Two', 'two'].map((id) => store.create('Be good.', id)));
  expect(race.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  for (const each of race) if (each.status === 'fulfilled') await each.value.recorder.close();
  for (const id of ['', '../up', 'a.b', 'nul', 'x'.repeat(101)]) await expect(store.create('Be good.', id)).rejects.toThrow('is not a valid chat ID');
  await recorder.close();
});

test('in memory, what had come of an answer stays', async () => {
  const store = new MemorySessionStore(testClock());
  const { recorder, session } = await store.create('Be good.');
  await recorder.append(user('Hello'));
  await recorder.partial(assistant('Half an'));
  await recorder.close();
  expect((await store.open(session.id)).session.messages).toEqual([user('Hello'), assistant('Half an')]);
});
