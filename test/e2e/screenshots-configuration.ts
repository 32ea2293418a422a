import { mkdir } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { answering, reply } from '../support/model-server/index.js';
import { bringClaudeFiles } from './claude-files.js';
import { ConfigurationPane } from './configuration-pane.js';
import { type WithModel, startWithModel } from './with-model.js';

const README = 'media/readme';
const STATES = 'test-results/screenshots';
const THEMES = { dark: 'Default Dark Modern', light: 'Default Light Modern', 'high-contrast': 'Default High Contrast' } as const;
const SLOW = { timeout: 60_000 };

/** Takes screenshots of what Gnomon makes of a repository for Claude Code: the page Configuration, a hook that is tried, and a command before it is sent. The dark ones are those of the documentation. */
export async function main(): Promise<number> {
  await Promise.all([mkdir(README, { recursive: true }), mkdir(STATES, { recursive: true })]);
  for (const [name, theme] of Object.entries(THEMES)) {
    const all = await startWithModel({ 'workbench.colorTheme': theme });
    try {
      await bringClaudeFiles(all.app.workspace);
      await shootPage(all, name);
      await shootBench(all, name);
      await shootCommand(all, name);
    } finally {
      await all.stop();
    }
  }
  console.log(`The screenshots are in ${README} and ${STATES}.`);
  return 0;
}

async function shootPage(all: WithModel, theme: string): Promise<void> {
  const pane = new ConfigurationPane(all.app);
  await pane.show('Gnomon: Manage Hooks');
  await pane.decide('PreToolUse Bash', 'Approve…', 'Approve');
  await pane.rows('PreToolUse Bash').filter({ hasText: 'In use' }).waitFor(SLOW);
  await pane.expandSection('Settings');
  await pane.expandRow('model');
  await pane.page.getByRole('heading', { level: 3, name: /^Settings \d/ }).scrollIntoViewIfNeeded(SLOW);
  await save(all, theme, 'configuration');
  await pane.close();
}

async function shootBench(all: WithModel, theme: string): Promise<void> {
  const { chat, server } = all;
  server.setScript(answering(reply().toolCall('bash', { command: 'rm -rf src' })));
  await chat.send('Delete the sources');
  await chat.waitForIdle();
  const pane = new ConfigurationPane(all.app);
  await pane.show('Gnomon: Manage Hooks');
  const row = await pane.expandRow('PreToolUse Bash');
  await row.getByRole('button', { name: 'Run Against the Last Call' }).click(SLOW);
  await row.getByText('It would block.').first().waitFor(SLOW);
  await row.getByText('It would block.').first().scrollIntoViewIfNeeded(SLOW);
  await save(all, theme, 'bench');
  await pane.close();
}

async function shootCommand(all: WithModel, theme: string): Promise<void> {
  const { message, frame } = all.chat;
  await message.fill('/state today');
  await message.press('Enter');
  const form = frame.getByRole('group', { name: /^Command \/state of / });
  await form.waitFor(SLOW);
  await save(all, theme, 'dry-run');
  await form.getByRole('button', { name: 'Cancel' }).click(SLOW);
}

async function save({ app, chat }: WithModel, theme: string, name: string): Promise<void> {
  await app.page.mouse.move(1000, 400);
  const panel: Locator = app.page.locator('.part.sidebar');
  await chat.frame.locator('body').waitFor(SLOW);
  await panel.screenshot({ path: `${STATES}/${theme}-${name}.png` });
  if (theme === 'dark') await panel.screenshot({ path: `${README}/${name}.png` });
}
