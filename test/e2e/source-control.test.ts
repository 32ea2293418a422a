import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gate, lastToolResults, lastUserText, reply } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import { type WithModel, startWithModel } from './with-model.js';

const SLOW = { timeout: 60_000 };

/** Makes a repository in which one file is staged and another one is not. */
async function makeRepository(folder: string, staged: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: folder, stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'chore: begin');
  await writeFile(join(folder, 'notes.md'), `${staged}\n`);
  await writeFile(join(folder, 'other.md'), 'something else\n');
  git('add', 'notes.md');
}

describe('E-6 the Source Control view', () => {
  let parent: string;
  let all: WithModel;

  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'gnomon-git-'));
    await makeRepository(join(parent, 'workspace', 'one'), 'Notes of one');
    all = await startWithModel({}, { workspace: join(parent, 'workspace') });
    await all.app.workbench.openView('Source Control');
    await boxes().first().waitFor(SLOW);
  });
  afterAll(async () => {
    await all.stop();
    await rm(parent, { recursive: true, force: true });
  });

  /** One for each repository that VS Code has found. */
  const boxes = (): Locator => all.app.page.locator('.scm-editor');
  const pick = (): Locator => all.app.page.locator('.quick-input-widget');

  /** The text that the model was asked with in the first request after an action. */
  async function asked(act: () => Promise<void>): Promise<string> {
    const before = all.server.requests.length;
    await act();
    const body = await waitFor(() => all.server.requests[before]?.body, { what: 'a request', timeoutMs: 60_000 });
    return lastUserText(body);
  }

  describe('a commit message', () => {
    const button = (name: string): Locator => all.app.page.locator('.scm-view, .pane-header').getByRole('button', { name });
    /** The buttons of a view are shown while the pointer is over it. */
    const press = async (name: string): Promise<void> => {
      await boxes().hover({ force: true });
      await button(name).first().click(SLOW);
    };
    const message = async (): Promise<string> => ((await boxes().locator('.view-lines').textContent()) ?? '').replaceAll('\u00A0', ' ');
    const untilMessage = (text: string): Promise<unknown> =>
      waitFor(async () => (await message()).includes(text), { what: `“${text}” in the box`, timeoutMs: 30_000 });

    it('is written from what is staged, in the style of the repository; stopped, it gives back what stood there before', async () => {
      all.server.setScript(() => reply().text('docs: add', ' notes'));
      const text = await asked(() => press('Generate Commit Message'));
      await untilMessage('docs: add notes');
      expect(text).toContain('+Notes of one');
      expect(text).toContain('chore: begin');
      expect(text).not.toContain('something else');
      const hold = gate();
      all.server.setScript(() => reply().text('feat: half a mess', hold, 'age'));
      await press('Generate Commit Message');
      await untilMessage('half a mess');
      const closed = all.server.requests.at(-1)?.closedByClient;
      await press('Stop Generating Commit Message');
      expect(await closed).toBe(true);
      await untilMessage('docs: add notes');
      hold.open();
    });

    it('gives way to what the person types meanwhile, and says why there is none', async () => {
      const hold = gate();
      all.server.setScript(() => reply().text('feat: half', hold, ' and the rest'));
      await press('Generate Commit Message');
      await untilMessage('feat: half');
      const closed = all.server.requests.at(-1)?.closedByClient;
      await boxes().click();
      await all.app.page.keyboard.press('Control+a');
      await all.app.page.keyboard.type('my own words');
      hold.open();
      await untilMessage('my own words');
      await button('Generate Commit Message').first().waitFor(SLOW);
      expect(await message()).not.toContain('rest');
      await closed;
      all.server.setScript(() => reply().text(''));
      await press('Generate Commit Message');
      await all.app.workbench.notification('Could not generate a commit message');
      await untilMessage('my own words');
    });
  });

  describe('of several repositories', () => {
    beforeAll(async () => {
      await makeRepository(join(all.app.workspace, 'two'), 'Notes of two');
      // VS Code looks for the repository of a file that is opened; one that is made later it does not always notice.
      await all.app.workbench.openFile('two/other.md');
      await all.app.workbench.openView('Source Control');
      await all.app.page.locator('.scm-provider').filter({ hasText: /^two/ }).waitFor(SLOW);
    });

    it('a commit message is for the one that is chosen, and for none when the person backs out', async () => {
      const { workbench, page } = all.app;
      all.server.setScript(() => reply().text('chore: the second'));
      const before = all.server.requests.length;
      await workbench.runCommand('Gnomon: Generate Commit Message');
      await pick().getByRole('option', { name: 'one', exact: true }).waitFor(SLOW);
      await page.keyboard.press('Escape');
      await pick().waitFor({ state: 'hidden' });
      const text = await asked(async () => {
        await workbench.runCommand('Gnomon: Generate Commit Message');
        await pick().getByRole('option', { name: 'two', exact: true }).click(SLOW);
      });
      expect(text).toContain('+Notes of two');
      expect(text).not.toContain('Notes of one');
      await page.locator('.scm-editor .view-lines').filter({ hasText: 'second' }).waitFor(SLOW);
      expect(all.server.requests).toHaveLength(before + 1);
    });

    it('a review is of the one that is chosen, and its finding is at its file', async () => {
      const { workbench, page } = all.app;
      const finding = { path: 'one/notes.md', line: 1, severity: 'warning', title: 'Seen in one', explanation: 'Because.' };
      all.server.setScript(({ body }) => (lastToolResults(body).length > 0 ? reply().text('That is all.') : reply().toolCall('report_finding', finding)));
      const text = await asked(async () => {
        await workbench.runCommand('Gnomon: Review Uncommitted Changes');
        await pick().getByRole('option', { name: 'one', exact: true }).click(SLOW);
      });
      expect(text).toContain('+Notes of one');
      expect(text).not.toContain('Notes of two');
      await workbench.runCommand('Problems: Focus on Problems View');
      const rows = page.locator('.markers-panel .monaco-list-row');
      await rows.filter({ hasText: 'Seen in one' }).waitFor(SLOW);
      await rows.filter({ hasText: 'notes.md' }).first().waitFor(SLOW);
    });
  });
});
