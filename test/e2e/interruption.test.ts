import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gate, lastUserText, reply, startModelServer } from '../support/model-server/index.js';
import type { ModelServer } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import { App } from './app.js';
import type { Chat } from './chat.js';
import { sessionsWith } from './files.js';

/** Waits until a text is in a file of a session, finished or journal. */
async function waitForSaved(app: App, text: string): Promise<void> {
  const saved = async (): Promise<boolean> => (await sessionsWith(app.dataDir, text)).length > 0;
  await waitFor(saved, { what: `“${text}” on disk`, timeoutMs: 30_000 });
}

describe('interruptions', () => {
  let server: ModelServer;
  let app: App;
  let chat: Chat;

  beforeAll(async () => {
    server = await startModelServer({ foreignThinking: true });
    app = await App.start({
      settings: { 'gnomon.anthropic.baseUrl': server.url, 'gnomon.model': 'anthropic/claude-sonnet-5-5' },
      own: {},
    });
    chat = await app.openChat();
  });
  afterAll(async () => {
    await app.stop();
    await server.close();
  });

  for (const how of ['reload', 'stop', 'kill9'] as const) {
    it(`keeps a partial answer over ${how === 'reload' ? 'a reload of the window' : `an end of VS Code (${how})`} and goes on`, async () => {
      const hold = gate();
      const beginning = `the beginning of ${how}`;
      server.setScript(({ body }) =>
        lastUserText(body).startsWith('Continue') ? reply().text('And this is the rest.') : reply().text('This is ', `${beginning} `, hold, 'never seen'),
      );
      await chat.newSession();
      await chat.send(`Tell me about ${how}`);
      await chat.waitForText(beginning);
      if (how === 'kill9') await waitForSaved(app, beginning);
      if (how === 'reload') await app.workbench.reload();
      else await app.restart(how);
      chat = await app.openChat();
      await chat.waitForText(beginning);
      expect(await chat.mine.count()).toBe(1);
      await chat.log.getByText(/interrupted/i).first().waitFor();
      await chat.button('Continue').click();
      await chat.waitForText('And this is the rest.');
      await chat.waitForIdle();
      expect(server.requests.at(-1)?.problem).toBeUndefined();
      const sent = JSON.stringify(server.requests.at(-1)?.body.messages);
      expect(sent.split(`Tell me about ${how}`)).toHaveLength(2);
      hold.open();
    });
  }

  it('asks again for nothing after a reload of the window with an open prompt, and runs nothing', async () => {
    server.setScript(({ body }) =>
      lastUserText(body).startsWith('What') ? reply().text('It was never run.') : reply().toolCall('bash', { command: 'touch never-made' }),
    );
    await chat.newSession();
    await chat.send('Make a file');
    await chat.waitForPrompt();
    await app.workbench.reload();
    chat = await app.openChat();
    await chat.mine.waitFor();
    await chat.tool('bash touch never-made').waitFor();
    expect(await chat.prompt.count()).toBe(0);
    await chat.send('What happened?');
    await chat.waitForText('It was never run.');
    await chat.waitForIdle();
    expect(server.requests.at(-1)?.problem).toBeUndefined();
    expect(JSON.stringify(server.requests.at(-1)?.body.messages)).toMatch(/Cancelled|not run again/);
    expect(existsSync(join(app.workspace, 'never-made'))).toBe(false);
  });

  it('stops in mid-stream, and the next message works', async () => {
    const hold = gate();
    server.setScript(({ body }) => (lastUserText(body) === 'Again' ? reply().text('Here I am.') : reply().text('Half a sen', hold, 'tence')));
    await chat.newSession();
    await chat.send('Talk');
    await chat.waitForText('Half a sen');
    const closed = server.requests.at(-1)?.closedByClient;
    await chat.button('Stop').click();
    expect(await closed).toBe(true);
    await chat.waitForIdle();
    await chat.send('Again');
    await chat.waitForText('Here I am.');
    expect(server.requests.at(-1)?.problem).toBeUndefined();
  });

  it('stops in mid-command with all its children, and the next message works', async () => {
    // Not the command of other tests on this machine.
    const sleep = `sleep 7777.${process.pid}`;
    server.setScript(({ body }) =>
      lastUserText(body) === 'Again' ? reply().text('Back again.') : reply().toolCall('bash', { command: `touch begun; echo started-$$; bash -c "${sleep}"; true` }),
    );
    await chat.newSession();
    await chat.send('Sleep');
    await chat.waitForPrompt();
    await chat.answer('Allow');
    await chat.waitForText(/started-\d+/);
    await chat.button('Stop').click();
    await chat.waitForIdle();
    const gone = async (): Promise<boolean> => !(await commandLines()).some((line) => line.includes(sleep));
    await waitFor(gone, { what: 'the end of the command', timeoutMs: 30_000 });
    await chat.send('Again');
    await chat.waitForText('Back again.');
    expect(server.requests.at(-1)?.problem).toBeUndefined();
  });
});

/** The command lines of all processes of this machine. */
async function commandLines(): Promise<readonly string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => ''));
  return (await Promise.all(lines)).map((line) => line.replaceAll('\0', ' '));
}
