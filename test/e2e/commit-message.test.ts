import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gate, lastUserText, reply } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import type { WithModel } from './with-model.js';
import { startWithModel } from './with-model.js';

const SLOW = { timeout: 60_000 };

describe('E-6 a commit message in the Source Control view', () => {
  let all: WithModel;

  const git = (...args: readonly string[]): void =>
    void execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: all.app.workspace, stdio: 'pipe' });
  const button = (name: string): Locator => all.app.page.locator('.scm-view, .pane-header').getByRole('button', { name });
  /** The buttons of a view are shown while the pointer is over it. */
  const press = async (name: string): Promise<void> => {
    await box().hover({ force: true });
    await button(name).first().click(SLOW);
  };
  const box = (): Locator => all.app.page.locator('.scm-editor');
  const message = async (): Promise<string> => ((await box().locator('.view-lines').textContent()) ?? '').replaceAll('\u00A0', ' ');
  const untilMessage = (text: string): Promise<unknown> => waitFor(async () => (await message()).includes(text), { what: `“${text}” in the box`, timeoutMs: 30_000 });

  beforeAll(async () => {
    all = await startWithModel();
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-q', '-m', 'chore: begin');
    await writeFile(join(all.app.workspace, 'notes.md'), '# Notes\n');
    await writeFile(join(all.app.workspace, 'other.md'), 'something else\n');
    git('add', 'notes.md');
    await all.app.workbench.reload();
    await all.app.workbench.openView('Source Control');
    await box().waitFor(SLOW);
  });
  afterAll(() => all.stop());

  it('is written from what is staged, in the style of the repository', async () => {
    all.server.setScript(() => reply().text('docs: add', ' notes'));
    await press('Generate Commit Message');
    await untilMessage('docs: add notes');
    const [asked = ''] = all.server.requests.slice(-1).map(({ body }) => lastUserText(body));
    expect(asked).toContain('+# Notes');
    expect(asked).toContain('chore: begin');
    expect(asked).not.toContain('something else');
    await all.app.workbench.screenshot('commit-message');
  });

  it('is stopped, and what stood there before comes back', async () => {
    const hold = gate();
    all.server.setScript(() => reply().text('feat: half a mess', hold, 'age'));
    await press('Generate Commit Message');
    await untilMessage('half a mess');
    const closed = all.server.requests.at(-1)?.closedByClient;
    await press('Stop Writing the Commit Message');
    expect(await closed).toBe(true);
    await untilMessage('docs: add notes');
    hold.open();
  });

  it('gives way to what the person types meanwhile', async () => {
    const hold = gate();
    all.server.setScript(() => reply().text('feat: half', hold, ' and the rest'));
    await press('Generate Commit Message');
    await untilMessage('feat: half');
    const closed = all.server.requests.at(-1)?.closedByClient;
    await box().click();
    await all.app.page.keyboard.press('Control+a');
    await all.app.page.keyboard.type('my own words');
    hold.open();
    await untilMessage('my own words');
    await button('Generate Commit Message').first().waitFor(SLOW);
    expect(await message()).not.toContain('rest');
    await closed;
  });

  it('says why there is none', async () => {
    all.server.setScript(() => reply().text(''));
    await press('Generate Commit Message');
    await all.app.workbench.notification('No commit message was written');
    await untilMessage('my own words');
  });
});
