import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { answering, reply } from '../support/model-server/index.js';
import { inSoak } from '../support/in-soak.js';
import type { SharedWindow } from './shared-window.js';
import type { WithModel } from './with-model.js';

/** Cases for what the user chooses for a chat in VS Code’s own dialogs and lists. */
export function choices(window: SharedWindow): void {
  describe('what is chosen for a chat', () => {
    let all: WithModel;

    beforeAll(async () => {
      all = await window.take();
    });

    const list = () => all.app.page.locator('.quick-input-widget:visible');

    /** Has the model make a command. */
    async function ask(command: string): Promise<void> {
      all.server.setScript(answering(reply().toolCall('bash', { command })));
      await all.chat.send(`Do ${command}`);
    }

    it('C-15 bypassing permissions is confirmed or does not happen', async () => {
      const { app, chat } = all;
      await chat.picker('Permission mode').click();
      await chat.frame.getByRole('menuitemradio', { name: 'Bypass permissions', exact: true }).click();
      const dialog = app.workbench.dialog();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      await chat.waitForChoice('Permission mode', 'Ask before changes');
      await ask('touch bypassed');
      await chat.waitForPrompt();
      await chat.answer('Deny');
      await chat.waitForIdle();
      expect(existsSync(join(app.workspace, 'bypassed'))).toBe(false);
    });

    inSoak('integration/permission.test.ts')(
      'C-5 a rule that was allowed in a prompt is listed with the others, and one that was removed there asks again',
      async () => {
        const { app, chat } = all;
        await ask('mkdir -p made/one');
        await chat.waitForPrompt();
        await chat.openRules();
        await chat.offerRules('Bash(mkdir:*)');
        await chat.remember();
        await chat.waitForIdle();
        expect(existsSync(join(app.workspace, 'made/one'))).toBe(true);
        await app.workbench.runCommand('Gnomon: Manage Permissions');
        const rule = list().locator('.monaco-list-row').filter({ hasText: 'Bash(mkdir:*)' });
        await rule.waitFor();
        expect(await rule.innerText()).toContain('this chat');
        await rule.hover();
        await rule.getByRole('button', { name: 'Remove Rule' }).click();
        // The list is closed, and shown again without the rule.
        await list()
          .filter({ hasText: 'Add Rule…' })
          .filter({ hasNot: app.page.locator('.monaco-list-row').filter({ hasText: 'Bash(mkdir:*)' }) })
          .waitFor();
        await app.page.keyboard.press('Escape');
        await list().waitFor({ state: 'hidden' });
        await ask('mkdir -p made/five');
        await chat.waitForPrompt();
        await chat.answer('Deny');
        await chat.waitForIdle();
        expect(existsSync(join(app.workspace, 'made/five'))).toBe(false);
      },
    );

    it('R-12, R-14b … R-17: a model is chosen for a task and seen before it is sent, by keyboard; what kind it is can be corrected, and the choice given back', async () => {
      const { app, chat, server } = all;
      const words = 'Fix the crash: TypeError: cannot read properties of undefined';
      const proposal = chat.frame.getByRole('group', { name: 'Model of the message' });
      const proposed = (): Promise<string> => proposal.locator('b').innerText();
      const press = (key: string): Promise<void> => app.page.keyboard.press(key);
      server.setScript(() => reply().text('It was undefined.'));
      await chat.select('Model', 'Auto');
      await chat.message.fill(words);
      await chat.message.press('Enter');
      await proposal.getByText('about $').waitFor();
      const first = await proposed();
      await press('Tab');
      await expect.poll(proposed).not.toBe(first);
      await press('Escape');
      await proposal.waitFor({ state: 'detached' });
      expect([await chat.message.inputValue(), server.requests.some(({ raw }) => raw.includes('Fix the crash'))]).toEqual([words, false]);
      await chat.begin(async () => {
        await press('Enter');
        await expect.poll(proposed).toBe(first);
        // Pressed too early, it is no answer.
        await expect.poll(async () => (await press('Enter'), chat.message.inputValue())).toBe('');
      }, words);
      await chat.waitForText('It was undefined.');
      await chat.waitForIdle();
      const why = chat.frame.getByRole('button', { name: 'Why This Model?' }).last();
      await why.press('Enter');
      const chosen = chat.frame.getByRole('table').getByRole('row').filter({ hasText: 'Chosen' });
      await chosen.waitFor();
      const [name = ''] = (await chat.picker('Model', 'Auto').innerText()).split(' · ').slice(-1);
      expect([await chosen.innerText(), first]).toEqual([expect.stringContaining(name), name]);
      const models = await chat.frame.getByRole('table').getByRole('row').count();
      expect(models).toBeGreaterThan(3);
      const sent = String(server.requests.findLast(({ body }) => body.tools !== undefined)?.body.model);
      expect(sent.replaceAll('-', ' ')).toContain(name.toLowerCase().replaceAll('.', ' '));
      await why.press('Enter');
      await chat.frame.getByRole('button', { name: 'Kind of task: Debug' }).click();
      await chat.frame.getByRole('menuitemradio', { name: 'Explain' }).click();
      await chat.frame.getByRole('button', { name: 'Kind of task: Explain' }).waitFor();
      await chat.select('Model', 'Default');
      await chat.waitForChoice('Model', 'Claude Sonnet 5.5');
    });

    it('G29 another model is found by its name, shown, and asked next', async () => {
      const { app, chat, server } = all;
      await app.workbench.runCommand('Gnomon: Select Model');
      // By its own words: the command palette has the same input a moment before.
      await list().getByPlaceholder('Select a model for this chat').fill('claude-opus-5-5');
      await list()
        .getByRole('option', { name: /^Claude Opus 5\.5/ })
        .click();
      await chat.waitForChoice('Model', 'Claude Opus 5.5');
      server.setScript(() => reply().text('This is Claude.'));
      await chat.send('Who are you?');
      await chat.waitForText('This is Claude.');
      await chat.waitForIdle();
      expect(server.requests.at(-1)?.body.model).toBe('claude-opus-5-5');
    });
  });
}
