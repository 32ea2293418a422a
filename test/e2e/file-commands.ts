import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { reply } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import { ConfigurationPane } from './configuration-pane.js';
import type { WithModel } from './with-model.js';
import type { SharedWindow } from './shared-window.js';

const SLOW = { timeout: 60_000 };

const RELEASE = `---
description: Writes the notes of a release
argument-hint: "[version] [audience]"
context: fork
---

Write the notes of $1 for $2.

State: !\`node -e "console.log('state ' + 6 * 7)"\`
Rules: @RULES.txt
`;

/** Cases for slash commands that files define. */
export function fileCommands(window: SharedWindow): void {
  describe('slash commands of files', () => {
    let all: WithModel;

    beforeAll(async () => {
      all = await window.take();
    });

    async function write(path: string, text: string): Promise<void> {
      const file = join(all.app.workspace, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }

    const option = (name: string) => all.chat.frame.getByRole('listbox', { name: 'Commands', exact: true }).getByRole('option').filter({ hasText: name });
    const form = (name: string) => all.chat.frame.getByRole('group', { name: new RegExp(`^Command ${name} of `) });
    const lastBody = (): string => JSON.stringify(all.server.requests.at(-1)?.body);

    it('S-45 S-43: a new file is in the menu, with its hint, and where it is from', async () => {
      const { chat } = all;
      await chat.message.fill('/');
      await chat.frame.getByRole('option').filter({ hasText: '/help' }).waitFor(SLOW);
      await write('RULES.txt', 'Be brief, says the rule.\n');
      await write('.claude/commands/docs/release.md', RELEASE);
      await option('/docs:release').waitFor(SLOW);
      expect(await option('/docs:release').innerText()).toMatch(/\[version\] \[audience\][^]*Writes the notes of a release/);
      await chat.frame.getByRole('listbox', { name: 'Commands' }).getByText('Commands of the workspace').waitFor(SLOW);
    });

    it('S-44: what it becomes is seen before anything is sent or run; canceling gives back what was typed', async () => {
      const { chat, server } = all;
      const before = server.requests.length;
      await chat.message.fill('/docs:release 2.1 "all users"');
      await chat.message.press('Enter');
      await form('/docs:release').waitFor(SLOW);
      const text = await form('/docs:release').innerText();
      expect(text).toContain('Write the notes of 2.1 for all users.');
      expect(text).toMatch(/Runs before it is sent[^]*node -e/);
      expect(text).toMatch(/Attached files:[^]*RULES\.txt/);
      expect(text).toContain('.claude/commands/docs/release.md');
      await form('/docs:release').getByRole('button', { name: 'Cancel' }).click();
      await waitFor(async () => (await chat.message.inputValue()) === '/docs:release 2.1 "all users"', { what: 'what was typed', timeoutMs: 60_000 });
      expect(server.requests.length).toBe(before);
    });

    it('S-40 S-42 S-44: allowed, the model gets arguments, output and files, and the chat shows prompt and command', async () => {
      const { chat, server } = all;
      server.setScript(() => reply().text('Here are the notes.'));
      await chat.message.press('Enter');
      await form('/docs:release').getByRole('button', { name: 'Send' }).click(SLOW);
      await chat.waitForPrompt();
      await chat.answer('Allow');
      await chat.answers.filter({ hasText: 'Here are the notes.' }).waitFor(SLOW);
      await chat.waitForIdle();
      expect(lastBody()).toContain('Write the notes of 2.1 for all users.\\n\\nState: state 42\\nRules: @RULES.txt');
      expect(lastBody()).toContain('Be brief, says the rule.');
      expect(lastBody()).toContain('The user ran the slash command /docs:release (.claude/commands/docs/release.md) with the arguments: 2.1 \\"all users\\".');
      const mine = await chat.mine.last().innerText();
      expect(mine).toContain('State: state 42');
      expect(mine).toContain('/docs:release 2.1 "all users"');
    });

    it('S-34: what it names runs without asking once the user allows it, and asks again in the next turn', async () => {
      const { chat, server } = all;
      await write('tidy.mjs', "console.log('tidy ' + 6 * 7);\n");
      await write('.claude/commands/tidy.md', '---\nallowed-tools: Bash(node tidy.mjs:*), Bash\n---\nState: !`node tidy.mjs`\n');
      await chat.message.fill('/tid');
      await option('/tidy').waitFor(SLOW);
      await chat.message.press('Enter');
      await form('/tidy').waitFor(SLOW);
      expect(await form('/tidy').innerText()).toMatch(
        /Would run without asking in this turn:\s*Bash\(node tidy\.mjs:\*\)\s*Never allowed:\s*Bash would allow everything/,
      );
      await form('/tidy')
        .getByRole('checkbox', { name: /^Allow this/ })
        .check();
      const calls = [
        reply().toolCall('bash', { command: 'node tidy.mjs' }),
        reply().text('All is tidy.'),
        reply().toolCall('bash', { command: 'node tidy.mjs' }),
      ];
      server.setScript(() => calls.shift() ?? reply().text('Not again.'));
      await form('/tidy').getByRole('button', { name: 'Send' }).click();
      await chat.answers.filter({ hasText: 'All is tidy.' }).waitFor(SLOW);
      await chat.waitForIdle();
      expect(lastBody()).toContain('State: tidy 42');
      await chat.message.fill('Once more');
      await chat.message.press('Enter');
      expect(await chat.waitForPrompt()).toContain('node tidy.mjs');
      await chat.answer('Deny');
      await chat.answers.filter({ hasText: 'Not again.' }).waitFor(SLOW);
      await chat.waitForIdle();
      await write('.claude/commands/tidy.md', '---\nallowed-tools: Bash(node tidy.mjs:*), Bash\n---\nChanged.\n');
      await chat.message.press('ArrowUp');
      await chat.message.press('ArrowUp');
      await waitFor(async () => (await chat.message.inputValue()) === '/tidy', { what: 'the command as it was typed', timeoutMs: 60_000 });
      await chat.message.press('Enter');
      await form('/tidy').getByText('This has changed since you approved it.').waitFor(SLOW);
      expect(await form('/tidy').getByRole('checkbox').isChecked()).toBe(false);
      await form('/tidy').getByRole('button', { name: 'Cancel' }).click();
      await chat.message.fill('');
    });

    it('S-40: what became of the fields of a file is in the list of what is configured', async () => {
      const { app } = all;
      const pane = new ConfigurationPane(app);
      await pane.show();
      await pane.expandSection('Slash commands');
      const command = await pane.expandRow('/docs:release');
      await command.getByText(/Ignored: context/).waitFor(SLOW);
      await pane.close();
    });

    it('S-45: a file that is renamed or deleted changes the menu', async () => {
      const { chat, app } = all;
      await chat.message.fill('/');
      await option('/docs:release').waitFor(SLOW);
      await rename(join(app.workspace, '.claude/commands/docs/release.md'), join(app.workspace, '.claude/commands/docs/notes.md'));
      await option('/docs:notes').waitFor(SLOW);
      await option('/docs:release').waitFor({ state: 'detached', ...SLOW });
      await rm(join(app.workspace, '.claude/commands/docs'), { recursive: true });
      await option('/docs:notes').waitFor({ state: 'detached', ...SLOW });
      await chat.message.fill('');
    });
  });
}
