import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { createProcessProbe } from '../../src/session/lock/process-probe.js';
import { createWorktree } from '../../src/worktree/create.js';
import { chooseHome } from '../../src/worktree/home.js';
import type { Worktree } from '../../src/worktree/record.js';
import { openRepository } from '../../src/worktree/repository.js';
import { gitIn } from '../unit/worktree/rig.js';
import { waitFor } from '../vscode/wait.mjs';
import { inSoak } from '../support/in-soak.js';
import type { SharedWindow } from './shared-window.js';
import type { WithModel } from './with-model.js';

const SLOW = { timeout: 60_000 };

/** Makes a worktree of a workspace in which nobody works. */
async function makeWorktree(workspace: string, name: string): Promise<Worktree> {
  const main = await openRepository(workspace);
  if ('kind' in main) throw new Error(main.detail);
  const home = await chooseHome(main, { workspaceFolders: [main.root] });
  if (typeof home === 'string') throw new Error(home);
  const signal = AbortSignal.timeout(SLOW.timeout);
  const made = await createWorktree({ main, home, name, base: 'snapshot', probe: createProcessProbe(), signal });
  if (made.kind === 'failed') throw new Error(made.detail);
  await made.hold.release();
  return made.worktree;
}

/** Cases for the list of worktrees; the workspace becomes a repository. */
export function worktrees(window: SharedWindow): void {
  describe('the list of worktrees', () => {
    let all: WithModel;

    beforeAll(async () => {
      all = await window.take();
    });

    const input = (): Locator => all.app.page.locator('.quick-input-widget');
    const row = (text: string | RegExp): Locator => input().locator('.monaco-list-row').filter({ hasText: text }).first();
    const open = (): Promise<void> => all.app.workbench.runCommand('Gnomon: Manage Worktrees…');
    const choose = async (name: string, action: string): Promise<void> => {
      await row(name).click(SLOW);
      await row(action).click(SLOW);
    };
    const type = async (title: string, text: string): Promise<void> => {
      await input().getByText(title).first().waitFor(SLOW);
      await input().locator('input[type=text]').first().fill(text);
      await all.app.page.keyboard.press('Enter');
    };

    it('E-76: it says why there are none, lists them with state, size, last use, and changes, shows these, and commits them', async () => {
      const { app } = all;
      await open();
      await app.workbench.notification('A worktree needs a Git repository');
      gitIn(app.workspace, 'init', '-q');
      gitIn(app.workspace, 'config', 'user.name', 'Ada');
      gitIn(app.workspace, 'config', 'user.email', 'ada@example.com');
      gitIn(app.workspace, 'add', '.');
      gitIn(app.workspace, 'commit', '-qm', 'one');
      await open();
      await row('There are no worktrees.').waitFor(SLOW);
      await app.workbench.escape(input());
      const { tree } = await makeWorktree(app.workspace, 'parser');
      await writeFile(join(tree, 'README.md'), 'Written in the worktree\n');
      await open();
      await row(/parser[^]*Idle · 1 changed file · not applied yet · [\d.]+ kB · Last used just now/).waitFor(SLOW);
      await choose('parser', 'Show Changes');
      await app.page.getByRole('tab', { name: /Changes in the Worktree parser/ }).waitFor(SLOW);
      await app.page.locator('.multiDiffEntry').getByText('Written in the worktree').first().waitFor(SLOW);
      await app.workbench.closeEditors();
      await open();
      await choose('parser', 'Apply Changes…');
      await app.workbench.dialog().getByText('parser: Apply this change to your files?').waitFor(SLOW);
      await app.workbench.dialog().getByRole('button', { name: 'Show Changes' }).click(SLOW);
      const compared = app.page.getByRole('tab', { name: /Apply Changes of Worktree parser/ });
      await compared.waitFor(SLOW);
      await app.page.locator('.editor-actions').getByText('Don’t Apply').click(SLOW);
      await compared.waitFor({ state: 'detached', ...SLOW });
      await open();
      await choose('parser', 'Commit on a Branch…');
      await type('Name of the new branch', 'by-agent');
      await type('Commit message', 'Write the readme');
      await app.workbench.notification('The branch “by-agent” has all that was changed in the worktree parser.');
      expect(gitIn(app.workspace, 'show', 'by-agent:README.md')).toBe('Written in the worktree\n');
      expect(await readFile(join(app.workspace, 'README.md'), 'utf8')).not.toContain('worktree');
    });

    inSoak('unit/agent-host/managed-worktrees.test.ts')(
      'E-75: one that something would be lost with stays, with every reason; another one goes to the trash and is restored',
      async () => {
        const { app } = all;
        await app.workbench.clearNotifications();
        const { unit, tree } = await makeWorktree(app.workspace, 'lexer');
        await writeFile(join(tree, 'new.txt'), 'Only here\n');
        await open();
        await choose('lexer', 'Lock…');
        await type('Why is it kept?', 'for later');
        await row(/lexer[^]*Locked/).waitFor(SLOW);
        await choose('lexer', 'Remove');
        const dialog = app.workbench.dialog();
        await dialog.getByText('The worktree lexer was not removed.').waitFor(SLOW);
        expect(await dialog.innerText()).toMatch(/It is locked: for later\s+Files in it were changed and not committed: new\.txt\./);
        expect(await dialog.getByRole('button', { name: 'Commit on a Branch…' }).count()).toBe(0);
        await dialog.getByRole('button', { name: 'OK' }).click(SLOW);
        await choose('lexer', 'Unlock');
        await row(/lexer[^]*Idle/).waitFor(SLOW);
        await choose('lexer', 'Remove');
        await dialog.getByRole('button', { name: 'Commit on a Branch…' }).click(SLOW);
        await type('Name of the new branch', 'lexer-kept');
        await type('Commit message', 'Keep what is in it');
        await row(/lexer[^]*Can be restored, and is deleted in/).waitFor(SLOW);
        expect(existsSync(unit)).toBe(false);
        const told = await app.workbench.notification('The worktree lexer is in the trash for ten minutes.');
        await told.getByRole('button', { name: 'Restore' }).click(SLOW);
        await waitFor(() => existsSync(unit), { what: 'the restored worktree', timeoutMs: 60_000 });
        expect(await readdir(tree)).toContain('new.txt');
      },
    );
  });
}
