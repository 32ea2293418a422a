import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { answering, reply, toolResults } from '../support/model-server/index.js';
import { bringClaudeFiles } from './claude-files.js';
import { ConfigurationPane } from './configuration-pane.js';
import type { SharedWindow } from './shared-window.js';
import { says } from '../support/wording.js';
import type { WithModel } from './with-model.js';

/** What the workspace of this window wants to allow, beside the repository. */
const RULES_OF_WORKSPACE = 'Bash(touch allowed.txt)';

const SLOW = { timeout: 60_000 };

/** Cases for a repository with everything that Claude Code has, in a window in which the workspace is not trusted; the second one trusts it. */
export function repository(window: SharedWindow): void {
  describe('a repository with everything that Claude Code has', () => {
    let all: WithModel;

    beforeAll(async () => {
      all = await window.take();
      await bringClaudeFiles(all.app.workspace);
    });

    const sent = (): string => JSON.stringify(all.server.requests.at(-1)?.body);
    const canaries = (): Promise<readonly string[]> =>
      Promise.all(
        ['canary-hook.txt', 'canary-server.txt', 'canary-agent.txt', 'canary-allowed.txt'].map((name) =>
          access(join(all.app.workspace, name)).then(
            () => [name],
            () => [],
          ),
        ),
      ).then((found) => found.flat());

    it('S-03 conf-01: opened without trust, nothing of it runs or is told to the model; what it denies is denied, and the list says what waits', async () => {
      const { app, chat, server } = all;
      server.setScript(answering(reply().toolCall('read', { file_path: 'private/secret.txt' })));
      await chat.send('Look at it');
      await chat.waitForIdle();
      expect(toolResults(server)[0]).toContain('Read(private/**)');
      for (const text of ['You audit', 'Writes release notes', 'collector.example', 'You answer in five words', 'claude-opus'])
        expect(sent()).not.toContain(text);
      const pane = new ConfigurationPane(app);
      await pane.show();
      await pane.page.getByText('This workspace is not trusted').waitFor(SLOW);
      await pane.expandSection('Settings files');
      const file = await pane.expandRow('.claude/settings.json');
      await file.getByText('Refused: env').waitFor(SLOW);
      await file.getByText('Refused: permissions.defaultMode').waitFor(SLOW);
      await pane.expandSection('Hooks');
      await pane.rows('Waits for trust').nth(1).waitFor(SLOW);
      for (const [section, name] of [
        ['Agents', 'auditor'],
        ['Skills', 'notes'],
        ['Slash commands', '/state'],
        ['Output styles', 'Terse'],
      ] as const) {
        await pane.expandSection(section);
        await pane.rows(name).filter({ hasText: 'Waits for trust' }).waitFor(SLOW);
      }
      expect(await canaries()).toEqual([]);
    });

    it('S-01 S-06: trusted, its model, output style, and a stricter mode count; hooks and allow rules still wait, each for its approval', async () => {
      const { app, chat, server } = all;
      await chat.newSession();
      await chat.message.fill('Written before');
      await chat.log.getByRole('button', { name: 'Manage Workspace Trust' }).first().click();
      const editor = app.page.locator('.workspace-trust-editor');
      const trust = editor
        .locator('.workspace-trust-buttons')
        .getByRole('button', { name: /^Trust/ })
        .first();
      await trust.waitFor(SLOW);
      const pane = new ConfigurationPane(app);
      await pane.show();
      await pane.expandSection('Hooks');
      await trust.click();
      await app.workbench.notification('wait for your approval: 2');
      const notice = await app.workbench.notification(says('workspaceWantsToAllow', RULES_OF_WORKSPACE));
      await notice.getByRole('button', { name: 'Not Now' }).click();
      await pane.rows('Waits for approval').nth(1).waitFor(SLOW);
      await pane.close();
      // The chat that was empty began anew, with all that counts from now on.
      expect(await chat.message.inputValue()).toBe('Written before');
      // What its settings want of a new chat counts from now on, also of the one that is open and empty; a stricter mode does at once.
      await chat.waitForChoice('Model', 'Claude Opus');
      await chat.waitForChoice('Permission mode', 'Ask before changes');
      await writeFile(join(app.workspace, '.claude/settings.local.json'), JSON.stringify({ permissions: { defaultMode: 'plan' } }));
      await chat.waitForChoice('Permission mode', 'Plan');
      await writeFile(join(app.workspace, '.claude/settings.local.json'), JSON.stringify({ permissions: { defaultMode: 'acceptEdits' } }));
      await chat.waitForChoice('Permission mode', 'Ask before changes');
      server.setScript(answering(reply().toolCall('bash', { command: 'touch canary-allowed.txt' })));
      await chat.send('Touch it');
      await chat.waitForPrompt();
      expect(sent()).toContain('You answer in five words');
      expect(sent()).toContain('claude-opus');
      await chat.answer('Deny');
      await chat.waitForIdle();
      expect(await canaries()).toEqual([]);
    });
  });
}
