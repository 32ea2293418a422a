import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, type RecordedRequest, reply, startModelServer } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import { App } from './app.js';
import type { Chat } from './chat.js';
import { filesIn, filesWith, modesOf, sourceFiles } from './files.js';
import { readManifest } from './manifest.js';
import { says } from '../support/wording.js';

const KEY = 'sk-ant-canary-right-5e1c';
const WRONG_KEY = 'sk-ant-canary-wrong-b07d';
const DEMO = 'Demo (scripted, offline)';
const SLOW = { timeout: 60_000 };
const JOB = 'Fix the failing test';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly category: string; readonly title: string }[];
    readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when: string }[] };
    readonly walkthroughs: readonly { readonly title: string; readonly steps: readonly { readonly title: string }[] }[];
  };
}

/** Somebody who has just installed Gnomon: there is no key anywhere. */
describe('first steps', () => {
  let server: ModelServer;
  let app: App;
  let chat: Chat;

  beforeAll(async () => {
    server = await startModelServer({ apiKey: KEY });
    server.setScript(() => reply().text('Hello to you.'));
    // As VS Code is when nobody has changed how it starts.
    app = await App.start({ settings: { 'gnomon.anthropic.baseUrl': server.url, 'workbench.startupEditor': 'welcomePageInEmptyWorkbench' }, own: { env: {} } });
    chat = app.chat;
  });
  afterAll(async () => {
    await app.stop();
    await server.close();
  });

  function run(title: string): Promise<void> {
    return app.workbench.runCommand(`Gnomon: ${title}`);
  }

  function quickInput(): Locator {
    return app.page.locator('.quick-input-widget');
  }

  function statusBar(tooltip: RegExp): Locator {
    return app.page.locator('.statusbar').getByRole('button', { name: tooltip });
  }

  /** Shows the chat with a conversation in which nothing was said. */
  async function begin(): Promise<void> {
    await app.openChat();
    await chat.newSession();
  }

  it('the chat is there without a click', async () => {
    await chat.message.waitFor(SLOW);
  });

  it('the walkthrough shows every step, and its first button opens the chat', async () => {
    const [walkthrough] = (await readManifest<Manifest>()).contributes.walkthroughs;
    await app.workbench.openView('Explorer');
    await app.workbench.runCommand('Welcome: Open Walkthrough...');
    await quickInput()
      .getByText(walkthrough?.title ?? '')
      .click();
    const page = app.page.locator('.gettingStartedContainer');
    for (const { title } of walkthrough?.steps ?? []) await page.locator('.getting-started-step').filter({ hasText: title }).waitFor();
    expect(walkthrough?.steps).not.toHaveLength(0);
    await page.getByRole('button', { name: 'Open Chat', exact: true }).click();
    await chat.message.waitFor(SLOW);
  });

  describe('the demo', () => {
    /** Whether the workspace's tests pass when a person runs them. */
    function testsPass(): Promise<boolean> {
      return promisify(execFile)('npm', ['test'], { cwd: app.workspace }).then(
        () => true,
        () => false,
      );
    }

    /** Answers every prompt of a turn, until the turn is over. Returns what the prompts showed. */
    async function allowAll(): Promise<readonly string[]> {
      const shown: string[] = [];
      const done = chat
        .button('Stop')
        .waitFor({ state: 'hidden', timeout: 120_000 })
        .then(() => 'done' as const);
      for (;;) {
        const next = await Promise.race([done, chat.prompt.waitFor({ timeout: 120_000 }).then(() => 'prompt' as const)]);
        if (next === 'done') return shown;
        shown.push(await chat.waitForPrompt());
        await chat.answer('Allow');
      }
    }

    it('fixes the failing test, asking before the command and before the edit', async () => {
      expect(await testsPass()).toBe(false);
      const before = await sourceFiles(app.workspace);
      await begin();
      await chat.send(JOB);
      expect(await chat.waitForPrompt()).toContain('npm test');
      expect(await sourceFiles(app.workspace)).toEqual(before);
      const shown = await allowAll();
      expect(shown.some((text) => text.includes('+') && text.includes('-'))).toBe(true);
      expect(await testsPass()).toBe(true);
      const after = await sourceFiles(app.workspace);
      expect([...after.keys()].filter((name) => after.get(name) !== before.get(name))).toHaveLength(1);
      await chat.waitForText(/demo/i);
    });

    it('reviews nothing, and leads to setting a key', async () => {
      const git = (...args: readonly string[]): unknown =>
        execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: app.workspace, stdio: 'pipe' });
      git('init', '-q', '-b', 'main');
      git('commit', '-q', '--allow-empty', '-m', 'begin');
      // The command is there as soon as VS Code has found the repository.
      await app.workbench.openView('Source Control');
      await app.page.locator('.scm-editor').first().waitFor(SLOW);
      await run('Review Uncommitted Changes');
      const told = await app.workbench.notification(says('demoReviewsNothing'));
      await told.getByRole('button', { name: 'Set API Key' }).click();
      await quickInput()
        .getByRole('option', { name: /^Anthropic/ })
        .waitFor(SLOW);
      await app.page.keyboard.press('Escape');
      await quickInput().waitFor({ state: 'hidden' });
    });
  });

  describe('keys', () => {
    /** Says whose key is set, and which. */
    async function enterKey(...keys: readonly string[]): Promise<void> {
      await quickInput()
        .getByRole('option', { name: /^Anthropic/ })
        .click();
      const input = quickInput().locator('input[type=password]');
      for (const key of keys) {
        await input.fill(key);
        if (key.includes(' ')) await quickInput().getByText('contain spaces').waitFor();
      }
      await input.press('Enter');
      // So that it is not taken for what is said of the next one.
      const told = await app.workbench.notification(says('keySaved', 'Anthropic'));
      await told.hover();
      await told.getByRole('button', { name: /^Clear Notification/ }).click();
      await told.waitFor({ state: 'detached' });
    }

    /** Sends a message and gives the request that came of it. */
    async function requestOf(text: string): Promise<RecordedRequest> {
      const next = server.request(server.requests.length);
      await chat.send(text);
      const request = await next;
      await chat.waitForIdle();
      return request;
    }

    function keyOf({ headers }: RecordedRequest): string | undefined {
      return [headers['x-api-key'], headers.authorization?.replace(/^Bearer /, '')].flat().find((key) => key !== undefined);
    }

    it('sess-16 one is set in two clicks, another one where it was wrong; none is shown or in any file, and one that is cleared is gone', async () => {
      await begin();
      await chat.waitForChoice('Model', DEMO);
      await chat.button('Set API Key…').click();
      await enterKey('two words', WRONG_KEY);
      await chat.waitForChoice('Model', 'Claude Sonnet 5.5');
      expect(keyOf(await requestOf('With the wrong key'))).toBe(WRONG_KEY);
      expect(await chat.log.textContent()).not.toContain(WRONG_KEY);
      await chat.log.getByRole('alert').getByRole('button', { name: 'Set API Key' }).click();
      const again = server.request(server.requests.length);
      await enterKey(KEY);
      expect(keyOf(await again)).toBe(KEY);
      await chat.waitForText('Hello to you.');
      await chat.waitForIdle();
      const request = await requestOf('With the right key');
      expect(keyOf(request)).toBe(KEY);
      expect(request.problem).toBeUndefined();
      await chat.waitForText('Hello to you.');
      for (const key of [KEY, WRONG_KEY]) expect(await filesWith(app.dataDir, key)).toEqual([]);
      expect(await filesWith(app.dataDir, 'With the right key')).not.toEqual([]);
      const sessions = (await filesIn(app.dataDir)).filter((path) => /\/sessions\/[^/]+\.jsonl?$/.test(path) && !path.endsWith('/index.json'));
      const modes = await modesOf(sessions);
      expect(modes.length).toBeGreaterThan(0);
      expect(modes.map((mode) => mode & 0o077)).toEqual(modes.map(() => 0));
      await run('Clear API Key');
      await app.workbench.notification(/saved Anthropic API key was removed/);
      const asked = server.requests.length;
      await chat.send('Without a key');
      await chat.log.getByRole('button', { name: 'Set API Key' }).last().waitFor(SLOW);
      expect(server.requests.length).toBe(asked);
      await chat.newSession();
      await chat.waitForChoice('Model', DEMO);
    });
  });

  describe('the command palette', () => {
    /** The commands of Gnomon that it offers. */
    async function offered(): Promise<readonly string[]> {
      await app.page.keyboard.press('F1');
      const input = quickInput().getByRole('textbox').or(quickInput().getByRole('combobox')).first();
      // Commands used before are listed at once: only what follows no result at all is what was looked for.
      await input.fill('>zqxjzqxj');
      await quickInput().getByRole('option', { name: 'No matching commands' }).waitFor();
      await input.fill('>Gnomon: ');
      const rows = quickInput()
        .locator('.label-name')
        .filter({ hasText: /^Gnomon: / });
      await rows.first().waitFor();
      const titles = new Set<string>();
      // The list holds the rows in view only; it goes round at its end.
      for (let page = 0; page < 8; page += 1) {
        for (const title of await rows.allInnerTexts()) titles.add(title.replaceAll('\u00a0', ' '));
        await app.page.keyboard.press('PageDown');
      }
      await app.page.keyboard.press('Escape');
      await quickInput().waitFor({ state: 'hidden' });
      return [...titles].sort();
    }

    it('offers every command of the manifest, Stop only while a turn runs', async () => {
      const { contributes } = await readManifest<Manifest>();
      const hiddenWhile = (...absent: readonly string[]): readonly string[] =>
        contributes.menus.commandPalette.filter(({ when }) => absent.includes(when)).map(({ command }) => command);
      const without = (hidden: readonly string[]): string[] =>
        contributes.commands.filter(({ command }) => !hidden.includes(command)).map(({ category, title }) => `${category}: ${title}`);
      const withoutEditor = [
        'editorIsOpen && !editorReadonly',
        'editorHasRenameProvider && !editorReadonly',
        'gnomon.editRunning',
        'gnomon.hasEdits',
        'gnomon.hasEdits || gnomon.editPromptOpen',
      ];
      const never = [
        ...withoutEditor,
        'gnomon.nextEdit',
        'gnomon.hasAgents',
        'gnomon.hasChanges',
        'gnomon.hasAgentChanges',
        'gnomon.hasProposal',
        'gnomon.changesToApply',
        'gnomon.canRedoRestore',
        'gitOpenRepositoryCount > 0',
        'gnomon.writingCommitMessage',
        'gnomon.reviewing',
        'gnomon.hasFindings',
        'gnomon.hasReview',
        'resourceScheme == gnomon-request',
        'false',
      ];
      const all = without(hiddenWhile(...never));
      const others = without(hiddenWhile(...never, 'gnomon.running', 'gnomon.hasMessages'));
      await begin();
      await statusBar(/Gnomon is ready/).waitFor();
      // What the status bar shows is known to the palette a little later.
      await expect.poll(offered, SLOW).toEqual(expect.arrayContaining(others));
      await expect.poll(offered, SLOW).not.toContain('Gnomon: Stop');
      await chat.send(JOB);
      await chat.waitForPrompt();
      await statusBar(/1 Gnomon request needs your attention/).waitFor();
      await expect.poll(offered, SLOW).toEqual(expect.arrayContaining(all));
      await run('Stop');
      await chat.waitForIdle();
      expect(await chat.prompt.count()).toBe(0);
      await statusBar(/Gnomon is ready/).waitFor();
    });

    it('opens a session, moves one to the trash, begins one with the cursor in its message box, and shows the log', async () => {
      await begin();
      await chat.send('Find me again');
      await chat.waitForIdle();
      await chat.newSession();
      await run('Open Chat…');
      await quickInput()
        .getByRole('option', { name: /Find me again/ })
        .click();
      await chat.mine.first().getByText('Find me again').waitFor(SLOW);
      await run('Delete Chat…');
      await quickInput()
        .getByRole('option', { name: /Find me again/ })
        .click();
      await app.workbench.notification(/Find me again.* was moved to the trash/);
      await chat.mine.first().waitFor({ state: 'detached' });
      await app.workbench.openView('Explorer');
      await chat.message.waitFor({ state: 'hidden' });
      await run('New Chat');
      await chat.message.waitFor();
      await chat.frame.getByRole('heading', { name: says('emptyChat') }).waitFor();
      await waitFor(() => chat.message.evaluate((element) => element === document.activeElement), { what: 'the cursor in the message box', timeoutMs: 30_000 });
      await run('Show Log');
      const panel = app.page.locator('.part.panel');
      await panel.locator('.output-view').waitFor();
      await panel.getByRole('combobox').filter({ hasText: 'Gnomon' }).waitFor();
    });
  });
});
