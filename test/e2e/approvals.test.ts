import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reply } from '../support/model-server/index.js';
import type { Chat } from './chat.js';
import { type WithModel, answering, startWithModel, toolResults } from './with-model.js';
import { says } from '../support/wording.js';

/** What a person does not see in a command, and how the prompt shows it. */
const INVISIBLE = { '\u202E': '\\u202E', '\u200B': '\\u200B', '\u{E0041}': '\\u{E0041}', '\u00A0': '\\u00A0' };
/** Commands that make a file in ways that a look at the first word does not see, by row of the safety table. */
const HIDDEN: readonly (readonly [row: string, command: string])[] = [
  ['cmd-01', 'ls; touch PWN'],
  ['cmd-05', 'echo "$(touch PWN)"'],
  ['cmd-11', 'cat <<EOF\n$(touch PWN)\nEOF'],
  ['cmd-12', 'find . -maxdepth 0 -exec touch PWN \\;'],
  ['cmd-17', `awk 'BEGIN{system("touch PWN")}'`],
  ['cmd-26', 'ls > PWN'],
];
const DENIED = ['curl http://127.0.0.1:1/', "cu''rl http://127.0.0.1:1/", 'env curl http://127.0.0.1:1/', 'ls; timeout 5 curl http://127.0.0.1:1/'];
const HARMLESS = ['ls -la', 'echo "a; b && c"', 'grep -n "\\$(x)" README.md', "cat <<'EOF'\n$(touch PWN)\nEOF", 'cat README.md | sort | uniq'];

