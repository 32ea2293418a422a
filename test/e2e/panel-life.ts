import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answering, gate, lastUserText, reply, toolResults } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import { Chat } from './chat.js';
import { filesWith } from './files.js';
import { ProposalEditor } from './proposal-editor.js';
import type { SharedWindow } from './shared-window.js';
import type { WithModel } from './with-model.js';

const SLOW = { timeout: 60_000 };

/** Words that can be counted in a transcript: `w0 w1 w2 `. */
function words(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from }, (_, n) => `w${from + n} `);
}

/** Cases for the panel that goes away and comes back. The last ones load the window again. */
export function panelLife(window: SharedWindow): void {
  describe('the life of the panel', () => {
    let all: WithModel;
    let chat: Chat;

    beforeAll(async () => {
      all = await window.take();
      chat = all.chat;
    });

    /** How often a command has run: each run adds a line to a file. */
    async function runs(file: string): Promise<number> {
      const text = await readFile(join(all.app.workspace, file), 'utf8').catch(() => '');
      return text.split('\n').length - 1;
    }

    describe('while the window stays', () => {
      beforeEach(() => chat.newSession());

      /** Shows another view in place of the chat, and waits until the chat is gone. */
      async function hide(): Promise<void> {
        await all.app.workbench.openView('Explorer');
        await chat.message.waitFor({ state: 'hidden' });
      }

      /** Waits until the prompt has been seen to its end, which it says something about, and gives its whole text. */
      async function promptText(): Promise<string> {
        await chat.waitForPrompt();
        await chat.prompt.getByRole('button', { name: 'Allow', exact: true }).click({ trial: true });
        return chat.prompt.innerText();
      }

      it.each([
        ['hidden', hide, () => all.app.openChat()],
        ['reloaded', () => Promise.resolve(), () => chat.reload()],
      ])('view-14 shows the same answer, prompt and draft when it was %s: nothing twice, nothing lost, nothing answered by itself', async (how, away, back) => {
        const file = `runs-${how}.txt`;
        const [first, second] = [gate(), gate()];
        all.server.setScript(
          answering(
            reply()
              .text(...words(0, 40), first, ...words(40, 80), second, ...words(80, 120))
              .toolCall('bash', { command: `echo run >> ${file}` }),
          ),
        );
        await chat.send(`Count ${how}`);
        await chat.waitForText('w39');
        await away();
        first.open();
        await second.reached;
        await back();
        await chat.waitForText('w79');
        second.open();
        await chat.waitForText('w119');
        const before = await promptText();
        const asked = all.server.requests.length;
        await chat.message.fill('A long thought that is not finished');
        await away();
        await back();
        expect(await promptText()).toBe(before);
        expect(await chat.prompt.count()).toBe(1);
        await expect.poll(() => chat.message.inputValue(), SLOW).toBe('A long thought that is not finished');
        await chat.message.fill('');
        expect(await runs(file)).toBe(0);
        expect(all.server.requests.length).toBe(asked);
        await chat.answer('Allow');
        await chat.waitForText('That was all.');
        await chat.waitForIdle();
        expect(await runs(file)).toBe(1);
        expect(all.server.requests.length).toBe(asked + 1);
        expect(toolResults(all.server)).toHaveLength(1);
        const text = (await chat.answers.last().innerText()).match(/\bw\d+\b/g);
        expect(text).toEqual(words(0, 120).map((word) => word.trim()));
        expect(await chat.mine.count()).toBe(1);
        expect(await chat.answers.count()).toBe(1);
      });

      it('lets conversations go on in the background, with a dot for what each does; a prompt stays with its own', async () => {
        const hold = gate();
        all.server.setScript((request) => {
          const said = lastUserText(request.body);
          if (said === 'Go on without me') return reply().text('The beginning, ', hold, 'and the end.');
          return said === 'Something else'
            ? reply().text('Done with that.')
            : answering(reply().toolCall('bash', { command: 'echo run >> background.txt' }))(request);
        });
        await chat.send('Go on without me');
        await chat.waitForText('The beginning');
        const first = all.server.requests.at(-1)?.closedByClient;
        await chat.frame
          .locator('header')
          .getByText(/^Working/)
          .waitFor(SLOW);
        await chat.newSession();
        await chat.send('Ask me later');
        await chat.waitForPrompt();
        await chat.newSession();
        await chat.prompt.waitFor({ state: 'detached' });
        await chat.send('Something else');
        await chat.waitForText('Done with that.');
        await chat.waitForIdle();
        expect(await chat.log.textContent()).not.toContain('The beginning');
        expect(await runs('background.txt')).toBe(0);
        const row = (title: string): Locator => chat.history.getByRole('button', { name: new RegExp(`^${title}`) });
        await chat.openHistory();
        await row('Go on without me').getByText('Working').waitFor(SLOW);
        await row('Ask me later').getByText('Waiting for you').waitFor(SLOW);
        hold.open();
        expect(await first).toBe(false);
        await row('Go on without me').getByText('Finished, unread').waitFor(SLOW);
        await row('Go on without me').click();
        await chat.waitForText('The beginning, and the end.');
        await chat.waitForIdle();
        expect(await chat.answers.count()).toBe(1);
        expect(await chat.mine.count()).toBe(1);
        await chat.openHistory();
        await row('Go on without me').getByText('Finished, unread').waitFor({ state: 'detached' });
        await row('Ask me later').click();
        expect(await chat.waitForPrompt()).toContain('background.txt');
        await chat.answer('Allow');
        await chat.waitForText('That was all.');
        expect(await runs('background.txt')).toBe(1);
      });

      it('shows the same conversation in the secondary side bar, and a turn goes on over the move', async () => {
        const hold = gate();
        all.server.setScript(() => reply().text('Here ', hold, 'and there.'));
        await chat.send('Before the move');
        await chat.waitForText('Here');
        await moveTo('Secondary Side Bar');
        await all.app.page.locator('.part.auxiliarybar').waitFor();
        await chat.waitForText('Here');
        hold.open();
        await chat.waitForText('Here and there.');
        await chat.waitForIdle();
        expect(await chat.mine.count()).toBe(1);
        expect(await chat.answers.count()).toBe(1);
        await moveTo('Primary Side Bar');
        await all.app.page.locator('.part.auxiliarybar').waitFor({ state: 'hidden' });
        await chat.waitForText('Here and there.');
      });

      /** Moves the chat by the menu of its icon. */
      async function moveTo(place: string): Promise<void> {
        const { page } = all.app;
        await page.locator('.composite-bar a.action-label[aria-label^="Gnomon"]').first().click({ button: 'right' });
        await page.getByRole('menuitem', { name: 'Move To' }).hover();
        await all.app.workbench.chooseInMenu(place);
      }
    });

    describe('when the window was reloaded', () => {
      let inBar: Chat;
      let inTab: Chat;
      let editor: ProposalEditor;

      beforeAll(async () => {
        const { app, server } = all;
        [inBar, inTab, editor] = [new Chat(app.workbench, 'sidebar'), new Chat(app.workbench, 'editor tab'), new ProposalEditor(all)];
        await chat.newSession();
        await editor.propose('shown.txt');
        await editor.show('shown.txt');
        await chat.newSession();
        await editor.propose('typed.txt');
        await editor.show('typed.txt');
        await editor.type('typed.txt', 'mine ');
        // VS Code keeps an unsaved text after a while, from which it opens the editor again; in a browser not when the window closes.
        await waitFor(async () => (await filesWith(join(app.dataDir, 'data', 'User', 'Backups'), 'mine ')).length > 0, {
          what: 'the unsaved text to be kept',
          timeoutMs: 30_000,
        });
        await chat.newSession();
        await restoreAFile();
        await leaveMessagesWaiting();
        await chat.act('Open Chat in Editor Tab');
        await inTab.message.waitFor(SLOW);
        await inTab.act('New Chat');
        await inTab.mine.first().waitFor({ state: 'detached', ...SLOW });
        server.setScript(({ body }) => reply().text(`You said: ${lastUserText(body)}`));
        await inTab.send('Iota in the tab');
        await inTab.waitForText('You said: Iota in the tab');
        await inTab.waitForIdle();
        await tab('Iota in the tab').waitFor(SLOW);
        // As a person does: VS Code has the time to keep which tabs there are.
        await Promise.all([app.page.waitForEvent('load', SLOW), app.workbench.runCommand('Developer: Reload Window')]);
        await app.workbench.openView('Gnomon');
        await inBar.message.waitFor(SLOW);
      });

      const tab = (title: string): Locator => all.app.page.locator('.tabs-container .tab').filter({ hasText: title });

      /** Has a file written in the conversation that is shown, and takes that back. */
      async function restoreAFile(): Promise<void> {
        all.server.setScript(answering(reply().toolCall('write', { file_path: 'redone.txt', content: 'first\n' })));
        await chat.send('Write redone.txt');
        await chat.waitForPrompt();
        await chat.answer('Allow');
        await chat.waitForIdle();
        await all.app.waitForFile('redone.txt', 'first\n');
        await chat.log.getByRole('group', { name: 'Checkpoint' }).first().getByRole('button', { name: 'Restore Files to Before This Message' }).click();
        await all.app.waitForFile('redone.txt', '');
      }

      /** Leaves two messages in the queue of a turn that is stopped, and one in the box. */
      async function leaveMessagesWaiting(): Promise<void> {
        const queue = chat.frame.getByRole('region', { name: 'Queue' });
        const hold = gate();
        all.server.setScript(() => reply().text('Wait.').hold(hold));
        await chat.send('hold on');
        for (const text of ['look at @src/clock.js', 'and then this']) {
          await chat.message.fill(text);
          await chat.message.press('Enter');
          await chat.unfold('Queue');
          await queue.getByRole('listitem').filter({ hasText: text }).waitFor(SLOW);
        }
        await chat.button('Stop').click();
        await queue.getByRole('status').filter({ hasText: 'you stopped the turn' }).waitFor(SLOW);
        hold.open();
        await chat.message.fill('not sent yet');
      }

      it('messages that waited wait still, say why, and go out at the press of a button; what was being written is there', async () => {
        const queue = inBar.frame.getByRole('region', { name: 'Queue' });
        await queue.getByRole('status').filter({ hasText: 'closed before these messages were sent' }).waitFor(SLOW);
        await expect.poll(() => inBar.message.inputValue(), SLOW).toBe('not sent yet');
        all.server.setScript(() => reply().text('Well.'));
        const next = all.server.request(all.server.requests.length);
        await queue.getByRole('button', { name: 'Send Next' }).click();
        expect(JSON.stringify((await next).body.messages.at(-1))).toContain('<attached name=\\"src/clock.js\\">');
        await queue.waitFor({ state: 'detached', ...SLOW });
        await inBar.mine.filter({ hasText: 'and then this' }).waitFor(SLOW);
        await inBar.waitForIdle();
      });

      it('an editor tab shows its conversation again, beside the one in the sidebar', async () => {
        await tab('Iota in the tab').click(SLOW);
        await inTab.waitForText('You said: Iota in the tab');
        await inBar.mine.filter({ hasText: 'Write redone.txt' }).waitFor(SLOW);
        expect(await inBar.mine.filter({ hasText: 'Iota' }).count()).toBe(0);
      });

      it('C-3 a proposal is gone; text in it that was not saved is still there, and is written nowhere', async () => {
        const { app } = all;
        await editor.tab('shown.txt').waitFor({ state: 'detached', ...SLOW });
        expect(await app.read('shown.txt')).toBe('one\ntwo\nthree\n');
        await app.page.getByRole('tab', { name: /^typed\.txt/ }).click(SLOW);
        await waitFor(async () => (await app.workbench.editor.text()).startsWith('mine one'), { what: 'the text that was typed', timeoutMs: 30_000 });
        await editor.title('Allow').click();
        await app.workbench.notification('no longer active');
        expect(await app.read('typed.txt')).toBe('one\ntwo\nthree\n');
      });

      it('C-8 a restore is redone; then that is not offered any more', async () => {
        const { page, workbench } = all.app;
        await workbench.runCommand('Gnomon: Undo Restore');
        await all.app.waitForFile('redone.txt', 'first\n');
        const palette = page.locator('.quick-input-widget');
        const row = (title: string): Locator => palette.locator('.label-name', { hasText: title });
        const offered = async (): Promise<boolean> => {
          await page.keyboard.press('F1');
          await palette.locator('.quick-input-box input').fill('>Gnomon: Show Log');
          await row('Gnomon: Show Log').waitFor();
          await palette.locator('.quick-input-box input').fill('>Gnomon: Undo Restore');
          await row('Gnomon: Show Log').waitFor({ state: 'detached' });
          const count = await row('Gnomon: Undo Restore').count();
          await page.keyboard.press('Escape');
          return count > 0;
        };
        await waitFor(async () => !(await offered()), { what: 'redo not to be offered', timeoutMs: 30_000 });
      });
    });
  });
}
