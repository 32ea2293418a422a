import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lastUserText, reply } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import type { WithModel } from './with-model.js';
import { startWithModel } from './with-model.js';

const SLOW = { timeout: 60_000 };

describe('E-5 actions about code', () => {
  let all: WithModel;

  beforeAll(async () => {
    const actions = [{ name: 'Find dead code', prompt: 'Look for dead code in {file} at {selection}' }];
    all = await startWithModel({ 'gnomon.actions': actions, 'gnomon.includeSelection': true });
    all.server.setScript(() => reply().text('Done with it.'));
    await writeFile(join(all.app.workspace, 'broken.json'), '{\n  "a": \n}\n');
  });
  afterAll(() => all.stop());
  beforeEach(() => all.chat.newSession());

  const run = (title: string): Promise<void> => all.app.workbench.runCommand(`Gnomon: ${title}`);
  const menu = (): Locator => all.app.page.locator('.action-widget');

  /** Selects the first lines of a file in its editor. */
  async function select(file: string, lines: number): Promise<void> {
    await all.app.workbench.openFile(file);
    await all.app.page.locator('.editor-instance .view-line').first().click();
    await all.app.page.keyboard.press('Control+Home');
    for (let line = 0; line < lines; line += 1) await all.app.page.keyboard.press('Shift+ArrowDown');
  }

  async function asked(): Promise<string> {
    await all.chat.waitForText('Done with it.');
    await all.chat.waitForIdle();
    const [body] = all.server.requests.slice(-1).map((request) => request.body);
    return body === undefined ? '' : lastUserText(body);
  }

  it('ask about what is selected, once, and show the answer in the chat', async () => {
    await select('src/slot.js', 3);
    await run('Explain');
    const text = await asked();
    expect(text).toContain('Explain @src/slot.js:1-3.');
    expect(text.split("import { formatTime, parseTime } from './clock.js';")).toHaveLength(2);
    expect(await all.chat.mine.count()).toBe(1);
  });

  it('are at the light bulb of a selection', async () => {
    await select('src/slot.js', 6);
    const write = menu().getByText('Write tests with Gnomon');
    // VS Code drops what was asked for when it looks by itself for what the new selection or new problems offer.
    await waitFor(
      async () => {
        await all.app.page.keyboard.press('Control+.');
        return write.waitFor({ timeout: 8_000 }).then(() => true, () => false);
      },
      { what: 'the actions for the selection', timeoutMs: 90_000 },
    );
    await write.click();
    expect(await asked()).toContain('Write tests for @src/slot.js:1-6');
  });

  it('fix a problem: its words go along as what they are', async () => {
    await all.app.workbench.openFile('broken.json');
    await all.app.page.locator('.squiggly-error').first().waitFor(SLOW);
    await run('Focus Chat');
    await all.app.workbench.openFile('broken.json');
    const fix = menu().getByText('Fix with Gnomon').first();
    // The key does nothing as long as the editor has not got the focus, or nobody has told it of the problem.
    await waitFor(
      async () => {
        await all.app.workbench.runCommand('Go to Next Problem in Files (Error, Warning, Info)');
        await all.app.page.keyboard.press('Control+.');
        return fix.waitFor({ timeout: 8_000 }).then(() => true, () => false);
      },
      { what: 'the actions for the problem', timeoutMs: 90_000 },
    );
    await fix.click();
    const text = await asked();
    expect(text).toMatch(/Fix the attached problem in @broken\.json:\d/);
    expect(text).toContain('Value expected');
    await all.chat.mine.getByText('problem', { exact: true }).waitFor(SLOW);
  });

  it.each([
    ['Document', 'Write the documentation comments that are missing in @src/slot.js:1-4.'],
    ['Refactor', 'Improve the structure of @src/slot.js:1-4'],
    ['Review Code', 'Review @src/slot.js:1-4:'],
  ])('%s is a command, too', async (title, words) => {
    await select('src/slot.js', 4);
    await run(title);
    expect(await asked()).toContain(words);
  });

  it('add a problem, a folder and what is selected in the terminal to what is being written', async () => {
    const { page, workbench } = all.app;
    const holds = (text: string): Promise<unknown> => waitFor(async () => (await all.chat.message.inputValue()) === text, { what: `“${text}” in the message`, timeoutMs: 30_000 });
    await workbench.openFile('broken.json');
    await page.locator('.squiggly-error').first().waitFor(SLOW);
    const add = menu().getByText('Add problem to the chat of Gnomon').first();
    await waitFor(
      async () => {
        await workbench.runCommand('Go to Next Problem in Files (Error, Warning, Info)');
        await page.keyboard.press('Control+.');
        return add.waitFor({ timeout: 8_000 }).then(() => true, () => false);
      },
      { what: 'the actions for the problem', timeoutMs: 90_000 },
    );
    await add.click();
    const problem = /^@problems:broken\.json:\d $/;
    await waitFor(async () => problem.test(await all.chat.message.inputValue()), { what: 'the problem in the message', timeoutMs: 30_000 });
    const first = await all.chat.message.inputValue();
    await workbench.runCommand('View: Show Explorer');
    await page.locator('.explorer-folders-view').getByRole('treeitem', { name: 'src', exact: true }).click({ button: 'right' });
    await workbench.chooseInMenu('Add to Chat');
    await holds(`${first}@src `);
    await run('Add Terminal Selection to Chat');
    await holds(`${first}@src @terminal `);
    // A space ends the mention, so that Enter sends and takes no offer.
    await all.chat.send('What about these: @problems:broken.json ');
    expect(await asked()).toContain('Value expected');
  });

  it('add a place to what is being written, and send nothing', async () => {
    const before = all.server.requests.length;
    await all.chat.message.fill('Why is this');
    await select('src/slot.js', 2);
    await run('Add to Chat');
    await waitFor(async () => (await all.chat.message.inputValue()) === 'Why is this @src/slot.js:1-2 ', { what: 'the mention in the message', timeoutMs: 30_000 });
    expect(all.server.requests).toHaveLength(before);
    await all.chat.message.fill('');
  });

  it('of one’s own are run by name', async () => {
    await select('src/slot.js', 2);
    await run('Run Action…');
    await all.app.page.locator('.quick-input-widget').getByRole('option', { name: /^Find dead code/ }).click(SLOW);
    expect(await asked()).toContain('Look for dead code in @src/slot.js at @src/slot.js:1-2');
  });

  it('E-7 ask for a file that is described', async () => {
    await run('New File from Description…');
    const box = all.app.page.locator('.quick-input-widget').getByRole('textbox');
    await box.fill('a clock that rings');
    await box.press('Enter');
    expect(await asked()).toContain('Create a new file: a clock that rings');
  });

  it('E-7 explain what is selected in the terminal', async () => {
    await all.app.workbench.runCommand('Terminal: Create New Terminal');
    const screen = all.app.page.locator('.terminal-wrapper.active .xterm');
    await screen.waitFor(SLOW);
    await screen.click();
    // The shell prints it in two parts, so that the command itself does not hold what is looked for.
    await all.app.page.keyboard.type("printf 'median-%s\\n' fails");
    await all.app.page.keyboard.press('Enter');
    const explained = async (): Promise<boolean> => {
      const next = all.server.request(all.server.requests.length);
      await all.app.workbench.runCommand('Terminal: Select All');
      await run('Explain Terminal Selection');
      const { body } = await next;
      await all.chat.waitForIdle();
      return /selection in the terminal.*median-fails.*Explain what @terminal shows\./s.test(lastUserText(body));
    };
    await waitFor(explained, { what: 'the question about what the terminal shows', timeoutMs: 120_000 });
    await all.app.workbench.runCommand('Terminal: Kill All Terminals');
  });

  it('E-7 find names for a symbol, and rename it wherever it stands', async () => {
    all.server.setScript(() => reply().text('- `minutesInHour`\nHOUR\nnot a name'));
    await all.app.workbench.openFile('src/clock.js');
    await all.app.page.locator('.editor-instance .view-line').first().click();
    await all.app.page.keyboard.press('Control+Home');
    for (let step = 0; step < 8; step += 1) await all.app.page.keyboard.press('ArrowRight');
    const widget = all.app.page.locator('.quick-input-widget');
    // The language server takes its time; until then there is nothing that could rename.
    await waitFor(
      async () => {
        await run('Suggest Names…');
        return widget.getByRole('option', { name: /^minutesInHour/ }).waitFor({ timeout: 10_000 }).then(() => true, () => false);
      },
      { what: 'names for the symbol', timeoutMs: 120_000 },
    );
    await widget.getByRole('option', { name: /^minutesInHour/ }).click();
    const text = async (): Promise<string> => all.app.workbench.activeEditorText();
    await waitFor(async () => (await text()).includes('const minutesInHour = 60;') && !(await text()).includes('MINUTES_PER_HOUR'), { what: 'the symbol to be renamed', timeoutMs: 30_000 });
    expect(JSON.stringify(all.server.requests.at(-1)?.body)).toContain('Find names for `MINUTES_PER_HOUR`');
  });
});
