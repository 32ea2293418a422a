import { expect, it, onTestFinished } from 'vitest';
import type { Conversation } from '../../../../src/chat/conversation/conversation.js';
import { DraftStore } from '../../../../src/chat/composer/draft-store.js';
import { Drafts } from '../../../../src/chat/composer/drafts.js';
import { createNodeFileLayer } from '../../../../src/node/files/node-file-layer.js';
import { quickFolder } from '../../../support/temporary-folder.js';
import { TestProcesses } from '../../session/support/setup.js';
import { testWindow } from '../sessions/rig.js';

function drafts() {
  const folder = quickFolder();
  const window = testWindow(folder, new TestProcesses(), []);
  onTestFinished(() => window.conversations.close());
  const store = new DraftStore({ folder, files: createNodeFileLayer(), log: window.log });
  const all = new Drafts({ store, resolve: () => Promise.resolve([]) });
  const make = (): Promise<Conversation> => window.conversations.create();
  return { store, all, make };
}

it('what is written and attached in an empty chat is in the one that comes in its place, and there after a restart', async () => {
  const { store, all, make } = drafts();
  const [before, fresh] = [await make(), await make()];
  const [old, next] = [all.of(before), all.of(fresh)];
  await Promise.all([old.ready, next.ready]);
  old.write('half a thought', 5);
  old.attachments.addText('notes.md', 'words');
  all.handOver(before, fresh);
  // A page that has not heard of the change yet tells of the old one.
  old.write('', 6);
  expect([next.text, next.at]).toEqual(['half a thought', 5]);
  expect(next.attachments.list().map(({ name }) => name)).toEqual(['notes.md']);
  await store.flush();
  expect(await store.load('new')).toMatchObject({ text: 'half a thought', attachments: [{ attachment: { name: 'notes.md' } }] });
});

it('what the host writes is newer than what a page wrote, also where the clock of the page is ahead', async () => {
  const { store, all, make } = drafts();
  const draft = all.of(await make());
  await draft.ready;
  const ahead = Date.now() + 600_000;
  draft.write('typed', ahead);
  draft.replace('typed and added');
  expect([draft.text, draft.at]).toEqual(['typed and added', ahead + 1]);
  draft.write('typed', ahead);
  expect(draft.text).toBe('typed and added');
  await store.flush();
});
