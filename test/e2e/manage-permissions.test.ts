import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reply } from '../support/model-server/index.js';
import type { Chat } from './chat.js';
import type { WithModel } from './with-model.js';
import { answering, startWithModel } from './with-model.js';

describe('rules of a session, and the mode that asks for nothing', () => {
  let all: WithModel;
  let chat: Chat;

  beforeAll(async () => {
    all = await startWithModel();
    chat = all.chat;
  });
  afterAll(() => all.stop());
  beforeEach(() => chat.newSession());

  async function run(command: string): Promise<void> {
    all.server.setScript(answering(reply().toolCall('bash', { command })));
    await chat.send(`Run ${command}`);
  }

  function isThere(name: string): Promise<boolean> {
    return access(join(all.app.workspace, name)).then(
      () => true,
      () => false,
    );
  }

  it('C-5 lists a rule of the session; once it is removed, the command asks again', async () => {
    await run('touch ruled-1');
    await chat.waitForPrompt();
    await chat.allowAlways({ rules: 'Bash(touch:*)' });
    await chat.waitForIdle();
    await run('touch ruled-2');
    await expect.poll(() => isThere('ruled-2'), { timeout: 60_000 }).toBe(true);
    await chat.waitForIdle();
    const { workbench, page } = all.app;
    await workbench.runCommand('Gnomon: Manage Permissions');
    const rule = page.locator('.quick-input-widget .monaco-list-row').filter({ hasText: 'Bash(touch:*)' });
    await rule.waitFor();
    expect(await rule.innerText()).toContain('this session');
    await workbench.screenshot('manage-permissions');
    await rule.hover();
    await rule.getByRole('button', { name: 'Remove this rule' }).click();
    // The list is closed, and shown again without the rule.
    const list = page.locator('.quick-input-widget:visible').filter({ hasText: 'Add a rule…' });
    await list.filter({ hasNot: page.locator('.monaco-list-row').filter({ hasText: 'Bash(touch:*)' }) }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    await run('touch ruled-3');
    await chat.waitForPrompt();
    await chat.answer('Deny');
    await chat.waitForIdle();
    expect(await isThere('ruled-3')).toBe(false);
  });

  it('C-15 the selector jumps back when bypassing permissions is not confirmed, and everything asks as before', async () => {
    await chat.frame.getByRole('combobox', { name: 'Permission mode' }).click();
    await chat.frame.getByRole('option', { name: 'Bypass permissions', exact: true }).click();
    const dialog = all.app.workbench.dialog();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await chat.waitForChoice('Permission mode', 'Ask before changes');
    await run('touch bypassed');
    await chat.waitForPrompt();
    await chat.answer('Deny');
    await chat.waitForIdle();
    expect(await isThere('bypassed')).toBe(false);
  });
});
