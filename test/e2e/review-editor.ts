import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answering, reply } from '../support/model-server/index.js';
import type { Workbench } from '../vscode/workbench.mjs';
import { inSoak } from '../support/in-soak.js';
import type { App } from './app.js';
import { markedLines, marksIn } from './marked-editor.js';
import { AFTER, BEFORE, ReviewRig } from './review-rig.js';
import type { SharedWindow } from './shared-window.js';

const SLOW = { timeout: 60_000 };
/** What would be a style of its own, where removed text is shown by styles. */
const STYLE = "'; } * { display: none } /*";
const OLD = `function total(prices) {\n  let sum = 0;\n  for (const price of prices) sum += price;\n  return sum; // ${STYLE}\n}\n\nconst most = limit(10);\n`;
const FRESH = 'function total(prices) {\n  return prices.reduce(add, 0);\n}\n\nconst most = limit(20, prices);\n';

/** Cases for changes in the editor. The last one loads the window again. */
export function reviewEditor(window: SharedWindow): void {
  describe('C-7 changes in the editor', () => {
    let rig: ReviewRig;
    let app: App;
    let page: Page;
    let workbench: Workbench;

    beforeAll(async () => {
      rig = new ReviewRig(await window.take());
      ({ app } = rig.all);
      ({ page, workbench } = app);
    });
    beforeEach(() => rig.reset());

    const expectMarks = (...wanted: readonly string[]): Promise<void> => expect.poll(() => marksIn(page), SLOW).toEqual(wanted);
    const lens = (words: string | RegExp): Locator => page.locator('.codelens-decoration a').filter({ hasText: words });
    const title = (name: string): Locator => page.locator('.editor-group-container.active .editor-actions').getByRole('button', { name });
    const position = (words: string): Locator => page.locator('.statusbar-item').getByRole('status', { name: words, exact: true });

    /** Has the model write files whole that are as given before. */
    async function change(files: Readonly<Record<string, readonly [before: string | undefined, after: string]>>): Promise<void> {
      const { chat, server } = rig.all;
      let answer = reply();
      for (const [name, [before, after]] of Object.entries(files)) {
        if (before !== undefined) {
          await writeFile(join(app.workspace, name), before);
          answer = answer.toolCall('read', { file_path: name });
        }
        answer = answer.toolCall('write', { file_path: name, content: after });
      }
      server.setScript(answering(answer));
      await chat.send(`Write ${Object.keys(files).join(', ')}`);
      await chat.waitForIdle();
      for (const [name, [, after]] of Object.entries(files)) await app.waitForFile(name, after);
    }

    const TOTAL = '+return prices.reduce(add, 0); | beside: − let sum = 0;';
    const BELOW = [' } | beside: − for (const price of prices) sum += price;', `  | beside: − return sum; // ${STYLE}`];
    const MOST = '+const most = limit(20, prices); | 1 changed | gone: 10';

    it('are green and red in place, changed words stronger; what the person types is not; kept and undone, they are not any more', async () => {
      await writeFile(join(app.workspace, 'prices.js'), OLD);
      await workbench.openFile('prices.js');
      await change({ 'prices.js': [OLD, FRESH] });
      await expectMarks(TOTAL, ...BELOW, MOST);
      await workbench.editor.goTo(1);
      await page.keyboard.type('mine();\n');
      await expectMarks(TOTAL, ...BELOW, MOST);
      await expect.poll(async () => (await markedLines(page))[0]?.text, SLOW).toBe('mine();');
      await workbench.editor.goTo(3);
      await page.keyboard.press('Control+Alt+Backspace');
      await expectMarks(MOST);
      await workbench.editor.goTo(8);
      await page.keyboard.press('Control+Alt+Enter');
      await expectMarks();
      await workbench.editor.save();
      await app.waitForFile('prices.js', `mine();\n${OLD.replace('limit(10)', 'limit(20, prices)')}`);
    });

    inSoak('unit/edits/change-places.test.ts')(
      'of a created file are all green; each editor of a file has them, a comparison only its own colors',
      async () => {
        await change({ 'made.js': [undefined, 'one();\ntwo();\n'] });
        await workbench.openFile('made.js');
        await expectMarks('+one();', '+two();');
        await workbench.runCommand('View: Split Editor');
        const groups = page.locator('.editor-group-container');
        await expect.poll(() => groups.count(), SLOW).toBe(2);
        for (const editor of ['.editor-group-container.active .editor-instance', '.editor-group-container:not(.active) .editor-instance'])
          await expect.poll(() => marksIn(page, editor), SLOW).toEqual(['+one();', '+two();']);
        await workbench.closeEditors();
        await change({ 'compared.js': [OLD, FRESH] });
        await workbench.openView('Source Control');
        await page
          .locator('.scm-view')
          .getByRole('treeitem', { name: /^compared\.js/ })
          .click();
        await page.locator('.tab.active', { hasText: 'before ↔ now' }).waitFor();
        const now = '.monaco-diff-editor .editor.modified';
        await page.locator(now).getByText('reduce').waitFor();
        await page.locator(`${now} .line-insert`).first().waitFor(SLOW);
        expect((await markedLines(page, now)).flatMap(({ gone, beside }) => [...gone, beside]).join('')).toBe('');
      },
    );

    inSoak('integration/review.test.ts')(
      'are gone through with the buttons in the title of the editor, which keep and undo the file; the status bar says where one is',
      async () => {
        await rig.change('a-first.txt', 'b-second.txt');
        await workbench.openFile('a-first.txt');
        await lens('2/2').waitFor(SLOW);
        await position('2 pending changes').waitFor(SLOW);
        await title('Go to Next Change').click();
        await position('Change 1 of 2').waitFor(SLOW);
        await title('Go to Next Change').click();
        await position('Change 2 of 2').waitFor(SLOW);
        await title('Go to Previous Change').click();
        await position('Change 1 of 2').waitFor(SLOW);
        await title('Go to Next File with Changes').click();
        await page.locator('.tab.active[data-resource-name="b-second.txt"]').waitFor();
        await position('Change 1 of 2').waitFor(SLOW);
        await title('Go to Previous Change').click();
        await page.locator('.tab.active[data-resource-name="a-first.txt"]').waitFor();
        await position('Change 2 of 2').waitFor(SLOW);
        await page.keyboard.press('Alt+F5');
        await page.locator('.tab.active[data-resource-name="b-second.txt"]').waitFor();
        await page.keyboard.press('Shift+Alt+F5');
        await page.locator('.tab.active[data-resource-name="a-first.txt"]').waitFor();
        await title('Keep Changes in File').click();
        await title('Keep Changes in File').waitFor({ state: 'detached', ...SLOW });
        await expectMarks();
        await workbench.openFile('b-second.txt');
        await title('Undo Changes in File').click();
        await app.waitForFile('b-second.txt', BEFORE);
        await title('Undo Changes in File').waitFor({ state: 'detached', ...SLOW });
        expect(await app.read('a-first.txt')).toBe(AFTER);
        await page.locator('.statusbar-item#gnomon\\.gnomon\\.gnomon\\.change').waitFor({ state: 'hidden' });
      },
    );

    inSoak('unit/edits/in-place-diff.test.ts')(
      'show both versions in place from above a change; without colors, as the setting says, the buttons remain',
      async () => {
        await rig.change('shown.txt');
        await workbench.openFile('shown.txt');
        await expectMarks('+TWO | beside: − two', '+EIGHT | beside: − eight');
        await lens('+1 −1').nth(1).click();
        await rig.peekButton('Keep Change').waitFor();
        await expect.poll(() => rig.peek.innerText(), SLOW).toMatch(/2 of 2 changes/);
        await page.keyboard.press('Escape');
        await app.changeSettings({ 'gnomon.colorChanges': false });
        await workbench.openFile('shown.txt');
        await lens('Keep').first().waitFor(SLOW);
        await expectMarks();
        await app.changeSettings({ 'gnomon.colorChanges': true });
        await workbench.openFile('shown.txt');
        await expectMarks('+TWO | beside: − two', '+EIGHT | beside: − eight');
      },
    );

    it('are shown again in a new window', async () => {
      await rig.change('again.txt');
      await workbench.reload();
      await workbench.openFile('again.txt');
      await expectMarks('+TWO | beside: − two', '+EIGHT | beside: − eight');
      await lens('Keep').first().waitFor(SLOW);
      await workbench.runCommand('Gnomon: Keep All Changes');
      await expectMarks();
    });
  });
}
