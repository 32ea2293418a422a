import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reply } from '../support/model-server/index.js';
import type { Chat } from './chat.js';
import type { WithModel } from './with-model.js';
import { answering, startWithModel, toolResults } from './with-model.js';

/** Commands that make a file in ways that a look at the first word does not see, by row of the safety table. */
const HIDDEN: readonly (readonly [row: string, command: string])[] = [
  ['cmd-01', 'ls; touch PWN'],
  ['cmd-02', 'ls | tee PWN'],
  ['cmd-03', 'ls & touch PWN'],
  ['cmd-04', 'ls #x\ntouch PWN'],
  ['cmd-05', 'echo "$(touch PWN)"'],
  ['cmd-07', 'cat <(touch PWN)'],
  ['cmd-08', 'echo ${x:=$(touch PWN)}'],
  ['cmd-09', 'echo $((a[$(touch PWN)0]))'],
  ['cmd-11', 'cat <<EOF\n$(touch PWN)\nEOF'],
  ['cmd-12', 'find . -maxdepth 0 -exec touch PWN \\;'],
  ['cmd-13', 'find . -maxdepth 0 -ex\\ec touch PWN \\;'],
  ['cmd-14', "git -c alias.x='!touch PWN' x"],
  ['cmd-16', "sed '1e touch PWN' README.md"],
  ['cmd-17', `awk 'BEGIN{system("touch PWN")}'`],
  ['cmd-20', "PATH=.:$PATH ls; touch PWN"],
  ['cmd-23', '{touch,PWN}'],
  ['cmd-24', 'ls | xargs -n1 -I{} touch PWN'],
  ['cmd-26', 'ls > PWN'],
  ['cmd-27', 'cd src && echo x > ../PWN'],
];
const CONTROLS = ['ls -la', 'echo "a; b && c"', 'grep -n "\\$(x)" README.md', "cat <<'EOF'\n$(touch PWN)\nEOF", 'cat README.md | sort | uniq'];

