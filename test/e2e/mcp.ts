import { appendFile, cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { SECRET, TestAuthority, TestResource } from '../support/mcp/auth-server.js';
import { HOSTILE_PROGRAM } from '../support/mcp/hostile/index.js';
import { answering, reply, toolResults } from '../support/model-server/index.js';
import { storedMementos } from '../vscode/browser-storage.mjs';
import { waitFor } from '../vscode/wait.mjs';
import { inSoak } from '../support/in-soak.js';
import { ServersPane } from './servers-pane.js';
import type { WithModel } from './with-model.js';
import type { SharedWindow } from './shared-window.js';

const SLOW = { timeout: 60_000 };
const TOKEN_SERVER = fileURLToPath(new URL('../support/mcp/token-server.mjs', import.meta.url));
/** Milliseconds after which nothing of a server runs any more. */
const CLOSED_MS = 3_000;

/** Cases for the life of MCP servers. The last one opens the window again. */
export function mcp(window: SharedWindow): void {
  describe('MCP servers', () => {
    let all: WithModel;
    let pane: ServersPane;

    beforeAll(async () => {
      all = await window.take();
      pane = new ServersPane(all.app);
    });

    async function configure(servers: Readonly<Record<string, unknown>>): Promise<void> {
      await writeFile(join(all.app.workspace, '.mcp.json'), `${JSON.stringify({ mcpServers: servers }, undefined, 2)}\n`);
    }

    /** Names of the tools that went to the model with the latest request, of those that have to do with servers. */
    function offered(): readonly string[] {
      const names = all.server.requests.at(-1)?.body.tools?.map((tool) => String(tool['name'])) ?? [];
      return names.filter((name) => name.startsWith('mcp__') || ['find_tools', 'call_tool'].includes(name));
    }

    /** Sends a message that is answered without tools. */
    async function say(text: string): Promise<void> {
      all.server.setScript(() => reply().text('Fine.'));
      await all.app.chat.send(text);
      await all.app.chat.waitForIdle();
    }

    /** Gives the value that VS Code asks for. */
    async function enterValue(value: string): Promise<void> {
      const input = all.app.page.locator('.quick-input-widget');
      await input.getByText('The token of the notes').waitFor(SLOW);
      await all.app.page.keyboard.type(value);
      await all.app.page.keyboard.press('Enter');
      await input.waitFor({ state: 'hidden', ...SLOW });
    }

    async function pid(): Promise<number> {
      return Number(await all.app.read('pid.txt'));
    }

    it('M-30: a server of .mcp.json starts when it was approved, without a mouse, and its tool is called with a question', async () => {
      const { app, chat, server } = all;
      await configure({ words: { command: process.execPath, args: [HOSTILE_PROGRAM, 'rug-pull'] } });
      await app.page.keyboard.press('F1');
      await app.page.locator('.quick-input-widget .quick-input-box input').fill('>Gnomon: MCP Servers');
      await app.page.locator('.quick-input-widget .monaco-list-row').filter({ hasText: 'MCP Servers' }).first().waitFor(SLOW);
      await app.page.keyboard.press('Enter');
      await pane.row('words').getByText('Waiting', { exact: true }).waitFor(SLOW);
      await pane.tabTo('Approve… words');
      await app.page.keyboard.press('Enter');
      await pane.button('Approve and Start').and(chat.frame.locator(':not([aria-disabled="true"])')).waitFor(SLOW);
      await pane.tabTo('Approve and Start');
      await app.page.keyboard.press('Enter');
      await pane.waitForStatus('words', 'Connected');
      await pane.toggle();
      server.setScript(answering(reply().toolCall('mcp__words__lookup', { text: 'gnomon' })));
      await chat.send('Look the word up');
      expect(await chat.waitForPrompt()).toContain('gnomon');
      await chat.answer('Allow');
      await chat.waitForText('That was all.');
      expect(toolResults(server)[0]).toContain('gnomon');
    });

    it('M-31: a server whose entry has changed does not start, and shows both sides', async () => {
      await all.chat.waitForIdle();
      await configure({ words: { command: process.execPath, args: [HOSTILE_PROGRAM, 'rug-pull', '--now-with-more'] } });
      await pane.toggle();
      await pane.button('Review Change… words').click(SLOW);
      await all.chat.frame.getByText('--now-with-more').first().waitFor(SLOW);
      await pane.approve();
      await pane.waitForStatus('words', 'Connected');
    });

    it('M-50: a file that is broken says where, and the place is a click away', async () => {
      const { app, chat } = all;
      await writeFile(join(app.workspace, '.mcp.json'), '{\n  "mcpServers": {\n    "a": { "command": "node" }\n    "b": {}\n  }\n}\n');
      await chat.frame.getByText('The file is not valid JSON: a comma is missing.').waitFor(SLOW);
      await chat.frame.getByRole('button', { name: '.mcp.json:4', exact: true }).click();
      await app.page.locator('.statusbar').getByText('Ln 4, Col 1').waitFor(SLOW);
      await configure({});
      await pane.button('Add to This Workspace').waitFor(SLOW);
    });

    inSoak('unit/mcp/auth/sign-in.test.ts', 'unit/mcp/auth/access.test.ts')(
      'M-25 M-39: signs in to a server in the browser, calls its tool, and signs out again',
      async () => {
        const { app, chat, server } = all;
        const authority = await TestAuthority.start();
        // VS Code in a browser takes addresses of 127.0.0.1 for ports to forward, which a real authorization server is not.
        authority.behavior.metadata = { authorization_endpoint: `${authority.issuer.replace('127.0.0.1', 'sign-in.localhost')}/authorize` };
        const resource = await TestResource.start(authority);
        Object.assign(resource.behavior, { speaks: true, challengeScope: 'notes:read' });
        try {
          await configure({ vault: { type: 'http', url: resource.url } });
          await pane.button('Approve… vault').click(SLOW);
          await pane.approve();
          await pane.waitForStatus('vault', 'Needs sign-in');

          await pane.button('Sign In vault').click();
          const question = app.workbench.dialog();
          await question.waitFor(SLOW);
          expect(await question.innerText()).toMatch(/vault\?[^]*sign-in\.localhost[^]*notes:read/);
          await question.getByRole('button', { name: 'Cancel' }).click();
          await app.page.getByText('Signing in to vault…', { exact: true }).waitFor({ state: 'hidden', ...SLOW });
          expect([authority.seenAt('/register').length, authority.seenAt('/authorize').length]).toEqual([0, 0]);

          await pane.button('Sign In vault').click();
          const browser = app.page.context().waitForEvent('page', SLOW);
          await question.getByRole('button', { name: 'Open Browser' }).click(SLOW);
          await pane.waitForStatus('vault', 'Connected');
          await (await browser).close();
          await pane.toggle();
          server.setScript(answering(reply().toolCall('mcp__vault__secret', {})));
          await chat.send('Tell me the secret');
          await chat.waitForPrompt();
          await chat.answer('Allow');
          await chat.waitForIdle();
          expect(toolResults(server)[0]).toContain(SECRET);
          expect(JSON.stringify(server.requests.at(-1)?.body)).not.toMatch([...authority.tokens.keys()].join('|'));

          await pane.toggle();
          await pane.choose('vault', 'Sign Out');
          await pane.waitForStatus('vault', 'Needs sign-in');
          expect(authority.revoked.length).toBeGreaterThan(0);
        } finally {
          await configure({});
          await Promise.all([resource.close(), authority.close()]);
        }
      },
    );

    it('asks once for a value, offers models what the user chose, and copies a report without the value', async () => {
      const { app, chat, server } = all;
      await cp(TOKEN_SERVER, join(app.workspace, 'server.mjs'));
      await mkdir(join(app.workspace, '.vscode'), { recursive: true });
      const inputs = [{ id: 'token', type: 'promptString', description: 'The token of the notes', password: true }];
      const notes = { command: process.execPath, args: [`\${workspaceFolder}/server.mjs`], env: { TOKEN: `\${input:token}` } };
      await writeFile(join(app.workspace, '.vscode', 'mcp.json'), JSON.stringify({ inputs, servers: { notes } }));
      await pane.button('Approve… notes').click(SLOW);
      await pane.approve();
      await enterValue('heliotrope');
      await pane.waitForStatus('notes', 'Connected');

      await pane.row('notes').getByRole('button', { name: 'notes', exact: true }).click();
      await chat.frame.getByRole('checkbox', { name: 'other' }).uncheck(SLOW);
      await pane.toggle();
      server.setScript(answering(reply().toolCall('mcp__notes__token', {})));
      await chat.send('Say the token');
      await chat.waitForPrompt();
      await chat.answer('Allow');
      await chat.waitForIdle();
      expect([offered(), toolResults(server)[0]]).toEqual([['mcp__notes__token'], expect.stringContaining('The token is heliotrope.')]);
      for (const [choice, tools] of [
        ['Defer', ['find_tools', 'call_tool']],
        ['Off', []],
        ['Always Load', ['mcp__notes__token']],
      ] as const) {
        await pane.toggle();
        await chat.frame.getByRole('combobox', { name: 'When the tools of notes are sent' }).selectOption({ label: choice });
        await pane.toggle();
        await say(`Now with ${choice}`);
        expect(offered(), choice).toEqual(tools);
      }

      await pane.toggle();
      await pane.choose('notes', 'Copy Report');
      await chat.frame.getByText('The report was copied to the clipboard.').waitFor(SLOW);
      const report = await app.page.evaluate(() => navigator.clipboard.readText());
      expect(report).toContain('Agreed on: 2025-11-25');
      expect(report).not.toContain('heliotrope');
    });

    inSoak('unit/mcp/servers/starting.test.ts', 'unit/agent-host/servers/bound-servers.test.ts')(
      'M-20 M-21: a server whose process was killed is started again, and asks when its script is another one by then',
      async () => {
        const first = await pid();
        process.kill(first, 'SIGKILL');
        await waitFor(async () => (await pid()) !== first, { what: 'another process', timeoutMs: 30_000 });
        await pane.waitForStatus('notes', 'Connected');
        await appendFile(join(all.app.workspace, 'server.mjs'), '// Something else.\n');
        await pane.choose('notes', 'Restart');
        await pane.button('Review Change… notes').click(SLOW);
        await all.chat.frame.getByText('file "server.mjs"').first().waitFor(SLOW);
        await pane.approve();
        await pane.waitForStatus('notes', 'Connected');
      },
    );

    it('M-23: closing the window ends its processes; approvals and what was switched off are still known in the next', async () => {
      const { app } = all;
      await configure({ idle: { command: 'idle-server' } });
      await pane.choose('idle', 'Disable');
      await pane.waitForStatus('idle', 'Disabled');
      const isStored = async (): Promise<boolean> => (await storedMementos(app.page, 'gnomon.gnomon')).includes('"enabled":false');
      await waitFor(isStored, { what: 'the choice in the storage of VS Code', timeoutMs: 10_000 });
      const last = await pid();
      await app.restart();
      await waitFor(() => Promise.resolve(!isRunning(last)), { what: 'the end of the process', timeoutMs: CLOSED_MS });
      await app.openChat();
      await pane.toggle();
      await pane.waitForStatus('idle', 'Disabled');
      // It is approved still, but this VS Code in a browser has nowhere to keep secrets, and forgets them with its window.
      await pane.button('Enter Value… notes').click(SLOW);
      await enterValue('heliotrope');
      await pane.waitForStatus('notes', 'Connected');
      await pane.choose('notes', 'Revoke Approval');
      await pane.button('Approve… notes').waitFor(SLOW);
      await waitFor(async () => !isRunning(await pid()), { what: 'the end of a server without approval', timeoutMs: CLOSED_MS });
    });
  });
}

/** Cases for MCP servers where the workspace is not trusted. */
export function mcpWithoutTrust(window: SharedWindow): void {
  describe('MCP servers of a workspace that is not trusted', () => {
    let all: WithModel;
    let pane: ServersPane;

    beforeAll(async () => {
      all = await window.take();
      pane = new ServersPane(all.app);
    });

    it('M-30: cannot be approved, and do not start', async () => {
      const { app, chat } = all;
      await cp(TOKEN_SERVER, join(app.workspace, 'server.mjs'));
      await writeFile(join(app.workspace, '.mcp.json'), JSON.stringify({ mcpServers: { notes: { command: process.execPath, args: ['server.mjs'] } } }));
      await pane.toggle();
      await pane.row('notes').getByText('Waiting', { exact: true }).waitFor(SLOW);
      await pane.button('Manage Workspace Trust notes').waitFor(SLOW);
      await pane.toggle();
      all.server.setScript(() => reply().text('Fine.'));
      await chat.send('Hello');
      await chat.waitForIdle();
      expect(await readdir(app.workspace)).not.toContain('pid.txt');
    });

    it('those of other programs are imported into the settings, and wait, too', async () => {
      const { app, chat } = all;
      await mkdir(join(app.dataDir, 'home', '.cursor'), { recursive: true });
      await writeFile(
        join(app.dataDir, 'home', '.cursor', 'mcp.json'),
        JSON.stringify({ mcpServers: { clock: { command: 'clock-server', args: ['--utc'] } } }),
      );
      await pane.toggle();
      await pane.button('Add Servers').click(SLOW);
      await chat.frame.getByText('clock-server --utc').waitFor(SLOW);
      await chat.frame.getByRole('checkbox', { name: 'clock' }).check();
      await pane.button('Import 1 Server').click();
      await chat.frame.getByText('1 server was added to your settings. It starts when you have approved it.').waitFor(SLOW);
      await pane.row('clock').getByText('gnomon.mcp.servers').waitFor(SLOW);
    });
  });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}
