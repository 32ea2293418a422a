import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { App } from './app.js';
import type { Chat } from './chat.js';
import { sourceFiles } from './files.js';

/** Whether the workspace's tests pass when a person runs them. */
async function testsPass(app: App): Promise<boolean> {
  return promisify(execFile)('npm', ['test'], { cwd: app.workspace }).then(
    () => true,
    () => false,
  );
}

/** Answers every prompt of a turn, until the turn is over. Returns what the prompts showed. */
async function allowAll(chat: Chat): Promise<readonly string[]> {
  const shown: string[] = [];
  const done = chat.button('Stop').waitFor({ state: 'hidden', timeout: 120_000 }).then(() => 'done' as const);
  for (;;) {
    const next = await Promise.race([done, chat.prompt.waitFor({ timeout: 120_000 }).then(() => 'prompt' as const)]);
    if (next === 'done') return shown;
    shown.push(await chat.waitForPrompt());
    await chat.answer('Allow');
  }
}

describe('the demo job on the sample workspace', () => {
  let app: App;
  let chat: Chat;
  beforeAll(async () => {
    app = await App.start({ own: { env: {} } });
    chat = await app.openChat();
  });
  afterAll(() => app.stop());

  it('fixes the failing test, asking before the command and before the edit', async () => {
    expect(await testsPass(app)).toBe(false);
    const before = await sourceFiles(app.workspace);
    await chat.send('Fix the failing test');
    const first = await chat.waitForPrompt();
    expect(first).toContain('npm test');
    expect(await sourceFiles(app.workspace)).toEqual(before);
    const shown = await allowAll(chat);
    expect(shown.some((text) => text.includes('+') && text.includes('-'))).toBe(true);
    expect(await testsPass(app)).toBe(true);
    const after = await sourceFiles(app.workspace);
    expect([...after.keys()].filter((name) => after.get(name) !== before.get(name))).toHaveLength(1);
    await chat.waitForText(/demo/i);
  });

  it('has the conversation after a reload and after closing and opening VS Code', async () => {
    const text = (await chat.log.textContent()) ?? '';
    await app.workbench.reload();
    await app.openChat();
    await chat.mine.waitFor();
    await chat.answers.waitFor();
    expect(await chat.mine.count()).toBe(1);
    expect(await chat.answers.count()).toBe(1);
    // The notice about the model that was chosen, and how long it thought, belong to the moment.
    const said = (whole: string | null): string =>
      whole?.slice(whole.indexOf('Fix the failing test')).replaceAll(/Thought for [\d.]+ s/g, 'Thinking').replaceAll(/\s+/g, ' ').slice(0, 200) ?? '';
    await expect.poll(async () => said(await chat.log.textContent()), { timeout: 60_000 }).toBe(said(text));
    await app.restart();
    chat = await app.openChat();
    await chat.mine.waitFor();
    expect(await chat.mine.textContent()).toContain('Fix the failing test');
    await chat.answers.waitFor();
    expect(await chat.answers.count()).toBe(1);
  });

  it('lists the conversation in the history and starts a new one', async () => {
    await chat.newSession();
    await chat.openFromHistory('Fix the failing test');
    await chat.mine.waitFor();
    expect(await chat.mine.count()).toBe(1);
  });
});

describe('saying no and stopping', () => {
  let app: App;
  let chat: Chat;
  beforeAll(async () => {
    app = await App.start({ own: { env: {} } });
    chat = await app.openChat();
  });
  afterAll(() => app.stop());

  it('changes nothing on disk when the command is denied', async () => {
    const before = await sourceFiles(app.workspace);
    await chat.send('Fix the failing test');
    await chat.waitForPrompt();
    await chat.answer('Deny');
    await chat.waitForIdle();
    expect(await sourceFiles(app.workspace)).toEqual(before);
    await chat.log.getByText('Denied', { exact: false }).first().waitFor();
  });

  it('changes nothing on disk when the edit is denied', async () => {
    await chat.newSession();
    const before = await sourceFiles(app.workspace);
    await chat.send('Fix the failing test');
    for (let text = await chat.waitForPrompt(); text.includes('npm test'); text = await chat.waitForPrompt()) {
      await chat.answer('Allow');
    }
    await chat.answer('Deny');
    await chat.waitForIdle();
    expect(await sourceFiles(app.workspace)).toEqual(before);
  });

  it('refuses the edit and the command in plan mode without asking', async () => {
    await chat.newSession();
    const before = await sourceFiles(app.workspace);
    await chat.selectMode('Plan');
    await chat.send('Fix the failing test');
    await chat.waitForIdle();
    expect(await chat.prompt.count()).toBe(0);
    expect(await sourceFiles(app.workspace)).toEqual(before);
  });
});
