import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ModelServer, RecordedRequest, Reply } from '../support/model-server/index.js';
import { gate, lastUserText, reply, startModelServer } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import { App, KEY } from './app.js';

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
const QUESTION = 'What is the next change?';

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
    });
  });
  afterAll(async () => {
    await app.stop();
    await server.close();
  });
  afterEach(async () => {
    await app.workbench.runCommand('File: Revert File');
    await app.page.locator('.tab.active.dirty').waitFor({ state: 'detached' });
  });

  /** What the status bar says of the next edit. */
  const hint = (words = ''): Locator => app.page.locator('.statusbar').getByRole('button', { name: /The next edit is/ }).filter({ hasText: words });
  const keys = (text: string): Promise<void> => app.page.keyboard.type(text, { delay: 30 });
  const press = (key: string): Promise<void> => app.page.keyboard.press(key);
  const lens = (words: string): Locator => app.page.locator('.codelens-decoration a').filter({ hasText: words });
  /** The questions about the next edit; others are about a suggestion at the cursor. */
  const asked = (): readonly string[] => server.requests.map(({ body }) => lastUserText(body)).filter((text) => text.includes(QUESTION));
  /** Answers questions about the next edit, and none about suggestions. */
  const foreseeing = (answer: (text: string) => string | Reply): void =>
    server.setScript(({ body }) => {
      const text = lastUserText(body);
      const said = text.includes(QUESTION) ? answer(text) : '';
      return typeof said === 'string' ? reply().text(said) : said;
    });
  /** The next place that still says the old name. */
  const renaming = (text: string): string => {
    const [, line, code = ''] = /^(\d+)\| (.*\btotal\b.*)$/m.exec(text) ?? [];
    return line === undefined ? 'NONE' : `REPLACE ${line}-${line}\n${code.replace('total', 'sum')}\n${END}`;
  };
  /** The part of a question that says what the declaration of a file was renamed to last. */
  const renamedTo = (file: string, name: string): string => `+ const ${name} = 0;\n</edit>\n\n<file path="${file}"`;
  const text = (): Promise<string> => app.workbench.activeEditorText();
  const untilText = (part: string): Promise<unknown> => waitFor(async () => (await text()).includes(part), { what: `“${part}” in the editor`, timeoutMs: 30_000 });

  /** Opens a file of its own with the text, so that what was edited before says nothing. */
  async function open(file: string, content = TEXT): Promise<void> {
    await writeFile(join(app.workspace, file), content);
    await app.workbench.openFile(file);
    await app.page.locator('.editor-instance .view-line').first().click();
    await press('Control+Home');
  }

  /** Renames what the first line declares, as a person does. */
  async function rename(file: string): Promise<void> {
    await open(file);
    for (let at = 0; at < 'const '.length; at += 1) await press('ArrowRight');
    for (let at = 0; at < 'total'.length; at += 1) await press('Delete');
    await keys('sum');
  }

  async function untilLine(number: number): Promise<void> {
    await app.page.locator('.statusbar-item').filter({ hasText: new RegExp(`Ln ${number}, Col`) }).waitFor(SLOW);
  }

  /** Resolves when a model was asked for the next edit after a renaming, and its answer has been sent. */
  async function untilAsked(file: string, name: string): Promise<void> {
    const question = await waitFor(() => questionAfter(file, name), { what: `the question after ${name}`, timeoutMs: 30_000 });
    await question.closedByClient;
  }

  function questionAfter(file: string, name: string): RecordedRequest | undefined {
    return server.requests.findLast(({ body }) => lastUserText(body).includes(QUESTION) && lastUserText(body).includes(renamedTo(file, name)));
  }

  it('is not foreseen until that is switched on', async () => {
    foreseeing(renaming);
    await rename('off.js');
    await waitFor(() => server.requests.length > 0, { what: 'a suggestion to be asked for', timeoutMs: 30_000 });
    await app.workbench.runCommand('Gnomon: Turn Next Edits On or Off');
    expect(asked()).toEqual([]);
    // Nothing shows that it is on before something is edited.
    const isOn = async (): Promise<boolean> => {
      await keys(' ');
      return hint('line 7').waitFor({ timeout: 3_000 }).then(() => true, () => false);
    };
    await waitFor(isOn, { what: 'the next edit', timeoutMs: 60_000 });
  });

  it('is gone to with Tab, taken with Tab, and followed by the one after it', async () => {
    foreseeing(renaming);
    await rename('sum.js');
    await hint('line 7').waitFor(SLOW);
    await app.workbench.screenshot('next-edit-elsewhere');
    expect(asked().at(-1)).toContain('- const total = 0;\n+ const sum = 0;');
    await press('Tab');
    await untilLine(7);
    await lens('Accept edit').waitFor(SLOW);
    await app.workbench.screenshot('next-edit-here');
    expect(await text()).toContain('return total;');
    await press('Tab');
    await untilText('return sum;');
    await hint('line 10').waitFor(SLOW);
    await press('Tab');
    await untilLine(10);
    await lens('Accept edit').click(SLOW);
    await untilText('return sum + limit;');
    await hint().waitFor({ state: 'hidden', ...SLOW });
    await press('Control+z');
    await untilText('return total + limit;');
    expect(await text()).toContain('return sum;');
  });

  it('is text behind the cursor where it only adds something there', async () => {
    foreseeing((said) => (said.includes('total = 1;') ? `REPLACE 1-1\nconst total = 1; // was 0\n${END}` : 'NONE'));
    await open('ghost.js', 'const total = \n');
    await press('End');
    await keys('1;');
    const ghost = app.page.locator('.ghost-text-decoration, .ghost-text');
    await ghost.first().waitFor(SLOW);
    await app.workbench.screenshot('next-edit-ghost');
    expect(await hint().count()).toBe(0);
    await press('Tab');
    await untilText('const total = 1; // was 0');
  });

  it('is dismissed with Escape, and does not come again', async () => {
    foreseeing(renaming);
    await rename('escape.js');
    await hint('line 7').waitFor(SLOW);
    await press('Escape');
    await hint().waitFor({ state: 'hidden', ...SLOW });
    await keys('s');
    await untilAsked('escape.js', 'sums');
    await keys('u');
    await untilAsked('escape.js', 'sumsu');
    expect(await hint().count()).toBe(0);
    expect(await text()).toContain('return total;');
  });

  it('goes away when something else is typed, and Tab is Tab again', async () => {
    foreseeing((said) => (said.includes(renamedTo('typed.js', 'sum')) ? renaming(said) : 'NONE'));
    await rename('typed.js');
    await hint('line 7').waitFor(SLOW);
    await keys('m');
    await hint().waitFor({ state: 'hidden', ...SLOW });
    await press('Home');
    await press('Tab');
    await untilText('  const summ = 0;');
    expect(await text()).toContain('return total;');
  });

  it('goes away when the person undoes, and leaves Tab to a selection', async () => {
    foreseeing(renaming);
    await rename('undone.js');
    await hint('line 7').waitFor(SLOW);
    await press('Shift+End');
    await press('Tab');
    await waitFor(async () => !(await text()).includes('const sum = 0;'), { what: 'the selection to be replaced or moved', timeoutMs: 30_000 });
    expect(await text()).toContain('return total;');
    await press('Control+z');
    await hint().waitFor({ state: 'hidden', ...SLOW });
  });

  it('is not shown when it comes too late', async () => {
    const hold = gate();
    foreseeing((said) => (said.includes(renamedTo('late.js', 'sum')) ? reply().text('REPLACE 7-7\n', hold, `  return sum;\n${END}`) : 'NONE'));
    await rename('late.js');
    await hold.reached;
    const late = questionAfter('late.js', 'sum');
    await keys('m');
    expect(await late?.closedByClient).toBe(true);
    hold.open();
    await untilAsked('late.js', 'summ');
    expect(await hint().count()).toBe(0);
  });

  it('is nothing where the answer makes no sense', async () => {
    const answers = [`REPLACE 70-71\nx\n${END}`, 'REPLACE 7-7\n  return sum', 'I would change line 7.', `REPLACE 7-7\n  return \u202Esum;\n${END}`];
    foreseeing(() => answers.shift() ?? 'NONE');
    await rename('odd.js');
    for (let each = 0; each < 4; each += 1) {
      await keys('m');
      await untilAsked('odd.js', `sum${'m'.repeat(each + 1)}`);
      expect(await hint().count()).toBe(0);
    }
    expect(answers).toEqual([]);
    expect(await app.workbench.notifications()).toEqual([]);
  });

  it('is not asked for in a file that can hold passwords, nor is what was edited there told', async () => {
    foreseeing(renaming);
    await open('.env', 'PASSWORD=hunter2\nother=total\n');
    await press('End');
    await keys('A');
    await app.page.locator('[id="gnomon.gnomon.gnomon.suggestions"]').getByRole('button', { name: /No suggestions in this file/ }).waitFor(SLOW);
    await app.workbench.runCommand('File: Save');
    await rename('after.js');
    await hint('line 7').waitFor(SLOW);
    expect(asked().filter((said) => said.includes('hunter2'))).toEqual([]);
  });

  it('is over when it is switched off', async () => {
    foreseeing(renaming);
    await rename('over.js');
    await hint('line 7').waitFor(SLOW);
    await app.workbench.runCommand('Gnomon: Turn Next Edits On or Off');
    await hint().waitFor({ state: 'hidden', ...SLOW });
    await press('Home');
    await press('Tab');
    await untilText('  const sum = 0;');
  });
});
