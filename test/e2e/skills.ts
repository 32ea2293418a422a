import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { lastToolResults, type RecordedRequest, type Reply, reply, toolResults } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import { inSoak } from '../support/in-soak.js';
import { ConfigurationPane } from './configuration-pane.js';
import type { WithModel } from './with-model.js';
import type { SharedWindow } from './shared-window.js';

const SLOW = { timeout: 60_000 };
const BODY = 'Read references/style.md, then write one line for each change.';
const STYLE = 'Always write in the past tense.';

const skill = (name: string, description: string, more = ''): string => `---\nname: ${name}\ndescription: ${description}\n${more}---\n\n${BODY}\n`;

async function write(path: string, text: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, text);
}

/** Answers one after another to a message, each to the results of the one before, and a last word. */
function inTurn(...answers: readonly Reply[]): (request: RecordedRequest) => Reply {
  let next = 0;
  return () => answers[next++] ?? reply().text('That was all.');
}

const sent = ({ server }: WithModel, at = -1): string => JSON.stringify(server.requests.at(at)?.body);

/** Cases for skills. */
export function skills(window: SharedWindow): void {
  describe('skills of the user and of the workspace', () => {
    let all: WithModel;
    let own: string;

    beforeAll(async () => {
      all = await window.take();
      own = join(all.app.dataDir, 'home', '.claude', 'skills');
      await write(join(own, 'notes', 'SKILL.md'), skill('notes', 'Writes release notes. Use for change logs.', 'argument-hint: "[version]"\n'));
      await write(join(own, 'notes', 'references', 'style.md'), `${STYLE}\n`);
      await write(join(own, 'private.md'), 'Nobody should read this.\n');
      await write(
        join(all.app.workspace, '.agents', 'skills', 'tests', 'SKILL.md'),
        skill('tests', 'Runs the tests of this project.', 'allowed-tools: Bash(touch:*)\n'),
      );
      await write(join(all.app.workspace, 'web', '.agents', 'skills', 'web-notes', 'SKILL.md'), skill('web-notes', 'Knows the web folder.'));
      await write(join(all.app.workspace, '.claude', 'skills', 'broken', 'SKILL.md'), '---\nname: broken\n---\n\nNothing says when to use it.\n');
    });

    const input = () => all.app.page.locator('.quick-input-widget');
    const rows = () => input().locator('.monaco-list-row');

    it('S-31 S-35: the model learns of them, loads one of the user, and reads a file of it without a question', async () => {
      const { chat, server } = all;
      const style = join(own, 'notes', 'references', 'style.md');
      const from = server.requests.length;
      server.setScript(inTurn(reply().toolCall('skill', { skill: 'notes' }), reply().toolCall('read', { file_path: style })));
      await chat.send('Write the release notes');
      await chat.waitForIdle();
      expect(server.requests).toHaveLength(from + 3);
      expect(sent(all, from)).toContain('- notes: Writes release notes. Use for change logs.');
      expect(sent(all, from)).toContain('- tests: Runs the tests of this project.');
      expect(sent(all, from)).not.toContain('broken');
      expect([0, 1, 2].map((at) => sent(all, from + at).includes(BODY))).toEqual([false, true, true]);
      expect(toolResults(server)[0]).toContain(STYLE);
      expect(sent(all, from + 1)).toContain('- references/style.md');
      await chat.frame.getByText('Loaded the skill notes').first().waitFor(SLOW);
    });

    it('S-34: allowed-tools of a skill of the workspace that is not approved lifts no question', async () => {
      const { chat, server } = all;
      server.setScript(inTurn(reply().toolCall('skill', { skill: 'tests' }), reply().toolCall('bash', { command: 'touch canary.txt' })));
      await chat.send('Run the tests');
      expect(await chat.waitForPrompt()).toContain('touch canary.txt');
      await chat.answer('Deny');
      await chat.waitForIdle();
    });

    it('S-32: the user activates one with a slash, the same text goes to the model, and only once', async () => {
      const { app, chat, server } = all;
      await write(
        join(app.workspace, '.agents', 'skills', 'mine', 'SKILL.md'),
        `---\nname: mine\ndescription: Only for me.\ndisable-model-invocation: true\n---\n\nDo it for $ARGUMENTS, my way.\n`,
      );
      server.setScript(inTurn());
      await waitFor(
        async () => {
          await chat.message.fill('/min');
          return (await chat.frame.getByText('Only for me.').count()) > 0;
        },
        { what: 'the new skill in the menu', timeoutMs: 60_000 },
      );
      await chat.message.fill('');
      await chat.send('/mine version 2');
      await chat.waitForIdle();
      expect(sent(all)).toContain('Do it for version 2, my way.');
      expect(sent(all)).not.toContain('- mine:');
      await chat.send('/mine version 2');
      await chat.waitForIdle();
      expect(sent(all).split('Do it for version 2, my way.')).toHaveLength(2);
      expect(sent(all)).toContain('activates the skill mine again');
    });

    it('S-30: the list says what models know, what was skipped and why, and which fields are not used', async () => {
      const { app } = all;
      await app.workbench.runCommand('Gnomon: Show Skills');
      await rows().first().waitFor(SLOW);
      const text = await input().innerText();
      expect(text).toMatch(/notes[^]*Models know it · ~\/\.claude\/skills\/notes\/SKILL\.md/);
      expect(text).toMatch(/mine[^]*Only you can activate it/);
      expect(text).toMatch(/\.claude\/skills\/broken\/SKILL\.md[^]*The skill has no “description”/);
      await rows().filter({ hasText: 'Runs the tests' }).first().click(SLOW);
      const dialog = app.workbench.dialog();
      await dialog.waitFor(SLOW);
      expect(await dialog.getByRole('button', { name: 'Review Tools…' }).count()).toBe(1);
      await dialog.getByRole('button', { name: 'Pin', exact: true }).click();
      await dialog.waitFor({ state: 'hidden', ...SLOW });
      await rows().first().waitFor(SLOW);
      await app.workbench.escape(input());
    });

    inSoak('unit/customization/hooks/bound-hooks.test.ts')(
      'S-34 H-41: its hooks, and those of a command, are listed with their places, wait for approval, and run in the chat from the use on',
      async () => {
        const { app, chat, server } = all;
        const hook = (matcher: string, words: string): string =>
          `hooks:\n  PreToolUse:\n    - matcher: ${matcher}\n      hooks:\n        - type: command\n          command: echo ${words} >&2; exit 2\n`;
        await write(join(app.workspace, '.agents', 'skills', 'quiet', 'SKILL.md'), skill('quiet', 'Keeps quiet.', hook('Glob', 'nothing is listed')));
        await write(join(app.workspace, '.claude', 'commands', 'calm.md'), `---\n${hook('Grep', 'nothing is searched')}---\n\nKeep calm.\n`);
        const look = [reply().toolCall('glob', { pattern: '*.md' }), reply().toolCall('grep', { pattern: 'parseTime' })] as const;
        server.setScript(inTurn(reply().toolCall('skill', { skill: 'quiet' }), ...look));
        await chat.send('Look before');
        await chat.waitForIdle();
        expect(sent(all)).toContain(BODY);
        expect(sent(all)).not.toMatch(/nothing is (?:listed|searched)/);
        // The files of skills and of commands are read apart.
        await app.workbench.notification('Hooks wait for your approval: 1');
        const calm = chat.frame.getByRole('group', { name: /^Command \/calm of / });
        const preview = async (): Promise<void> => {
          await chat.message.fill('/cal');
          await chat.frame.getByRole('listbox', { name: 'Commands', exact: true }).getByRole('option').filter({ hasText: '/calm' }).waitFor(SLOW);
          await chat.message.press('Enter');
        };
        await preview();
        await calm.getByText('Hooks of this file wait for your approval and do not run: 1.').waitFor(SLOW);
        await calm.getByRole('button', { name: 'Cancel' }).click();
        const pane = new ConfigurationPane(app);
        await pane.show();
        await pane.expandSection('Hooks');
        expect(await pane.decide('PreToolUse Glob', 'Approve…', 'Approve')).toContain('nothing is listed');
        await pane.rows('PreToolUse Glob').getByText('Only runs in chats that use the skill “quiet”, from then on.').first().waitFor(SLOW);
        await pane
          .rows('PreToolUse Glob')
          .getByRole('button', { name: /quiet\/SKILL\.md:\d/ })
          .first()
          .waitFor(SLOW);
        await pane.decide('PreToolUse Grep', 'Approve…', 'Approve');
        await pane.rows('PreToolUse Grep').getByText('Only runs in chats that use the command “/calm”, from then on.').first().waitFor(SLOW);
        await pane.close();
        server.setScript(inTurn(...look));
        await chat.send('Look after');
        await chat.waitForIdle();
        expect(sent(all)).toContain('nothing is listed');
        expect(sent(all)).not.toContain('nothing is searched');
        server.setScript(inTurn(look[1]));
        await preview();
        await calm.getByText('Hooks of this file run in this chat from now on: 1.').waitFor(SLOW);
        await calm.getByRole('button', { name: 'Send' }).click(SLOW);
        await waitFor(() => sent(all).includes('nothing is searched'), { what: 'the hook of the command', timeoutMs: 60_000 });
        await chat.waitForIdle();
      },
    );
  });
}

/** Cases for skills where the workspace is not trusted. */
export function skillsWithoutTrust(window: SharedWindow): void {
  describe('skills in a workspace that is not trusted', () => {
    let all: WithModel;

    beforeAll(async () => {
      all = await window.take();
    });

    it('S-34: those of the workspace are neither told nor loaded; the user’s own are', async () => {
      const { app, chat, server } = all;
      await write(join(app.dataDir, 'home', '.agents', 'skills', 'notes', 'SKILL.md'), skill('notes', 'Writes release notes.'));
      await write(join(app.workspace, '.agents', 'skills', 'canary', 'SKILL.md'), skill('canary', 'Must not be told.'));
      server.setScript(({ body }) => (lastToolResults(body).length > 0 ? reply().text('That was all.') : reply().toolCall('skill', { skill: 'canary' })));
      await chat.send('Hello');
      await chat.waitForIdle();
      expect(sent(all)).toContain('- notes: Writes release notes.');
      expect(sent(all)).not.toContain('Must not be told.');
      expect(toolResults(server)[0]).toContain('There is no skill');
    });
  });
}
