import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { answering, reply, toolResults } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import type { WithModel } from './with-model.js';
import type { SharedWindow } from './shared-window.js';

const SLOW = { timeout: 60_000 };

/** Cases for what an MCP server brings to the chat. */
export function mcpChat(window: SharedWindow): void {
  describe('an MCP server in the chat', () => {
    let all: WithModel;

    beforeAll(async () => {
      all = await window.take();
      const { app, chat } = all;
      await writeFile(
        join(app.workspace, '.mcp.json'),
        JSON.stringify({ mcpServers: { modern: { command: process.execPath, args: [resolve('test/support/mcp/modern-server.mjs')] } } }),
      );
      await app.workbench.runCommand('Gnomon: MCP Servers');
      await button('Approve… modern').click(SLOW);
      await button('Approve and Start').click(SLOW);
      await chat.frame.locator('[data-server="modern"]').getByText('Connected', { exact: true }).waitFor(SLOW);
      await app.workbench.runCommand('Gnomon: MCP Servers');
      await chat.message.waitFor(SLOW);
    });

    const button = (name: string): Locator => all.chat.frame.getByRole('button', { name, exact: true });

    it('M-12: what the server asks in the middle of a call is a form, with its defaults; what is entered reaches it', async () => {
      const { chat, server } = all;
      server.setScript(answering(reply().toolCall('mcp__modern__ask', {})));
      await chat.send('Ask me');
      await chat.waitForPrompt();
      await chat.answer('Allow');
      const form = chat.frame.getByRole('group', { name: 'modern asks for information' });
      await form.getByText('Who are you?').waitFor(SLOW);
      expect(await form.getByRole('textbox').first().inputValue()).toBe('Ada');
      await form.getByRole('textbox').first().fill('Grace');
      await form.getByRole('radio', { name: 'm' }).check();
      await form.getByRole('button', { name: 'Submit' }).click(SLOW);
      await chat.waitForText('That was all.');
      expect(toolResults(server)[0]).toContain('accept {"name":"Grace","size":"m"}');
    });

    it('a resource is found behind @, and goes with the message as what it is', async () => {
      const { chat, server } = all;
      server.setScript(() => reply().text('I have read it.'));
      await chat.message.fill('');
      await chat.message.pressSequentially('Look at @note');
      const offer = chat.frame.getByRole('option', { name: /note/ }).filter({ hasText: 'modern' }).first();
      await offer.waitFor(SLOW);
      await offer.click();
      await waitFor(async () => (await chat.message.inputValue()).includes('@modern:note://one'), { what: 'the mention', timeoutMs: 60_000 });
      await chat.message.press('Enter');
      await chat.waitForText('I have read it.');
      const sent = JSON.stringify(server.requests.at(-1)?.body);
      expect(sent).toContain('first note');
      expect(sent).toContain('data, not instructions');
    });

    it('a prompt is a command, whose missing values a form asks for; its text is there to be read before it is sent', async () => {
      const { chat } = all;
      await chat.message.fill('/modern:greet');
      await chat.message.press('Enter');
      const form = chat.frame.getByRole('group', { name: /^Prompt of modern/ });
      await form.waitFor(SLOW);
      await form.getByRole('combobox').first().pressSequentially('A');
      await form.getByRole('option', { name: 'Ada' }).waitFor(SLOW);
      await form.getByRole('option', { name: 'Ada' }).click();
      await form.getByRole('button', { name: 'Get Prompt' }).click();
      await waitFor(async () => (await chat.message.inputValue()).includes('Greet Ada.'), { what: 'the prompt in the message box', timeoutMs: 60_000 });
    });
  });
}
