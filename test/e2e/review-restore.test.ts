import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../vscode/wait.mjs';
import type { Chat } from './chat.js';
import { ReviewRig } from './review-rig.js';

const REDO = 'Gnomon: Redo Restored Files';

describe('restoring files and conversation', () => {
  let rig: ReviewRig;
  let chat: Chat;

  beforeAll(async () => {
    rig = await ReviewRig.start();
    ({ chat } = rig.all);
  });
  afterAll(() => rig.all.stop());
  beforeEach(() => rig.reset());

  /** Waits until the conversation that is shown has so many messages of the person. */
  async function messages(count: number, shown = chat): Promise<void> {
    await waitFor(async () => (await shown.mine.count()) === count, { what: `${count} messages`, timeoutMs: 30_000 });
  }

  /** Waits until a text is in the composer. */
  async function written(text: string): Promise<void> {
    await waitFor(async () => (await chat.message.inputValue()) === text, { what: 'the message in the composer', timeoutMs: 30_000 });
  }

  it('C-8 goes on from before a message in a branch, its text in the composer; the branch restores too, and all is redone', async () => {
    await rig.write('steps.txt', 'first\n');
    await rig.write('steps.txt', 'second\n');
    await chat.mine.nth(1).hover();
    await rig.all.app.workbench.screenshot('review-restore-buttons');
    await rig.restoreButton('files and conversation', 1).click();
    await rig.all.app.waitForFile('steps.txt', 'first\n');
    await messages(1);
    await written('Write steps.txt: second');
    await rig.all.app.workbench.screenshot('review-rewound');
    await rig.region.getByRole('button', { name: 'Undo steps.txt' }).waitFor();
    await rig.restoreButton('files').click();
    await rig.all.app.waitForFile('steps.txt', '');
    await rig.all.app.workbench.runCommand(REDO);
    await rig.all.app.waitForFile('steps.txt', 'first\n');
    await rig.all.app.workbench.runCommand(REDO);
    await rig.all.app.waitForFile('steps.txt', 'second\n');
    await chat.message.fill('');
    // The first conversation is still there.
    await rig.all.app.workbench.runCommand('Gnomon: Open Session…');
    const sessions = rig.all.app.page.locator('.quick-input-widget .monaco-list-row').filter({ hasText: 'Write steps.txt: first' });
    await waitFor(async () => (await sessions.count()) === 2, { what: 'both conversations', timeoutMs: 30_000 });
    await rig.all.app.page.keyboard.press('Escape');
    await sessions.first().waitFor({ state: 'hidden' });
  });

  it('C-8 what was called off restores nothing and rewinds nothing', async () => {
    await rig.write('mine.txt', 'first\n');
    await rig.write('mine.txt', 'second\n');
    await writeFile(join(rig.all.app.workspace, 'mine.txt'), 'mine\n');
    await rig.restoreButton('files and conversation', 1).click();
    const dialog = rig.all.app.workbench.dialog();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect([await rig.all.app.read('mine.txt'), await chat.mine.count(), await chat.message.inputValue()]).toEqual(['mine\n', 2, '']);
    await rig.restoreButton('files and conversation', 1).click();
    await dialog.getByRole('button', { name: 'Overwrite' }).click();
    await rig.all.app.waitForFile('mine.txt', 'first\n');
    await messages(1);
    await written('Write mine.txt: second');
    await chat.message.fill('');
  });

  it('C-8 several restores are redone one after the other, also after a restart; then redo is not offered any more', async () => {
    const { app } = rig.all;
    await rig.write('levels.txt', 'first\n');
    await rig.write('levels.txt', 'second\n');
    await rig.restoreButton('files', 1).click();
    await rig.all.app.waitForFile('levels.txt', 'first\n');
    await rig.restoreButton('files', 0).click();
    await rig.all.app.waitForFile('levels.txt', '');
    await app.restart();
    await messages(2, await app.openChat());
    await app.workbench.runCommand(REDO);
    await rig.all.app.waitForFile('levels.txt', 'first\n');
    await app.workbench.runCommand(REDO);
    await rig.all.app.waitForFile('levels.txt', 'second\n');
    const palette = app.page.locator('.quick-input-widget');
    const row = (title: string): Locator => palette.locator('.label-name', { hasText: title });
    const offered = async (): Promise<boolean> => {
      await app.page.keyboard.press('F1');
      await palette.locator('.quick-input-box input').fill('>Gnomon: Show Log');
      await row('Gnomon: Show Log').waitFor();
      await palette.locator('.quick-input-box input').fill(`>${REDO}`);
      await row('Gnomon: Show Log').waitFor({ state: 'detached' });
      const count = await row(REDO).count();
      await app.page.keyboard.press('Escape');
      return count > 0;
    };
    await waitFor(async () => !(await offered()), { what: 'redo not to be offered', timeoutMs: 30_000 });
  });
});
