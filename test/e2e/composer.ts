import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { grayPng, sizeOfPng } from '../support/image.js';
import { answering, gate, reply } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import { inSoak } from '../support/in-soak.js';
import type { Chat } from './chat.js';
import type { SharedWindow } from './shared-window.js';
import type { WithModel } from './with-model.js';

/** An image of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const SLOW = { timeout: 60_000 };

/** A file of another program. */
interface FileFromElsewhere {
  readonly name: string;
  readonly type: string;
  /** In Base64. */
  readonly data: string;
}

/** An action of the user’s own, which the cases about actions use. */
export const OWN_ACTION = { name: 'Find dead code', prompt: 'Look for dead code in {file} at {selection}' };

/** Cases for what a message says, and what goes with it. @param window with {@link OWN_ACTION} */
export function composer(window: SharedWindow): void {
  describe('what a message says, and what goes with it', () => {
    let all: WithModel;
    let chat: Chat;

    beforeAll(async () => {
      all = await window.take();
      chat = all.chat;
      const { workspace } = all.app;
      await mkdir(join(workspace, 'docs'));
      await writeFile(join(workspace, 'docs', 'two words.md'), 'the words in it\n');
      await writeFile(join(workspace, 'lines.txt'), 'one\ntwo\nthree\nfour\nfive\nsix\n');
      await writeFile(join(workspace, '.env'), 'TOKEN=hunter2\n');
      await writeFile(join(workspace, 'broken.json'), '{\n  "a": \n}\n');
      await writeFile(join(workspace, 'pixel.png'), Buffer.from(PIXEL, 'base64'));
      await writeFile(join(workspace, 'empty.png'), '');
      execFileSync('git', ['init', '-q'], { cwd: workspace });
      execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-q', '--allow-empty', '-m', 'first'], { cwd: workspace });
    });
    beforeEach(async () => {
      all.server.setScript(() => reply().text('Well.'));
      await all.app.workbench.closeEditors();
      await chat.message.fill('');
      await chat.newSession();
    });

    it('Ctrl+F looks in the chat also while a file is open, and in the editor with the focus there', async () => {
      const { page, workbench } = all.app;
      await workbench.openFile('lines.txt');
      const inEditor = page.locator('.find-widget.visible');
      const field = chat.frame.getByRole('textbox', { name: 'Find', exact: true });
      for (const word of ['two', 'four']) {
        await chat.message.click();
        await page.keyboard.press('Control+f');
        await field.waitFor(SLOW);
        await waitFor(() => field.evaluate((element) => element === document.activeElement), { what: 'the cursor in the field', timeoutMs: 30_000 });
        await page.keyboard.type(word);
        await waitFor(async () => (await field.inputValue()) === word, { what: 'the words in the field of the chat', timeoutMs: 30_000 });
        expect(await inEditor.count()).toBe(0);
        await page.keyboard.press('Escape');
        await field.waitFor({ state: 'detached', ...SLOW });
      }
      await page.locator('.editor-group-container.active .view-line').first().click();
      await page.keyboard.press('Control+f');
      await inEditor.waitFor(SLOW);
      expect(await field.count()).toBe(0);
      await page.keyboard.press('Escape');
    });

    /** What the model gets next, with how it is sent. */
    async function got(send: () => Promise<void>): Promise<string> {
      const next = all.server.request(all.server.requests.length);
      await chat.begin(send);
      const { body } = await next;
      await chat.waitForIdle();
      const { content } = body.messages.at(-1) ?? {};
      return typeof content === 'string' ? content : JSON.stringify(content);
    }

    /** What the model gets of a message. A space ends a mention at its end, so that Enter sends and takes no offer. */
    const sent = (text: string): Promise<string> => got(() => chat.send(text.replace(/@\S+$/, '$& ')));
    const listed = (): Promise<string> => chat.mine.last().getByRole('list', { name: 'Attachments' }).innerText();
    const option = (name: RegExp): Locator => chat.frame.getByRole('listbox', { name: 'Mentions' }).getByRole('option', { name });
    const run = (title: string): Promise<void> => all.app.workbench.runCommand(`Gnomon: ${title}`);

    async function boxHolds(text: string): Promise<void> {
      await waitFor(async () => (await chat.message.inputValue()) === text, { what: `the composer to hold ${JSON.stringify(text)}`, timeoutMs: 30_000 });
    }

    /** Selects the first lines of a file in its editor. */
    async function select(file: string, lines: number): Promise<void> {
      await all.app.workbench.openFile(file);
      await all.app.workbench.editor.select(1, lines);
    }

    const atLightBulb = async (title: string, goTo: () => Promise<void>): Promise<void> => (await all.app.workbench.editor.openLightBulb(title, goTo)).click();

    /** Puts the cursor at the problem of a file. */
    async function goToProblem(): Promise<void> {
      await all.app.workbench.openFile('broken.json');
      await all.app.page.locator('.editor-group-container.active .squiggly-error').first().waitFor(SLOW);
      await all.app.workbench.editor.goTo(3);
    }

    it('path-14 path-15 offers files as they are typed; what is mentioned goes before the words, but only the path of what may not be read without asking', async () => {
      await chat.message.pressSequentially('What does @cloc');
      await option(/^clock\.js src/).waitFor(SLOW);
      // As long as what was typed last is being looked for, Enter takes nothing.
      const taken = async (): Promise<boolean> => {
        await chat.message.press('Enter');
        return (await chat.message.inputValue()) !== 'What does @cloc';
      };
      await waitFor(taken, { what: 'what is offered to be taken', timeoutMs: 30_000 });
      await boxHolds('What does @src/clock.js ');
      await all.app.workbench.openFile('broken.json');
      await all.app.page.locator('.squiggly-error').first().waitFor(SLOW);
      await waitFor(async () => (await sent('@problems')).includes('broken.json:3'), { what: 'the problem of the file', timeoutMs: 90_000 });
      const words = 'What does @src/clock.js:2-3 do, and @"docs/two words.md", @/etc/passwd, @.env, @changes, @editors and @src/ ?';
      const text = await sent(words);
      expect(text).toMatch(
        /<attached name=\\"src\/clock\.js:2-3\\">.*<\/attached>.*<attached name=\\"docs\/two words\.md\\">.*the words in it.*What does @src/,
      );
      expect(text).not.toMatch(/root:|hunter2/);
      for (const part of ['New files that git does not know yet', 'broken.json (active)', 'clock.js\\n']) expect(text).toContain(part);
      const shown = await chat.mine.last().innerText();
      expect(shown).toContain(words);
      expect(shown).not.toContain('the words in it');
      expect(await listed()).toMatch(
        /src\/clock\.js:2-3\s+docs\/two words\.md\s+.*passwd \(only the path\)\s+\.env \(only the path\)\s+changes in \d+ files\s+1 open editor\s+src\//,
      );
    });

    it('stream-23 view-17 sends files that are chosen, pasted or dropped, each once; not what is taken back, empty, or outside of the workspace without asking', async () => {
      const files = chat.frame.getByRole('list', { name: 'Attached files' });
      const attached = (name: string): Locator => files.getByRole('listitem').filter({ hasText: name });
      for (const name of ['pixel.png', 'package.json', 'README.md']) {
        await chat.button('Attach').click();
        const dialog = all.app.page.locator('.quick-input-widget');
        // It opens in the workspace folder, and a click on a file takes it.
        await dialog.locator('.monaco-list-row').filter({ hasText: name }).click();
        await dialog.waitFor({ state: 'hidden' });
        await attached(name).waitFor(SLOW);
      }
      const thumbnail = attached('pixel.png').locator('img');
      await waitFor(() => thumbnail.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth === 1), {
        what: 'the image to be shown',
        timeoutMs: 30_000,
      });
      await attached('README.md').getByRole('button').click();
      await attached('README.md').waitFor({ state: 'detached' });
      await chat.button('Attach').click();
      await all.app.page.locator('.quick-input-widget .monaco-list-row').filter({ hasText: 'empty.png' }).click();
      await chat.frame.getByRole('alert').filter({ hasText: 'The size of empty.png is 0 bytes' }).waitFor(SLOW);
      await bring('paste', { name: 'shot.png', type: 'image/png', data: PIXEL });
      await attached('shot.png').locator('img').waitFor(SLOW);
      const textFile = (name: string, words: string): FileFromElsewhere => ({ name, type: 'text/plain', data: Buffer.from(words).toString('base64') });
      await bring('paste', textFile('notes.md', 'naïve words of notes'));
      await attached('notes.md').waitFor(SLOW);
      await bring('drop', textFile('run.log', 'the last line of a log'));
      await attached('run.log').waitFor(SLOW);
      const outside = join(all.app.workspace, '..', 'outside.png');
      await writeFile(outside, Buffer.from(PIXEL, 'base64'));
      await chat.message.evaluate((element, path) => {
        const data = new DataTransfer();
        data.setData('text/uri-list', `file://${path}\r\nfile:///etc/hostname`);
        element.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
      }, outside);
      const dialog = all.app.workbench.dialog();
      await dialog.waitFor(SLOW);
      expect(await dialog.innerText()).toContain('outside.png');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await attached('hostname').waitFor(SLOW);
      expect(await attached('outside.png').count()).toBe(0);
      const text = await sent('What is this?');
      expect(text.split(PIXEL)).toHaveLength(3);
      expect(text.match(/Attached file: \S+/g)).toEqual([expect.stringContaining('package.json'), expect.stringContaining('hostname')]);
      expect(text).toMatch(
        /<attached name=\\"notes\.md\\">\\nnaïve words of notes\\n.*<attached name=\\"run\.log\\">\\nthe last line of a log\\n.*What is this\?/,
      );
      expect(await listed()).toMatch(/notes\.md\s+run\.log/);
      await files.waitFor({ state: 'detached' });
      const again = await sent('And now?');
      expect(again).not.toContain('Attached file');
      expect(again).not.toContain(PIXEL);
    });

    it('stream-23 makes an image that the model reads small enough for it', async () => {
      await writeFile(join(all.app.workspace, 'wide.png'), grayPng(2_400, 300));
      all.server.setScript(answering(reply().toolCall('read', { file_path: 'wide.png' })));
      await chat.send('Look at it');
      await chat.waitForText('That was all.');
      const told = JSON.stringify(all.server.requests.at(-1)?.body);
      const [data = ''] = /"data":"([^"]+)"/.exec(told)?.slice(1) ?? [];
      expect(sizeOfPng(Buffer.from(data, 'base64'))).toEqual([2_000, 250]);
      expect(told).toContain('a smaller copy of one of 2400 × 300 pixels');
    });

    /** Pastes a file into the message, or drops it there. */
    async function bring(how: 'paste' | 'drop', file: FileFromElsewhere): Promise<void> {
      await chat.message.focus();
      await chat.message.evaluate(
        (element, { event, name, type, data }) => {
          const brought = new DataTransfer();
          brought.items.add(new File([Uint8Array.from(atob(data), (character) => character.charCodeAt(0))], name, { type }));
          const about = { bubbles: true, cancelable: true };
          element.dispatchEvent(
            event === 'paste' ? new ClipboardEvent('paste', { ...about, clipboardData: brought }) : new DragEvent('drop', { ...about, dataTransfer: brought }),
          );
        },
        { event: how, ...file },
      );
    }

    it('sends what is selected in the editor, until that is switched off; adds its place to what is being written', async () => {
      await chat.message.fill('Why is this');
      await select('lines.txt', 2);
      const chip = (pressed: boolean): Locator => chat.frame.getByRole('button', { name: 'Include selection lines.txt:1-2', pressed });
      await chip(true).waitFor(SLOW);
      const before = all.server.requests.length;
      await run('Add to Chat');
      await boxHolds('Why is this @lines.txt:1-2 ');
      expect(all.server.requests).toHaveLength(before);
      expect(await sent('What is this?')).toContain('<attached name=\\"lines.txt:1-2\\">');
      expect(await listed()).toContain('lines.txt:1-2');
      await chip(true).click();
      await chip(false).waitFor();
      expect(await sent('And now?')).not.toContain('Selected in the editor');
      await chip(false).click();
      await chip(true).waitFor();
    });

    it('carries commands out, and tells of those that it does not know', async () => {
      const say = async (text: string): Promise<void> => {
        await chat.message.fill(text);
        await chat.message.press('Enter');
      };
      const before = all.server.requests.length;
      await say('/help');
      await chat.waitForText(/\/compact \[what to keep\]/);
      await boxHolds('');
      await say('/compact');
      await chat.waitForText('Nothing to compact yet.');
      await boxHolds('');
      expect(await chat.log.getByRole('alert').count()).toBe(0);
      await say('/mode plan');
      await chat.waitForChoice('Permission mode', 'Plan');
      await boxHolds('');
      await say('/nonsense here');
      await chat.frame.getByRole('alert').filter({ hasText: 'Unknown command /nonsense.' }).waitFor(SLOW);
      await boxHolds('/nonsense here');
      expect(all.server.requests.length).toBe(before);
      expect(await sent(' /nonsense here')).toContain(' /nonsense here');
      await say('/clear');
      await chat.mine.first().waitFor({ state: 'detached' });
      await boxHolds('');
    });

    it('stream-24 sends no second message while a turn runs: each waits once, in the order that the person gives it, until the turn ends', async () => {
      const hold = gate();
      all.server.setScript(({ body }) => (JSON.stringify(body.messages.at(-1)).includes('hold on') ? reply().text('Wait.').hold(hold) : reply().text('Well.')));
      const queue = chat.frame.getByRole('region', { name: 'Queue' });
      const waiting = async (texts: string): Promise<void> => {
        await waitFor(async () => (await queue.getByRole('listitem').allInnerTexts()).join(' ') === texts, { what: `“${texts}” to wait`, timeoutMs: 30_000 });
      };
      const press = (text: string, button: string): Promise<void> =>
        queue.getByRole('listitem').filter({ hasText: text }).getByRole('button', { name: button }).click();
      const enqueue = async (text: string): Promise<void> => {
        await chat.message.fill(text);
        await chat.message.press('Enter');
        await chat.message.press('Enter');
        await chat.unfold('Queue');
        await queue.getByRole('listitem').filter({ hasText: text }).waitFor(SLOW);
        await boxHolds('');
      };
      await chat.send('hold on');
      await all.app.page.locator('.part.sidebar').getByRole('heading', { name: 'Gnomon: hold on', exact: true }).waitFor(SLOW);
      const asked = all.server.requests.length;
      for (const text of ['one', 'two', 'three']) await enqueue(text);
      await press('three', 'Move Up');
      await waiting('one three two');
      await press('one', 'Remove');
      await press('three', 'Edit');
      await boxHolds('three');
      await enqueue('three, in other words');
      await waiting('two three, in other words');
      expect(all.server.requests.length).toBe(asked);
      expect(await chat.mine.count()).toBe(1);
      hold.open();
      await queue.waitFor({ state: 'detached', ...SLOW });
      await chat.mine.nth(2).waitFor(SLOW);
      await chat.waitForIdle();
      expect((await chat.mine.allInnerTexts()).map((text) => text.split('\n')[0])).toEqual(['hold on', 'two', 'three, in other words']);
      expect(all.server.requests.length).toBe(asked + 2);
    });

    describe('actions about code', () => {
      it('E-5 ask about what is selected, once: by command, at the light bulb, and by name those of one’s own', async () => {
        await select('lines.txt', 3);
        const explained = await got(() => run('Explain'));
        expect(explained).toContain('Explain @lines.txt:1-3.');
        expect(explained.split('three')).toHaveLength(2);
        // The model may be asked before the page shows the message.
        await chat.mine.first().waitFor(SLOW);
        expect(await chat.mine.count()).toBe(1);
        expect(await got(() => atLightBulb('Write Tests with Gnomon', () => select('lines.txt', 5)))).toContain('Write tests for @lines.txt:1-5');
        const own = await got(async () => {
          await run('Run Action…');
          await all.app.page
            .locator('.quick-input-widget')
            .getByRole('option', { name: /^Find dead code/ })
            .click(SLOW);
        });
        expect(own).toContain('Look for dead code in @lines.txt at @lines.txt:1-5');
      });

      inSoak('unit/vscode/actions/action-prompt.test.ts')(
        'E-5 fix a problem, whose words go along as what they are; add it and a folder to what is being written',
        async () => {
          const text = await got(() => atLightBulb('Fix with Gnomon', goToProblem));
          expect(text).toMatch(/Fix the attached problem in @broken\.json:\d/);
          expect(text).toContain('Value expected');
          await chat.mine.getByText('problem', { exact: true }).waitFor(SLOW);
          await atLightBulb('Add Problem to Gnomon Chat', goToProblem);
          await waitFor(async () => /^@problems:broken\.json:\d $/.test(await chat.message.inputValue()), {
            what: 'the problem in the message',
            timeoutMs: 30_000,
          });
          const first = await chat.message.inputValue();
          await all.app.workbench.openView('Explorer');
          await all.app.page.locator('.explorer-folders-view').getByRole('treeitem', { name: 'src', exact: true }).click({ button: 'right' });
          await all.app.workbench.chooseInMenu('Add to Chat');
          await boxHolds(`${first}@src `);
          expect(await sent('What about these: @problems:broken.json ')).toContain('Value expected');
        },
      );

      inSoak('unit/vscode/actions/action-prompt.test.ts')('E-7 ask for a file that is described, and about what is selected in the terminal', async () => {
        const described = await got(async () => {
          await run('New File from Description…');
          const box = all.app.page.locator('.quick-input-widget').getByRole('textbox');
          await box.fill('a clock that rings');
          await box.press('Enter');
        });
        expect(described).toContain('Create a new file: a clock that rings');
        await all.app.workbench.runCommand('Terminal: Create New Terminal');
        const screen = all.app.page.locator('.terminal-wrapper.active .xterm');
        await screen.waitFor(SLOW);
        await screen.click();
        await all.app.page.keyboard.type("printf 'median-%s\\n' fails");
        await all.app.page.keyboard.press('Enter');
        await run('Add Terminal Selection to Chat');
        await boxHolds('@terminal ');
        expect(await sent('Why? @terminal')).toContain('Nothing is selected in the terminal.');
        // The shell prints it in two parts, so that the command itself does not hold what is looked for.
        const explained = async (): Promise<boolean> => {
          await all.app.workbench.runCommand('Terminal: Select All');
          return /median-fails.*Explain what @terminal shows\./s.test(await got(() => run('Explain Terminal Selection')));
        };
        await waitFor(explained, { what: 'the question about what the terminal shows', timeoutMs: 120_000 });
        expect(await listed()).toContain('selection in the terminal');
        await all.app.workbench.runCommand('Terminal: Kill All Terminals');
      });

      inSoak('integration/language.test.ts')(
        'E-7 find names for a symbol, and rename it wherever it stands; a message that mentions it says what is known of it',
        async () => {
          all.server.setScript(() => reply().text('- `minutesInHour`\nHOUR\nnot a name'));
          await all.app.workbench.openFile('src/clock.js');
          await all.app.workbench.editor.goTo(1, 9);
          const widget = all.app.page.locator('.quick-input-widget');
          // The language server takes its time; until then there is nothing that could rename.
          const named = async (): Promise<boolean> => {
            await run('Suggest Names…');
            return widget
              .getByRole('option', { name: /^minutesInHour/ })
              .waitFor({ timeout: 10_000 })
              .then(
                () => true,
                () => false,
              );
          };
          await waitFor(named, { what: 'names for the symbol', timeoutMs: 120_000 });
          await widget.getByRole('option', { name: /^minutesInHour/ }).click();
          const text = (): Promise<string> => all.app.workbench.editor.text();
          await waitFor(async () => (await text()).includes('const minutesInHour = 60;') && !(await text()).includes('MINUTES_PER_HOUR'), {
            what: 'the symbol to be renamed',
            timeoutMs: 30_000,
          });
          expect(JSON.stringify(all.server.requests.at(-1)?.body)).toContain('Find names for `MINUTES_PER_HOUR`');
          await all.app.workbench.editor.save();
          await all.app.page.locator('.tab.active:not(.dirty)').waitFor(SLOW);
          const known = async (): Promise<string | undefined> => {
            const told = await sent('What is @#parseTime and @#noSuchSymbolAnywhere ?');
            return told.includes('#parseTime (not found)') ? undefined : told;
          };
          const told = await waitFor(known, { what: 'the symbol to be known', timeoutMs: 90_000 });
          expect(told).toMatch(/<attached name=\\"#parseTime\\">\\n?src\/clock\.js:\d+ parseTime/);
          expect(told).toContain('export function parseTime');
          expect(told).toMatch(/<attached name=\\"#noSuchSymbolAnywhere \(not found\)\\">.*No language server knows a symbol noSuchSymbolAnywhere\./);
          await chat.message.pressSequentially('And @#parseTi');
          await option(/parseTime/)
            .first()
            .click(SLOW);
          await boxHolds('And @#parseTime ');
        },
      );
    });
  });
}
