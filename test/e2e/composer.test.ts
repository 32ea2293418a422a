import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Gate } from '../support/model-server/index.js';
import { gate as makeGate, reply } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import type { Chat } from './chat.js';
import type { WithModel } from './with-model.js';
import { startWithModel } from './with-model.js';

/** A picture of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const SLOW = { timeout: 60_000 };

describe('where the person writes', () => {
  let all: WithModel;
  let chat: Chat;

  beforeAll(async () => {
    all = await startWithModel({ 'files.autoSave': 'off' });
    chat = all.chat;
    const { workspace } = all.app;
    await mkdir(join(workspace, 'docs'));
    await writeFile(join(workspace, 'docs', 'two words.md'), 'the words in it\n');
    await writeFile(join(workspace, '.env'), 'TOKEN=hunter2\n');
    await writeFile(join(workspace, 'broken.json'), '{ "a": }\n');
    execFileSync('git', ['init', '-q'], { cwd: workspace });
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-q', '--allow-empty', '-m', 'first'], { cwd: workspace });
  });
  afterAll(() => all.stop());
  beforeEach(async () => {
    all.server.setScript(() => reply().text('Well.'));
    await all.app.workbench.runCommand('View: Close All Editors');
    await chat.message.fill('');
    await chat.newSession();
  });

  /** What the model got of the latest message. A space ends a mention at its end, so that Enter sends and takes no offer. */
  async function sent(text: string, send: () => Promise<void> = () => chat.send(text.replace(/@\S+$/, '$& '))): Promise<string> {
    const next = all.server.request(all.server.requests.length);
    await send();
    const { body } = await next;
    await chat.waitForIdle();
    const { content } = body.messages.at(-1) ?? {};
    return typeof content === 'string' ? content : JSON.stringify(content);
  }

  function listed(): Promise<string> {
    return chat.mine.last().getByRole('list', { name: 'Attached' }).innerText();
  }

  function option(name: RegExp): Locator {
    return chat.frame.getByRole('listbox', { name: 'Mentions' }).getByRole('option', { name });
  }

  async function boxHolds(text: string): Promise<void> {
    await waitFor(async () => (await chat.message.inputValue()) === text, { what: `the composer to hold ${JSON.stringify(text)}`, timeoutMs: 30_000 });
  }

  it('finds files as they are typed, and sends the lines that are mentioned before the words', async () => {
    await chat.message.pressSequentially('What does @cloc');
    await option(/^clock\.js src/).waitFor(SLOW);
    // As long as what was typed last is being looked for, Enter takes nothing.
    const taken = async (): Promise<boolean> => {
      await chat.message.press('Enter');
      return (await chat.message.inputValue()) !== 'What does @cloc';
    };
    await waitFor(taken, { what: 'what is offered to be taken', timeoutMs: 30_000 });
    await boxHolds('What does @src/clock.js ');
    const got = await sent('What does @src/clock.js:2-3 do, and @"docs/two words.md"?');
    expect(got).toMatch(/<attached name=\\"src\/clock\.js:2-3\\">.*<\/attached>.*<attached name=\\"docs\/two words\.md\\">.*the words in it.*What does @src/);
    expect(await chat.mine.last().innerText()).toContain('What does @src/clock.js:2-3 do, and @"docs/two words.md"?');
    expect(await chat.mine.last().innerText()).not.toContain('the words in it');
    expect(await listed()).toMatch(/src\/clock\.js:2-3\s+docs\/two words\.md/);
  });

  it('path-14 path-15 tells only the path of what may not be read without asking', async () => {
    const got = await sent('Read @/etc/passwd and @.env');
    expect(got).not.toMatch(/root:|hunter2/);
    expect(await listed()).toMatch(/passwd \(only the path\)\s+\.env \(only the path\)/);
  });

  it('attaches problems, changes, editors and a folder', async () => {
    await all.app.workbench.openFile('broken.json');
    await waitFor(async () => (await sent('@problems and @problems:broken.json')).includes('broken.json:1'), { what: 'the problem of the file', timeoutMs: 90_000 });
    const got = await sent('@changes @editors @src/');
    expect(got).toContain('New files that git does not know yet');
    expect(got).toContain('broken.json (active)');
    expect(got).toContain('clock.js\\n');
    expect(await listed()).toMatch(/changes in \d+ files\s+1 open editor\s+src\//);
  });

  it('sends what is selected in the terminal, and says when nothing is', async () => {
    await all.app.workbench.runCommand('Terminal: Create New Terminal');
    const screen = all.app.page.locator('.terminal-wrapper.active .xterm');
    await screen.waitFor(SLOW);
    // The shell prints it in two parts, so that the command itself does not hold what is looked for.
    await screen.click();
    await all.app.page.keyboard.type("printf 'median-%s\\n' fails");
    await all.app.page.keyboard.press('Enter');
    const got = (): Promise<string> => sent('Why? @terminal');
    expect(await got()).toContain('Nothing is selected in the terminal.');
    await waitFor(
      async () => {
        await all.app.workbench.runCommand('Terminal: Select All');
        return (await got()).includes('median-fails');
      },
      { what: 'what the terminal shows', timeoutMs: 120_000 },
    );
    expect(await listed()).toContain('selection in the terminal');
    await all.app.workbench.runCommand('Terminal: Kill All Terminals');
  });

  it('sends what is known of a symbol, and says when no language server knows it', async () => {
    const got = await sent('What is @#noSuchSymbolAnywhere ?');
    expect(got).toMatch(/<attached name=\\"#noSuchSymbolAnywhere \(not found\)\\">.*No language server knows a symbol noSuchSymbolAnywhere\./);
    expect(await listed()).toContain('#noSuchSymbolAnywhere (not found)');
    // With the file in an editor, the server of JavaScript starts; it knows the symbol some time later.
    await all.app.workbench.openFile('src/clock.js');
    const known = async (): Promise<string | undefined> => {
      const told = await sent('What is @#parseTime ?');
      return told.includes('(not found)') ? undefined : told;
    };
    const places = await waitFor(known, { what: 'the symbol to be known', timeoutMs: 90_000 });
    expect(places).toMatch(/<attached name=\\"#parseTime\\">\\n?src\/clock\.js:\d+ parseTime/);
    expect(places).toContain('export function parseTime');
    await chat.message.pressSequentially('And @#parseTi');
    await option(/parseTime/).first().click(SLOW);
    await boxHolds('And @#parseTime ');
  });

  it('sends what is selected in the editor, until it is switched off', async () => {
    await all.app.workbench.openFile('src/clock.js');
    await all.app.page.locator('.editor-instance .view-lines').first().click({ position: { x: 5, y: 5 } });
    await all.app.page.keyboard.press('Control+Home');
    for (let line = 0; line < 2; line += 1) await all.app.page.keyboard.press('Shift+ArrowDown');
    const chip = chat.button('Send the selection src/clock.js:1-2');
    await chip.waitFor(SLOW);
    expect(await sent('What is this?')).toContain('<attached name=\\"src/clock.js:1-2\\">');
    expect(await listed()).toContain('src/clock.js:1-2');
    await chip.click();
    await chat.frame.getByRole('button', { name: 'Send the selection src/clock.js:1-2', pressed: false }).waitFor();
    expect(await sent('And now?')).not.toContain('Selected in the editor');
    await chip.click();
    await chat.frame.getByRole('button', { name: 'Send the selection src/clock.js:1-2', pressed: true }).waitFor();
  });

  it('takes a pasted picture, shows it small, and sends it', async () => {
    await chat.message.focus();
    await chat.message.evaluate((element, pixel) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob(pixel), (character) => character.charCodeAt(0))], 'shot.png', { type: 'image/png' }));
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    }, PIXEL);
    const picture = chat.frame.getByRole('list', { name: 'Files of this message' }).locator('img');
    await picture.waitFor(SLOW);
    await waitFor(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth === 1), { what: 'the picture to be shown', timeoutMs: 30_000 });
    expect(await sent('What is in it?')).toContain(PIXEL);
    await picture.waitFor({ state: 'detached' });
  });

  it('view-17 asks before it reads a picture from outside of the workspace that was dropped', async () => {
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
    const files = chat.frame.getByRole('list', { name: 'Files of this message' });
    await files.getByText('hostname').waitFor(SLOW);
    expect(await files.getByText('outside.png').count()).toBe(0);
    await chat.button('Remove hostname').click();
    await files.waitFor({ state: 'detached' });
  });

  it('goes back through what was said, and forward to what is being written', async () => {
    await sent('first words');
    await sent('second words');
    await chat.message.fill('draft');
    await chat.message.press('Home');
    await chat.message.press('ArrowUp');
    await boxHolds('second words');
    await chat.message.press('ArrowUp');
    await boxHolds('first words');
    await chat.message.press('ArrowDown');
    await chat.message.press('ArrowDown');
    await boxHolds('draft');
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
    await say('/mode plan');
    await chat.waitForChoice('Permission mode', 'Plan');
    await boxHolds('');
    await say('/mode default');
    await chat.waitForChoice('Permission mode', 'Ask before changes');
    await boxHolds('');
    await say('/nonsense here');
    await chat.frame.getByRole('alert').filter({ hasText: 'There is no command /nonsense.' }).waitFor(SLOW);
    await boxHolds('/nonsense here');
    expect(all.server.requests.length).toBe(before);
    expect(await sent(' /nonsense here')).toContain(' /nonsense here');
    await say('/clear');
    await chat.mine.first().waitFor({ state: 'detached' });
    await boxHolds('');
  });

  describe('with a turn that runs', () => {
    let gate: Gate;

    beforeEach(() => {
      gate = makeGate();
      all.server.setScript(({ body }) => (JSON.stringify(body.messages.at(-1)).includes('hold on') ? reply().text('Wait.').hold(gate) : reply().text('Well.')));
    });

    function queue(): Locator {
      return chat.frame.getByRole('region', { name: 'Queue' });
    }

    function waiting(): Promise<readonly string[]> {
      return queue().getByRole('listitem').allInnerTexts();
    }

    async function enqueue(text: string): Promise<void> {
      await chat.message.fill(text);
      await chat.message.press('Enter');
      await queue().getByRole('listitem').filter({ hasText: text }).waitFor(SLOW);
      await boxHolds('');
    }

    it('queues what is said, in the order that the person gives it, and sends it when the turn ends', async () => {
      await chat.send('hold on');
      for (const text of ['one', 'two', 'three']) await enqueue(text);
      await queue().getByRole('listitem').filter({ hasText: 'three' }).getByRole('button', { name: 'Move up' }).click();
      await waitFor(async () => (await waiting()).join(' ') === 'one three two', { what: 'the order', timeoutMs: 30_000 });
      await queue().getByRole('listitem').filter({ hasText: 'one' }).getByRole('button', { name: 'Remove' }).click();
      await queue().getByRole('listitem').filter({ hasText: 'three' }).getByRole('button', { name: 'Edit' }).click();
      await boxHolds('three');
      await chat.message.fill('three, in other words');
      await chat.message.press('Enter');
      await waitFor(async () => (await waiting()).join(' ') === 'two three, in other words', { what: 'the order', timeoutMs: 30_000 });
      gate.open();
      await queue().waitFor({ state: 'detached', ...SLOW });
      await chat.waitForIdle();
      expect((await chat.mine.allInnerTexts()).map((text) => text.split('\n')[0])).toEqual(['hold on', 'two', 'three, in other words']);
    });

    it('keeps the queue after Stop and over a restart, says so, and sends it at the press of a button', async () => {
      await chat.send('hold on');
      await enqueue('look at @src/clock.js');
      await enqueue('and then this');
      await chat.button('Stop').click();
      await queue().getByRole('status').filter({ hasText: 'You stopped the turn' }).waitFor(SLOW);
      await chat.message.fill('not sent yet');
      await waitFor(async () => (await chat.message.inputValue()) === 'not sent yet', { what: 'the draft', timeoutMs: 30_000 });
      await chat.reload();
      await boxHolds('not sent yet');
      await all.app.restart();
      chat = await all.app.openChat();
      await queue().getByRole('status').filter({ hasText: 'not sent before VS Code was closed' }).waitFor(SLOW);
      await boxHolds('not sent yet');
      const next = all.server.request(all.server.requests.length);
      await queue().getByRole('button', { name: 'Send next' }).click();
      expect(JSON.stringify((await next).body.messages.at(-1))).toContain('<attached name=\\"src/clock.js\\">');
      await queue().waitFor({ state: 'detached', ...SLOW });
      await chat.waitForIdle();
      await chat.mine.filter({ hasText: 'and then this' }).waitFor(SLOW);
    });

    it('“Send now” stops the turn for that message', async () => {
      await chat.send('hold on');
      await enqueue('later');
      await enqueue('urgent');
      await queue().getByRole('listitem').filter({ hasText: 'urgent' }).getByRole('button', { name: 'Send now' }).click();
      await chat.mine.filter({ hasText: 'later' }).waitFor(SLOW);
      await chat.answers.nth(2).waitFor(SLOW);
      await chat.waitForIdle();
      expect((await chat.mine.allInnerTexts()).map((text) => text.split('\n')[0])).toEqual(['hold on', 'urgent', 'later']);
    });
  });

  it('keeps a draft for each session', async () => {
    await sent('session with a draft');
    await chat.message.fill('draft of the first');
    await chat.button('New session').click();
    await boxHolds('');
    await chat.message.fill('draft of the new one');
    await chat.openFromHistory('session with a draft');
    await boxHolds('draft of the first');
    await chat.button('New session').click();
    await boxHolds('draft of the new one');
    await chat.message.fill('');
  });
});
