import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { lastToolResults, reply } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import type { FindingsRig } from './findings-rig.js';

const SLOW = { timeout: 60_000 };
const TEN = Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`).join('');

/** Cases for agents that work in worktrees of a repository. */
export function agentsInWorktrees(rigOf: () => FindingsRig): void {
  describe('an agent in a worktree', () => {
    let rig: FindingsRig;
    beforeAll(() => {
      rig = rigOf();
    });

    it('E-78: changes nothing of the user until they apply it, and then they keep or undo each change', async () => {
      const { chat, server, app } = rig.all;
      await rig.write('tens.txt', TEN);
      await app.workbench.openView('Gnomon');
      const edit = { file_path: 'tens.txt', edits: [1, 9].map((line) => ({ old_string: `line ${line}\n`, new_string: `LINE ${line}\n` })) };
      server.setScript(({ body }) => {
        const isPart = JSON.stringify(body.messages[0]).includes('PART');
        if (lastToolResults(body).length > 0) return reply().text(isPart ? 'Two lines are changed.' : 'It is done, apart from your files.');
        if (isPart) return reply().toolCall('edit', edit);
        return reply().toolCall('agent', { description: 'Change two lines', prompt: 'PART lines', isolation: 'worktree' });
      });
      await chat.send('Have it changed apart from me');
      expect(await chat.waitForPrompt()).toMatch(/The agent general: Change two lines asks\s+Edit tens\.txt\?/);
      await chat.answer('Allow');
      await chat.waitForText('It is done, apart from your files.');
      expect(await readFile(join(app.workspace, 'tens.txt'), 'utf8')).toBe(TEN);
      await chat.frame.getByRole('region', { name: 'Agents' }).getByRole('button').first().click(SLOW);
      const row = chat.frame.getByRole('treeitem', { name: /Change two lines/ });
      await row.click(SLOW);
      await row.locator('.facts').getByText('1 file changed in a worktree').waitFor(SLOW);
      await row.getByRole('button', { name: 'Apply Changes…' }).click(SLOW);
      const dialog = app.workbench.dialog();
      await dialog.getByText('Change two lines: Apply this change to your files?').waitFor(SLOW);
      await dialog.getByRole('button', { name: 'Show Changes' }).click(SLOW);
      const compared = rig.page.getByRole('tab', { name: /Apply Changes of general: Change two lines/ });
      await compared.waitFor(SLOW);
      await rig.page.locator('.multiDiffEntry').getByText('LINE 9').first().waitFor(SLOW);
      // What is looked at meanwhile takes no place of it; closed by accident, it can be had again.
      await app.workbench.openFile('tens.txt');
      await rig.page.getByRole('tab', { name: /^tens\.txt/ }).waitFor(SLOW);
      await compared.click(SLOW);
      await app.workbench.runCommand('View: Close Editor');
      const closed = await app.workbench.notification('Nothing was applied.');
      await compared.waitFor({ state: 'detached', ...SLOW });
      await closed.getByRole('button', { name: 'Show Changes' }).click(SLOW);
      await compared.waitFor(SLOW);
      const inTitleBar = rig.page.locator('.editor-actions');
      await inTitleBar.getByText('Don’t Apply').waitFor(SLOW);
      await inTitleBar.getByText('Apply Changes', { exact: true }).click(SLOW);
      await app.workbench.notification('1 file of general: Change two lines is applied. Review the changes in the editor');
      await compared.waitFor({ state: 'detached', ...SLOW });
      await inTitleBar.getByText('Don’t Apply').waitFor({ state: 'detached', ...SLOW });
      await waitFor(async () => (await readFile(join(app.workspace, 'tens.txt'), 'utf8')).includes('LINE 9'), {
        what: 'the changes in the file',
        timeoutMs: 60_000,
      });
      const files = await chat.unfold('Changed files');
      await files.getByText('tens.txt').first().waitFor(SLOW);
      await files.getByRole('button', { name: 'general: Change two lines, 1 file', exact: true }).waitFor(SLOW);
      await app.workbench.closeEditors();
      await app.workbench.openFile('tens.txt');
      await rig.page.locator('.codelens-decoration').getByText('1/2').waitFor(SLOW);
      await rig.page.locator('.codelens-decoration').getByText('general: Change two lines').first().waitFor(SLOW);
      await rig.page.locator('.codelens-decoration a').filter({ hasText: 'Undo' }).first().click(SLOW);
      await rig.page
        .locator('.codelens-decoration')
        .getByText('1/2')
        .waitFor({ state: 'detached', ...SLOW });
      expect(await readFile(join(app.workspace, 'tens.txt'), 'utf8')).toBe(TEN.replace('line 9', 'LINE 9'));
      // It is no repository that VS Code shows.
      expect(await rig.page.locator('.scm-provider').count()).toBeLessThan(2);
      expect(existsSync(join(app.workspace, '.gnomon-worktrees'))).toBe(false);
      await app.workbench.closeEditors();
      await chat.newSession();
    });

    it('E-78: what both have changed is merged in the merge editor, and is kept or undone under the name of the agent', async () => {
      const { chat, server, app } = rig.all;
      await rig.write('both.txt', TEN);
      const edit = { file_path: 'both.txt', edits: [2, 9].map((line) => ({ old_string: `line ${line}\n`, new_string: `LINE ${line}\n` })) };
      server.setScript(({ body }) => {
        const isPart = JSON.stringify(body.messages[0]).includes('PART');
        if (lastToolResults(body).length > 0) return reply().text(isPart ? 'Two lines are changed.' : 'It is done, apart from your files.');
        if (isPart) return reply().toolCall('edit', edit);
        return reply().toolCall('agent', { description: 'Change both', prompt: 'PART both', isolation: 'worktree' });
      });
      await app.workbench.openView('Gnomon');
      await chat.send('Have both changed apart from me');
      await chat.waitForPrompt();
      await chat.answer('Allow');
      await chat.waitForText('It is done, apart from your files.');
      await rig.write('both.txt', TEN.replace('line 9\n', 'my line\n'));
      await chat.frame.getByRole('region', { name: 'Agents' }).getByRole('button').first().click(SLOW);
      const row = chat.frame.getByRole('treeitem', { name: /Change both/ });
      await row.click(SLOW);
      await row.getByRole('button', { name: 'Apply Changes…' }).click(SLOW);
      const left = await app.workbench.notification('You have changed the same lines: both.txt.');
      await row.locator('.facts').getByText('1 file conflicts with yours').waitFor(SLOW);
      await left.getByRole('button', { name: 'Resolve Conflict…' }).click(SLOW);
      const editor = rig.page.locator('.merge-editor');
      await editor.getByText('general: Change both').first().waitFor(SLOW);
      await app.workbench.notification('Save the merge to write it into your file.');
      await editor.getByText('1 Conflict Remaining').first().waitFor(SLOW);
      // Saved like that, the file would have neither.
      await app.workbench.runCommand('File: Save');
      const question = app.workbench.dialog();
      await question.getByText('both.txt still has conflicts. Write it as it is?').waitFor(SLOW);
      await question.getByText('Your lines there would be lost.').waitFor(SLOW);
      await rig.page.keyboard.press('Enter');
      await app.workbench.notification('both.txt still has conflicts, so it was not written.');
      expect(await readFile(join(app.workspace, 'both.txt'), 'utf8')).toBe(TEN.replace('line 9', 'my line'));
      await row.locator('.facts').getByText('1 file conflicts with yours').waitFor(SLOW);
      await app.workbench.runCommand('Merge Editor: Accept All Incoming Changes from Left');
      await editor.getByText('0 Conflicts Remaining').first().waitFor(SLOW);
      await app.workbench.runCommand('File: Save');
      const merged = TEN.replace('line 2', 'LINE 2').replace('line 9', 'LINE 9');
      await waitFor(async () => (await readFile(join(app.workspace, 'both.txt'), 'utf8')) === merged, { what: 'the merged file', timeoutMs: 60_000 });
      await app.workbench.closeEditors();
      const files = await chat.unfold('Changed files');
      await files.getByRole('button', { name: 'Undo All of general: Change both', exact: true }).click(SLOW);
      const mine = TEN.replace('line 9', 'my line');
      await waitFor(async () => (await readFile(join(app.workspace, 'both.txt'), 'utf8')) === mine, { what: 'the file of the user', timeoutMs: 60_000 });
      await chat.newSession();
    });

    it('E-73: a chat of the user gets a worktree in a window of its own, from what they choose, set up as the files say', async () => {
      const { app } = rig.all;
      const input = rig.page.locator('.quick-input-widget');
      await rig.write('.gnomon/worktree.json', JSON.stringify({ setup: ['echo "$GNOMON_WORKTREE" > set-up.txt'] }));
      await app.workbench.runCommand('Gnomon: New Chat in a Worktree…');
      await input.getByText('main').first().waitFor(SLOW);
      await input.locator('.monaco-list-row').filter({ hasText: 'Your Files as They Are' }).click(SLOW);
      await input.getByText('Name of the worktree').waitFor(SLOW);
      await input.locator('input[type=text]').first().fill('../away');
      await input.getByText('The name of a worktree can have letters').waitFor(SLOW);
      await input.locator('input[type=text]').first().fill('mine');
      await rig.page.keyboard.press('Enter');
      const asked = await app.workbench.notification('Set the worktree up as .gnomon/worktree.json says?');
      await rig.page.getByRole('tab', { name: 'Set-up of the worktree' }).waitFor(SLOW);
      const opened = rig.page.context().waitForEvent('page', SLOW);
      await asked.getByRole('button', { name: 'Set Up', exact: true }).click(SLOW);
      const other = await opened;
      const folder = new URL(other.url()).searchParams.get('folder') ?? '';
      expect(folder).toMatch(/\.gnomon-worktrees\/.*\/mine\//);
      expect(await readFile(join(folder, 'set-up.txt'), 'utf8')).toBe('mine\n');
      expect(await readFile(join(folder, 'tens.txt'), 'utf8')).toContain('LINE 9');
      await other.locator('.part.sidebar').getByText('Gnomon').first().waitFor(SLOW);
      await other.close();
    });
  });
}
