import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answering, lastUserText, reply } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import { Workbench } from '../vscode/workbench.mjs';
import { Chat } from './chat.js';
import { sessionsWith } from './files.js';
import type { SharedWindow } from './shared-window.js';
import type { WithModel } from './with-model.js';
import { says } from '../support/wording.js';
import { inSoak } from '../support/in-soak.js';

/** An image of one pixel. */
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64');
const SLOW = { timeout: 60_000 };

/** Cases for the list of conversations, and for what is inside of one. */
export function sessions(window: SharedWindow): void {
  describe('conversations', () => {
    let all: WithModel;
    let chat: Chat;

    beforeAll(async () => {
      all = await window.take();
      chat = all.chat;
    });
    beforeEach(() => all.server.setScript(({ body }) => reply().text(`You said: ${lastUserText(body)}`)));

    function tab(title: string | RegExp): Locator {
      return all.app.page.locator('.tabs-container .tab').filter({ hasText: title });
    }

    function row(title: string): Locator {
      return chat.frame.getByRole('list', { name: 'Chats' }).getByRole('button', { name: new RegExp(`^${title}`) });
    }

    function quickInput(): Locator {
      return all.app.page.locator('.quick-input-widget');
    }

    async function openHistory(): Promise<void> {
      if (await chat.frame.getByRole('searchbox', { name: 'Search chats' }).isVisible()) return;
      await chat.openHistory();
    }

    /** Chooses in the editor's own menu of a session. */
    async function menu(title: string, action: string): Promise<void> {
      await chat.frame
        .getByRole('button', { name: new RegExp(`^Actions for ${title}`) })
        .first()
        .click();
      await all.app.workbench.chooseInMenu(action);
    }

    async function talk(words: string): Promise<void> {
      await chat.newSession();
      await chat.send(words);
      await chat.waitForText(`You said: ${words}`);
      await chat.waitForIdle();
    }

    inSoak('support/panel-host/history.test.ts', 'unit/session/library/library.test.ts')(
      'renames in place, pins and finds by title and by message',
      async () => {
        await talk('Alpha about medians');
        await talk('Beta about brackets');
        await openHistory();
        await menu('Alpha about medians', 'Rename Chat…');
        const box = chat.frame.getByRole('textbox', { name: 'Title' });
        await box.fill('Alpha renamed');
        await box.press('Enter');
        await row('Alpha renamed').waitFor();
        await menu('Alpha renamed', 'Pin Chat');
        await chat.frame.getByRole('list', { name: 'Pinned' }).getByText('Alpha renamed').waitFor();
        await chat.frame.getByRole('searchbox', { name: 'Search chats' }).fill('medians');
        const hit = chat.frame.getByRole('list', { name: 'Found in messages' }).getByRole('button', { name: /^Alpha renamed/ });
        await hit.waitFor(SLOW);
        await hit.click();
        await chat.mine.first().getByText('Alpha about medians').waitFor();
        await chat.frame.getByRole('heading', { name: 'Alpha renamed', level: 1 }).waitFor();
      },
    );

    it('sess-18 deletes into the trash, takes back by Undo, and deletes at once what is in the trash: nothing of it is left', async () => {
      await talk('Delta to be forgotten');
      await openHistory();
      await row('Delta').press('Delete');
      await row('Delta').waitFor({ state: 'detached' });
      await chat.button('Undo').click();
      await row('Delta').click();
      await chat.waitForText('You said: Delta to be forgotten');
      await openHistory();
      await row('Delta').press('Delete');
      await row('Delta').waitFor({ state: 'detached' });
      await chat.frame.getByText('Trash (1)').click();
      await chat.frame.getByRole('list', { name: 'Trash' }).getByRole('button', { name: 'Delete Now' }).click();
      await all.app.workbench.dialog().getByRole('button', { name: 'Delete' }).click();
      await waitFor(async () => (await sessionsWith(all.app.dataDir, 'Delta to be forgotten')).length === 0, {
        what: 'the session to be gone',
        timeoutMs: 60_000,
      });
      await chat.closeHistory();
    });

    inSoak('unit/session/export/markdown.test.ts', 'unit/session/export/redact-session.test.ts')(
      'exports as Markdown without secrets and as JSON, and imports what it exported',
      async () => {
        const secret = `sk-${'a1b2c3d4'.repeat(4)}`;
        await talk(`Epsilon has ${secret} in it`);
        await openHistory();
        await menu('Epsilon has', 'Export Chat as Markdown…');
        const text = await exported(await saveAsProposed('.md'), (found) => found.includes('You said: Epsilon has'));
        expect(text).toContain('Epsilon has [redacted] in it');
        expect(text).not.toContain(secret);
        await chat.closeHistory();
        await all.app.workbench.runCommand('Gnomon: Export Chat…');
        await quickInput().getByText('Redact likely secrets').click();
        await quickInput().getByText('Off', { exact: true }).waitFor();
        await quickInput().getByRole('option', { name: /^JSON/ }).click();
        const bytes = await exported(await saveAsProposed('.json'), isJson);
        expect(bytes).toContain(secret);
        await mkdir(join(all.app.workspace, 'in'), { recursive: true });
        const file = join(all.app.workspace, 'in', 'session.json');
        await writeFile(file, bytes.replaceAll('Epsilon', 'Zeta'));
        await all.app.workbench.runCommand('Gnomon: Import Chat…');
        await choose(file);
        await chat.waitForText('You said: Zeta has');
        await writeFile(file, '{"version": 1, "id": ');
        await all.app.workbench.runCommand('Gnomon: Import Chat…');
        await choose(file);
        await all.app.workbench.notification(/session\.json/);
      },
    );

    /** What an export holds once it is whole: VS Code makes the file before it writes it. */
    function exported(path: string, isWhole: (text: string) => boolean): Promise<string> {
      const text = async (): Promise<string | false> => {
        const found = await readFile(path, 'utf8').catch(() => '');
        return isWhole(found) && found;
      };
      return waitFor(text, { what: `the whole of ${path}`, timeoutMs: 60_000 });
    }

    function isJson(text: string): boolean {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    }

    /** Takes the name that VS Code's own file dialog proposes: what is written over it may be proposed away in the same moment. */
    async function saveAsProposed(ending: string): Promise<string> {
      const input = quickInput().locator('.quick-input-box input');
      const proposed = async (): Promise<string | false> => {
        const value = await input.inputValue().catch(() => '');
        return value.startsWith('/') && value.endsWith(ending) && value;
      };
      const path = await waitFor(proposed, { what: `a name with ${ending} in the file dialog`, timeoutMs: 60_000 });
      await waitFor(
        () =>
          quickInput()
            .isHidden()
            .then(async (hidden) => hidden || (await all.app.page.keyboard.press('Enter'), false)),
        { what: 'the file dialog to close', timeoutMs: 60_000 },
      );
      return path;
    }

    /** Names a file in VS Code's own file dialog. */
    async function choose(path: string): Promise<void> {
      const input = quickInput().locator('.quick-input-box input');
      // The input of a list that was shown before may still be there.
      await waitFor(async () => (await input.inputValue().catch(() => '')).startsWith('/'), { what: 'the file dialog', timeoutMs: 60_000 });
      // The dialog may still be putting its own proposal into the input.
      const answered = async (): Promise<boolean> => {
        if (await quickInput().isHidden()) return true;
        if ((await input.inputValue()) === path) await all.app.page.keyboard.press('Enter');
        else await input.fill(path);
        return false;
      };
      await waitFor(() => answered().catch(() => false), { what: 'the file dialog to close', timeoutMs: 60_000 });
    }

    it('branches where a message is said differently, and as a whole; the original stays', async () => {
      await talk('What color is the sky?');
      await chat.mine.first().getByRole('button', { name: 'Edit and Resend' }).press('Enter');
      const box = chat.frame.getByRole('textbox', { name: 'Edit message' });
      await box.fill('What color is grass?');
      await box.press('Enter');
      await chat.waitForText('You said: What color is grass?');
      await chat.waitForIdle();
      expect(all.server.requests.at(-1)?.body.messages).toHaveLength(1);
      expect(await chat.mine.count()).toBe(1);
      await chat.frame.getByText('Forked from “What color is the sky?”').waitFor(SLOW);
      await chat.button('Go to Original').click();
      await chat.waitForText('You said: What color is the sky?');
      expect(await chat.mine.innerText()).toContain('What color is the sky?');
      await all.app.workbench.runCommand('Gnomon: Fork Chat');
      await chat.frame.getByRole('note').filter({ hasText: 'Forked from “What color is the sky?”' }).waitFor(SLOW);
      await chat.send('Only in the fork');
      await chat.waitForText('You said: Only in the fork');
      await chat.waitForIdle();
      await openHistory();
      const [fork, original] = [{ hasText: 'fork of “What color is the sky?”' }, { hasNotText: 'fork of' }].map((which) =>
        row('What color is the sky').filter(which),
      );
      await fork?.waitFor(SLOW);
      await original?.click();
      await chat.mine.filter({ hasText: 'Only in the fork' }).waitFor({ state: 'detached' });
      expect(await chat.mine.count()).toBe(1);
    });

    it('works in an editor tab beside the sidebar: one conversation in both, one answer to its prompt', async () => {
      all.server.setScript(answering(reply().toolCall('bash', { command: 'echo once >> shared.txt' })));
      await chat.newSession();
      await chat.act('Open Chat in Editor Tab');
      const inTab = new Chat(all.app.workbench, 'editor tab');
      const inBar = new Chat(all.app.workbench, 'sidebar');
      await inTab.message.waitFor(SLOW);
      await inTab.send('Theta in two places');
      await inTab.waitForPrompt();
      await inBar.waitForPrompt();
      await tab('Theta in two places').waitFor();
      expect(await tab('Theta in two places').locator('.monaco-icon-label').first().getAttribute('class')).toBeTruthy();
      await inBar.answer('Allow');
      await inTab.prompt.waitFor({ state: 'detached' });
      await inTab.waitForText('That was all.');
      await inBar.waitForText('That was all.');
      expect(await all.app.read('shared.txt')).toBe('once\n');
      await inTab.act('New Chat');
      await inTab.mine.first().waitFor({ state: 'detached' });
      expect(await inBar.mine.count()).toBe(1);
      all.server.setScript(({ body }) => reply().text(`You said: ${lastUserText(body)}`));
      await inTab.send('Iota in the tab');
      await inTab.waitForText('You said: Iota in the tab');
      await tab('Iota in the tab').waitFor();
      await inTab.waitForIdle();
      await tab('Iota in the tab')
        .getByRole('button', { name: /^Close/ })
        .click();
      await tab('Iota in the tab').waitFor({ state: 'detached' });
    });

    it('sess-09 a second window is told, takes over, and the first only shows it', async () => {
      await talk('Lambda in two windows');
      const page = await all.app.page.context().newPage();
      const second = new Workbench(page);
      await second.open(all.app.page.url());
      await second.openView('Gnomon');
      // The window may also show the tab of the test before, as the last layout of the workspace that VS Code has saved.
      const there = new Chat(second, 'sidebar');
      await there.message.waitFor(SLOW);
      // VS Code gives the second window of a workspace a storage of its own; the sessions are found all the same.
      await there.openHistory();
      await there.history.getByRole('button', { name: /^Lambda in two windows/ }).click();
      const busy = there.frame.getByRole('region', { name: says('chatOpenElsewhere') });
      await busy.waitFor(SLOW);
      await busy.getByRole('button', { name: 'Take Over' }).click();
      await there.waitForText('You said: Lambda in two windows');
      await chat.frame.getByRole('region', { name: 'Continued in another window' }).waitFor(SLOW);
      await there.send('From the second window');
      await there.waitForText('You said: From the second window');
      await there.waitForIdle();
      await chat.button('Continue Here').click();
      await chat.waitForText('You said: From the second window');
      await there.frame.getByRole('region', { name: 'Continued in another window' }).waitFor(SLOW);
      await page.close();
    });

    describe('what is inside of the transcript', () => {
      beforeEach(async () => {
        await all.app.workbench.closeEditors();
        await chat.newSession();
      });

      /** Has the model answer with a text. */
      async function answer(text: string): Promise<void> {
        all.server.setScript(() => reply().text(text));
        await chat.send('Go on');
        await chat.waitForIdle();
      }

      /** A button of the newest answer. */
      function button(name: string): Locator {
        return chat.answers.last().getByRole('button', { name, exact: true });
      }

      it('D-2 view-09 code is colored, goes to the cursor of the editor and into the file that it names, after its difference was shown; never outside of the workspace', async () => {
        await writeFile(join(all.app.workspace, 'cursor.txt'), 'first\n');
        await all.app.workbench.openFile('cursor.txt');
        await answer('```js\nconst inserted = 1;\n```');
        await chat.log.locator('.hl-keyword').first().waitFor(SLOW);
        await button('Insert at Cursor').click();
        await waitFor(async () => (await all.app.workbench.editor.text()).startsWith('const inserted = 1;'), {
          what: 'the code in the editor',
          timeoutMs: 30_000,
        });
        await all.app.workbench.editor.save();
        await all.app.page.locator('.tab.active:not(.dirty)').waitFor(SLOW);
        await writeFile(join(all.app.workspace, 'applied.js'), 'one();\ntwo();\nthree();\nfour();\n');
        await answer('```js applied.js\ntwo();\nmore();\nthree();\n```');
        await button('Apply to File').click();
        const question = await all.app.workbench.notification(says('applyReplacingLines', 'applied.js', 2, 3));
        await all.app.page.locator('.tab.active', { hasText: 'applied.js: Code from Chat' }).waitFor(SLOW);
        expect(await all.app.read('applied.js')).toBe('one();\ntwo();\nthree();\nfour();\n');
        await question.getByRole('button', { name: 'Apply', exact: true }).click();
        await all.app.waitForFile('applied.js', 'one();\ntwo();\nmore();\nthree();\nfour();\n');
        await all.app.page.locator('.tab', { hasText: 'Code from Chat' }).waitFor({ state: 'detached', ...SLOW });
        await (await chat.unfold('Changed files')).getByRole('button', { name: 'Undo applied.js' }).click();
        await all.app.waitForFile('applied.js', 'one();\ntwo();\nthree();\nfour();\n');
        await answer('```js ../outside.js\nx\n```');
        await button('Apply to File').click();
        await chat.waitForText('is not in this workspace, so nothing was changed');
        await expect(access(join(all.app.workspace, '../outside.js'))).rejects.toThrow();
      });

      it('view-04 paths of files that are there are links to their line; others are not', async () => {
        await writeFile(join(all.app.workspace, 'lines.txt'), 'one\ntwo\nthree\nfour\nfive\n');
        await answer('See `lines.txt:5`, [the start](src/index.js) and `src/gone.js`; not `../../../etc/passwd` or [this](/etc/passwd).');
        const link = chat.log.getByRole('link', { name: 'lines.txt:5' });
        await link.waitFor(SLOW);
        await expect.poll(() => chat.log.getByRole('link').allTextContents(), SLOW).toEqual(['lines.txt:5', 'the start']);
        await link.press('Enter');
        await all.app.page.locator('.tab.active[data-resource-name="lines.txt"]').waitFor(SLOW);
        await all.app.page.locator('.statusbar-item', { hasText: 'Ln 5, Col 1' }).waitFor(SLOW);
      });

      it('D-2 an answer shows its images, is found by Ctrl+F and copied as Markdown, and tells what it took, also after it was read from the disk', async () => {
        const said = 'A needle here.\n\nAnd a **Needle** there.';
        await writeFile(join(all.app.workspace, 'pixel.png'), PIXEL);
        all.server.setScript(answering(reply().toolCall('read', { file_path: 'pixel.png' }), said));
        await chat.send('How long is a piece of string?');
        await chat.waitForIdle();
        const small = chat.tool('read pixel.png').getByRole('button', { name: 'Open Image 1' });
        await small.getByRole('img', { name: 'Image 1' }).waitFor(SLOW);
        await small.click();
        const large = chat.frame.getByRole('dialog', { name: 'Image 1' }).getByRole('img');
        await waitFor(async () => (await large.evaluate((image) => (image as HTMLImageElement).naturalWidth)) === 1, { what: 'the image', timeoutMs: 30_000 });
        await chat.frame.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
        await chat.message.focus();
        await all.app.page.keyboard.press('Control+f');
        const field = chat.frame.getByRole('textbox', { name: 'Find', exact: true });
        await field.fill('needle');
        await chat.frame.getByRole('search').getByText('1 of 2').waitFor(SLOW);
        await field.press('Enter');
        await chat.frame.getByRole('search').getByText('2 of 2').waitFor(SLOW);
        const shown = (): Promise<string> => field.evaluate(() => [...(CSS.highlights.get('gnomon-found-current') ?? [])].map(String).join());
        await waitFor(async () => (await shown()) === 'Needle', { what: 'the found text to stand out', timeoutMs: 30_000 });
        await field.press('Escape');
        await field.waitFor({ state: 'detached' });
        await waitFor(() => chat.message.evaluate((element) => element === document.activeElement), {
          what: 'the focus back in the composer',
          timeoutMs: 30_000,
        });
        // It says so for a moment only.
        await Promise.all([button('Copied').waitFor(SLOW), button('Copy as Markdown').press('Enter')]);
        await chat.message.focus();
        await all.app.page.keyboard.press('ControlOrMeta+V');
        await waitFor(async () => (await chat.message.inputValue()) === said, { what: 'the answer in the composer', timeoutMs: 30_000 });
        await chat.message.fill('');
        const details = chat.answers.last().locator('dl');
        await button('Details').press('Enter');
        await waitFor(async () => /Steps\s*2\b.*Duration.*Output tokens/s.test(await details.innerText()), { what: 'the details', timeoutMs: 30_000 });
        await chat.newSession();
        await chat.openFromHistory('How long is');
        await button('Details').press('Enter');
        await waitFor(async () => /Model.*Steps\s*2\b.*Output tokens/s.test(await details.innerText()), {
          what: 'the details of the stored answer',
          timeoutMs: 30_000,
        });
      });
    });
  });
}
