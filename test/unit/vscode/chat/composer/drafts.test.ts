import { expect, it, onTestFinished } from 'vitest';
import { DraftStore } from '../../../../../src/vscode/chat/composer/draft-store.js';
import { Drafts } from '../../../../../src/vscode/chat/composer/drafts.js';
import { createNodeFileLayer } from '../../../../../src/node/files/node-file-layer.js';
import { quickFolder } from '../../../../support/temporary-folder.js';
import { TestProcesses } from '../../../session/support/setup.js';
import { testWindow } from '../sessions/rig.js';

it('what is written and attached in an empty chat is in the one that comes in its place, and there after a restart', async () => {
  const folder = quickFolder();
  const window = testWindow(folder, new TestProcesses(), []);
  onTestFinished(() => window.conversations.close());
  const store = new DraftStore({ folder, files: createNodeFileLayer(), log: window.log });
  const drafts = new Drafts({ store, resolve: () => Promise.resolve([]) });
  const [before, fresh] = [await window.conversations.create(), await window.conversations.create()];
  const [old, next] = [drafts.of(before), drafts.of(fresh)];
  await Promise.all([old.ready, next.ready]);
  old.write('half a thought', 5);
  old.attachments.addText('notes.md', 'words');
  drafts.handOver(before, fresh);
  // A page that has not heard of the change yet tells of the old one.
  old.write('', 6);
  expect([next.text, next.at]).toEqual(['half a thought', 5]);
  expect(next.attachments.list().map(({ name }) => name)).toEqual(['notes.md']);
  await store.flush();
  expect(await store.load('new')).toMatchObject({ text: 'half a thought', attachments: [{ attachment: { name: 'notes.md' } }] });
});
