import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Frame } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answering, gate, reply } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import type { Chat } from './chat.js';
import type { SharedWindow } from './shared-window.js';
import type { WithModel } from './with-model.js';

const MARKDOWN = [
  '# What I found\n\nThe **cause** is in `src/clock.js`, see [the manual](https://example.com/manual).',
  '1. First\n2. Second\n   - [x] done\n   - [ ] open\n\n> A quotation.',
  '```js\n// a comment\nconst minutes = Number(text) * 60;\nreturn `${minutes} min`;\n```',
  '| File | Lines |\n| --- | ---: |\n| src/clock.js | 12 |\n| src/room.js | 40 |',
].join('\n\n');

/** Cases for the keyboard, and for what axe finds. They change the colors. */
export function accessibility(window: SharedWindow): void {
  describe('accessibility', () => {
    let all: WithModel;
    let chat: Chat;

    beforeAll(async () => {
      all = await window.take();
      await pickTheme('Light Modern', /^Light Modern/);
      chat = all.chat;
    });
    beforeEach(() => chat.newSession());

    /** Chooses a color theme as a person does, by what the picker calls it. */
    async function pickTheme(words: string, name: RegExp): Promise<void> {
      const { page, workbench } = all.app;
      await workbench.runCommand('Preferences: Color Theme');
      const picker = page.locator('.quick-input-widget');
      // By its own words: the command palette has the same input a moment before.
      await picker.getByPlaceholder(/^Select Color Theme/).fill(words);
      await picker.getByRole('option', { name }).click();
      await picker.waitFor({ state: 'hidden' });
    }

    async function frame(): Promise<Frame> {
      const body = await chat.frame.locator('body').elementHandle();
      const owner = await body.ownerFrame();
      if (owner === null) throw new Error('The panel has no page.');
      return owner;
    }

    /** What axe finds in the panel as it is, serious and critical. */
    async function findings(): Promise<readonly string[]> {
      const page = await frame();
      await page.evaluate(axe.source);
      return page.evaluate(async () => {
        // VS Code draws the background behind the page, where axe cannot see it.
        document.documentElement.style.backgroundColor = 'var(--vscode-sideBar-background)';
        const engine = Reflect.get(window, 'axe') as typeof axe;
        const { passes, violations } = await engine.run(document, { resultTypes: ['violations'] });
        if (!passes.some(({ id }) => id === 'color-contrast')) return ['axe has looked at no contrast'];
        const bad = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
        return bad.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary ?? ''}`));
      });
    }

    it('has no serious finding in a conversation with a prompt, with the colors of a light and a high-contrast theme, and gives code those of the theme', async () => {
      all.server.setScript(
        answering(
          reply()
            .thinking('The person wants to *know*.', 'c2ln')
            .text(MARKDOWN)
            .toolCall('read', { file_path: 'package.json' })
            .toolCall('read', { file_path: 'missing.txt' })
            .toolCall('write', { file_path: 'src/added.js', content: 'export const added = 1;\n' })
            .toolCall('bash', { command: 'npm test -- --watch=false && echo "a long line that has to be read to its end, or it would be dangerous" \u202E' }),
        ),
      );
      await chat.selectMode('Accept edits');
      await chat.send('What is wrong here?\nLook at everything.');
      await chat.waitForPrompt();
      await chat.log.getByRole('heading', { name: 'What I found' }).waitFor();
      await chat.thinking.click();
      await chat.tool('write src/added.js').getByRole('button').first().click();
      const string = chat.log.locator('.hl-string').first();
      await string.waitFor();
      await chat.frame.locator('body.vscode-light').waitFor();
      expect(await findings()).toEqual([]);
      await pickTheme('Dark High Contrast', /^Dark High Contrast/);
      await chat.frame.locator('body.vscode-high-contrast').waitFor();
      expect(await findings()).toEqual([]);
      await pickTheme('Monokai', /^Monokai(?! Dimmed)/);
      // That of strings in theme-monokai/themes/monokai-color-theme.json: #E6DB74.
      const color = (): Promise<string> => string.evaluate((element) => getComputedStyle(element).color);
      await expect.poll(color).toMatch(/^(?:rgb\(230, 219, 116\)|color\(srgb 0\.90\d+ 0\.85\d+ 0\.45\d+\))$/);
      await chat.answer('Deny');
      await chat.waitForIdle();
    });

    describe('by keyboard alone', () => {
      /** What keys go to in the panel. */
      function focused(): Promise<string> {
        return chat.frame.locator('body').evaluate(() => {
          const element = document.hasFocus() ? document.activeElement : null;
          return element?.getAttribute('aria-label') ?? element?.textContent.trim() ?? '';
        });
      }

      /** Presses a key until something has the focus; the names on the way. */
      async function tabTo(name: string | RegExp, key: 'Tab' | 'Shift+Tab'): Promise<void> {
        const way: string[] = [];
        for (let n = 0; n < 30; n += 1) {
          await all.app.page.keyboard.press(key);
          const now = await focused();
          if (typeof name === 'string' ? now === name : name.test(now)) return;
          way.push(now);
        }
        throw new Error(`${key} does not lead to ${String(name)}, but to ${way.join(', ')}`);
      }

      /** From another view to the message box: a cursor that stands there already would not show when the key has been answered. */
      async function fromElsewhere(): Promise<void> {
        await all.app.workbench.openView('Explorer');
        await chat.message.waitFor({ state: 'hidden' });
        await all.app.page.keyboard.press('Control+Alt+g');
        await chat.message.waitFor();
        await waitFor(async () => (await focused()) === 'Message', { what: 'the cursor in the message box', timeoutMs: 30_000 });
      }

      it('asks, denies with words, and has the cursor in the message box again', async () => {
        const { keyboard } = all.app.page;
        const hold = gate();
        all.server.setScript(answering(reply().text('Now ', hold).toolCall('bash', { command: 'touch keyboard.txt' }), 'As you wish.'));
        await fromElsewhere();
        await keyboard.type('Do it by keyboard');
        await keyboard.press('Enter');
        await chat.waitForText('Now');
        hold.open();
        await chat.waitForPrompt();
        expect(await focused()).toBe('Message');
        // Shift+Tab changes the mode there.
        await keyboard.press('ControlOrMeta+ArrowUp');
        await tabTo('Tell Gnomon what to do instead', 'Tab');
        await keyboard.press('Enter');
        await waitFor(async () => (await focused()) === 'What Gnomon should do instead (sent with Deny)', {
          what: 'the cursor in the field',
          timeoutMs: 30_000,
        });
        await keyboard.type('Not Now');
        const denied = async (): Promise<boolean> => {
          await keyboard.press('Enter');
          return (await chat.prompt.count()) === 0;
        };
        await waitFor(denied, { what: 'the denial', timeoutMs: 30_000 });
        await chat.waitForText('As you wish.');
        await chat.waitForIdle();
        expect(all.server.requests.at(-1)?.raw).toContain('Not Now');
        expect(await focused()).toBe('Message');
      });

      it('sends, allows an edit, goes through its changes, keeps one and undoes the other, and keeps the rest from the chat', async () => {
        const { app, server } = all;
        const { keyboard } = app.page;
        const lines = Array.from({ length: 12 }, (_, index) => `line ${index + 1}\n`).join('');
        for (const name of ['first.txt', 'second.txt']) await writeFile(join(app.workspace, name), lines);
        const edit = (name: string): object => ({
          file_path: name,
          edits: [
            { old_string: 'line 2\n', new_string: 'LINE 2\n' },
            { old_string: 'line 9\n', new_string: 'LINE 9\n' },
          ],
        });
        server.setScript(answering(reply().toolCall('edit', edit('first.txt')).toolCall('edit', edit('second.txt')), 'Both are changed.'));
        await fromElsewhere();
        await keyboard.type('Change both files');
        await keyboard.press('Enter');
        await chat.frame.getByRole('button', { name: /^Allow All 2 Edits/ }).waitFor();
        const allowed = async (): Promise<boolean> => {
          await keyboard.press('ControlOrMeta+Enter');
          return (await app.read('second.txt')) !== lines;
        };
        await waitFor(allowed, { what: 'the edits', timeoutMs: 30_000 });
        await chat.waitForText('Both are changed.');
        await chat.waitForIdle();

        // From the message box to the changed files, and from there into the editor, at the first change.
        await keyboard.press('ControlOrMeta+ArrowUp');
        await tabTo(/^2 files/, 'Tab');
        await keyboard.press('Enter');
        await tabTo('first.txt', 'Tab');
        await keyboard.press('Enter');
        await app.page.locator('.tab.active[data-resource-name="first.txt"]').waitFor();
        // Each step is waited for: VS Code may carry out a command that is used for the first time after the next one.
        const inStatusBar = (name: string): Promise<void> => app.page.locator('.statusbar-item').getByRole('status', { name, exact: true }).waitFor();
        await inStatusBar('Change 1 of 2');
        await app.workbench.editor.goTo(1);
        await inStatusBar('2 pending changes');
        await keyboard.press('Alt+F5');
        await inStatusBar('Change 1 of 2');
        await keyboard.press('Control+Alt+Enter');
        await inStatusBar('1 pending change');
        await keyboard.press('Alt+F5');
        await inStatusBar('Change 1 of 1');
        await keyboard.press('Control+Alt+Backspace');
        await waitFor(async () => (await app.read('first.txt')) === lines.replace('line 2', 'LINE 2'), { what: 'the first change alone', timeoutMs: 30_000 });

        await keyboard.press('Control+Alt+g');
        await waitFor(async () => (await focused()) === 'Message', { what: 'the cursor in the message box', timeoutMs: 30_000 });
        await keyboard.press('ControlOrMeta+ArrowUp');
        await tabTo('Keep All', 'Tab');
        await keyboard.press('Enter');
        await chat.frame.getByRole('region', { name: 'Changed files' }).waitFor({ state: 'detached' });
        expect(await app.read('second.txt')).toContain('LINE 9');
        await waitFor(async () => (await focused()) === 'Message', { what: 'the cursor in the message box', timeoutMs: 30_000 });
      });

      it('stops with Escape, and opens a conversation from the history', async () => {
        const { keyboard } = all.app.page;
        all.server.setScript(() => reply().text('Well.'));
        await chat.send('Find me');
        await chat.waitForIdle();
        await chat.newSession();
        const hold = gate();
        all.server.setScript(() => reply().text('Endless ', hold));
        await chat.message.focus();
        await keyboard.type('Run on');
        await keyboard.press('Enter');
        await chat.waitForText('Endless');
        await keyboard.press('Escape');
        expect(await all.server.requests.at(-1)?.closedByClient).toBe(true);
        await chat.waitForIdle();
        await all.app.workbench.runCommand('Gnomon: Show Chat History');
        await chat.frame.getByRole('list', { name: 'Chats' }).waitFor();
        await waitFor(async () => (await focused()) === 'Search chats', { what: 'the cursor in the search box', timeoutMs: 30_000 });
        await keyboard.type('Find me');
        await keyboard.press('ArrowDown');
        await keyboard.press('ArrowRight');
        expect(await focused()).toBe('Actions for Find me');
        await keyboard.press('ArrowLeft');
        await keyboard.press('Enter');
        await chat.mine.first().getByText('Find me').waitFor();
        await waitFor(async () => (await focused()) === 'Message', { what: 'the cursor in the message box', timeoutMs: 30_000 });
      });
    });
  });
}
