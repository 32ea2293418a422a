import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lastToolResults, lastUserText, reply } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import { App } from './app.js';
import type { WithModel } from './with-model.js';
import { startWithModel } from './with-model.js';

const SLOW = { timeout: 60_000 };

/** Makes a repository with a file in which something is staged. */
async function repositoryIn(folder: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const git = (...args: readonly string[]): void => void execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: folder, stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'begin');
  await writeFile(join(folder, 'staged.txt'), `${text}\n`);
  git('add', '-A');
}

/** Runs a command of the palette, where it is offered as soon as VS Code has found a repository. */
async function run(app: App, title: string): Promise<void> {
  await app.workbench.openView('Source Control');
  await app.page.locator('.scm-editor').first().waitFor(SLOW);
  await app.workbench.runCommand(`Gnomon: ${title}`);
}

describe('E-6 several repositories', () => {
  let all: WithModel;
  let pick: Locator;

  beforeAll(async () => {
    all = await startWithModel();
    for (const name of ['one', 'two']) await repositoryIn(join(all.app.workspace, name), `of ${name}`);
    await all.app.workbench.reload();
    pick = all.app.page.locator('.quick-input-widget');
  });
  afterAll(() => all.stop());

  /** The text that the model was asked with in the first request after an action. */
  async function asked(act: () => Promise<void>): Promise<string> {
    const before = all.server.requests.length;
    await act();
    const body = await waitFor(() => all.server.requests[before]?.body, { what: 'a request', timeoutMs: 60_000 });
    return lastUserText(body);
  }

  it('a commit message is for the one that is chosen, and for none when the person backs out', async () => {
    all.server.setScript(() => reply().text('chore: the second'));
    await run(all.app, 'Generate Commit Message');
    await pick.getByRole('option', { name: 'one', exact: true }).waitFor(SLOW);
    await all.app.page.keyboard.press('Escape');
    await pick.waitFor({ state: 'hidden' });
    const text = await asked(async () => {
      await run(all.app, 'Generate Commit Message');
      await pick.getByRole('option', { name: 'two', exact: true }).click(SLOW);
    });
    expect(text).toContain('+of two');
    expect(text).not.toContain('of one');
    await all.app.page.locator('.scm-editor .view-lines').filter({ hasText: 'second' }).waitFor(SLOW);
    expect(all.server.requests).toHaveLength(1);
  });

  it('a review is of the one that is chosen, and its finding is at its file', async () => {
    const finding = { path: 'one/staged.txt', line: 1, severity: 'warning', title: 'Seen in one', explanation: 'Because.' };
    all.server.setScript(({ body }) => (lastToolResults(body).length > 0 ? reply().text('That is all.') : reply().toolCall('report_finding', finding)));
    const text = await asked(async () => {
      await run(all.app, 'Review Changes');
      await pick.getByRole('option', { name: 'one', exact: true }).click(SLOW);
    });
    expect(text).toContain('+of one');
    expect(text).not.toContain('of two');
    await all.app.workbench.runCommand('Problems: Focus on Problems View');
    const row = all.app.page.locator('.markers-panel .monaco-list-row').filter({ hasText: 'Seen in one' });
    await row.waitFor(SLOW);
    await all.app.page.locator('.markers-panel .monaco-list-row').filter({ hasText: 'staged.txt' }).first().waitFor(SLOW);
  });
});

describe('E-6 without a key', () => {
  let app: App;

  beforeAll(async () => {
    app = await App.start({ own: { env: {} } });
    await repositoryIn(app.workspace, 'of the demo');
    await app.workbench.reload();
  });
  afterAll(() => app.stop());

  it('nothing is reviewed by the demo, which leads to setting a key', async () => {
    await run(app, 'Review Changes');
    const told = await app.workbench.notification('The demo reviews nothing. Set the key of a provider, or choose another model.');
    await told.getByRole('button', { name: 'Set API key' }).click();
    await app.page.locator('.quick-input-widget').getByText('Whose API key do you want to set?').or(app.page.locator('.quick-input-widget').getByRole('textbox')).first().waitFor(SLOW);
  });
});
