import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { writeSettings } from '../vscode/settings.mjs';
import { InlineRig } from './inline-rig.js';

const SLOW = { timeout: 60_000 };
const LINES = Array.from({ length: 12 }, (_, index) => `const line${index + 1} = value(${index + 1});`);
const CHANGED = LINES.map((line, index) => (index === 1 || index === 8 ? line.replace('value', 'other') : line));
const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

function shootFailures(rig: () => InlineRig): void {
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await rig().all.app.workbench.screenshot(`failed-${task.name.slice(0, 20).replaceAll(/\W/g, '-')}`);
  });
}

describe('E-1 edits in place of files in many states', () => {
  let rig: InlineRig;

  beforeAll(async () => {
    rig = await InlineRig.start();
  });
  afterAll(() => rig.all.stop());
  shootFailures(() => rig);

  it('begin at the light bulb, too', async () => {
    await rig.open('bulb.txt', textOf(LINES));
    await rig.select(1, 12);
    rig.answer(textOf(CHANGED));
    await rig.page.locator('.editor-instance [class*="lightbulb"], .editor-instance [class*="light-bulb"]').first().waitFor(SLOW);
    await rig.page.keyboard.press('Control+.');
    await rig.page.locator('.action-widget').getByText('Edit with Gnomon').click(SLOW);
    await rig.say('Use other');
    await rig.says('2 changes.');
    await rig.shows(textOf(CHANGED));
  });

  it('pend in several files at once, each with its own', async () => {
    await rig.open('second.ts', textOf(LINES));
    await rig.select(1, 12);
    rig.answer(textOf(CHANGED));
    await rig.ask('Use other');
    await rig.says('2 changes.');
    await rig.prompt.getByRole('button', { name: 'Undo the Edit' }).click();
    await rig.prompt.waitFor({ state: 'detached', ...SLOW });
    await rig.saves('second.ts', textOf(LINES));
    await rig.all.app.workbench.openFile('bulb.txt');
    await rig.says('2 changes.');
    await rig.prompt.getByRole('button', { name: 'Keep the Edit' }).click();
    await rig.prompt.waitFor({ state: 'detached', ...SLOW });
    await rig.saves('bulb.txt', textOf(CHANGED));
  });

  it('are refused where a file is read-only, and made once it is not', async () => {
    await rig.open('locked.ts', textOf(LINES));
    await chmod(join(rig.all.app.workspace, 'locked.ts'), 0o444);
    await rig.select(1, 12);
    const before = rig.all.server.requests.length;
    rig.answer(textOf(CHANGED));
    await rig.ask('Use other');
    await rig.says(/read-only.*ask again/);
    expect(rig.all.server.requests).toHaveLength(before);
    await chmod(join(rig.all.app.workspace, 'locked.ts'), 0o644);
    await rig.reply('Use other');
    await rig.says('2 changes.');
    await rig.prompt.getByRole('button', { name: 'Keep the Edit' }).click();
    await rig.prompt.waitFor({ state: 'detached', ...SLOW });
    await rig.saves('locked.ts', textOf(CHANGED));
  });

  it('are refused where the file is gone from the disk', async () => {
    await rig.open('gone.ts', textOf(LINES));
    await rig.goTo(1);
    await rig.page.keyboard.type('mine();\n');
    await rm(join(rig.all.app.workspace, 'gone.ts'));
    await rig.select(2, 13);
    rig.answer(textOf(CHANGED));
    await rig.ask('Use other');
    await rig.says(/not on the disk any more/);
    await rig.prompt.getByRole('button', { name: 'Close the Edit' }).click();
    await rig.prompt.waitFor({ state: 'detached', ...SLOW });
    await rig.shows(`mine();\n${textOf(LINES)}`);
  });

  it('are shown beside a file that was never saved, and reach it when they are kept', async () => {
    await rig.all.app.workbench.runCommand('File: New Untitled Text File');
    await rig.page.locator('.editor-group-container.active .monaco-editor.focused[data-uri^="untitled:"]').waitFor(SLOW);
    await rig.page.keyboard.type('one\ntwo');
    rig.answer('first\ntwo\nthird\n');
    await rig.ask('Write it out');
    await rig.says('1 change.');
    const preview = rig.page.locator('.tab', { hasText: 'now ↔ with the edit' });
    await preview.waitFor(SLOW);
    await rig.page.locator('.monaco-diff-editor .modified').getByText('third').waitFor(SLOW);
    await rig.prompt.getByRole('button', { name: 'Keep the Edit' }).first().click(SLOW);
    await preview.waitFor({ state: 'detached', ...SLOW });
    await rig.shows('first\ntwo\nthird');
  });
});

describe('E-1 edits in place that are asked for in the box of VS Code', () => {
  let rig: InlineRig;

  beforeAll(async () => {
    rig = await InlineRig.start({ 'gnomon.editPrompt': 'inputBox' });
  });
  afterAll(() => rig.all.stop());
  shootFailures(() => rig);

  async function askAbove(words: string): Promise<void> {
    await rig.page.keyboard.press('Control+Alt+k');
    const box = rig.page.locator('.quick-input-widget').getByRole('textbox');
    await box.waitFor(SLOW);
    await box.fill(words);
    await rig.page.keyboard.press('Enter');
  }

  it('tell in a message what came of them, and are kept by lens and by key', async () => {
    await rig.open('above.ts', textOf(LINES));
    await rig.select(1, 12);
    rig.answer(textOf(CHANGED));
    await askAbove('Use other');
    await rig.all.app.workbench.notification('2 changes.');
    await rig.shows(textOf(CHANGED));
    expect(await rig.prompt.count()).toBe(0);
    await rig.lens('Undo').first().click(SLOW);
    const rest = LINES.map((line, index) => (index === 8 ? (CHANGED[index] ?? '') : line));
    await rig.shows(textOf(rest));
    await rig.lens('Keep').nth(1).waitFor({ state: 'detached', ...SLOW });
    await rig.lens('Keep').click(SLOW);
    await rig.lens('Keep').waitFor({ state: 'detached', ...SLOW });
    await rig.saves('above.ts', textOf(rest));
  });

  it('are refused while everything is only planned', async () => {
    await writeSettings(rig.all.app.dataDir, { userSettings: { 'gnomon.permissionMode': 'plan' } });
    await rig.all.app.restart();
    await rig.open('planned.ts', textOf(LINES));
    await rig.select(1, 12);
    const before = rig.all.server.requests.length;
    rig.answer(textOf(CHANGED));
    await askAbove('Use other');
    await rig.all.app.workbench.notification(/may not change this file/);
    expect(rig.all.server.requests).toHaveLength(before);
    await rig.shows(textOf(LINES));
  });
});
