import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { gate, reply } from '../support/model-server/index.js';
import { ALL_RUNS } from '../support/runs.js';
import { inSoak } from '../support/in-soak.js';
import type { InlineRig } from './inline-rig.js';
import { marksIn } from './marked-editor.js';

const SLOW = { timeout: 60_000 };
const LINES = Array.from({ length: 12 }, (_, index) => `const line${index + 1} = value(${index + 1});`);
const TEXT = `${LINES.join('\n')}\n`;
/** Two changes: three lines that become one, and one line that becomes another. */
const CHANGED = [LINES[0], 'const few = values();', ...LINES.slice(4, 10), 'const line11 = other(11);', LINES[11], ''].join('\n');

/** How the first of them looks, as one of the agent does: the new line in green, the lines before it in red beside it and below. */
const FEW = [
  '+const few = values(); | beside: − const line2 = value(2);',
  ' const line5 = value(5); | beside: − const line3 = value(3);',
  ' const line6 = value(6); | beside: − const line4 = value(4);',
];

/** Milliseconds between the key of the prompt and the first letter, each of which is tried so often. */
const [WAITS, TIMES] = ALL_RUNS ? [[0, 10, 25, 50, 120], 20] : [[0, 25], 1];
const ALL_TIMES = { timeout: 3_600_000 };

/** Pixels that the prompt may take. */
const MAX_HEIGHT = 90;
/** Milliseconds from the key to the first letter in the prompt, on a machine that does other things too. */
const MAX_READY_MS = 1_000;

