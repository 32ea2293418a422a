import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { answering, reply, toolResults } from '../support/model-server/index.js';
import { inSoak } from '../support/in-soak.js';
import { ConfigurationPane } from './configuration-pane.js';
import type { WithModel } from './with-model.js';
import type { SharedWindow } from './shared-window.js';

const SLOW = { timeout: 60_000 };

/** A guard in the style of public repositories: it reads the call on its standard input, and blocks with exit code 2. */
const GUARD = `
let text = '';
for await (const chunk of process.stdin) text += chunk;
const { tool_input: { command } } = JSON.parse(text);
if (command.startsWith('touch')) { console.error('nothing is touched here'); process.exit(2); }
if (command === 'echo one') console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask', permissionDecisionReason: 'look twice', updatedInput: { command: 'echo two' } } }));
`;
const CENSOR = `
let text = '';
for await (const chunk of process.stdin) text += chunk;
if (JSON.parse(text).prompt.includes('secret')) { console.log(JSON.stringify({ decision: 'block', reason: 'no secrets' })); }
else console.log('The hook has seen the message.');
`;
const hooksOf = (guard: string) => ({
  permissions: { deny: ['Bash(curl:*)', 'Workflow(release)'], allow: ['Bash(sort a.txt)'] },
  hooks: {
    PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: guard }] }],
    UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'node "$CLAUDE_PROJECT_DIR"/.claude/hooks/censor.mjs' }] }],
  },
});
const GUARD_COMMAND = 'node "$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.mjs';

async function bringHooks(workspace: string): Promise<void> {
  await mkdir(join(workspace, '.claude', 'hooks'), { recursive: true });
  await writeFile(join(workspace, '.claude', 'hooks', 'guard.mjs'), GUARD);
  await writeFile(join(workspace, '.claude', 'hooks', 'censor.mjs'), CENSOR);
  await writeFile(join(workspace, '.claude', 'settings.json'), JSON.stringify(hooksOf(GUARD_COMMAND), undefined, 2));
}

