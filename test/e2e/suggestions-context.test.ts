import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChatRequest, OpenAiServer } from '../support/openai-server/index.js';
import { json, startOpenAiServer } from '../support/openai-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import { App } from './app.js';

const SLOW = { timeout: 60_000 };
const MODEL = 'qwen2.5-coder:7b';

/** Speaks as Ollama does, with one model that fills in the middle. @param answer what it writes behind a prompt */
function ollama(answer: (prompt: string) => string): (request: ChatRequest) => ReturnType<typeof json> {
  return ({ path, body }) => {
    if (path === '/v1/models') return json({ object: 'list', data: [{ id: MODEL, object: 'model' }] });
    if (path === '/api/show') return json({ capabilities: ['completion', 'tools', 'insert'], model_info: { 'qwen2.context_length': 32_768 } });
    return path === '/api/generate' ? json({ model: MODEL, response: answer(String(body['prompt'])), done: true, done_reason: 'stop' }) : json({ error: 'not found' }, 404);
  };
}

describe('E-3 what suggestions are made from', () => {
  let app: App;
  let server: OpenAiServer;
  /** What the model writes, and behind what. */
  let answer = { text: '', behind: '' };

  const start = async (trusted: boolean): Promise<void> => {
    server = await startOpenAiServer();
    server.setScript(ollama((prompt) => (prompt.endsWith(answer.behind) ? answer.text : '')));
    app = await App.start({
      ...(trusted ? {} : { own: { workspaceTrust: true } }),
      settings: {
        'gnomon.providers': { ollama: { baseUrl: `${server.url}/v1` } },
        'gnomon.model': `ollama/${MODEL}`,
        'gnomon.completions.enabled': true,
        'gnomon.completions.nextEdits': true,
        'security.workspace.trust.startupPrompt': 'never',
        'security.workspace.trust.banner': 'never',
      },
    });
  };
  const stop = async (): Promise<void> => {
    await app.stop();
    await server.close();
  };
  const asked = (): readonly ChatRequest[] => server.requests.filter(({ path }) => path === '/api/generate');
  const keys = (text: string): Promise<void> => app.page.keyboard.type(text, { delay: 30 });
  const status = (name: RegExp): Promise<void> => app.page.locator('[id="gnomon.gnomon.gnomon.suggestions"]').getByRole('button', { name }).waitFor(SLOW);
  const untilGhost = (text: string): Promise<unknown> =>
    waitFor(async () => (await app.page.locator('.ghost-text-decoration, .ghost-text-decoration-preview, .ghost-text').allTextContents()).join('').replaceAll('\u00A0', ' ').includes(text), { what: `“${text}” behind the cursor`, timeoutMs: 30_000 });

  async function openEnd(file: string): Promise<void> {
    await app.workbench.openFile(file);
    await app.page.locator('.editor-group-container.active .editor-instance .view-line').first().click();
    await app.page.keyboard.press('Control+End');
  }

  describe('in a workspace that is trusted', () => {
    beforeAll(async () => {
      await start(true);
      execFileSync('git', ['init', '-q'], { cwd: app.workspace });
      await Promise.all(['lib', 'made'].map((name) => mkdir(join(app.workspace, name))));
      await writeFile(join(app.workspace, '.gitignore'), 'made/\n');
      await writeFile(join(app.workspace, 'lib', 'prices.js'), 'export function priceOf(invoiceLine) {\n  return invoiceLine.amount * invoiceLine.price;\n}\n');
      await writeFile(join(app.workspace, 'lib', 'invoice.js'), "import { priceOf } from './prices.js';\n");
      await writeFile(join(app.workspace, 'made', 'copy.js'), 'export function priceOf(invoiceLine) { return "ignored by git"; }\n');
    });
    afterAll(stop);

    it('a model of Ollama fills in the middle, and sees what resembles the code in other open files', async () => {
      answer = { text: ' lines.map(priceOf);', behind: 'const prices =' };
      await app.workbench.openFile('lib/prices.js');
      await app.page.locator('.tab.active').dblclick(); // Keeps it open.
      await app.workbench.openFile('made/copy.js');
      await app.page.locator('.tab.active').dblclick();
      await openEnd('lib/invoice.js');
      await keys('const prices =');
      await untilGhost('lines.map(priceOf);');
      await app.workbench.screenshot('suggestions-ollama');
      const [body] = asked().slice(-1).map((request) => request.body);
      expect(body).toMatchObject({ model: MODEL, suffix: '', stream: false });
      expect(body?.['prompt']).toContain('// Path: lib/prices.js\n// export function priceOf(invoiceLine) {');
      expect(body?.['prompt']).toMatch(/const prices =$/);
      expect(body?.['prompt']).not.toContain('ignored by git');
      await app.page.keyboard.press('Tab');
      await waitFor(async () => (await app.workbench.activeEditorText()).includes('const prices = lines.map(priceOf);'), { what: 'the suggestion in the text', timeoutMs: 30_000 });
    });

    it('what is selected in the list of IntelliSense goes on', async () => {
      answer = { text: '(lines[0]);', behind: 'const first = priceOf' };
      await keys('\nconst first = priceO');
    await app.page.keyboard.press('Control+Space');
      await app.page.locator('.suggest-widget.visible .monaco-list-row.focused').filter({ hasText: 'priceOf' }).waitFor(SLOW);
      await untilGhost('f(lines[0]);');
      expect(asked().at(-1)?.body['prompt']).toMatch(/const first = priceOf$/);
      await app.page.keyboard.press('Escape');
    });

    it('there are none in a file that git ignores', async () => {
      await openEnd('made/copy.js');
      const before = asked().length;
      await keys('\nconst leak =');
      await status(/No suggestions in this file/);
      expect(asked()).toHaveLength(before);
    });

    it('a model that fills in is not asked for the next edit', () => {
      expect(server.requests.filter(({ path }) => path.endsWith('/chat/completions'))).toEqual([]);
    });
  });

  describe('in a workspace that is not trusted', () => {
    beforeAll(() => start(false));
    afterAll(stop);

    it('there are none', async () => {
      answer = { text: ' leak;', behind: '' };
      await openEnd('src/index.js');
      await keys('\nconst leak =');
      await status(/not trusted/);
      expect(asked()).toHaveLength(0);
    });
  });
});
