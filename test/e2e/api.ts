import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answering, reply, toolResults } from '../support/model-server/index.js';
import type { Chat } from './chat.js';
import type { SharedWindow } from './shared-window.js';
import type { WithModel } from './with-model.js';

const COMMAND = 'Count Words with Gnomon';
const TOOL = 'ext__acme_word-counter__count_words';

/** Cases for the extension of test/fixtures/api-extension, which is the example of docs/extension-api.md. */
export function api(window: SharedWindow): void {
  describe('another extension', () => {
    let all: WithModel;
    let chat: Chat;
    beforeAll(async () => {
      all = await window.take();
      ({ chat } = all);
    });
    beforeEach(() => all.server.setScript(answering(reply().toolCall(TOOL, { text: 'one two three' }))));

    it('starts a session that the chat shows, and its tool runs only after Allow, with what the prompt showed; the person goes on with it', async () => {
      const before = all.server.requests.length;
      await all.app.workbench.openFile('README.md');
      await all.app.workbench.runCommand(COMMAND);
      const shown = await chat.waitForPrompt();
      expect(shown).toContain(TOOL);
      expect(shown).toContain('one two three');
      expect(shown).toContain('It runs code of the extension acme.word-counter.');
      expect(await chat.prompt.getByRole('group', { name: 'Input' }).innerText()).toBe('{\n  "text": "one two three"\n}');
      await chat.waitForText('The extension acme.word-counter started this chat');
      expect(toolResults(all.server)).toEqual([]);
      await chat.answer('Allow');
      await all.app.workbench.notification('That was all.');
      expect(toolResults(all.server)).toEqual(['3 words']);
      const first = all.server.requests[before];
      expect(JSON.stringify(first?.body)).toContain('attached name=\\"README.md');
      await chat.newSession();
      // On a busy machine the palette may have run the command twice.
      await chat.openFromHistory('Count words (?!Waiting)');
      await chat.waitForText('That was all.');
      all.server.setScript(() => reply().text('Hello again.'));
      await chat.send('Are you there?');
      await chat.waitForText('Hello again.');
      const tools = all.server.requests.at(-1)?.body['tools'];
      expect(JSON.stringify(tools)).toContain(TOOL);
    });

    it('is told no when the person denies, and offers a rule that is about its tool alone', async () => {
      await all.app.workbench.runCommand(COMMAND);
      await chat.waitForPrompt();
      await chat.openRules();
      expect(await chat.rules.inputValue()).toBe(TOOL);
      await chat.rules.press('Escape');
      await chat.answer('Deny');
      await chat.waitForIdle();
      expect(toolResults(all.server)[0]).toContain('The user denied this call');
    });
  });
}
