import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { answering, type Gate, gate, lastUserText, type ModelServer, reply } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import type { App } from './app.js';
import type { Chat } from './chat.js';
import { filesWith } from './files.js';
import type { SharedWindow } from './shared-window.js';

/** Cases for windows that end in the middle of something. The last ones open the folder so that VS Code takes it for another workspace. */
export function interruption(window: SharedWindow): void {
  describe('interruptions', () => {
    let server: ModelServer;
    let app: App;
    let chat: Chat;

    beforeAll(async () => {
      ({ server, app, chat } = await window.take());
    });

    const BEGINNING = 'the beginning of it';

    /** A model that never comes to its end in one conversation and wants a command in another; both can be gone on from. */
    function script(): Gate {
      const hold = gate();
      server.setScript(({ body }) => {
        const said = lastUserText(body);
        if (said.startsWith('Continue')) return reply().text('And this is the rest.');
        if (said.startsWith('What')) return reply().text('It was never run.');
        if (said.startsWith('Make')) return reply().toolCall('bash', { command: 'touch never-made' });
        return reply().text('This is ', `${BEGINNING} `, hold, 'never seen');
      });
      return hold;
    }

    /** Goes on with an answer that was interrupted. */
    async function expectGoesOn(question: string): Promise<void> {
      await chat.waitForText(BEGINNING);
      expect(await chat.mine.count()).toBe(1);
      await chat.log.getByText('Stopped.', { exact: true }).first().waitFor();
      await chat.button('Continue').click();
      await chat.waitForText('And this is the rest.');
      await chat.waitForIdle();
      expect(server.requests.at(-1)?.problem).toBeUndefined();
      expect(JSON.stringify(server.requests.at(-1)?.body.messages).split(question)).toHaveLength(2);
    }

    it('over a reload of the window, asks again for nothing that was asked, runs nothing, and keeps a partial answer', async () => {
      const hold = script();
      await chat.newSession();
      await chat.send('Tell me about windows');
      await chat.waitForText(BEGINNING);
      await chat.newSession();
      await chat.send('Make a file');
      await chat.waitForPrompt();
      await app.workbench.reload();
      chat = await app.openChat();
      await chat.mine.getByText('Make a file').waitFor();
      await chat.tool('bash touch never-made').waitFor();
      expect(await chat.prompt.count()).toBe(0);
      await chat.send('What happened?');
      await chat.waitForText('It was never run.');
      await chat.waitForIdle();
      expect(server.requests.at(-1)?.problem).toBeUndefined();
      expect(JSON.stringify(server.requests.at(-1)?.body.messages)).toMatch(/Cancelled|not run again/);
      expect(existsSync(join(app.workspace, 'never-made'))).toBe(false);
      await chat.openFromHistory('Tell me about windows');
      await expectGoesOn('Tell me about windows');
      hold.open();
    });

    describe('sess-13 a folder that VS Code gives another storage', () => {
      const begin = (): Promise<Chat> => app.openChat().then((opened) => (chat = opened));

      /** Opens the conversation from the list, which was not shown before the move. */
      async function open(): Promise<void> {
        await begin();
        await chat.openHistory();
        await chat.history.getByRole('button', { name: /^Remember this over the move/ }).click();
        await chat.waitForText('It is kept.');
      }

      /** Writes something and waits until it is on the disk. */
      async function draft(words: string): Promise<void> {
        await chat.message.fill(words);
        await waitFor(async () => (await filesWith(app.dataDir, words)).some((path) => path.includes('/drafts/')), {
          what: 'the draft on the disk',
          timeoutMs: 30_000,
        });
      }

      beforeAll(async () => {
        server.setScript(answering(reply().toolCall('write', { file_path: 'kept.txt', content: 'of the agent\n' }), 'It is kept.'));
        await chat.newSession();
        await chat.send('Remember this over the move');
        await chat.answer('Allow');
        await chat.waitForText('It is kept.');
        await chat.waitForIdle();
        await draft('half a thought');
      });

      it.each(['to another port', 'as one of several'] as const)(
        'has its conversations, with what is written and not sent and what is pending, though the history was never opened: %s',
        async (how) => {
          await app.move(how);
          await open();
          await waitFor(async () => (await chat.message.inputValue()) === 'half a thought', { what: 'the draft', timeoutMs: 30_000 });
          await (await chat.unfold('Changed files')).getByRole('button', { name: /^Undo .*kept\.txt/ }).waitFor({ timeout: 30_000 });
        },
      );

      it('undoes there what was pending before the move', async () => {
        await app.waitForFile('kept.txt', 'of the agent\n');
        await (await chat.unfold('Changed files')).getByRole('button', { name: /^Undo .*kept\.txt/ }).click();
        await waitFor(() => !existsSync(join(app.workspace, 'kept.txt')), { what: 'the file to be gone again', timeoutMs: 30_000 });
      });
    });
  });
}