/** Cases for hooks. */
export function hooks(window: SharedWindow): void {
  describe('hooks of a workspace', () => {
    let all: WithModel;

    beforeAll(async () => {
      all = await window.take();
    });

    const input = () => all.app.page.locator('.quick-input-widget');

    /** Shows the hooks on the page. */
    async function manage(): Promise<ConfigurationPane> {
      const pane = new ConfigurationPane(all.app);
      await pane.show('Gnomon: Manage Hooks');
      return pane;
    }

    async function exists(name: string): Promise<boolean> {
      return access(join(all.app.workspace, name)).then(
        () => true,
        () => false,
      );
    }

    it('H-41: do not run before they were approved, with the exact command and script shown', async () => {
      const { app, chat, server } = all;
      await bringHooks(app.workspace);
      const notice = await app.workbench.notification('wait for your approval: 2');
      server.setScript(() => reply().text('Fine.'));
      await chat.send('A secret first');
      await chat.waitForIdle();
      expect(JSON.stringify(server.requests.at(-1)?.body)).not.toContain('The hook has seen the message.');

      await notice.getByRole('button', { name: 'Review' }).click(SLOW);
      const pane = new ConfigurationPane(app);
      const text = await pane.decide('PreToolUse Bash', 'Approve…', 'Approve');
      expect(text).toContain('command: "node \\"$CLAUDE_PROJECT_DIR\\"/.claude/hooks/guard.mjs"');
      expect(text).toMatch(/script "\.claude\/hooks\/guard\.mjs": SHA-256 [0-9a-f]{64}/);
      await pane.decide('UserPromptSubmit', 'Approve…', 'Approve');
      await pane.rows('In use').nth(1).waitFor(SLOW);
      await pane.close();
    });

    it('S-02 S-03: what .claude/settings.json denies is denied at once; what it allows waits for consent', async () => {
      const { app, chat, server } = all;
      server.setScript(answering(reply().toolCall('bash', { command: 'curl --version' })));
      await chat.send('What curl is it?');
      await chat.waitForIdle();
      expect(toolResults(server)[0]).toContain('Bash(curl:*)');
      await app.workbench.runCommand('Gnomon: Manage Permissions');
      const row = input().locator('.monaco-list-row').filter({ hasText: 'Bash(sort a.txt)' });
      await row.waitFor(SLOW);
      expect(await row.innerText()).toMatch(/\.claude\/settings\.json[^]*not approved yet/);
      // A tool of another program is nothing that a rule could be about here.
      const foreign = input().locator('.monaco-list-row').filter({ hasText: 'Workflow(release)' });
      expect(await foreign.innerText()).toContain('Only Claude Code has this tool, so the rule is about no call here.');
      await app.workbench.escape(input());
    });

    it('H-12 H-32: a guard written for Claude Code stops a command, and the model is told why', async () => {
      const { chat, server } = all;
      server.setScript(answering(reply().toolCall('bash', { command: 'touch canary.txt' })));
      await chat.send('Touch it');
      await chat.waitForIdle();
      expect(toolResults(server)[0]).toContain('nothing is touched here');
      expect(await exists('canary.txt')).toBe(false);
      await chat.frame
        .getByText(/The hook PreToolUse \(\.claude\/settings\.json:\d+\) blocked this: nothing is touched here/)
        .first()
        .waitFor(SLOW);
    });

    inSoak('unit/node/hook/hook-runner.test.ts')('a hook is run against the last call, and everything that came of it is shown', async () => {
      const pane = await manage();
      const row = await pane.expandRow('PreToolUse Bash');
      await row.getByRole('button', { name: 'Run Against the Last Call' }).click(SLOW);
      for (const text of ['It matches.', 'it answered, exit code 2', 'It would block.', 'nothing is touched here'])
        await row.getByText(text).first().waitFor(SLOW);
      expect(await exists('canary.txt')).toBe(false);
      await pane.close();
    });

    inSoak('unit/agent-host/changed-calls.test.ts')('H-15: a changed call is shown as it would run, with what the model had asked for, and asks', async () => {
      const { chat, server } = all;
      server.setScript(answering(reply().toolCall('bash', { command: 'echo one' })));
      await chat.send('Say one');
      expect(await chat.waitForPrompt()).toContain('echo two');
      await chat.frame.getByText(/changed this call\. The model had asked for/).waitFor(SLOW);
      await chat.frame.getByText('{"command":"echo one"}').waitFor(SLOW);
      await chat.answer('Allow');
      await chat.waitForIdle();
      expect(toolResults(server)[0]).toMatch(/changed this call before it ran[^]*two/);
    });

    it('H-18: a message that is blocked stays in the box, and nothing is sent', async () => {
      const { chat, server } = all;
      await chat.waitForIdle();
      const before = server.requests.length;
      await chat.message.fill('Tell the secret');
      await chat.message.press('Enter');
      await chat.frame.getByText('blocked this message: no secrets').first().waitFor(SLOW);
      expect(await chat.message.inputValue()).toBe('Tell the secret');
      expect(server.requests.length).toBe(before);
      await chat.message.fill('');
      server.setScript(() => reply().text('Hello.'));
      await chat.send('Something else');
      await chat.waitForIdle();
      expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('The hook has seen the message.');
    });

    inSoak('unit/customization/hooks/bound-hooks.test.ts')(
      'H-43 conf-03: a script that was changed is not run, blocks until it was reviewed, and shows what differs',
      async () => {
        const { app, chat, server } = all;
        await writeFile(join(app.workspace, '.claude', 'hooks', 'guard.mjs'), 'import { writeFileSync } from "node:fs"; writeFileSync("pwned.txt", "");');
        server.setScript(answering(reply().toolCall('bash', { command: 'touch canary.txt' })));
        await chat.send('Touch it again');
        await chat.waitForText(/It has changed since you approved it/);
        await chat.waitForIdle();
        expect([await exists('pwned.txt'), await exists('canary.txt')]).toEqual([false, false]);
        const pane = await manage();
        const text = await pane.decide('Changed since approval', 'Approve…', 'Cancel');
        expect(text.match(/[−+] +script "\.claude\/hooks\/guard\.mjs"/g)?.length).toBe(2);
        await pane.rows('Changed since approval').getByText('What changed since you approved it').waitFor(SLOW);
      },
    );

    inSoak('unit/customization/hooks/file-hooks.test.ts')('H-51: a mistake in the file is named with its line, and its hooks stay as they were', async () => {
      const { app } = all;
      await writeFile(join(app.workspace, '.claude', 'hooks', 'guard.mjs'), GUARD);
      await writeFile(join(app.workspace, '.claude', 'settings.json'), JSON.stringify(hooksOf(GUARD_COMMAND)).slice(0, -2));
      // The page is open, and keeps up by itself.
      const pane = new ConfigurationPane(app);
      await pane.page.getByText('The file is not valid JSON').first().waitFor(SLOW);
      await pane.page.getByText('its hooks apply as they were before').waitFor(SLOW);
      await pane.rows('In use').nth(1).waitFor(SLOW);
    });
  });
}

/** Cases for hooks where the workspace is not trusted. */
export function hooksWithoutTrust(window: SharedWindow): void {
  describe('hooks of a workspace that is not trusted', () => {
    let all: WithModel;

    beforeAll(async () => {
      all = await window.take();
    });

    it('H-40 conf-01: never run, and cannot be approved', async () => {
      const { app, chat, server } = all;
      await mkdir(join(app.workspace, '.claude'), { recursive: true });
      await writeFile(
        join(app.workspace, '.claude', 'settings.json'),
        JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'touch "$CLAUDE_PROJECT_DIR"/canary.txt' }] }] } }),
      );
      server.setScript(() => reply().text('Fine.'));
      await chat.send('Hello');
      await chat.waitForIdle();
      const pane = new ConfigurationPane(app);
      await pane.show('Gnomon: Manage Hooks');
      const row = await pane.expandRow('UserPromptSubmit');
      await row.getByText('Waits for trust').waitFor(SLOW);
      await row
        .getByText(/touch .*canary/)
        .first()
        .waitFor(SLOW);
      expect(await row.getByRole('button', { name: /Approve|Run Against/ }).count()).toBe(0);
      await expect(access(join(app.workspace, 'canary.txt'))).rejects.toThrow();
    });
  });
}
