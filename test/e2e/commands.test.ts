import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelServer, RecordedRequest } from '../support/model-server/index.js';
import { gate, reply, startModelServer } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import { App } from './app.js';
import type { Chat } from './chat.js';
import { filesIn, filesWith, modesOf } from './files.js';
import { readManifest } from './manifest.js';
import { answering } from './with-model.js';

const KEY = 'sk-ant-canary-right-5e1c';
const WRONG_KEY = 'sk-ant-canary-wrong-b07d';
const DEMO = 'Demo (scripted, offline)';
const SLOW = { timeout: 60_000 };

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly category: string; readonly title: string }[];
    readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when: string }[] };
  };
}

describe('commands and selectors', () => {
  let server: ModelServer;
  let app: App;
  let chat: Chat;

  beforeAll(async () => {
    server = await startModelServer({ apiKey: KEY });
    server.setScript(() => reply().text('Hello to you.'));
    app = await App.start({ settings: { 'gnomon.anthropic.baseUrl': server.url }, own: { env: {} } });
    chat = await app.openChat();
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

  /** Says whose key is meant. */
  function chooseProvider(label: string): Promise<void> {
    return quickInput().getByRole('option', { name: new RegExp(`^${label}`) }).click();
  }

  /** The commands of Gnomon that the command palette offers. */
  async function offered(): Promise<readonly string[]> {
    await app.page.keyboard.press('F1');
    const input = quickInput().getByRole('textbox').or(quickInput().getByRole('combobox')).first();
    // Commands used before are listed at once: only what follows no result at all is what was looked for.
    await input.fill('>zqxjzqxj');
    await quickInput().getByRole('option', { name: 'No matching commands' }).waitFor();
    await input.fill('>Gnomon: ');
    const rows = quickInput().locator('.label-name').filter({ hasText: /^Gnomon: / });
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

  /** Waits until VS Code says that a key is stored, and puts that away, so that it is not taken for the next one. */
  async function keyIsStored(): Promise<void> {
    const told = await app.workbench.notification('The Anthropic API key is stored.');
    await told.hover();
    await told.getByRole('button', { name: /^Clear Notification/ }).click();
    await told.waitFor({ state: 'detached' });
  }

  function statusBar(tooltip: RegExp): Locator {
    return app.page.locator('.statusbar').getByRole('button', { name: tooltip });
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

  async function sessionFiles(): Promise<readonly string[]> {
    return (await filesIn(app.dataDir)).filter((path) => /\/sessions\/[^/]+\.jsonl?$/.test(path) && !path.endsWith('/index.json'));
  }

  describe('API keys', () => {
    it('asks for a key after two clicks in the empty conversation', async () => {
      await chat.frame.getByRole('heading', { name: 'What should be done?' }).waitFor();
      await chat.log.getByRole('button', { name: 'Set API key' }).click();
      await chooseProvider('Anthropic');
      const input = quickInput().locator('input[type=password]');
      await input.waitFor();
      await input.press('Escape');
      await quickInput().waitFor({ state: 'hidden' });
      await chat.waitForChoice('Model', DEMO);
    });

    it('starts with the demo, and moves to the default Anthropic model when a key is set', async () => {
      await chat.waitForChoice('Model', DEMO);
      await run('Set API Key');
      await chooseProvider('Anthropic');
      const input = quickInput().locator('input[type=password]');
      await input.fill('two words');
      await quickInput().getByText('holds no spaces').waitFor();
      await input.fill(WRONG_KEY);
      await app.page.keyboard.press('Enter');
      await chat.waitForChoice('Model', 'Claude Sonnet 5.5');
      await keyIsStored();
    });

    it('says when the key is wrong without repeating it, and uses another one that is set', async () => {
      expect(keyOf(await requestOf('With the wrong key'))).toBe(WRONG_KEY);
      expect(await chat.log.textContent()).not.toContain(WRONG_KEY);
      await chat.log.getByRole('alert').getByRole('button', { name: 'Set API key' }).click();
      await chooseProvider('Anthropic');
      await quickInput().locator('input[type=password]').fill(KEY);
      await app.page.keyboard.press('Enter');
      await quickInput().waitFor({ state: 'hidden' });
      await keyIsStored();
      const request = await requestOf('With the right key');
      expect(keyOf(request)).toBe(KEY);
      expect(request.problem).toBeUndefined();
      await chat.waitForText('Hello to you.');
    });

    it('offers every command of the manifest, Stop only while a turn runs', async () => {
      const { contributes } = await readManifest<Manifest>();
      const hiddenWhile = (...absent: readonly string[]): readonly string[] =>
        contributes.menus.commandPalette.filter(({ when }) => absent.includes(when)).map(({ command }) => command);
      const without = (hidden: readonly string[]): string[] =>
        contributes.commands.filter(({ command }) => !hidden.includes(command)).map(({ category, title }) => `${category}: ${title}`);
      const withoutEditor = ['editorIsOpen && !editorReadonly', 'editorHasRenameProvider && !editorReadonly', 'gnomon.editRunning', 'gnomon.hasEdits'];
      const never = [...withoutEditor, 'gnomon.nextEdit', 'gnomon.hasChanges', 'gnomon.hasProposal', 'gnomon.canRedoRestore', 'gitOpenRepositoryCount > 0', 'gnomon.writingCommitMessage', 'gnomon.reviewing', 'gnomon.hasFindings', 'gnomon.hasReview', 'false'];
      const all = without(hiddenWhile(...never));
      const others = without(hiddenWhile(...never, 'gnomon.running', 'gnomon.hasMessages'));
      await statusBar(/Gnomon is ready/).waitFor();
      // What the status bar shows is known to the palette a little later.
      await expect.poll(offered, SLOW).toEqual(expect.arrayContaining(others));
      await expect.poll(offered, SLOW).not.toContain('Gnomon: Stop');
      const hold = gate();
      server.setScript(() => reply().text('On and on ', hold, 'and on'));
      await chat.send('Go on');
      await chat.waitForText('On and on');
      await statusBar(/Gnomon is working/).waitFor();
      await expect.poll(offered, SLOW).toEqual(expect.arrayContaining(all));
      await run('Stop');
      expect(await server.requests.at(-1)?.closedByClient).toBe(true);
      await chat.waitForIdle();
      await statusBar(/Gnomon is ready/).waitFor();
    });
  });

  describe('models', () => {
    it('uses the model chosen by the command, and shows it in the panel', async () => {
      server.setScript(() => reply().text('Hello to you.'));
      await run('Select Model');
      await quickInput().getByRole('option', { name: /Claude Opus 5\.5/ }).click();
      await chat.waitForChoice('Model', 'Claude Opus 5.5');
      expect((await requestOf('To the chosen model')).body.model).toBe('claude-opus-5-5');
    });

    it('uses the model chosen in the panel from the next message on', async () => {
      await chat.select('Model', 'Claude Haiku 4.5');
      expect((await requestOf('To another model')).body.model).toBe('claude-haiku-4-5');
    });
  });

  describe('permission modes', () => {
    it('acceptEdits: an edit in the workspace runs, a protected file and a command ask', async () => {
      await chat.newSession();
      await chat.selectMode('Accept edits');
      server.setScript(
        answering(
          reply()
            .toolCall('write', { file_path: 'src/new.js', content: '// new\n' })
            .toolCall('write', { file_path: '.vscode/settings.json', content: '{}\n' })
            .toolCall('bash', { command: 'touch hi' }),
        ),
      );
      await chat.send('Edit');
      expect(await chat.waitForPrompt()).toContain('.vscode/settings.json');
      await statusBar(/waits for you in 1 place/).waitFor();
      expect(await app.read('src/new.js')).toBe('// new\n');
      await chat.answer('Deny');
      expect(await chat.waitForPrompt()).toContain('touch hi');
      await chat.answer('Deny');
      await chat.waitForIdle();
      await statusBar(/Gnomon is ready/).waitFor();
    });

    it('ask: a read in the workspace asks', async () => {
      await chat.newSession();
      await chat.selectMode('Ask always');
      server.setScript(answering(reply().toolCall('read', { file_path: 'README.md' })));
      await chat.send('Read');
      expect(await chat.waitForPrompt()).toContain('README.md');
      await chat.answer('Allow');
      await chat.waitForIdle();
      await chat.newSession();
      await chat.waitForChoice('Permission mode', 'Ask before changes');
      await chat.send('Read');
      await chat.waitForText('That was all.');
      expect(await chat.prompt.count()).toBe(0);
    });

    it('runs a command that was always allowed without asking again, and asks for another', async () => {
      await chat.newSession();
      const commands = ['mkdir -p once', 'mkdir -p once', 'touch other'];
      server.setScript(answering(commands.reduce((answer, command) => answer.toolCall('bash', { command }), reply())));
      await chat.send('Echo');
      expect(await chat.waitForPrompt()).toContain('mkdir -p once');
      await chat.allowAlways();
      expect(await chat.waitForPrompt()).toContain('touch other');
      expect(await chat.log.getByRole('group', { name: 'bash mkdir -p once' }).count()).toBe(2);
      await chat.answer('Deny');
      await chat.waitForIdle();
    });
  });

  describe('sessions and the log', () => {
    it('Focus Chat shows the chat and puts the cursor into the message box', async () => {
      await app.workbench.openView('Explorer');
      await chat.message.waitFor({ state: 'hidden' });
      await run('Focus Chat');
      await chat.message.waitFor();
      await waitFor(() => chat.message.evaluate((element) => element === document.activeElement), { what: 'the cursor in the message box', timeoutMs: 30_000 });
    });

    it('New Session shows the chat with an empty conversation', async () => {
      await app.workbench.openView('Explorer');
      await chat.message.waitFor({ state: 'hidden' });
      await run('New Session');
      await chat.message.waitFor();
      await chat.frame.getByRole('heading', { name: 'What should be done?' }).waitFor();
      await waitFor(() => chat.message.evaluate((element) => element === document.activeElement), { what: 'the cursor in the message box', timeoutMs: 30_000 });
    });

    it('Show Log opens the log', async () => {
      await run('Show Log');
      await app.page.locator('.part.panel').getByRole('tab', { name: /Output/ }).waitFor();
      await app.page.locator('.part.panel .output-view').waitFor();
      await app.page.locator('.part.panel').getByRole('combobox').filter({ hasText: 'Gnomon' }).waitFor();
    });

    it('sess-16 has left no key in any file, and no conversation that others can read', async () => {
      for (const key of [KEY, WRONG_KEY]) expect(await filesWith(app.dataDir, key)).toEqual([]);
      expect(await filesWith(app.dataDir, 'To another model')).not.toEqual([]);
      const sessions = await sessionFiles();
      expect(sessions.length).toBeGreaterThan(0);
      const modes = await modesOf(sessions);
      expect(modes.length).toBeGreaterThan(0);
      expect(modes.map((mode) => mode & 0o077)).toEqual(modes.map(() => 0));
    });

    it('Open Session… shows the chosen one', async () => {
      await run('Open Session…');
      await quickInput().getByRole('option', { name: /With the wrong key/ }).click();
      await chat.mine.first().getByText('With the wrong key').waitFor();
      await chat.waitForText('Hello to you.');
    });

    it('Delete Session… moves the one chosen to the trash; Delete now there removes every file of it', async () => {
      const before = await sessionFiles();
      await run('Delete Session…');
      await quickInput().getByRole('option', { name: /With the wrong key/ }).click();
      await app.workbench.notification(/With the wrong key.* was moved to the trash/);
      await chat.mine.first().waitFor({ state: 'detached' });
      await chat.button('History').click();
      await chat.frame.getByRole('list', { name: 'Sessions' }).waitFor();
      expect(await chat.frame.getByRole('list', { name: 'Sessions' }).getByText('With the wrong key').count()).toBe(0);
      await chat.frame.getByText('Trash (1)').click();
      await chat.frame.getByRole('list', { name: 'Trash' }).getByRole('button', { name: 'Delete now' }).click();
      await app.workbench.dialog().getByRole('button', { name: 'Delete' }).click();
      const left = async (): Promise<boolean> => (await filesWith(app.dataDir, 'With the wrong key')).length === 0;
      await waitFor(left, { what: 'the session to be gone from the disk', timeoutMs: 30_000 });
      expect((await sessionFiles()).length).toBeLessThan(before.length);
      await chat.frame.getByText('Trash (1)').waitFor({ state: 'detached' });
      await chat.button('History').click();
    });

    it('Clear API Key forgets it: a request fails with the way to set one, and new sessions use the demo', async () => {
      await run('Clear API Key');
      await app.workbench.notification(/stored Anthropic API key is removed/);
      const asked = server.requests.length;
      await chat.send('Without a key');
      await chat.button('Set API key').waitFor();
      expect(server.requests.length).toBe(asked);
      await chat.newSession();
      await chat.waitForChoice('Model', DEMO);
    });
  });
});
