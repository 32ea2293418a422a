import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ModelServer } from '../support/model-server/index.js';
import { httpError, lastUserText, reply, startModelServer } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import { App, KEY } from './app.js';

const SLOW = { timeout: 60_000 };
const CURSOR = '<|cursor|>';

describe('E-3 suggestions as you type', () => {
  let app: App;
  let server: ModelServer;

  beforeAll(async () => {
    server = await startModelServer({ apiKey: KEY });
    app = await App.start({
      settings: {
        'gnomon.anthropic.baseUrl': server.url,
        'gnomon.model': 'anthropic/claude-sonnet-5-5',
        'gnomon.completions.model': 'anthropic/claude-haiku-5-5',
        'editor.quickSuggestions': { other: 'off', comments: 'off', strings: 'off' },
        'editor.suggestOnTriggerCharacters': false,
      },
    });
    await mkdir(join(app.workspace, 'lib'));
    await writeFile(join(app.workspace, 'lib', 'sum.js'), 'export const one = 1;\n');
    await writeFile(join(app.workspace, '.env'), 'PASSWORD=hunter2\n');
  });
  afterAll(async () => {
    await app.stop();
    await server.close();
  });
  afterEach(async () => {
    await app.workbench.runCommand('File: Revert File');
    await app.page.locator('.tab.active.dirty').waitFor({ state: 'detached' });
  });

  const ghost = (): Locator => app.page.locator('.ghost-text-decoration, .ghost-text');
  /** Resolves when this is suggested, whatever pieces it is drawn in. */
  const untilGhost = (text: string): Promise<unknown> =>
    waitFor(async () => (await ghost().allTextContents()).join('').replaceAll('\u00A0', ' ').includes(text), { what: `“${text}” behind the cursor`, timeoutMs: 30_000 });
  const status = (name: RegExp): Locator => app.page.locator('[id="gnomon.gnomon.gnomon.suggestions"]').getByRole('button', { name });
  const keys = (text: string): Promise<void> => app.page.keyboard.type(text, { delay: 30 });
  /** What stood before the cursor when a model was asked; the last time when no request is named. */
  const askedAt = (body = server.requests.at(-1)?.body): string => {
    const text = body === undefined ? '' : lastUserText(body);
    return text.slice(0, text.indexOf(CURSOR));
  };
  const untilText = (part: string): Promise<unknown> => waitFor(async () => (await app.workbench.activeEditorText()).includes(part), { what: `“${part}” in the editor`, timeoutMs: 30_000 });
  /** The model writes this wherever it is asked, or only where what is given stands before the cursor. */
  const answering = (text: string, behind = ''): void => server.setScript(({ body }) => reply().text(askedAt(body).endsWith(behind) ? text : ''));

  async function openEnd(file: string): Promise<void> {
    await app.workbench.openFile(file);
    await app.page.locator('.editor-instance .view-line').first().click();
    await app.page.keyboard.press('Control+End');
  }

  async function choose(label: RegExp): Promise<void> {
    await app.page.locator('.quick-input-widget').getByRole('option', { name: label }).click(SLOW);
  }

  it('are off until they are switched on in the status bar', async () => {
    answering(' + b;');
    await openEnd('lib/sum.js');
    await keys('const a = 1');
    await status(/are off/).waitFor(SLOW);
    expect(server.requests).toHaveLength(0);
    await app.workbench.screenshot('suggestions-off');
    await status(/are off/).click();
    await choose(/Turn suggestions on/);
    await status(/are on/).waitFor(SLOW);
  });

  it('stand behind the cursor, and Tab takes them', async () => {
    answering(' one + two;', 'const sum =');
    await openEnd('lib/sum.js');
    await keys('const sum =');
    await ghost().first().waitFor(SLOW);
    await app.workbench.screenshot('suggestions-line');
    expect(askedAt()).toMatch(/export const one = 1;\nconst sum =$/);
    await app.page.keyboard.press('Tab');
    await untilText('const sum = one + two;');
  });

  it('go on while they are typed, without another request', async () => {
    answering(' one * two;', 'const product =');
    await openEnd('lib/sum.js');
    await keys('const product =');
    await ghost().first().waitFor(SLOW);
    const before = server.requests.length;
    await keys(' one * ');
    await untilGhost('two;');
    expect(server.requests).toHaveLength(before);
    await app.page.keyboard.press('Tab');
    await untilText('const product = one * two;');
  });

  it('are whole blocks behind an open bracket', async () => {
    answering('\n  return a + b;\n}\n\nfunction more() {}', 'add(a, b) {');
    await openEnd('lib/sum.js');
    await keys('export function add(a, b) {');
    await untilGhost('return a + b;');
    await app.workbench.screenshot('suggestions-block');
    await app.page.keyboard.press('Tab');
    await untilText('return a + b;\n}');
    expect(await app.workbench.activeEditorText()).not.toContain('more');
  });

  it('do not say again what the editor has closed', async () => {
    answering('one, two);', 'add(');
    await openEnd('lib/sum.js');
    await keys('add(');
    await ghost().first().waitFor(SLOW);
    await app.page.keyboard.press('Tab');
    await untilText('add(one, two);');
    expect(await app.workbench.activeEditorText()).not.toContain('add(one, two);)');
  });

  it('are not in a file that can hold passwords', async () => {
    answering('leak');
    await openEnd('.env');
    const before = server.requests.length;
    await keys('TOKEN=');
    await status(/No suggestions in this file/).waitFor(SLOW);
    expect(server.requests).toHaveLength(before);
  });

  it('are snoozed, and switched off for a language', async () => {
    answering(' one;');
    await openEnd('lib/sum.js');
    await app.workbench.runCommand('Gnomon: Snooze Suggestions…');
    await choose(/^5 minutes/);
    await status(/snoozed/).click(SLOW);
    await app.page.locator('.quick-input-widget').getByRole('option', { name: /End the snooze/ }).waitFor(SLOW);
    await app.workbench.screenshot('suggestions-menu');
    await choose(/End the snooze/);
    await status(/are on/).click(SLOW);
    await choose(/Turn suggestions off for javascript/);
    await status(/off for javascript/).waitFor(SLOW);
    const before = server.requests.length;
    await keys('const none =');
    await app.workbench.runCommand('Gnomon: Turn Suggestions On or Off for This Language');
    await status(/are on/).waitFor(SLOW);
    expect(server.requests).toHaveLength(before);
    await openEnd('lib/sum.js');
    await keys(' ');
    await ghost().first().waitFor(SLOW);
  });

  it('say in the status bar what is wrong, and leave the person alone', async () => {
    server.setScript(() => httpError(529, 'overloaded_error', 'Overloaded'));
    await openEnd('lib/sum.js');
    await keys('const failing =');
    await status(/No suggestions: /).waitFor(SLOW);
    await app.workbench.screenshot('suggestions-problem');
    await keys(' 1;');
    await untilText('const failing = 1;');
    expect(await app.workbench.notifications()).toEqual([]);
  });

  it('are gone when they are switched off', async () => {
    answering(' one;');
    await openEnd('lib/sum.js');
    await app.workbench.runCommand('Gnomon: Turn Suggestions On or Off');
    await status(/are off/).waitFor(SLOW);
    const before = server.requests.length;
    await openEnd('lib/sum.js');
    await keys('const off =');
    await app.workbench.runCommand('Gnomon: Snooze Suggestions…');
    await choose(/Turn suggestions on/);
    await status(/are on/).waitFor(SLOW);
    expect(server.requests).toHaveLength(before);
    await openEnd('lib/sum.js');
    await keys(' ');
    await ghost().first().waitFor(SLOW);
  });
});
