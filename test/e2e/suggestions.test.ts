import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, type Reply, httpError, lastUserText, reply, startModelServer } from '../support/model-server/index.js';
import { type ChatRequest, type OpenAiServer, json, startOpenAiServer } from '../support/openai-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import { inSoak } from '../support/in-soak.js';
import { App, KEY } from './app.js';

const SLOW = { timeout: 60_000 };
const CURSOR = '<|cursor|>';
const OLLAMA = 'qwen2.5-coder:7b';
const SECRET = 'hunter2';
const END = '=== END ===';
const QUESTION = 'What is the next change?';
/** Says a name three times that somebody renames. */
const TOTALS = `const total = 0;
const limit = 10;
fn first() {
  return limit;
}
fn second() {
  return total;
}
fn third() {
  return total + limit;
}
`;

/** Files are in a language for which VS Code has no server: none has to start. */
describe('what a model foresees while one types', () => {
  let app: App;
  let server: ModelServer;
  let ollama: OpenAiServer;
  /** What the model of Ollama writes, and behind what. */
  let filled = { text: '', behind: '' };

  beforeAll(async () => {
    server = await startModelServer({ apiKey: KEY });
    ollama = await startOpenAiServer();
    ollama.setScript((request) => ollamaReply(request, (prompt) => (prompt.endsWith(filled.behind) ? filled.text : '')));
    app = await App.start({
      settings: {
        'gnomon.anthropic.baseUrl': server.url,
        'gnomon.providers': { ollama: { baseUrl: `${ollama.url}/v1` } },
        'gnomon.model': 'anthropic/claude-sonnet-5-5',
        'editor.quickSuggestions': { other: 'off', comments: 'off', strings: 'off' },
        'editor.suggestOnTriggerCharacters': false,
        'editor.occurrencesHighlight': 'off',
        'workbench.editor.enablePreview': false,
      },
    });
    execFileSync('git', ['init', '-q'], { cwd: app.workspace });
    await write('.gitignore', 'made/\n');
  });
  afterAll(async () => {
    await app.stop();
    await Promise.all([server.close(), ollama.close()]);
  });

  const ghost = (): Locator => app.page.locator('.ghost-text-decoration, .ghost-text-decoration-preview, .ghost-text');
  /** Resolves when this is suggested, whatever pieces it is drawn in. */
  const untilGhost = (text: string): Promise<unknown> =>
    waitFor(async () => (await ghost().allTextContents()).join('').replaceAll('\u00A0', ' ').includes(text), {
      what: `“${text}” behind the cursor`,
      timeoutMs: 30_000,
    });
  const status = (name: RegExp): Locator => app.page.locator('[id="gnomon.gnomon.gnomon.suggestions"]').getByRole('button', { name });
  const keys = (text: string): Promise<void> => app.page.keyboard.type(text);
  const press = (key: string): Promise<void> => app.page.keyboard.press(key);
  const text = (): Promise<string> => app.workbench.editor.text();
  const untilText = (part: string): Promise<unknown> =>
    waitFor(async () => (await text()).includes(part), { what: `“${part}” in the editor`, timeoutMs: 30_000 });
  const option = (label: RegExp): Locator => app.page.locator('.quick-input-widget').getByRole('option', { name: label });
  /** What stood before the cursor when a model was asked; the last time when no request is named. */
  const askedAt = (body = server.requests.at(-1)?.body): string => {
    const said = body === undefined ? '' : lastUserText(body);
    return said.slice(0, said.indexOf(CURSOR));
  };
  /** The model writes this wherever it is asked, or only where what is given stands before the cursor. */
  const answering = (words: string, behind = ''): void => server.setScript(({ body }) => reply().text(askedAt(body).endsWith(behind) ? words : ''));
  /** The questions about the next edit; others are about a suggestion at the cursor. */
  const foreseen = (): readonly string[] => server.requests.map(({ body }) => lastUserText(body)).filter((said) => said.includes(QUESTION));

  async function write(file: string, content: string): Promise<void> {
    await mkdir(dirname(join(app.workspace, file)), { recursive: true });
    await writeFile(join(app.workspace, file), content);
  }

  /** Opens a file of its own, with the cursor at its beginning or end. What was typed there stays, unsaved. */
  async function open(file: string, content: string, at: 'Home' | 'End' = 'End'): Promise<void> {
    await write(file, content);
    await app.workbench.openFile(file);
    await app.page.locator('.editor-group-container.active .editor-instance .view-line').first().click();
    await press(`Control+${at}`);
  }

  /** Types a space now and then until something is so; nothing more, for another key would end a question that was asked. */
  async function typeUntil(isSo: () => boolean, what: string): Promise<void> {
    const tried = async (): Promise<boolean> => {
      await keys(' ');
      return waitFor(isSo, { what, timeoutMs: 3_000 }).then(
        () => true,
        () => false,
      );
    };
    await waitFor(tried, { what, timeoutMs: 60_000 });
  }

  /** Turns suggestions on if they are off. */
  async function turnOn(): Promise<void> {
    await open('on.rs', '');
    // Where they are on, it may say what was wrong with the last one.
    await status(/uggestions/).waitFor(SLOW);
    if (await status(/are off/).isVisible()) await app.workbench.runCommand('Gnomon: Toggle Inline Suggestions');
    await status(/are off/).waitFor({ state: 'hidden', ...SLOW });
  }

  async function choose(label: RegExp): Promise<void> {
    await option(label).click(SLOW);
  }

  /** Switches whether the next edit is foreseen, and waits until that counts; a suggestion that is on its way then is given up. */
  async function foresee(on: boolean): Promise<void> {
    for (;;) {
      // From the palette, which gives the focus back to the text.
      await app.workbench.runCommand('Gnomon: Show Inline Suggestion Options');
      await option(/Next Edit Predictions/).waitFor(SLOW);
      const wanted = option(on ? /Turn On Next Edit/ : /Turn Off Next Edit/);
      const isSo = !(await wanted.isVisible());
      if (isSo) await press('Escape');
      else await wanted.click();
      await app.page.locator('.editor-group-container.active .monaco-editor.focused').first().waitFor(SLOW);
      if (isSo) return;
    }
  }

  async function chooseModel(name: string): Promise<void> {
    await app.workbench.runCommand('Gnomon: Select Model for Inline Suggestions');
    const box = app.page.locator('.quick-input-widget');
    await box.getByText('Select Model').waitFor(SLOW);
    await box.locator('.quick-input-box input').fill(name);
    await option(new RegExp(`/${name}`)).click(SLOW);
    await box.waitFor({ state: 'hidden', ...SLOW });
  }

  it('E-3 suggestions are off until they are switched on in the status bar', async () => {
    answering(' + b;');
    await open('off.rs', '');
    await keys('const a = 1');
    await status(/are off/).waitFor(SLOW);
    expect(server.requests).toHaveLength(0);
    await status(/are off/).click();
    await choose(/Turn On Inline Suggestions/);
    await status(/are on/).waitFor(SLOW);
  });

  describe('E-3 suggestions', () => {
    beforeAll(turnOn);

    it('stand behind the cursor, go on while they are typed without another request, and Tab takes them', async () => {
      answering(' one * two;', 'const product =');
      await open('line.rs', 'const one = 1;\n');
      await keys('const product =');
      await untilGhost('one * two;');
      expect(askedAt()).toMatch(/const one = 1;\nconst product =$/);
      const before = server.requests.length;
      await keys(' one * ');
      await untilGhost('two;');
      expect(server.requests).toHaveLength(before);
      await press('Tab');
      await untilText('const product = one * two;');
    });

    inSoak('unit/completion/trim-answer.test.ts')('are whole blocks behind an open bracket, and say nothing again that the editor has closed', async () => {
      answering('\n  return a + b;\n}\n\nfn more() {}', 'add(a, b) {');
      await open('block.rs', '');
      await keys('fn add(a, b) {');
      await untilGhost('return a + b;');
      await press('Tab');
      await untilText('return a + b;\n}');
      expect(await text()).not.toContain('more');
      answering('one, two);', ' add(');
      await open('call.rs', '');
      await keys('let sum = add(');
      await untilGhost('one, two');
      await press('Tab');
      await untilText('let sum = add(one, two);');
      expect(await text()).not.toContain('add(one, two);)');
    });

    inSoak('unit/vscode/completion/exclusions.test.ts')('are not in files that can hold passwords or that git ignores', async () => {
      answering('leak');
      for (const [file, content] of [
        ['.env', `PASSWORD=${SECRET}\n`],
        ['made/copy.rs', `// ${SECRET}\n`],
      ] as const) {
        await open(file, content);
        const before = server.requests.length;
        await keys('const leak =');
        await status(/No inline suggestions in this file/).waitFor(SLOW);
        expect(server.requests).toHaveLength(before);
      }
      answering(' one;');
      await open('told.rs', '');
      await keys('const told =');
      await untilGhost('one;');
      expect(JSON.stringify(server.requests.at(-1)?.body)).not.toContain(SECRET);
    });

    inSoak('unit/vscode/completion/exclusions.test.ts', 'unit/completion/suggester.test.ts')('are snoozed, off for a language, and off', async () => {
      answering(' one;');
      await open('quiet.rs', '');
      const before = server.requests.length;
      await app.workbench.runCommand('Gnomon: Snooze Inline Suggestions…');
      await choose(/^5 minutes/);
      await status(/snoozed/).click(SLOW);
      await option(/Resume Inline Suggestions/).waitFor(SLOW);
      await choose(/Resume Inline Suggestions/);
      await status(/are on/).click(SLOW);
      await choose(/Turn Off Inline Suggestions for rust/);
      await status(/off for rust/).click(SLOW);
      await choose(/Turn On Inline Suggestions for rust/);
      await status(/are on/).click(SLOW);
      await choose(/Turn Off Inline Suggestions$/);
      await status(/are off/).waitFor(SLOW);
      await open('silent.rs', '');
      await keys('const off =');
      await app.workbench.runCommand('Gnomon: Snooze Inline Suggestions…');
      await choose(/Turn On Inline Suggestions/);
      await status(/are on/).waitFor(SLOW);
      expect(server.requests).toHaveLength(before);
      await open('loud.rs', '');
      await keys('const on =');
      await untilGhost('one;');
    });

    it('say in the status bar what is wrong, and leave the person alone', async () => {
      server.setScript(() => httpError(529, 'overloaded_error', 'Overloaded'));
      await open('failing.rs', '');
      await keys('const failing =');
      await status(/not available/).waitFor(SLOW);
      await keys(' 1;');
      await untilText('const failing = 1;');
      expect(await app.workbench.notifications()).toEqual([]);
      await press('Escape');
    });
  });

  describe('E-4 the next edit', () => {
    beforeAll(turnOn);

    /** What the status bar says of it. */
    const hint = (words = ''): Locator =>
      app.page
        .locator('.statusbar')
        .getByRole('button', { name: /The next edit is/ })
        .filter({ hasText: words });
    const lens = (words: string): Locator => app.page.locator('.codelens-decoration a').filter({ hasText: words });
    const untilLine = (number: number): Promise<void> =>
      app.page
        .locator('.statusbar-item')
        .filter({ hasText: new RegExp(`Ln ${number}, Col`) })
        .waitFor(SLOW);
    /** Answers questions about the next edit, and none about suggestions. */
    const foreseeing = (answer: (said: string) => string): void =>
      server.setScript(({ body }): Reply => {
        const said = lastUserText(body);
        return reply().text(said.includes(QUESTION) ? answer(said) : '');
      });

    /** The next place that still says the old name. */
    function renaming(said: string): string {
      const [, line, code = ''] = /^(\d+)\| (.*\btotal\b.*)$/m.exec(said) ?? [];
      return line === undefined ? 'NONE' : `REPLACE ${line}-${line}\n${code.replace('total', 'sum')}\n${END}`;
    }

    /**
     * Renames what the first line of a file of its own declares, as a person does. Resolves when a model was asked about the whole name:
     * where a key takes long, one is asked before it, and its answer goes with the next key.
     */
    async function rename(file: string): Promise<void> {
      await open(file, TOTALS, 'Home');
      for (let at = 0; at < 'const '.length; at += 1) await press('ArrowRight');
      for (let at = 0; at < 'total'.length; at += 1) await press('Delete');
      await keys('sum');
      await untilAsked(file, 'sum');
    }

    /** Resolves when a model was asked for the next edit after a declaration was renamed so, and its answer has been sent. */
    async function untilAsked(file: string, name: string): Promise<void> {
      const latest = `+ const ${name} = 0;\n</edit>\n\n<file path="${file}"`;
      const find = (): (typeof server.requests)[number] | undefined =>
        server.requests.findLast(({ body }) => lastUserText(body).includes(QUESTION) && lastUserText(body).includes(latest));
      await (
        await waitFor(find, { what: `the question after ${name}`, timeoutMs: 30_000 })
      ).closedByClient;
    }

    it('is foreseen once that is switched on: Tab goes there and takes it, and the one after it follows', async () => {
      foreseeing(renaming);
      await foresee(false);
      const [before, beforeThat] = [server.requests.length, foreseen().length];
      await open('not-yet.rs', TOTALS);
      await keys('const told =');
      // A model that failed in the test before is not asked again at once.
      await typeUntil(() => server.requests.length > before, 'a suggestion to be asked for');
      await foresee(true);
      expect(foreseen()).toHaveLength(beforeThat);
      // What is to follow edits is loaded a moment after it was switched on.
      await typeUntil(() => foreseen().length > beforeThat, 'a question about the next edit');
      await hint('line 1').waitFor(SLOW);
      // What is edited in a file that can hold passwords is not told, then or later.
      await open('lib/.env', `PASSWORD=${SECRET}\nother=total\n`, 'Home');
      await press('End');
      await keys('A');
      await status(/No inline suggestions in this file/).waitFor(SLOW);
      await rename('sum.rs');
      await hint('line 7').waitFor(SLOW);
      expect(foreseen().at(-1)).toContain('- const total = 0;\n+ const sum = 0;');
      await press('Tab');
      await untilLine(7);
      await lens('Accept Edit').waitFor(SLOW);
      expect(await text()).toContain('return total;');
      await press('Tab');
      await untilText('return sum;');
      await hint('line 10').waitFor(SLOW);
      await press('Tab');
      await untilLine(10);
      await lens('Accept Edit').click(SLOW);
      await untilText('return sum + limit;');
      await hint().waitFor({ state: 'hidden', ...SLOW });
      await press('Control+z');
      await untilText('return total + limit;');
      expect(await text()).toContain('return sum;');
      expect(foreseen().filter((said) => said.includes(SECRET))).toEqual([]);
    });

    inSoak('unit/completion/place.test.ts')('is text behind the cursor where it only adds something there', async () => {
      foreseeing((said) => (said.includes('total = 1;') ? `REPLACE 1-1\nconst total = 1; // was 0\n${END}` : 'NONE'));
      await foresee(true);
      await open('ghost.rs', 'const total = \n', 'Home');
      await press('End');
      await keys('1;');
      await ghost().first().waitFor(SLOW);
      expect(await hint().count()).toBe(0);
      await press('Tab');
      await untilText('const total = 1; // was 0');
    });

    inSoak('unit/completion/suggestion.test.ts')(
      'that is dismissed with Escape does not come again; it leaves Tab to a selection, ends with an undo or the switch, and then Tab is Tab again',
      async () => {
        foreseeing(renaming);
        await foresee(true);
        await rename('escape.rs');
        await hint('line 7').waitFor(SLOW);
        await press('Escape');
        await hint().waitFor({ state: 'hidden', ...SLOW });
        await keys('s');
        await untilAsked('escape.rs', 'sums');
        expect(await hint().count()).toBe(0);
        expect(await text()).toContain('return total;');
        await rename('undone.rs');
        await hint('line 7').waitFor(SLOW);
        await press('Shift+End');
        await press('Tab');
        await waitFor(async () => !(await text()).includes('const sum = 0;'), { what: 'the selection to be replaced or moved', timeoutMs: 30_000 });
        expect(await text()).toContain('return total;');
        await press('Control+z');
        await hint().waitFor({ state: 'hidden', ...SLOW });
        await rename('typed.rs');
        await hint('line 7').waitFor(SLOW);
        await foresee(false);
        await hint().waitFor({ state: 'hidden', ...SLOW });
        await press('Home');
        await press('Tab');
        await untilText('  const sum = 0;');
      },
    );
  });

  inSoak('unit/completion/ask-fim.test.ts')(
    'E-3 suggestions come from a model of Ollama that fills in the middle, sees what resembles the code in other open files, and goes on with what IntelliSense offers',
    async () => {
      await turnOn();
      // The model of the chat foresees edits where that of suggestions only fills in, and a next edit takes the place of a suggestion.
      answering('');
      filled = { text: ' lines.map(priceOf);', behind: 'const prices =' };
      const asked = (): readonly ChatRequest[] => ollama.requests.filter(({ path }) => path === '/api/generate');
      await open('lib/prices.go', 'func priceOf(invoiceLine) {\n  return invoiceLine.amount * invoiceLine.price;\n}\n');
      await open('made/prices.go', 'func priceOf(invoiceLine) { return "ignored by git"; }\n');
      await open('lib/invoice.go', 'var one = priceOf(first)\n');
      await chooseModel(OLLAMA);
      await foresee(true);
      // What was foreseen before it was switched off does not come back.
      expect(await app.page.locator('.statusbar-item').filter({ hasText: 'Next edit' }).count()).toBe(0);
      await keys('const prices =');
      await untilGhost('lines.map(priceOf);');
      const body = asked().at(-1)?.body;
      expect(body).toMatchObject({ model: OLLAMA, suffix: '', stream: false });
      expect(body?.['prompt']).toContain('// Path: lib/prices.go\n// func priceOf(invoiceLine) {');
      expect(body?.['prompt']).toMatch(/const prices =$/);
      expect(body?.['prompt']).not.toContain('ignored by git');
      await press('Tab');
      await untilText('const prices = lines.map(priceOf);');
      filled = { text: '(lines[0]);', behind: 'const first = priceOf' };
      await keys('\nconst first = priceO');
      await press('Control+Space');
      await app.page.locator('.suggest-widget.visible .monaco-list-row.focused').filter({ hasText: 'priceOf' }).waitFor(SLOW);
      await untilGhost('f(lines[0]);');
      expect(asked().at(-1)?.body['prompt']).toMatch(/const first = priceOf$/);
      await press('Escape');
      expect(ollama.requests.filter(({ path }) => path.endsWith('/chat/completions'))).toEqual([]);
    },
  );
});

/** Speaks as Ollama does, with one model that fills in the middle. @param answer what it writes behind a prompt */
function ollamaReply({ path, body }: ChatRequest, answer: (prompt: string) => string): ReturnType<typeof json> {
  if (path === '/v1/models') return json({ object: 'list', data: [{ id: OLLAMA, object: 'model' }] });
  if (path === '/api/show') return json({ capabilities: ['completion', 'tools', 'insert'], model_info: { 'qwen2.context_length': 32_768 } });
  return path === '/api/generate'
    ? json({ model: OLLAMA, response: answer(String(body['prompt'])), done: true, done_reason: 'stop' })
    : json({ error: 'not found' }, 404);
}
