import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { answering, gate, lastToolResults, reply, resultText, toolResults } from '../support/model-server/index.js';
import type { Locator } from 'playwright-core';
import { Chat } from './chat.js';
import { ConfigurationPane } from './configuration-pane.js';
import { waitFor } from '../vscode/wait.mjs';
import { inSoak } from '../support/in-soak.js';
import type { WithModel } from './with-model.js';
import type { SharedWindow } from './shared-window.js';

const SLOW = { timeout: 60_000 };
const REVIEWER = `---
name: reviewer
description: Reviews changes for mistakes
tools: Read, Grep, Glob
model: opus
permissionMode: plan
---

You only review. Answer with a list.
`;

/** Tokens that the agents of a chat may use together, as the window is started. */
export const AGENT_TOKENS = 400_000;

/** Opens the tree of the agents of a chat. */
export async function unfoldAgents(chat: Chat): Promise<Locator> {
  const tree = chat.frame.getByRole('tree', { name: 'Agents' });
  await chat.frame.getByRole('region', { name: 'Agents' }).getByRole('button').first().click(SLOW);
  await tree.waitFor(SLOW);
  return tree;
}

/** Cases for what defines an agent in a workspace. */
export function agents(window: SharedWindow): void {
  describe('agents of a workspace', () => {
    let all: WithModel;

    beforeAll(async () => {
      all = await window.take();
    });

    const input = () => all.app.page.locator('.quick-input-widget');
    const toolsOf = (): readonly unknown[] => (all.server.requests.at(-1)?.body.tools ?? []).map((tool) => tool['name']);
    const file = (name: string): string => join(all.app.workspace, '.claude', 'agents', name);

    it('E-21: those that the model has work on parts ask in the chat, with their names; what they change is in its changes', async () => {
      const { chat, server, app } = all;
      const isPart = (body: object): boolean => JSON.stringify(body).includes('PART');
      const parts = ['explore', 'general'].map((type) => ({ description: `Try ${type}`, prompt: `PART for ${type}`, agent_type: type }));
      server.setScript(({ body }) => {
        const results = lastToolResults(body).map(resultText);
        if (!isPart(body.messages[0] ?? {})) {
          if (results.length > 0) return reply().text(`They say: ${results.join(' and ')}`);
          return parts.reduce<ReturnType<typeof reply>>((all, part) => all.toolCall('agent', part), reply().text('I ask two.'));
        }
        if (JSON.stringify(body).includes('for explore')) return reply().text('Nothing is missing.');
        return results.length > 0 ? reply().text('It is written.') : reply().toolCall('write', { file_path: 'by-an-agent.txt', content: 'written' });
      });
      await chat.send('Have it looked at');
      expect(await chat.waitForPrompt()).toMatch(/The agent general: Try general asks\s+Create by-an-agent\.txt\?/);
      await chat.frame.getByText('Agent explore: Try explore').first().waitFor(SLOW);
      await chat.answer('Allow');
      await chat.waitForIdle();
      await chat.waitForText('They say: Nothing is missing. and It is written.');
      expect(await readFile(join(app.workspace, 'by-an-agent.txt'), 'utf8')).toBe('written');
      await (await chat.unfold('Changed files')).getByText('by-an-agent.txt').first().waitFor(SLOW);
      // They are no chats.
      await chat.openHistory();
      expect(await chat.history.getByText('PART for').count()).toBe(0);
      await chat.closeHistory();
      await chat.reload();
      await chat.waitForText('They say: Nothing is missing. and It is written.');
      await chat.frame.getByText('Agent general: Try general').first().waitFor(SLOW);
    });

    it('E-30, E-34, E-65: in the background they are seen in a tree, ask while the chat is idle, are stopped, opened, and there after a reload', async () => {
      const { chat, server, app } = all;
      const names = ['asks', 'is held', 'answers'];
      const held = gate();
      server.setScript(async ({ body }) => {
        const results = lastToolResults(body).map(resultText);
        const said = JSON.stringify(body.messages[0]);
        if (!said.includes('BACKGROUND')) {
          if (results.length > 0) return reply().text('They are at work.');
          return names.reduce<ReturnType<typeof reply>>(
            (calls, name) => calls.toolCall('agent', { description: `One that ${name}`, prompt: `BACKGROUND ${name}`, background: true }),
            reply().text('I ask three.'),
          );
        }
        if (said.includes('BACKGROUND asks'))
          return results.length > 0 ? reply().text('It is there now.') : reply().toolCall('write', { file_path: 'in-background.txt', content: 'written' });
        if (said.includes('BACKGROUND is held')) await held.pass();
        return reply().text('An answer.');
      });
      await chat.newSession();
      await chat.send('Have three look');
      await chat.waitForText('They are at work.');
      // Folded, and without a turn, it is seen that one waits.
      await chat.frame.getByRole('region', { name: 'Agents' }).getByText('needs you').waitFor(SLOW);
      await app.page.locator('.statusbar').getByText('Gnomon needs you (1)').waitFor(SLOW);
      const tree = await unfoldAgents(chat);
      const row = (name: string): Locator => tree.getByRole('treeitem', { name: new RegExp(`One that ${name}`) });
      await row('asks, general, Needs you').waitFor(SLOW);
      await row('is held, general, Working').waitFor(SLOW);
      await row('answers, general, Done').waitFor(SLOW);
      await chat.answer('Allow');
      await row('asks, general, Done').waitFor(SLOW);
      expect(await readFile(join(app.workspace, 'in-background.txt'), 'utf8')).toBe('written');
      await row('is held').click(SLOW);
      await app.page.keyboard.press('Delete');
      await row('is held, general, Stopped').waitFor(SLOW);
      held.open();
      await app.page.locator('.statusbar').getByText('Gnomon', { exact: true }).waitFor(SLOW);
      await row('asks').click(SLOW);
      await app.page.keyboard.press('Enter');
      await app.page.getByRole('tab', { name: /general: One that asks/ }).waitFor(SLOW);
      const inTab = new Chat(app.workbench, 'editor tab');
      await inTab.waitForText('It is there now.');
      await inTab.waitForText('This agent works on a part of');
      server.setScript(() => reply().text('And this as well.'));
      await inTab.send('What else?');
      await inTab.waitForText('And this as well.');
      await app.workbench.closeEditors();
      await chat.reload();
      const after = await unfoldAgents(chat);
      const states = await after.getByRole('treeitem').allInnerTexts();
      expect(states.map((words) => /One that [a-z ]+, general, [A-Z]\w+/.exec(words)?.[0])).toEqual([
        'One that asks, general, Done',
        'One that is held, general, Stopped',
        'One that answers, general, Done',
      ]);
      await chat.newSession();
    });

    it('E-10: that have used up what they may use are offered to go on, with one card; raised, they do, also after a reload', async () => {
      const { chat, server, app } = all;
      const used = { input_tokens: AGENT_TOKENS + 20_000, output_tokens: 10 };
      server.setScript(({ body }) => {
        const results = lastToolResults(body).map(resultText);
        if (!JSON.stringify(body.messages[0]).includes('LIMITED')) {
          if (results.length > 0) return reply().text(`They say: ${results.join(' ')}`);
          return reply().text('I ask one.').toolCall('agent', { description: 'Read all of it', prompt: 'LIMITED' });
        }
        // Of one that goes on, the last message is not the result of its call.
        return results.length === 0 && body.messages.length === 1
          ? reply().toolCall('read', { file_path: 'src/slot.js' }).usage(used, used)
          : reply().text('Read it.');
      });
      await chat.newSession();
      await chat.send('Have it read');
      await chat.waitForText('They say: The agent failed');
      const card = chat.frame.getByRole('group', { name: 'Agents reached their token limit' });
      await card.getByText('420,010 of 400,000 tokens used · 1 agent stopped').waitFor(SLOW);
      // Nothing waits for the user.
      expect(await app.page.locator('.statusbar').getByText('Gnomon needs you').count()).toBe(0);
      await chat.reload();
      await card.getByText('420,010 of 400,000 tokens used · 1 agent stopped').waitFor(SLOW);
      await card.getByRole('button', { name: 'Raise to 800,000 tokens' }).click(SLOW);
      await card.waitFor({ state: 'detached', ...SLOW });
      const tree = await unfoldAgents(chat);
      await tree.getByRole('treeitem', { name: 'Read all of it, general, Done' }).waitFor(SLOW);
      await chat.newSession();
    });

    it('S-25: one is chosen in the composer; prompt, tools, and model change, and it is visible', async () => {
      const { chat, server, app } = all;
      await mkdir(join(app.workspace, '.claude', 'agents'), { recursive: true });
      await writeFile(file('reviewer.md'), REVIEWER);
      await writeFile(file('broken.md'), '---\nname: broken\n---\n\nNo description.\n');
      server.setScript(() => reply().text('Fine.'));
      await chat.send('Before');
      await chat.waitForIdle();
      expect(toolsOf()).toContain('bash');

      await chat.picker('Permission mode').click();
      await chat.frame.getByRole('menuitemradio', { name: 'reviewer' }).click(SLOW);
      await chat.picker('Permission mode', 'reviewer').waitFor(SLOW);
      await chat.picker('Model', 'Claude Opus').waitFor(SLOW);
      await chat.frame.getByText('The agent “reviewer” works from your next message on.').waitFor(SLOW);
      await chat.send('Review it');
      await chat.waitForIdle();
      const body = JSON.stringify(server.requests.at(-1)?.body);
      expect(body).toContain('You only review. Answer with a list.');
      expect([...toolsOf()].sort()).toEqual(['glob', 'grep', 'read']);
    });

    inSoak('unit/config/agents/read-agent.test.ts')(
      'S-22: one that cannot be used is listed with the reason, its file and line; an agent can be made, and is offered',
      async () => {
        const { app } = all;
        await app.workbench.runCommand('Gnomon: Manage Agents');
        await input().locator('.monaco-list-row').filter({ hasText: 'broken.md' }).first().waitFor(SLOW);
        await input().locator('.monaco-list-row').filter({ hasText: 'New Agent…' }).click(SLOW);
        const answer = async (words: string): Promise<void> => {
          const box = input().locator('input');
          await box.fill(words);
          await box.press('Enter');
        };
        await input().getByText('Name of the agent').waitFor(SLOW);
        await answer('tester');
        await input().getByText('What it is for').waitFor(SLOW);
        await answer('Tests what was changed');
        await input().locator('.monaco-list-row').filter({ hasText: 'Tools that only read' }).click(SLOW);
        all.server.setScript(() => reply().text('You test what was changed, and change nothing.'));
        await input().locator('.monaco-list-row').filter({ hasText: 'This workspace' }).click(SLOW);
        // A model wrote it: it is there once the user has looked at it and saved it.
        await app.page.getByRole('tab', { name: /tester\.md/ }).waitFor(SLOW);
        await app.page
          .locator('.monaco-editor .view-line')
          .filter({ hasText: /You\stest\swhat\swas\schanged/ })
          .first()
          .click(SLOW);
        expect(existsSync(join(app.workspace, '.gnomon', 'agents', 'tester.md'))).toBe(false);
        await app.page.keyboard.press('Control+S');
        await waitFor(() => existsSync(join(app.workspace, '.gnomon', 'agents', 'tester.md')), { what: 'the saved agent', timeoutMs: 60_000 });
        // Saved under its name, the document is shown anew, which takes the focus: a menu that was open by then would close.
        await app.page.locator('.tab.active[data-resource-name="tester.md"]:not(.dirty)').waitFor(SLOW);
        await all.chat.picker('Permission mode').click();
        await all.chat.frame.getByRole('menuitemradio', { name: 'tester' }).waitFor(SLOW);
        await app.page.keyboard.press('Escape');
      },
    );

    it('shows what is configured and from where', async () => {
      const { app } = all;
      const pane = new ConfigurationPane(app);
      await pane.show();
      await pane.expandSection('Agents');
      await pane
        .rows('reviewer')
        .first()
        .getByRole('button', { name: /agents\/reviewer\.md/ })
        .click(SLOW);
      await app.page.getByRole('tab', { name: /reviewer\.md/ }).waitFor(SLOW);
      await pane.close();
    });

    it('C18: an output style is chosen, and is in the system prompt of the next message', async () => {
      const { app, chat, server } = all;
      await mkdir(join(app.workspace, '.claude', 'output-styles'), { recursive: true });
      await writeFile(join(app.workspace, '.claude', 'output-styles', 'terse.md'), '---\nname: Terse\ndescription: One line\n---\n\nOne line per answer.\n');
      await app.workbench.runCommand('Gnomon: Select Output Style');
      await input().locator('.monaco-list-row').filter({ hasText: 'Terse' }).click(SLOW);
      await app.page.locator('.statusbar').getByText('in the style “Terse”').waitFor(SLOW);
      server.setScript(() => reply().text('Fine.'));
      await chat.send('With style');
      await chat.waitForIdle();
      expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('# Output style\\nOne line per answer.');
    });

    it('S-08: a style that is a link to a secret file is in no request, and one that is a link within the workspace is used', async () => {
      const { app, chat, server } = all;
      const styles = join(app.workspace, '.claude', 'output-styles');
      await mkdir(join(app.workspace, 'shared'));
      await mkdir(join(app.workspace, '.gnomon'), { recursive: true });
      await writeFile(join(app.workspace, '.env'), 'TOKEN=canary-env-123\n');
      await writeFile(join(app.workspace, 'shared', 'calm.md'), '---\nname: Calm\n---\n\nCalm words.\n');
      await symlink('../../.env', join(styles, 'house.md'));
      await symlink('../../shared/calm.md', join(styles, 'calm.md'));
      const settings = join(app.workspace, '.gnomon', 'settings.json');
      server.setScript(() => reply().text('Fine.'));
      for (const style of ['house', 'Calm']) {
        await writeFile(settings, JSON.stringify({ outputStyle: style }));
        await chat.send(`With the style ${style}`);
        await chat.waitForIdle();
      }
      expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('# Output style\\nCalm words.');
      expect(JSON.stringify(server.requests)).not.toContain('canary-env');
      await rm(settings);
    });

    it('S-24: the hooks of one run only while it works, and only once they are approved', async () => {
      const { app, chat, server } = all;
      const hooks = '  PreToolUse:\n    - matcher: Grep\n      hooks:\n        - type: command\n          command: echo nothing is searched >&2; exit 2\n';
      const search = (): void => server.setScript(answering(reply().toolCall('grep', { pattern: 'parseTime' })));
      await writeFile(file('reviewer.md'), REVIEWER.replace('permissionMode: plan\n', `permissionMode: plan\nhooks:\n${hooks}`));
      await app.workbench.notification('wait for your approval: 1');
      search();
      await chat.send('Search before');
      await chat.waitForIdle();
      expect(toolResults(server).at(-1)).not.toContain('nothing is searched');
      const pane = new ConfigurationPane(app);
      await pane.show();
      await pane.expandSection('Hooks');
      expect(await pane.decide('PreToolUse Grep', 'Approve…', 'Approve')).toContain('nothing is searched');
      await pane.rows('PreToolUse Grep').getByText('Only runs while the agent “reviewer” works.').first().waitFor(SLOW);
      await pane.close();
      search();
      await chat.send('Search after');
      await chat.waitForIdle();
      expect(toolResults(server).at(-1)).toContain('nothing is searched');
      await app.workbench.clearNotifications();
    });

    inSoak('unit/agent-host/servers/agent-servers.test.ts')(
      'S-24: a server that one defines waits for its approval and for a chat with the agent, which alone has its tools',
      async () => {
        const { app, chat, server } = all;
        const button = (name: string) => chat.frame.getByRole('button', { name, exact: true });
        const row = chat.frame.locator('[data-server="modern"]');
        const servers = (): Promise<void> => app.workbench.runCommand('Gnomon: MCP Servers');
        const choose = async (name: string): Promise<void> => {
          await chat.picker('Permission mode').click();
          await chat.frame.getByRole('menuitemradio', { name }).click(SLOW);
        };
        await writeFile(
          file('guide.md'),
          `---\nname: guide\ndescription: Guides\nmcpServers:\n  - modern: ${JSON.stringify({ command: process.execPath, args: [resolve('test/support/mcp/modern-server.mjs')] })}\n---\n\nYou guide.\n`,
        );
        await servers();
        await button('Approve… modern').click(SLOW);
        await chat.frame.getByText('Only for the agent guide').waitFor(SLOW);
        await button('Approve').click(SLOW);
        await row.getByText('It starts when a chat works with its agent.').waitFor(SLOW);
        await servers();
        server.setScript(() => reply().text('Fine.'));
        await chat.send('Without the guide');
        await chat.waitForIdle();
        expect(toolsOf()).not.toContain('mcp__modern__add');
        await choose('guide');
        await servers();
        await row.getByText('Connected', { exact: true }).waitFor(SLOW);
        await servers();
        server.setScript(answering(reply().toolCall('mcp__modern__add', { a: 20, b: 22 })));
        await chat.send('With the guide');
        await chat.waitForPrompt();
        await chat.answer('Allow');
        await chat.waitForIdle();
        expect([toolResults(server).at(-1), toolsOf().includes('bash'), toolsOf().includes('mcp__modern__add')]).toEqual([
          expect.stringContaining('42'),
          true,
          true,
        ]);
        await choose('reviewer');
        await servers();
        await row.getByText('It starts when a chat works with its agent.').waitFor(SLOW);
        await servers();
      },
    );

    it('S-25: when its file is deleted, the chat says so and goes on without it', async () => {
      const { chat, server } = all;
      await rm(file('reviewer.md'));
      await chat.frame.getByText('The agent “reviewer” is not available anymore.').waitFor(SLOW);
      await chat.picker('Permission mode', 'Ask').waitFor(SLOW);
      server.setScript(() => reply().text('Fine.'));
      await chat.send('Without it');
      await chat.waitForIdle();
      expect(toolsOf()).toContain('bash');
    });
  });
}
