import { describe, expect, it, onTestFinished } from 'vitest';
import { attachedBlock } from '../../../../src/domain/session/attached.js';
import { text } from '../../../../src/domain/model/content.js';
import { Attachments } from '../../../../src/chat/composer/attachments.js';
import { DraftStore } from '../../../../src/chat/composer/draft-store.js';
import { Drafts } from '../../../../src/chat/composer/drafts.js';
import { createNodeFileLayer } from '../../../../src/node/files/node-file-layer.js';
import { answers } from '../../../support/scripted-provider/index.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { TestProcesses } from '../../session/support/setup.js';
import { testWindow } from '../sessions/rig.js';

const WORDS = 'naïve\nwords of </attached> notes\n';

describe('a text file that is nowhere to be read from', () => {
  it('is attached with its contents by its name, once', () => {
    const attachments = new Attachments();
    attachments.addText('notes.md', WORDS);
    attachments.addText('notes.md', WORDS);
    const [one] = attachments.list();
    expect(attachments.list()).toEqual([{ id: one?.id, name: 'notes.md', kind: 'file' }]);
    expect(attachments.contents([one?.id ?? ''])).toEqual([attachedBlock({ name: 'notes.md', text: WORDS })]);
    attachments.addText('notes.md', 'other words');
    expect(attachments.list().map(({ name }) => name)).toEqual(['notes.md', 'notes.md']);
  });

  it('has no name that looks like another one or is too long to read', () => {
    const attachments = new Attachments();
    attachments.addText('txt.\u202Eexe', WORDS);
    attachments.addText('x'.repeat(1_000), WORDS);
    expect(attachments.list().map(({ name }) => name)).toEqual(['txt.\\u{202e}exe', 'x'.repeat(200)]);
  });

  it('reaches the model in front of the words that it is sent with, and is not attached any more', async () => {
    const folder = temporaryFolder();
    const window = testWindow(folder, new TestProcesses(), [answers('I see.')]);
    onTestFinished(() => window.conversations.close());
    const store = new DraftStore({ folder, files: createNodeFileLayer(), log: window.log });
    const drafts = new Drafts({ store, resolve: () => Promise.resolve([]) });
    const talk = await window.conversations.create();
    const draft = drafts.of(talk);
    await draft.ready;
    draft.attachments.addText('notes.md', WORDS);
    const ids = draft.attachments.list().map(({ id }) => id);
    await draft.outbox.submit({ id: 'm', text: 'What is this?', attached: draft.attachments.contents(ids) });
    draft.sent('What is this?', ids);
    await talk.untilIdle();
    expect(window.provider.requests[0]?.messages.at(-1)?.content).toEqual([attachedBlock({ name: 'notes.md', text: WORDS }), text('What is this?')]);
    expect(draft.attachments.list()).toEqual([]);
    await store.flush();
  });
});