describe('permission', () => {
  let all: WithModel;
  let chat: Chat;

  beforeAll(async () => {
    all = await startWithModel({
      'gnomon.permissions.allow': ['ls', 'cat', 'echo', 'find', 'sort', 'uniq', 'sed', 'grep', 'awk'].map((head) => `Bash(${head}:*)`),
      'gnomon.permissions.deny': ['Bash(curl:*)'],
    });
    chat = all.chat;
  });
  beforeEach(() => chat.newSession());
  afterAll(() => all.stop());

  function isThere(name: string): Promise<boolean> {
    return access(join(all.app.workspace, name)).then(
      () => true,
      () => false,
    );
  }

  it('cmd-01 to cmd-27: asks about what allowed words hide, and nothing runs before the answer', async () => {
    all.server.setScript(answering(HIDDEN.reduce((answer, [, command]) => answer.toolCall('bash', { command }), reply())));
    await chat.send('Do as you like');
    for (const [row, command] of HIDDEN) {
      const shown = await chat.waitForPrompt();
      expect(shown.replaceAll(/\s+/g, ' '), row).toContain((command.split('\n').at(-1) ?? '').replaceAll(/\s+/g, ' '));
      expect(await isThere('PWN'), row).toBe(false);
      await chat.answer('Deny');
    }
    await chat.waitForIdle();
    expect(await isThere('PWN')).toBe(false);
    expect(toolResults(all.server)).toHaveLength(HIDDEN.length);
  });

  it('cmd-24 refuses a denied command behind wrappers, without asking', async () => {
    const commands = ['curl http://127.0.0.1:1/', '/usr/bin/curl http://127.0.0.1:1/', "cu''rl http://127.0.0.1:1/", 'env curl http://127.0.0.1:1/', 'ls; timeout 5 curl http://127.0.0.1:1/'];
    all.server.setScript(answering(commands.reduce((answer, command) => answer.toolCall('bash', { command }), reply())));
    await chat.send('Fetch it');
    await chat.waitForText('That was all.');
    await chat.waitForIdle();
    expect(await chat.prompt.count()).toBe(0);
    for (const result of toolResults(all.server)) expect(result).toContain('Bash(curl:*)');
  });

  it('cmd-46 runs what only reads without asking, also without any rule', async () => {
    all.server.setScript(answering(CONTROLS.reduce((answer, command) => answer.toolCall('bash', { command }), reply())));
    await chat.send('Look around');
    await chat.waitForText('That was all.');
    expect(await chat.prompt.count()).toBe(0);
    for (const result of toolResults(all.server)) expect(result).toMatch(/exit code [01] after/);
  });

  it('cmd-31 remembers an edited rule for the session: what it covers runs, what only begins like it asks', async () => {
    const commands = ['mkdir -p made/one', 'mkdir -p made/two', 'mkdirx made/three', 'mkdir made/four; touch made/PWN'];
    all.server.setScript(answering(commands.reduce((answer, command) => answer.toolCall('bash', { command }), reply())));
    await chat.send('Make folders');
    await chat.waitForPrompt();
    await chat.allowAlways({ rules: 'Bash(mkdir:*)' });
    expect(await chat.waitForPrompt()).toContain('mkdirx');
    await chat.answer('Deny');
    expect(await chat.waitForPrompt()).toContain('touch made/PWN');
    expect(await isThere('made/two')).toBe(true);
    expect(await isThere('made/four')).toBe(false);
    await chat.answer('Deny');
    await chat.waitForIdle();
  });

  it('a rule that cannot be read is refused with the reason, and the prompt stays', async () => {
    all.server.setScript(answering(reply().toolCall('bash', { command: 'touch ruled.txt' })));
    await chat.send('Touch');
    await chat.waitForPrompt();
    await chat.prompt.getByRole('button', { name: 'Always allow', exact: true }).click();
    await chat.rules.fill('/^(a+)+$/');
    await chat.prompt.getByRole('button', { name: 'Allow and remember' }).click();
    await chat.prompt.getByRole('alert').waitFor();
    expect(await isThere('ruled.txt')).toBe(false);
    await chat.answer('Deny');
    await chat.waitForIdle();
    expect(await isThere('ruled.txt')).toBe(false);
  });

  it('a rule for all workspaces is written to the person’s settings and holds in another conversation', async () => {
    all.server.setScript(answering(reply().toolCall('bash', { command: 'touch user-rule.txt' })));
    await chat.send('Touch once');
    await chat.waitForPrompt();
    await chat.allowAlways({ rules: 'Bash(touch user-rule.txt)', scope: 'All my workspaces' });
    await chat.waitForIdle();
    await chat.newSession();
    await chat.send('Touch again');
    await chat.waitForText('That was all.');
    expect(await chat.prompt.count()).toBe(0);
    // VS Code empties the file before it writes it.
    await expect.poll(() => readFile(join(all.app.dataDir, 'data', 'Machine', 'settings.json'), 'utf8'), { timeout: 30_000 }).toContain('Bash(touch user-rule.txt)');
  });

  it('a command that the person changed is what runs, and the model is told', async () => {
    all.server.setScript(answering(reply().toolCall('bash', { command: 'touch theirs.txt' })));
    await chat.send('Touch');
    await chat.waitForPrompt();
    await chat.prompt.getByRole('button', { name: 'Edit', exact: true }).click();
    await chat.prompt.getByRole('textbox', { name: /command/i }).fill('touch mine.txt');
    await chat.answer('Allow');
    await chat.waitForIdle();
    expect([await isThere('theirs.txt'), await isThere('mine.txt')]).toEqual([false, true]);
    expect(toolResults(all.server).join('')).toContain('What ran: touch mine.txt');
  });

  it('cmd-35 shows a tail behind thousands of blanks as a command of its own, and Allow waits for the end', async () => {
    const command = `ls${'\n'.repeat(5_000)}touch PWN`;
    all.server.setScript(answering(reply().toolCall('bash', { command })));
    await chat.send('List');
    expect(await chat.waitForPrompt()).toContain('touch PWN');
    const allow = chat.prompt.getByRole('button', { name: 'Allow', exact: true });
    expect(await allow.getAttribute("aria-disabled")).toBe("true");
    await chat.prompt.getByRole('button', { name: 'Show the end' }).click();
    await allow.click({ trial: true });
    await chat.answer('Deny');
    await chat.waitForIdle();
    expect(await isThere('PWN')).toBe(false);
  });

  it('conf-04 what the workspace’s settings allow does not count until the person has agreed', async () => {
    await writeFile(join(all.app.workspace, 'plain.txt'), 'x\n');
    const settings = { 'gnomon.permissions.allow': ['Bash'], 'gnomon.permissionMode': 'bypassPermissions', 'gnomon.permissions.deny': ['Bash(touch denied.txt)'] };
    await mkdir(join(all.app.workspace, '.vscode'), { recursive: true });
    await writeFile(join(all.app.workspace, '.vscode', 'settings.json'), JSON.stringify(settings));
    await all.app.page.getByText(/wants Gnomon to allow/).first().waitFor();
    await chat.newSession();
    all.server.setScript(answering(reply().toolCall('bash', { command: 'touch wanted.txt' }).toolCall('bash', { command: 'touch denied.txt' })));
    await chat.send('Touch');
    expect(await chat.waitForPrompt()).toContain('touch wanted.txt');
    await chat.answer('Deny');
    await chat.waitForIdle();
    expect(await isThere('wanted.txt')).toBe(false);
    expect(toolResults(all.server).join('')).toContain('Bash(touch denied.txt)');
  });
});