/** Cases for the prompt. @param started gives the window */
export function inlinePrompt(started: () => InlineRig): void {
  describe('the prompt of inline edits', () => {
    let rig: InlineRig;

    beforeAll(() => {
      rig = started();
    });
    beforeEach(async () => {
      const { page, workbench } = rig.all.app;
      await workbench.clearNotifications();
      // After a test that failed VS Code would ask what is to become of unsaved text.
      if ((await page.locator('.tab.dirty').count()) > 0) await workbench.runCommand('File: Save All Files');
      await workbench.closeEditors();
    });

    /** Opens a file and selects most of it. */
    async function open(name: string): Promise<void> {
      await rig.open(name, TEXT);
      await rig.editor.select(1, 12);
      rig.answer(CHANGED);
    }

    const expectMarks = (...wanted: readonly string[]): Promise<void> => expect.poll(() => marksIn(rig.page), SLOW).toEqual(wanted);

    /** Waits until the prompt is closed and the cursor in the text again. */
    async function closed(): Promise<void> {
      await rig.prompt.waitFor({ state: 'hidden', ...SLOW });
      await rig.untilTextFocused();
    }

    /** Presses the key of the prompt and types on. The prompt gets what was typed, and the document is as it was. */
    async function typesEarly(wait: number, text: string): Promise<void> {
      await rig.page.keyboard.press('Control+Alt+k');
      // The time between the keys is what is tried here: it is how fast somebody types.
      if (wait > 0) await delay(wait);
      await rig.page.keyboard.type('make (it) short');
      await expect.poll(() => rig.field.inputValue(), SLOW).toBe('make (it) short');
      await rig.shows(text);
    }

    async function escapes(): Promise<void> {
      await rig.page.keyboard.press('Escape');
      await closed();
    }

    const untilUnchanged = (): Promise<void> => rig.page.locator('.tab.active:not(.dirty)').waitFor(SLOW);

    it('gets what is typed before it is there as the first thing in a new window', ALL_TIMES, async () => {
      // It is the first case, and the chat has not been shown: nothing of Gnomon has been asked for in this window.
      for (const [index, wait] of (ALL_RUNS ? WAITS.flatMap((each) => Array.from({ length: TIMES }, () => each)) : [0]).entries()) {
        // A file each: VS Code can restore the copy of an unsaved one that has been saved or undone just before, and shows it as unsaved then.
        const name = `cold${index}.txt`;
        await rig.open(name, TEXT);
        if (index > 0) await rig.all.app.workbench.reload();
        await rig.all.app.workbench.openFile(name);
        await rig.untilTextFocused();
        await typesEarly(wait, TEXT);
        await escapes();
        await untilUnchanged();
      }
    });

    it('takes few pixels at the top and covers no code, names the lines and the model, and is ready for the first letter at once', async () => {
      await open('place.txt');
      const times: number[] = [];
      for (let run = 0; run < 3; run += 1) {
        times.push(await rig.firstLetterMs());
        await rig.page.keyboard.press('Escape');
        await closed();
      }
      expect(Math.min(...times)).toBeLessThan(MAX_READY_MS);
      await rig.openPrompt();
      await rig.prompt.getByText(/place\.txt, lines 1 to 12 · Claude/).waitFor(SLOW);
      const [box, code] = await Promise.all([rig.prompt.boundingBox(), rig.page.locator('.editor-group-container.active .view-lines').first().boundingBox()]);
      expect(box?.height).toBeLessThanOrEqual(MAX_HEIGHT);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual((code?.y ?? 0) + 10);
      await rig.page.keyboard.press('Escape');
      await closed();
    });

    inSoak('unit/inline-edit/early-words.test.ts')(
      'gets what is typed before it is there, and the document and its steps of Undo are as they were',
      ALL_TIMES,
      async () => {
        await rig.open('early.txt', TEXT);
        await rig.openPrompt();
        await escapes();
        const mine = TEXT.replace('const line3', 'own const line3');
        for (const wait of WAITS.flatMap((each) => Array.from({ length: TIMES }, () => each))) {
          // In the middle of what is being written.
          await rig.editor.goTo(3);
          await rig.page.keyboard.type('own ');
          await rig.shows(mine);
          await typesEarly(wait, mine);
          await escapes();
          // VS Code takes back the blank by itself, then the word.
          for (const back of ['own', '']) {
            await rig.page.keyboard.press('Control+z');
            await rig.shows(TEXT.replace('const line3', `${back}const line3`));
          }
          // In a file without changes.
          await typesEarly(wait, TEXT);
          await escapes();
          await untilUnchanged();
          await rig.editor.select(2, 4);
          await typesEarly(wait, TEXT);
          await escapes();
          await untilUnchanged();
        }
        await rig.editor.select(2, 4);
        rig.answer('const few = values();\n');
        await typesEarly(0, TEXT);
        await rig.page.keyboard.press('Enter');
        await rig.pends(1);
        expect(JSON.stringify(rig.latest())).toContain('make (it) short');
        await rig.decide('Undo All');
        await rig.shows(TEXT);
        await rig.saves('early.txt', TEXT);
      },
    );

    inSoak('unit/inline-edit/early-words.test.ts')(
      'gets it from several cursors and with keys that take letters away, and waits for it before it sends; nothing is undone elsewhere',
      ALL_TIMES,
      async () => {
        await rig.open('other.txt', TEXT);
        await rig.open('early.txt', TEXT);
        await rig.openPrompt();
        await escapes();
        for (let run = 0; run < TIMES; run += 1) {
          // What is written into the code since, behind the first line by a click there, stays.
          await rig.open(`kept${run}.txt`, TEXT);
          await typesEarly(0, TEXT);
          await rig.clickText();
          await rig.page.keyboard.type('mine();');
          await rig.page.keyboard.press('Escape');
          await closed();
          await rig.saves(`kept${run}.txt`, TEXT.replace('value(1);', 'value(1);mine();'));
          await rig.page.locator('.tab[data-resource-name="early.txt"]').click();
          await rig.untilTab('early.txt');
          await rig.editor.goTo(3);
          await rig.page.keyboard.press('Control+Alt+k');
          for (const key of ['m', 'a', 'k', 'i', 'Backspace', 'e']) await rig.page.keyboard.press(key);
          // A Backspace that goes to the box before the letters are there takes none away.
          await expect.poll(() => rig.field.inputValue(), SLOW).toMatch(/^maki?e$/);
          await escapes();
          await untilUnchanged();
          await rig.all.app.workbench.runCommand('Add Cursor Below');
          await rig.untilTextFocused();
          await rig.page.locator('[id="status.editor.selection"]').filter({ hasText: '2 selections' }).waitFor(SLOW);
          await typesEarly(0, TEXT);
          await escapes();
          await untilUnchanged();
          await rig.page.keyboard.press('Escape');
          await rig.editor.select(1, 12);
          rig.answer(CHANGED);
          await rig.page.keyboard.press('Control+Alt+k');
          await rig.page.keyboard.type('shorter');
          await rig.prompt.waitFor(SLOW);
          await rig.page.keyboard.press('Enter');
          await rig.pends(2);
          expect(JSON.stringify(rig.latest())).toContain('shorter');
          await rig.decide('Undo All');
          await rig.saves('early.txt', TEXT);
          await typesEarly(0, TEXT);
          await rig.clickText();
          await rig.page.keyboard.press('Control+PageUp');
          await rig.untilTab('other.txt');
          await rig.untilTextFocused();
          await rig.page.keyboard.press('Control+Home');
          await rig.page.keyboard.type('one two three ');
          await rig.page.keyboard.press('Escape');
          await closed();
          await rig.shows(`one two three ${TEXT}`);
          await rig.saves('other.txt', `one two three ${TEXT}`);
          await rig.open('other.txt', TEXT);
          await rig.shows(TEXT);
          await rig.page.locator('.tab[data-resource-name="early.txt"]').click();
          await rig.saves('early.txt', TEXT);
        }
      },
    );

    it('closes on Escape: empty, with words in it, while the cursor is in the text, while an edit runs, while changes pend, which have their colors', async () => {
      await open('escape.txt');
      await rig.openPrompt();
      await rig.page.keyboard.press('Escape');
      await closed();
      await rig.openPrompt();
      await rig.page.keyboard.type('Some words');
      await rig.page.keyboard.press('Escape');
      await closed();
      await rig.openPrompt();
      await rig.clickText();
      await rig.prompt.waitFor(SLOW);
      await rig.page.keyboard.press('Escape');
      await closed();
      await rig.editor.select(1, 12);
      const hold = gate();
      const at = CHANGED.indexOf('const line11');
      rig.answer(CHANGED.slice(0, at), hold, CHANGED.slice(at));
      await rig.ask('Change them');
      await rig.says('1 change so far');
      await expectMarks(...FEW);
      // One press for the prompt, the next one for the edit.
      await rig.openPrompt();
      await rig.page.keyboard.press('Escape');
      await closed();
      await rig.says('1 change so far');
      await rig.all.app.workbench.escape(rig.running);
      await rig.shows(TEXT);
      hold.open();
      await rig.editor.select(1, 12);
      rig.answer(CHANGED);
      await rig.ask('Change them');
      await rig.pends(2);
      await rig.openPrompt();
      await rig.prompt.getByText('Inline Edit: 2 changes').waitFor(SLOW);
      await rig.page.keyboard.press('Escape');
      await closed();
      await rig.pends(2);
      await rig.shows(CHANGED);
      await expectMarks(...FEW, '+const line11 = other(11); | 1 changed | gone: value');
      await rig.decide('Undo All');
      await rig.saves('escape.txt', TEXT);
      await expectMarks();
    });

    inSoak('unit/inline-edit/edit-state.test.ts', 'unit/inline-edit/instruction-history.test.ts')(
      'is closed by command, with the edit, and keeps for the next one what was written',
      async () => {
        await open('command.txt');
        await rig.openPrompt();
        await rig.page.keyboard.type('Not sent');
        await rig.all.app.workbench.runCommand('View: Focus Active Editor Group');
        await closed();
        await rig.ask('Change them');
        await rig.pends(2);
        await rig.openPrompt();
        await rig.page.keyboard.type('mine');
        for (const [key, words] of [
          ['ArrowUp', 'Change them'],
          ['ArrowUp', 'Not sent'],
          ['ArrowDown', 'Change them'],
          ['ArrowDown', 'mine'],
        ] as const) {
          await rig.page.keyboard.press(key);
          await expect.poll(() => rig.field.inputValue(), SLOW).toBe(words);
        }
        await rig.all.app.workbench.runCommand('Gnomon: Close Inline Edit');
        await rig.prompt.waitFor({ state: 'hidden', ...SLOW });
        await rig.over();
        // The changes can be kept and undone one by one still.
        await rig.lens('Undo').nth(1).waitFor(SLOW);
        await rig.all.app.workbench.runCommand('Gnomon: Undo Changes in File');
        await rig.shows(TEXT);
        await rig.saves('command.txt', TEXT);
      },
    );

    inSoak('unit/inline-edit/instruction-history.test.ts')('is one: opened in another file it moves there with the words', async () => {
      await open('one.txt');
      await open('two.txt');
      await rig.openPrompt();
      await rig.prompt.getByText('two.txt, lines').waitFor(SLOW);
      await rig.page.keyboard.type('Both ');
      await rig.clickText();
      await rig.page.keyboard.press('Control+PageUp');
      await rig.untilTab('one.txt');
      await rig.untilTextFocused();
      await rig.openPrompt();
      await rig.prompt.getByText('one.txt, lines').waitFor(SLOW);
      expect(await rig.prompt.count()).toBe(1);
      await rig.page.keyboard.type('of them');
      expect(await rig.field.inputValue()).toBe('Both of them');
      await rig.page.keyboard.press('Enter');
      await rig.pends(2);
      expect(JSON.stringify(rig.latest())).toContain('Both of them');
      await rig.shows(CHANGED);
      await rig.decide('Undo All');
      await rig.saves('one.txt', TEXT);
      await rig.page.locator('.tab[data-resource-name="two.txt"]').click();
      await rig.shows(TEXT);
    });

    inSoak('unit/inline-edit/early-words.test.ts')('never takes the focus back: neither when a new window has loaded, nor when an answer comes', async () => {
      await rig.all.app.workbench.openView('Explorer');
      await rig.open('moved.txt', TEXT);
      await rig.all.app.workbench.reload();
      await rig.all.app.workbench.openFile('moved.txt');
      // The first command of the window: what answers the prompt is loaded by it.
      await rig.openPrompt();
      await rig.clickText();
      await rig.page.keyboard.press('Control+Home');
      await rig.page.keyboard.type('mine();');
      await rig.prompt.getByText(/lines 1 to 12 · Claude/).waitFor(SLOW);
      await rig.page.keyboard.type('still();');
      await rig.shows(`mine();still();${TEXT}`);
      await rig.page.keyboard.press('Escape');
      await closed();
      const hold = gate();
      rig.all.server.setScript(() => reply().text(hold, 'Which lines do you mean?'));
      await rig.ask('Change something');
      await hold.reached;
      await rig.page.keyboard.type('here();');
      hold.open();
      const notice = await rig.all.app.workbench.notification('Which lines do you mean?');
      await rig.editor.focus();
      await rig.page.keyboard.type('there();');
      await rig.shows(`mine();still();here();there();${TEXT}`);
      rig.answer(`mine();still();here();there();${CHANGED}`);
      await notice.getByRole('button', { name: 'Open Prompt' }).click();
      await rig.say('All of them');
      await rig.pends(2);
      await rig.decide('Undo All');
      await rig.saves('moved.txt', `mine();still();here();there();${TEXT}`);
    });

    it('shows what was removed, and compares without the prompt; the comparison goes with the edit', async () => {
      await open('removed.txt');
      await rig.ask('Change them');
      await rig.pends(2);
      await rig.editor.goTo(2);
      await rig.all.app.workbench.runCommand('Show or Focus Hover');
      const hover = rig.page.locator('.monaco-hover:visible');
      for (const line of LINES.slice(1, 4)) await hover.getByText(line).waitFor(SLOW);
      await rig.page.keyboard.press('Escape');
      await rig.lens('Show Diff').click(SLOW);
      const diff = rig.page.locator('.editor-group-container.active .monaco-diff-editor');
      await diff.getByText('const few').first().waitFor(SLOW);
      expect(await rig.page.locator('.review-widget, .quick-input-widget:visible').count()).toBe(0);
      await rig.openPrompt();
      await rig.page.keyboard.press('Escape');
      await rig.all.app.workbench.runCommand('Gnomon: Keep Inline Edit');
      await diff.waitFor({ state: 'detached', ...SLOW });
      await rig.untilTab('removed.txt');
      expect(await rig.page.locator('.tab').count()).toBe(1);
      await rig.saves('removed.txt', CHANGED);
    });

    inSoak('unit/inline-edit/edit-state.test.ts')('says in place that another edit runs, and keeps the words until it has ended', async () => {
      await open('busy.txt');
      const hold = gate();
      const at = CHANGED.indexOf('const line11');
      rig.answer(CHANGED.slice(0, at), hold, CHANGED.slice(at));
      await rig.ask('Change them');
      await rig.says('1 change so far');
      await rig.editor.select(9, 10);
      await rig.openPrompt();
      await rig.page.keyboard.type('And these');
      await rig.page.keyboard.press('Enter');
      await rig.prompt.getByText('still editing this file').waitFor(SLOW);
      expect(await rig.field.inputValue()).toBe('And these');
      hold.open();
      await rig.pends(2);
      await rig.untilFocused();
      rig.answer('const both = 1;\n');
      await rig.page.keyboard.press('Enter');
      await rig.prompt.waitFor({ state: 'hidden', ...SLOW });
      await rig.pends(1);
      await rig.all.app.workbench.runCommand('Gnomon: Undo Changes in File');
      await rig.shows(TEXT);
      await rig.saves('busy.txt', TEXT);
    });

    inSoak('unit/inline-edit/edit-state.test.ts')('takes another model for the next edits', async () => {
      await open('model.txt');
      await rig.openPrompt();
      await rig.page.keyboard.type('Change');
      await rig.prompt.getByRole('button', { name: 'Select Model' }).click(SLOW);
      const models = rig.page.locator('.quick-input-widget:visible').filter({ hasText: 'Select a model for inline edits' });
      await rig.page.locator('.quick-input-widget:visible .monaco-list-row').filter({ hasText: 'claude-haiku-5-5' }).first().click(SLOW);
      await models.waitFor({ state: 'hidden', ...SLOW });
      await rig.say(' them');
      await rig.pends(2);
      for (const part of ['claude-haiku-5-5', 'Change them']) expect(JSON.stringify(rig.latest())).toContain(part);
      await rig.decide('Undo All');
      await rig.saves('model.txt', TEXT);
    });
  });
}
