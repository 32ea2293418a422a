import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lastUserText, reply } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import type { Chat } from './chat.js';
import type { WithModel } from './with-model.js';
import { answering, startWithModel } from './with-model.js';

/** A picture of one pixel. */
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64');
const SLOW = { timeout: 60_000 };

describe('what is inside of the transcript', () => {
  let all: WithModel;
  let chat: Chat;

  beforeAll(async () => {
    all = await startWithModel({ 'files.autoSave': 'off', 'gnomon.improveTitles': false, 'gnomon.includeSelection': false });
    chat = all.chat;
  });
  afterAll(() => all.stop());
  beforeEach(async () => {
    await all.app.workbench.runCommand('Notifications: Clear All Notifications');
    await all.app.workbench.runCommand('View: Close All Editors');
    await chat.newSession();
  });

  /** Has the model answer with a text. */
  async function answer(text: string, question = 'Go on'): Promise<void> {
    all.server.setScript(() => reply().text(text));
    const before = await chat.answers.count();
    await chat.send(question);
    await chat.answers.nth(before).waitFor(SLOW);
    await chat.waitForIdle();
  }

  /** A tool of the newest answer, reached as the keyboard does. */
  function tool(name: string): Locator {
    return chat.answers.last().getByRole('toolbar', { name: 'Answer actions' }).getByRole('button', { name, exact: true });
  }

  /** The text of the messages of the person that the model got in the newest request. */
  function asked(): readonly string[] {
    const messages = all.server.requests.at(-1)?.body.messages ?? [];
    return messages.flatMap(({ role, content }) => (role !== 'user' ? [] : typeof content === 'string' ? [content] : content.flatMap((block) => (typeof block['text'] === 'string' ? [block['text']] : []))));
  }

  it('D-2 code is coloured and goes to the cursor of the editor', async () => {
    await all.app.workbench.openFile('src/slot.js');
    await answer('```js\nconst inserted = 1;\n```');
    await chat.log.locator('.hl-keyword').first().waitFor(SLOW);
    await chat.log.getByRole('button', { name: 'Insert at cursor' }).click();
    await waitFor(async () => (await all.app.workbench.activeEditorText()).startsWith('const inserted = 1;'), { what: 'the code in the editor', timeoutMs: 30_000 });
    await all.app.workbench.runCommand('File: Revert File');
    await all.app.page.locator('.tab.active.dirty').waitFor({ state: 'detached' });
  });

  it('D-2 code is put into the file that it names, after its difference was shown; it can be undone', async () => {
    await writeFile(join(all.app.workspace, 'applied.js'), 'one();\ntwo();\nthree();\nfour();\n');
    await answer('```js applied.js\ntwo();\nmore();\nthree();\n```');
    await chat.log.getByRole('button', { name: 'Apply to file' }).click();
    const question = await all.app.workbench.notification('Apply this code to applied.js? It replaces lines 2 to 3.');
    await all.app.page.locator('.tab.active', { hasText: 'applied.js: code from the chat' }).waitFor(SLOW);
    expect(await all.app.read('applied.js')).toBe('one();\ntwo();\nthree();\nfour();\n');
    await question.getByRole('button', { name: 'Apply', exact: true }).click();
    await all.app.waitForFile('applied.js', 'one();\ntwo();\nmore();\nthree();\nfour();\n');
    await all.app.page.locator('.tab', { hasText: 'code from the chat' }).waitFor({ state: 'detached', ...SLOW });
    await chat.frame.getByRole('button', { name: 'Undo applied.js' }).click();
    await all.app.waitForFile('applied.js', 'one();\ntwo();\nthree();\nfour();\n');
  });

  it('view-09 code for a file outside of the workspace is refused, and nothing is written', async () => {
    await answer('```js ../outside.js\nx\n```');
    await chat.log.getByRole('button', { name: 'Apply to file' }).click();
    await chat.waitForText('is not in this workspace, so nothing was changed');
    await expect(access(join(all.app.workspace, '../outside.js'))).rejects.toThrow();
  });

  it('view-04 paths of files that are there are links to their line; others are not', async () => {
    await answer('See `src/clock.js:5`, [the start](src/index.js) and `src/gone.js`; not `../../../etc/passwd` or [this](/etc/passwd).');
    const link = chat.log.getByRole('link', { name: 'src/clock.js:5' });
    await link.waitFor(SLOW);
    await expect.poll(() => chat.log.getByRole('link').allTextContents(), SLOW).toEqual(['src/clock.js:5', 'the start']);
    await link.press('Enter');
    await all.app.page.locator('.tab.active[data-resource-name="clock.js"]').waitFor(SLOW);
    await all.app.page.locator('.statusbar-item', { hasText: 'Ln 5, Col 1' }).waitFor(SLOW);
  });

  it('D-2 thinking says how long it took, and calls that only read are one row', async () => {
    const reads = ['src/clock.js', 'src/room.js', 'src/slot.js'];
    const first = reads.reduce((made, file_path) => made.toolCall('read', { file_path }), reply().thinking('Let me look.'));
    all.server.setScript(answering(first, 'Done.'));
    await chat.send('Look');
    await chat.waitForIdle();
    await chat.log.getByRole('button', { name: /^Thought for .* s$/ }).waitFor(SLOW);
    const group = chat.log.getByRole('group', { name: 'Read 3 files' });
    await group.getByRole('button').click();
    await group.getByRole('group', { name: 'read src/room.js' }).waitFor();
  });

  it('D-2 a picture that a tool gave back is shown, with its name', async () => {
    await writeFile(join(all.app.workspace, 'pixel.png'), PIXEL);
    all.server.setScript(answering(reply().toolCall('read', { file_path: 'pixel.png' }), 'A pixel.'));
    await chat.send('Look at the picture');
    await chat.waitForIdle();
    const small = chat.tool('read pixel.png').getByRole('button', { name: 'Open Image 1' });
    await small.getByRole('img', { name: 'Image 1' }).waitFor(SLOW);
    await small.click();
    const large = chat.frame.getByRole('dialog', { name: 'Image 1' }).getByRole('img');
    await waitFor(async () => (await large.evaluate((image) => (image as HTMLImageElement).naturalWidth)) === 1, { what: 'the picture', timeoutMs: 30_000 });
    await chat.frame.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  });

  it('D-2 what an answer took is told, also after it was read from the disk', async () => {
    await answer('Short.', 'How long is a piece of string?');
    await tool('Details').press('Enter');
    const details = chat.answers.last().locator('dl');
    await waitFor(async () => /Rounds\s*1\b.*Duration.*Output tokens/s.test(await details.innerText()), { what: 'the details', timeoutMs: 30_000 });
    await chat.newSession();
    await chat.openFromHistory('How long is');
    await tool('Details').press('Enter');
    await waitFor(async () => /Model.*Rounds\s*1\b.*Output tokens/s.test(await details.innerText()), { what: 'the details of the stored answer', timeoutMs: 30_000 });
  });

  it('D-2 an answer is copied as Markdown', async () => {
    await answer('It is **bold** and `code`.\n\n- one\n- two');
    // It says so for a moment only.
    await Promise.all([tool('Copied').waitFor(SLOW), tool('Copy as Markdown').press('Enter')]);
    await chat.message.focus();
    await all.app.page.keyboard.press('ControlOrMeta+V');
    await waitFor(async () => (await chat.message.inputValue()) === 'It is **bold** and `code`.\n\n- one\n- two', { what: 'the answer in the composer', timeoutMs: 30_000 });
    await chat.message.fill('');
  });

  it('D-2 a message is said differently in a branch, which says where it comes from; the original stays', async () => {
    await answer('Blue.', 'What colour is the sky?');
    await chat.mine.first().getByRole('button', { name: 'Edit and resend' }).press('Enter');
    const box = chat.frame.getByRole('textbox', { name: 'Edit message' });
    all.server.setScript(() => reply().text('Green.'));
    await box.fill('What colour is grass?');
    await box.press('Enter');
    await chat.waitForText('Green.');
    await chat.waitForIdle();
    expect(asked()).toEqual(['What colour is grass?']);
    expect(await chat.mine.count()).toBe(1);
    await chat.frame.getByText('Branched from “What colour is the sky?”').waitFor(SLOW);
    await chat.button('Open original').click();
    await chat.waitForText('Blue.');
    expect(await chat.mine.innerText()).toContain('What colour is the sky?');
  });

  it('D-2 an answer is asked for again, and gone on from, in branches', async () => {
    await answer('One.', 'First question');
    await answer('Two.', 'Second question');
    all.server.setScript(({ body }) => reply().text(`Again: ${lastUserText(body)}`));
    await tool('Ask again').press('Enter');
    await chat.waitForText('Again: Second question');
    await chat.waitForIdle();
    expect(asked()).toEqual(['First question', 'Second question']);
    await chat.answers.first().getByRole('button', { name: 'Fork from here' }).press('Enter');
    await chat.mine.nth(1).waitFor({ state: 'detached', ...SLOW });
    await chat.send('Another second question');
    await chat.waitForText('Again: Another second question');
    await chat.waitForIdle();
    expect(asked()).toEqual(['First question', 'Another second question']);
  });

  it('D-2 Ctrl+F finds a text anywhere in the conversation', async () => {
    await answer('A needle here.\n\nAnd a **Needle** there.', 'Where is it?');
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
    await waitFor(() => chat.message.evaluate((element) => element === document.activeElement), { what: 'the focus back in the composer', timeoutMs: 30_000 });
  });
});
