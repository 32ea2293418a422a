import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ModelServer, Reply } from '../support/model-server/index.js';
import { gate, lastUserText, reply, startModelServer } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import { App } from './app.js';
import { KEY } from './with-model.js';

const SLOW = { timeout: 60_000 };
const TEXT = `const total = 0;
const limit = 10;
function first() {
  return limit;
}
function second() {
  return total;
}
function third() {
  return total + limit;
}
`;
const END = '=== END ===';

describe('E-4 the next edit', () => {
  let app: App;
  let server: ModelServer;

  beforeAll(async () => {
    server = await startModelServer({ apiKey: KEY });
    app = await App.start({
      settings: {
        'gnomon.anthropic.baseUrl': server.url,
        'gnomon.model': 'anthropic/claude-sonnet-5-5',
        'gnomon.completions.model': 'anthropic/claude-haiku-5-5',
        'gnomon.completions.enabled': true,
        'editor.quickSuggestions': { other: 'off', comments: 'off', strings: 'off' },
        'editor.suggestOnTriggerCharacters': false,
        'editor.occurrencesHighlight': 'off',
        'editor.minimap.enabled': false,
        'files.autoSave': 'off',
      },
      env: { ANTHROPIC_API_KEY: KEY },
    });
    await writeFile(join(app.workspace, 'sum.js'), TEXT);
    await writeFile(join(app.workspace, '.env'), 'total=1\nother=total\n');
  });
  afterAll(async () => {
    await app.stop();
    await server.close();
  });
  afterEach(() => app.workbench.runCommand('File: Revert File'));

  const hint = (): Locator => app.page.locator('.statusbar').getByRole('button', { name: /The next edit is/ });
  const keys = (text: string): Promise<void> => app.page.keyboard.type(text, { delay: 30 });
  const press = (key: string): Promise<void> => app.page.keyboard.press(key);
  const lens = (words: string): Locator => app.page.locator('.codelens-decoration a').filter({ hasText: words });
  /** The questions about the next edit; others are about a suggestion at the cursor. */
  const asked = (): readonly string[] => server.requests.map(({ body }) => lastUserText(body)).filter((text) => text.includes('What is the next change?'));
  /** Answers questions about the next edit, and none about suggestions. */
  const foreseeing = (answer: (text: string) => string | Reply): void =>
    server.setScript(({ body }) => {
      const text = lastUserText(body);
      const said = text.includes('What is the next change?') ? answer(text) : '';
      return typeof said === 'string' ? reply().text(said) : said;
    });
  /** The next place that still says the old name. */
  const renaming = (text: string): string => {
    const [, line, code = ''] = /^(\d+)\| (.*\btotal\b.*)$/m.exec(text) ?? [];
    return line === undefined ? 'NONE' : `REPLACE ${line}-${line}\n${code.replace('total', 'sum')}\n${END}`;
  };
  const text = (): Promise<string> => app.workbench.activeEditorText();
  const untilText = (part: string): Promise<unknown> => waitFor(async () => (await text()).includes(part), { what: `“${part}” in the editor`, timeoutMs: 30_000 });

  async function open(file = 'sum.js'): Promise<void> {
    await app.workbench.openFile(file);
    await app.page.locator('.editor-instance .view-line').first().click();
    await press('Control+Home');
  }

  /** Renames what the first line declares, as a person does. */
  async function rename(): Promise<void> {
    await open();
    for (let at = 0; at < 'const '.length; at += 1) await press('ArrowRight');
    for (let at = 0; at < 'total'.length; at += 1) await press('Delete');
    await keys('sum');
  }

  async function line(number: number): Promise<void> {
    await app.page.locator('.statusbar-item').filter({ hasText: new RegExp(`Ln ${number}, Col`) }).waitFor(SLOW);
  }

  it('is not foreseen until that is switched on', async () => {
    foreseeing(renaming);
    await rename();
    await waitFor(() => server.requests.length > 0, { what: 'a suggestion to be asked for', timeoutMs: 30_000 });
    await app.workbench.runCommand('Gnomon: Turn Next Edits On or Off');
    expect(asked()).toEqual([]);
  });

  it('is jumped to with Tab, accepted with Tab, and followed by the one after it', async () => {
    foreseeing(renaming);
    await rename();
    await hint().filter({ hasText: 'line 7' }).waitFor({timeout:15000}).catch(async () => { await app.workbench.screenshot('next-edit-debug'); console.log(JSON.stringify(asked()), server.requests.map(({body}) => lastUserText(body).slice(-200)), JSON.stringify(await text()), await app.page.locator('.statusbar').innerHTML()); throw new Error('x'); });
    await app.workbench.screenshot('next-edit-elsewhere');
    expect(asked().at(-1)).toContain('- const total = 0;\n+ const sum = 0;');
    await press('Tab');
    await line(7);
    await lens('Accept edit').waitFor(SLOW);
    await app.workbench.screenshot('next-edit-here');
    expect(await text()).toContain('return total;');
    await press('Tab');
    await untilText('return sum;');
    await hint().filter({ hasText: 'line 10' }).waitFor(SLOW);
    await press('Tab');
    await line(10);
    await lens('Accept edit').click(SLOW);
    await untilText('return sum + limit;');
    await hint().waitFor({ state: 'hidden', ...SLOW });
    await press('Control+z');
    await untilText('return total + limit;');
    expect(await text()).toContain('return sum;');
  });
});
