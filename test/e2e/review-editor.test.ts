import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../vscode/wait.mjs';
import type { Workbench } from '../vscode/workbench.mjs';
import { AFTER, BEFORE, ReviewRig } from './review-rig.js';

const SLOW = { timeout: 60_000 };
const HALF = BEFORE.replace('eight', 'EIGHT');

describe('changes to review, in the editor and in source control', () => {
  let rig: ReviewRig;
  let page: Page;
  let workbench: Workbench;

  beforeAll(async () => {
    rig = await ReviewRig.start();
    ({ page, workbench } = rig.all.app);
  });
  afterAll(() => rig.all.stop());
  beforeEach(() => rig.reset());

  /** Shows the source control view and gives its row of a file. */
  async function row(name: string): Promise<Locator> {
    await workbench.openView('Source Control');
    const found = page.locator('.scm-view').getByRole('treeitem', { name: new RegExp(`^${name}`) });
    await found.waitFor();
    return found;
  }

  /** Waits until the cursor is in a line. */
  async function cursorIn(line: number): Promise<void> {
    await page.locator('.statusbar-item').filter({ hasText: new RegExp(`Ln ${line}, Col 1$`) }).waitFor();
  }

  it('C-7 the peek of a change: Undo takes one back, Keep lets the other stand', async () => {
    await rig.change('peek.txt');
    await workbench.openFile('peek.txt');
    // VS Code has compared the file by then.
    const glyphs = page.locator('.dirty-diff-glyph');
    await waitFor(async () => (await glyphs.count()) === 2, { what: 'both changes beside the lines', timeoutMs: 30_000 });
    await workbench.runCommand('Gnomon: Show Changes Here');
    await rig.peekButton('Keep Change').waitFor();
    await workbench.screenshot('review-peek');
    await expect.poll(() => rig.peek.innerText(), SLOW).toMatch(/Gnomon/);
    await rig.peekButton('Undo Change').click();
    await rig.all.app.waitForFile('peek.txt', HALF);
    await rig.peek.waitFor({ state: 'detached' });
    await waitFor(async () => (await glyphs.count()) === 1, { what: 'one change beside the lines', timeoutMs: 30_000 });
    await workbench.runCommand('Gnomon: Show Changes Here');
    await rig.peekButton('Keep Change').click();
    await rig.region.waitFor({ state: 'detached' });
    await page.locator('.codelens-decoration a', { hasText: 'Keep' }).first().waitFor({ state: 'detached' });
    expect(await rig.all.app.read('peek.txt')).toBe(HALF);
  });

  it('C-7 source control lists the files with counts; its rows keep, undo and compare, and it goes with the last edit', async () => {
    await rig.change('kept.txt', 'undone.txt', 'compared.txt');
    const compared = await row('compared.txt');
    await workbench.screenshot('review-scm');
    await compared.click();
    await page.locator('.tab.active', { hasText: 'before ↔ now' }).waitFor();
    const diff = page.locator('.monaco-diff-editor');
    await diff.getByText('TWO').first().waitFor();
    await diff.getByText('two', { exact: true }).first().waitFor();
    await workbench.screenshot('review-diff');
    const kept = await row('kept.txt');
    await kept.hover();
    await kept.getByRole('button', { name: 'Keep Changes in File' }).click();
    await kept.waitFor({ state: 'detached' });
    const undone = await row('undone.txt');
    await undone.hover();
    await undone.getByRole('button', { name: 'Undo Changes in File' }).click();
    await undone.waitFor({ state: 'detached' });
    await rig.all.app.waitForFile('undone.txt', BEFORE);
    expect(await rig.all.app.read('kept.txt')).toBe(AFTER);
    await page.locator('.part.sidebar').getByRole('button', { name: 'Keep All Changes' }).click();
    await compared.waitFor({ state: 'detached' });
    await rig.region.waitFor({ state: 'detached' });
    expect(await rig.all.app.read('compared.txt')).toBe(AFTER);
  });

  it('C-7 “Undo all” of source control asks once and takes all back', async () => {
    await rig.change('first.txt', 'second.txt');
    await row('first.txt');
    await page.locator('.part.sidebar').getByRole('button', { name: 'Undo All Changes…' }).click();
    const dialog = workbench.dialog();
    expect(await dialog.innerText()).toContain('2 files');
    await dialog.getByRole('button', { name: 'Undo All' }).click();
    await rig.all.app.waitForFile('first.txt', BEFORE);
    await rig.all.app.waitForFile('second.txt', BEFORE);
    await rig.region.waitFor({ state: 'detached' });
  });

  it('C-7 “Review” shows all files in one comparison, with what they were and what they are', async () => {
    await rig.change('left.txt', 'right.txt');
    await rig.region.getByRole('button', { name: 'Review', exact: true }).click();
    await page.locator('.tab.active', { hasText: 'Changes by Gnomon' }).waitFor();
    const multi = page.locator('.monaco-component.multiDiffEditor');
    for (const name of ['left.txt', 'right.txt']) await multi.getByText(name).first().waitFor();
    const sides = [BEFORE, AFTER].map((text) => text.trimEnd());
    const shown = async (): Promise<string> => (await multi.locator('.view-lines').allInnerTexts()).map((text) => text.replaceAll('\u00a0', ' ').trimEnd()).join('\n--\n');
    await waitFor(async () => (await shown()) === [...sides, ...sides].join('\n--\n'), { what: 'both sides of both files in the comparison', timeoutMs: 30_000 });
    await workbench.screenshot('review-multi');
    await workbench.runCommand('Gnomon: Keep All Changes');
    await rig.region.waitFor({ state: 'detached' });
  });

  it('C-7 next and previous go from change to change, and on to the next file', async () => {
    await rig.change('a-first.txt', 'b-second.txt');
    await workbench.openFile('a-first.txt');
    for (const [command, name, line] of [
      ['Next', 'a-first.txt', 2],
      ['Next', 'a-first.txt', 8],
      ['Next', 'b-second.txt', 2],
      ['Previous', 'a-first.txt', 8],
      ['Previous', 'a-first.txt', 2],
      ['Previous', 'b-second.txt', 8],
    ] as const) {
      await workbench.runCommand(`Gnomon: Go to ${command} Change`);
      await page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
      await cursorIn(line);
    }
    await workbench.runCommand('Gnomon: Keep Changes in File');
    await rig.region.getByRole('button', { name: /^1 changed file/ }).waitFor();
    await workbench.runCommand('Gnomon: Undo Changes in File');
    await workbench.openFile('a-first.txt');
    await workbench.runCommand('Gnomon: Undo Changes in File');
    await rig.all.app.waitForFile('a-first.txt', BEFORE);
    expect(await rig.all.app.read('b-second.txt')).toBe(AFTER);
  });
});
