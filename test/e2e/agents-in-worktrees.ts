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
      const asked = await app.workbench.notification('Change two lines: Apply this change to your files?');
      await rig.page.getByRole('tab', { name: /agent-\d+-\w+\.diff/ }).waitFor(SLOW);
      await asked.getByRole('button', { name: 'Apply', exact: true }).click(SLOW);
      await waitFor(async () => (await readFile(join(app.workspace, 'tens.txt'), 'utf8')).includes('LINE 9'), {
        what: 'the changes in the file',
        timeoutMs: 60_000,
      });
      await (await chat.unfold('Changed files')).getByText('tens.txt').first().waitFor(SLOW);
      await app.workbench.closeEditors();
      await app.workbench.openFile('tens.txt');
      await rig.page.locator('.codelens-decoration').getByText('1/2').waitFor(SLOW);
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
