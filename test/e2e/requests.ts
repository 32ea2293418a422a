import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { answering, reply } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import { KEY } from './app.js';
import type { WithModel } from './with-model.js';
import type { SharedWindow } from './shared-window.js';

const SLOW = { timeout: 60_000 };

/** Cases for the requests of a window, which has sent none before. */
export function requests(window: SharedWindow): void {
  describe('the requests to models', () => {
    let all: WithModel;

    beforeAll(async () => {
      all = await window.take();
    });

    const show = (): Promise<void> => all.app.workbench.runCommand('Gnomon: Show Requests');
    const rows = (): Locator => all.app.page.locator('.quick-input-widget .monaco-list-row');
    const tab = (name: string): Locator => all.app.page.locator(`.tab.active[data-resource-name="${name}"]`);
    const action = (name: string): Locator => all.app.page.locator('.editor-actions').getByRole('button', { name, exact: true });
    const clipboard = (): Promise<string> => all.app.page.evaluate(() => navigator.clipboard.readText());

    /** What a person copies who selects all of the active editor. */
    async function text(name: string): Promise<string> {
      await tab(name).waitFor(SLOW);
      const lines = all.app.page.locator(`.editor-group-container.active .monaco-editor[data-uri$="/${name}"] .view-line`);
      await lines.first().click(SLOW);
      await all.app.page.evaluate(() => navigator.clipboard.writeText(''));
      await all.app.page.keyboard.press('Control+a');
      await all.app.page.keyboard.press('Control+c');
      return waitFor(async () => (await clipboard()) || undefined, { what: 'the text of the editor', timeoutMs: 60_000 });
    }

    async function copied(button: string): Promise<string> {
      await all.app.page.evaluate(() => navigator.clipboard.writeText(''));
      await action(button).click(SLOW);
      return waitFor(async () => (await clipboard()) || undefined, { what: 'what was copied', timeoutMs: 60_000 });
    }

    it('are none before the first message', async () => {
      await show();
      await all.app.workbench.notification('No requests have been sent to a model in this window yet.');
      await all.app.workbench.clearNotifications();
    });

    it('are shown exactly as they were sent, formatted, compared, and copied, without the key', async () => {
      const { app, chat, server } = all;
      server.setScript(answering(reply().toolCall('read', { file_path: 'package.json' })));
      await chat.send('Say \u202E\u200Bhidden “words” and it’s ä 😀');
      await chat.waitForText('That was all.');
      await chat.waitForIdle();
      const [first, second] = server.requests;
      for (const fact of ['<environment>', 'Date: ', 'Permission mode: default', 'Contents: ', 'package.json'])
        expect(JSON.stringify(first?.body.messages[0]?.content)).toContain(fact);
      await show();
      await rows().filter({ hasText: 'status 200' }).nth(1).waitFor(SLOW);
      expect(await rows().count()).toBe(2);
      await app.page.keyboard.press('Enter');
      const shown = await text('request-2.jsonc');
      expect(shown.endsWith(`\n${second?.raw ?? '?'}`)).toBe(true);
      for (const part of [`// POST ${server.url}/v1/messages`, '// x-api-key: ‹redacted: 6 characters›', 'status 200 after', 'System prompt'])
        expect(shown).toContain(part);
      expect(shown).not.toContain(KEY);
      expect(await copied('Copy Body')).toBe(second?.raw);
      const command = await copied('Copy as curl');
      expect(command).toContain(`--header 'x-api-key: '"$ANTHROPIC_API_KEY"`);
      expect(command).not.toContain(KEY);
      await action('Show Formatted').click();
      const formatted = JSON.stringify(JSON.parse(second?.raw ?? ''), null, 2);
      expect((await text('request-2-formatted.jsonc')).endsWith(`\n${formatted}`)).toBe(true);
      await action('Show as Sent').click();
      await tab('request-2.jsonc').waitFor(SLOW);
      await action('Compare with Request Before').click();
      const sides = app.page.locator('.editor-group-container.active .monaco-diff-editor');
      await sides.locator('.editor.original[data-uri$="/request-1-body.json"], .editor.original [data-uri$="/request-1-body.json"]').first().waitFor(SLOW);
      await app.page.getByRole('tab', { name: 'Request 1 ↔ Request 2' }).first().waitFor(SLOW);
      expect(first?.raw).not.toBe(second?.raw);
    });

    it('are in the menu of the chat', async () => {
      await all.chat.act('Show Requests');
      await rows().first().waitFor(SLOW);
      await all.app.page.keyboard.press('Escape');
    });
  });
}