describe('approvals', () => {
  let all: WithModel;
  let chat: Chat;

  beforeAll(async () => {
    all = await startWithModel({
      'gnomon.permissions.allow': ['ls', 'cat', 'echo', 'find', 'awk'].map((head) => `Bash(${head}:*)`),
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

  /** Asks for something, for which the model makes some commands. */
  async function ask(words: string, ...commands: readonly string[]): Promise<void> {
    all.server.setScript(answering(commands.reduce((answer, command) => answer.toolCall('bash', { command }), reply())));
    await chat.send(words);
  }

  it('cmd-01 to cmd-36: are asked for what allowed words hide, each hidden character shown, and nothing runs before the answer', async () => {
    const unseen = `echo hi ${Object.keys(INVISIBLE).join('x')}; touch PWN`;
    await ask('Do as you like', ...HIDDEN.map(([, command]) => command), unseen);
    for (const [row, command] of HIDDEN) {
      const shown = await chat.waitForPrompt();
      expect(shown.replaceAll(/\s+/g, ' '), row).toContain((command.split('\n').at(-1) ?? '').replaceAll(/\s+/g, ' '));
      expect(await isThere('PWN'), row).toBe(false);
      await chat.answer('Deny');
    }
    const shown = await chat.waitForPrompt();
    for (const [char, escape] of Object.entries(INVISIBLE)) {
      expect(shown).toContain(escape);
      expect(shown).not.toContain(char);
    }
    expect(shown).toContain('touch PWN');
    expect(shown).toMatch(/invisible/);
    expect(await chat.prompt.getByRole('button', { name: /Always allow/i }).count()).toBe(0);
    await chat.answer('Deny');
    await chat.waitForIdle();
    expect(await isThere('PWN')).toBe(false);
    expect(toolResults(all.server)).toHaveLength(HIDDEN.length + 1);
  });

  it('cmd-24 cmd-46 are not asked for what only reads, which runs, nor for a denied command behind wrappers, which does not', async () => {
    await ask('Look around', ...HARMLESS, ...DENIED);
    await chat.waitForText('That was all.');
    await chat.waitForIdle();
    expect(await chat.prompt.count()).toBe(0);
    const results = toolResults(all.server);
    expect(results).toHaveLength(HARMLESS.length + DENIED.length);
    for (const result of results.slice(0, HARMLESS.length)) expect(result).toMatch(/exit code [01] after/);
    for (const result of results.slice(HARMLESS.length)) expect(result).toContain('Bash(curl:*)');
  });

  it('cmd-31 C-5 a rule of the session covers what it says and no more; one that cannot be read is refused, and one that was removed asks again', async () => {
    const { workbench, page } = all.app;
    await ask('Make folders', 'mkdir -p made/one', 'mkdir -p made/two', 'mkdirx made/three', 'mkdir made/four; touch made/PWN');
    await chat.waitForPrompt();
    await chat.openRules();
    await chat.offerRules('/^(a+)+$/');
    await chat.prompt.getByRole('button', { name: 'Always Allow', exact: true }).click();
    await chat.prompt.getByRole('alert').filter({ hasNotText: 'You changed the rules' }).waitFor();
    await chat.offerRules('Bash(mkdir:*)');
    expect(await isThere('made')).toBe(false);
    await chat.remember();
    expect(await chat.waitForPrompt()).toContain('mkdirx');
    await chat.answer('Deny');
    expect(await chat.waitForPrompt()).toContain('touch made/PWN');
    expect(await isThere('made/two')).toBe(true);
    expect(await isThere('made/four')).toBe(false);
    await chat.answer('Deny');
    await chat.waitForIdle();
    await workbench.runCommand('Gnomon: Manage Permissions');
    const rule = page.locator('.quick-input-widget .monaco-list-row').filter({ hasText: 'Bash(mkdir:*)' });
    await rule.waitFor();
    expect(await rule.innerText()).toContain('this chat');
    await workbench.screenshot('manage-permissions');
    await rule.hover();
    await rule.getByRole('button', { name: 'Remove Rule' }).click();
    // The list is closed, and shown again without the rule.
    const list = page.locator('.quick-input-widget:visible').filter({ hasText: 'Add Rule…' });
    await list.filter({ hasNot: page.locator('.monaco-list-row').filter({ hasText: 'Bash(mkdir:*)' }) }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    await ask('One more', 'mkdir -p made/five');
    await chat.waitForPrompt();
    await chat.answer('Deny');
    await chat.waitForIdle();
    expect(await isThere('made/five')).toBe(false);
  });

  it('cmd-43 of several calls only the one that was allowed runs, as the person changed it, and the model is told', async () => {
    await ask('Three at once', 'touch one.txt', 'touch two.txt', 'touch three.txt');
    for (const name of ['one', 'two', 'three']) {
      expect(await chat.waitForPrompt()).toContain(`touch ${name}.txt`);
      expect(await chat.prompt.count()).toBe(1);
      expect(await isThere(`${name}.txt`)).toBe(false);
      if (name === 'two') {
        await chat.prompt.getByRole('button', { name: 'Edit', exact: true }).click();
        await chat.prompt.getByRole('textbox', { name: /command/i }).fill('touch mine.txt');
        await chat.answer('Allow');
        expect(await chat.waitForPrompt()).toContain(says('proposalChanged'));
        expect(await isThere('mine.txt')).toBe(false);
      }
      await chat.answer(name === 'two' ? 'Allow' : 'Deny');
    }
    await chat.waitForIdle();
    expect(await Promise.all(['one.txt', 'two.txt', 'mine.txt', 'three.txt'].map(isThere))).toEqual([false, false, true, false]);
    const results = toolResults(all.server);
    expect(results.map((result) => result.includes('exit code 0'))).toEqual([false, true, false]);
    expect(results[1]).toContain('What ran: touch mine.txt');
  });

  it('cmd-35 show a tail behind thousands of blanks as a command of its own, and Allow waits for the end', async () => {
    await ask('List', `ls${'\n'.repeat(5_000)}touch PWN`);
    expect(await chat.waitForPrompt()).toContain('touch PWN');
    const allow = chat.prompt.getByRole('button', { name: 'Allow', exact: true });
    expect(await allow.getAttribute('aria-disabled')).toBe('true');
    await chat.prompt.getByRole('button', { name: 'Scroll to End' }).click();
    await allow.click({ trial: true });
    await chat.answer('Deny');
    await chat.waitForIdle();
    expect(await isThere('PWN')).toBe(false);
  });

  it('C-15 follow the mode: bypassing is confirmed or does not happen, “Ask always” asks before a read, “Plan” refuses without asking', async () => {
    await chat.picker('Permission mode').click();
    await chat.frame.getByRole('menuitemradio', { name: 'Bypass permissions', exact: true }).click();
    const dialog = all.app.workbench.dialog();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await chat.waitForChoice('Permission mode', 'Ask before changes');
    await ask('Bypass', 'touch bypassed');
    await chat.waitForPrompt();
    await chat.answer('Deny');
    await chat.waitForIdle();
    expect(await isThere('bypassed')).toBe(false);
    await chat.selectMode('Always ask');
    all.server.setScript(answering(reply().toolCall('read', { file_path: 'README.md' })));
    await chat.send('Read');
    expect(await chat.waitForPrompt()).toContain('README.md');
    await chat.answer('Allow');
    await chat.waitForIdle();
    await chat.selectMode('Plan');
    const readme = await all.app.read('README.md');
    all.server.setScript(
      answering(reply().toolCall('write', { file_path: 'README.md', content: 'Mine\n' }).toolCall('bash', { command: 'touch planned' }), 'So it is planned.'),
    );
    await chat.send('Plan');
    await chat.waitForText('So it is planned.');
    await chat.waitForIdle();
    expect(await chat.prompt.count()).toBe(0);
    expect([await all.app.read('README.md'), await isThere('planned')]).toEqual([readme, false]);
    // The mode is that of the conversation alone.
    await chat.newSession();
    await chat.waitForChoice('Permission mode', 'Ask before changes');
  });
});
