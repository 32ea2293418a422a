import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gate, lastUserText, reply } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import { Workbench } from '../vscode/workbench.mjs';
import { Chat } from './chat.js';
import { sessionsWith } from './files.js';
import type { WithModel } from './with-model.js';
import { answering, startWithModel } from './with-model.js';

const SLOW = { timeout: 60_000 };

describe('several conversations', () => {
  let all: WithModel;
  let chat: Chat;

  beforeAll(async () => {
    all = await startWithModel({ 'files.simpleDialog.enable': true, 'gnomon.notifications': 'all' });
    chat = all.chat;
    all.server.setScript(({ body }) => reply().text(`You said: ${lastUserText(body)}`));
  });
  afterAll(() => all.stop());

  /** The page in the active editor tab. */
  function tabFrame(): FrameLocator {
    return all.app.workbench.webview(':not([src*="purpose=webviewView"])');
  }

  function tab(title: string | RegExp): Locator {
    return all.app.page.locator('.tabs-container .tab').filter({ hasText: title });
  }

  function row(title: string): Locator {
    return chat.frame.getByRole('list', { name: 'Sessions' }).getByRole('button', { name: new RegExp(`^${title}`) });
  }

  function quickInput(): Locator {
    return all.app.page.locator('.quick-input-widget');
  }

  async function openHistory(): Promise<void> {
    if (await chat.frame.getByRole('searchbox', { name: 'Search sessions' }).isVisible()) return;
    await chat.button('History').click();
    await chat.frame.getByRole('list', { name: 'Sessions' }).waitFor(SLOW);
  }

  async function closeHistory(): Promise<void> {
    await chat.button('History').click();
    await chat.message.waitFor();
  }

  /** Chooses in the editor's own menu of a session. */
  async function menu(title: string, action: string): Promise<void> {
    await chat.frame.getByRole('button', { name: new RegExp(`^Actions for ${title}`) }).first().click();
    await all.app.workbench.chooseInMenu(action);
  }

  async function talk(words: string): Promise<void> {
    await chat.newSession();
    await chat.send(words);
    await chat.waitForText(`You said: ${words}`);
    await chat.waitForIdle();
  }

  it('renames in place, pins and finds by title and by message', async () => {
    await talk('Alpha about medians');
    await talk('Beta about brackets');
    await openHistory();
    await menu('Alpha about medians', 'Rename Session…');
    const box = chat.frame.getByRole('textbox', { name: 'Title' });
    await box.fill('Alpha renamed');
    await box.press('Enter');
    await row('Alpha renamed').waitFor();
    await menu('Alpha renamed', 'Pin Session');
    await chat.frame.getByRole('list', { name: 'Pinned' }).getByText('Alpha renamed').waitFor();
    await chat.frame.getByRole('searchbox', { name: 'Search sessions' }).fill('medians');
    const hit = chat.frame.getByRole('list', { name: 'Found in messages' }).getByRole('button', { name: /^Alpha renamed/ });
    await hit.waitFor(SLOW);
    await hit.click();
    await chat.mine.first().getByText('Alpha about medians').waitFor();
    await chat.frame.getByRole('heading', { name: 'Alpha renamed', level: 1 }).waitFor();
  });

  it('deletes into the trash and takes it back by Undo', async () => {
    await talk('Gamma to be deleted');
    await openHistory();
    await row('Gamma').press('Delete');
    await row('Gamma').waitFor({ state: 'detached' });
    await chat.button('Undo').click();
    await row('Gamma').waitFor();
    await row('Gamma').click();
    await chat.waitForText('You said: Gamma to be deleted');
  });

  it('sess-18 deletes at once what is in the trash: nothing of it is left', async () => {
    await talk('Delta to be forgotten');
    await openHistory();
    await row('Delta').press('Delete');
    await row('Delta').waitFor({ state: 'detached' });
    await chat.frame.getByText('Trash (1)').click();
    await chat.frame.getByRole('list', { name: 'Trash' }).getByRole('button', { name: 'Delete now' }).click();
    await all.app.workbench.dialog().getByRole('button', { name: 'Delete' }).click();
    await waitFor(async () => (await sessionsWith(all.app.dataDir, 'Delta to be forgotten')).length === 0, { what: 'the session to be gone', timeoutMs: 60_000 });
    await closeHistory();
  });

  it('exports as Markdown without secrets and as JSON, and imports what it exported', async () => {
    const secret = `sk-${'a1b2c3d4'.repeat(4)}`;
    await talk(`Epsilon has ${secret} in it`);
    await openHistory();
    const markdown = join(all.app.workspace, 'out.md');
    await menu('Epsilon has', 'Export Session as Markdown…');
    await saveAs(markdown);
    const text = await exported(markdown, (found) => found.includes('You said: Epsilon has'));
    expect(text).toContain('Epsilon has [redacted] in it');
    expect(text).not.toContain(secret);
    await closeHistory();
    const json = join(all.app.workspace, 'out.json');
    await all.app.workbench.runCommand('Gnomon: Export Session…');
    await quickInput().getByText('Replace what looks like a secret').click();
    await quickInput().getByText('Off', { exact: true }).waitFor();
    await quickInput().getByRole('option', { name: /^JSON/ }).click();
    await saveAs(json);
    const bytes = await exported(json, isJson);
    expect(bytes).toContain(secret);
    await mkdir(join(all.app.workspace, 'in'), { recursive: true });
    const file = join(all.app.workspace, 'in', 'session.json');
    await writeFile(file, bytes.replaceAll('Epsilon', 'Zeta'));
    await all.app.workbench.runCommand('Gnomon: Import Session…');
    await saveAs(file);
    await chat.waitForText('You said: Zeta has');
    await writeFile(file, '{"version": 1, "id": ');
    await all.app.workbench.runCommand('Gnomon: Import Session…');
    await saveAs(file);
    await all.app.workbench.notification(/session\.json/);
  });

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

  /** Answers VS Code's own file dialog. */
  async function saveAs(path: string): Promise<void> {
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

  it('forks the whole conversation; the first one stays as it is', async () => {
    await talk('Eta to be forked');
    await all.app.workbench.runCommand('Gnomon: Fork Session');
    await chat.frame.getByRole('note').filter({ hasText: 'Branched from “Eta to be forked”' }).waitFor();
    await chat.send('Only in the fork');
    await chat.waitForText('You said: Only in the fork');
    await chat.waitForIdle();
    await openHistory();
    const branch = row('Eta to be forked').filter({ hasText: 'branch of “Eta to be forked”' });
    await branch.waitFor();
    await row('Eta to be forked').filter({ hasNotText: 'branch of' }).click();
    await chat.mine.filter({ hasText: 'Only in the fork' }).waitFor({ state: 'detached' });
    await chat.waitForText('You said: Eta to be forked');
    expect(await chat.mine.count()).toBe(1);
  });

  it('works in an editor tab beside the sidebar: one conversation in both, one answer to its prompt', async () => {
    all.server.setScript(answering(reply().toolCall('bash', { command: 'echo once >> shared.txt' })));
    await chat.newSession();
    await chat.button('Open in editor tab').click();
    const inTab = new Chat(all.app.workbench);
    Object.defineProperty(inTab, 'frame', { get: () => tabFrame() });
    const inBar = new Chat(all.app.workbench);
    Object.defineProperty(inBar, 'frame', { get: () => all.app.workbench.webview('[src*="purpose=webviewView"]') });
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
    await inTab.frame.getByRole('button', { name: 'New session' }).click();
    await inTab.mine.first().waitFor({ state: 'detached' });
    expect(await inBar.mine.count()).toBe(1);
    all.server.setScript(({ body }) => reply().text(`You said: ${lastUserText(body)}`));
    await inTab.send('Iota in the tab');
    await inTab.waitForText('You said: Iota in the tab');
    await tab('Iota in the tab').waitFor();
    await inTab.waitForIdle();
    await reloadWindow();
    // The window that was there before lets go of it a little later.
    await tab('Iota in the tab').waitFor(SLOW);
    await tab('Iota in the tab').click();
    await inTab.waitForText('You said: Iota in the tab');
    await inBar.waitForText('That was all.');
    await tab('Iota in the tab').getByRole('button', { name: /^Close/ }).click();
    await tab('Iota in the tab').waitFor({ state: 'detached' });
    await all.app.openChat();
  });

  /** Reloads the window as a person does: VS Code has the time to keep which tabs there are. */
  async function reloadWindow(): Promise<void> {
    const { page } = all.app;
    await page.evaluate(() => Reflect.set(globalThis, 'isOld', true));
    await all.app.workbench.runCommand('Developer: Reload Window');
    const isNew = (): Promise<boolean> => page.evaluate(() => Reflect.get(globalThis, 'isOld') === undefined);
    await waitFor(() => isNew().catch(() => false), { what: 'the new window', timeoutMs: 60_000 });
    await page.locator('.monaco-workbench').waitFor(SLOW);
  }

  it('shows with dots what works, waits and has finished unseen', async () => {
    const hold = gate();
    all.server.setScript(({ body }) => (lastUserText(body) === 'Kappa works' ? reply().text('On ', hold, 'and done.') : reply().text('Quick.')));
    await chat.newSession();
    await chat.send('Kappa works');
    await chat.waitForText('On');
    await chat.frame.locator('header').getByText(/^Working/).waitFor();
    await chat.newSession();
    await openHistory();
    await row('Kappa works').getByText('Working').waitFor(SLOW);
    hold.open();
    await row('Kappa works').getByText('Finished, not seen yet').waitFor(SLOW);
    await row('Kappa works').click();
    await chat.waitForText('and done.');
    await openHistory();
    await row('Kappa works').getByText('Finished, not seen yet').waitFor({ state: 'detached' });
    await closeHistory();
  });

  it('sess-09 a second window is told, takes over, and the first only shows it', async () => {
    all.server.setScript(({ body }) => reply().text(`You said: ${lastUserText(body)}`));
    await talk('Lambda in two windows');
    const page = await all.app.page.context().newPage();
    const second = new Workbench(page);
    await second.open(all.app.page.url());
    await second.openView('Gnomon');
    const there = new Chat(second);
    await there.message.waitFor(SLOW);
    // VS Code gives the second window of a workspace a storage of its own; the sessions are found all the same.
    await there.button('History').click();
    await there.frame.getByRole('list', { name: 'Sessions' }).getByRole('button', { name: /^Lambda in two windows/ }).click();
    const busy = there.frame.getByRole('region', { name: 'This session is open in another window.' });
    await busy.waitFor(SLOW);
    await busy.getByRole('button', { name: 'Take over' }).click();
    await there.waitForText('You said: Lambda in two windows');
    await chat.frame.getByRole('region', { name: 'Continued in another window' }).waitFor(SLOW);
    await there.send('From the second window');
    await there.waitForText('You said: From the second window');
    await there.waitForIdle();
    await chat.button('Take it back').click();
    await chat.waitForText('You said: From the second window');
    await there.frame.getByRole('region', { name: 'Continued in another window' }).waitFor(SLOW);
    await page.close();
  });
});
