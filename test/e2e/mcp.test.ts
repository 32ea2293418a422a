import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOSTILE_PROGRAM } from '../support/mcp/hostile/index.js';
import { reply } from '../support/model-server/index.js';
import { type WithModel, answering, startWithModel, toolResults } from './with-model.js';

const SLOW = { timeout: 60_000 };

describe('MCP servers', () => {
  let all: WithModel;

  beforeAll(async () => {
    all = await startWithModel({ 'gnomon.improveTitles': false });
  });
  afterAll(() => all.stop());

  const row = (name: string): Locator => all.chat.frame.locator(`[data-server="${name}"]`);
  const button = (name: string): Locator => all.chat.frame.getByRole('button', { name, exact: true });

  async function configure(servers: Readonly<Record<string, unknown>>): Promise<void> {
    await writeFile(join(all.app.workspace, '.mcp.json'), `${JSON.stringify({ mcpServers: servers }, undefined, 2)}\n`);
  }

  /** Reads all of what a server would do, and approves it. */
  async function approve(): Promise<void> {
    const approving = button('Approve and Start');
    await approving.waitFor(SLOW);
    await approving.scrollIntoViewIfNeeded();
    await approving.click(SLOW);
  }

  it('M-30: a server of .mcp.json starts when it was approved, and its tool is called with a question', async () => {
    const { app, chat, server } = all;
    await configure({ words: { command: process.execPath, args: [HOSTILE_PROGRAM, 'rug-pull'] } });
    await app.workbench.runCommand('Gnomon: MCP Servers');
    await row('words').getByText('Waiting', { exact: true }).waitFor(SLOW);
    await button('Approve… words').click(SLOW);
    await button('Approve and Start').waitFor(SLOW);
    await approve();
    await row('words').getByText('Connected', { exact: true }).waitFor(SLOW);
    await app.workbench.runCommand('Gnomon: MCP Servers');
    server.setScript(answering(reply().toolCall('mcp__words__lookup', { text: 'gnomon' })));
    await chat.send('Look the word up');
    expect(await chat.waitForPrompt()).toContain('gnomon');
    await chat.answer('Allow');
    await chat.waitForText('That was all.');
    expect(toolResults(server)[0]).toContain('gnomon');
  });

  it('M-32: a tool that has changed since asks again, and shows what has changed', async () => {
    const { chat } = all;
    await chat.send('And again');
    expect(await chat.waitForPrompt()).toContain('id_rsa');
    await chat.answer('Deny');
    await chat.waitForIdle();
  });

  it('M-31: a server whose entry has changed does not start, and shows both sides', async () => {
    const { app } = all;
    await configure({ words: { command: process.execPath, args: [HOSTILE_PROGRAM, 'rug-pull', '--now-with-more'] } });
    await app.workbench.runCommand('Gnomon: MCP Servers');
    await button('Review Change… words').click(SLOW);
    await all.chat.frame.getByText('--now-with-more').first().waitFor(SLOW);
    await approve();
    await row('words').getByText('Connected', { exact: true }).waitFor(SLOW);
  });
});
