import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gate, type ModelServer, gate, httpError, lastUserText, reply, startModelServer } from '../support/model-server/index.js';
import { grayPng, sizeOfPng } from '../support/image.js';
import { waitFor } from '../vscode/wait.mjs';
import { App } from './app.js';
import type { Chat } from './chat.js';
import { filesWith, sessionsWith } from './files.js';
import { answering } from './with-model.js';

/** A PNG of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

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
    app = await App.start({ settings: { 'gnomon.anthropic.baseUrl': server.url, 'gnomon.model': 'anthropic/claude-sonnet-5-5' }, own: {} });
    chat = await app.openChat();
  });
  afterAll(async () => {
    await app.stop();
    await server.close();
  });

  const BEGINNING = 'the beginning of it';

  /** A model that never comes to its end in one conversation and wants a command in another; both can be gone on from. */
  function script(): Gate {
    const hold = gate();
    server.setScript(({ body }) => {
      const said = lastUserText(body);
      if (said.startsWith('Continue')) return reply().text('And this is the rest.');
      if (said.startsWith('What')) return reply().text('It was never run.');
      if (said.startsWith('Make')) return reply().toolCall('bash', { command: 'touch never-made' });
      return reply().text('This is ', `${BEGINNING} `, hold, 'never seen');
    });
    return hold;
  }

  /** Goes on with an answer that was interrupted. */
  async function expectGoesOn(question: string): Promise<void> {
    await chat.waitForText(BEGINNING);
    expect(await chat.mine.count()).toBe(1);
    await chat.log.getByText('Stopped.', { exact: true }).first().waitFor();
    await chat.button('Continue').click();
    await chat.waitForText('And this is the rest.');
    await chat.waitForIdle();
    expect(server.requests.at(-1)?.problem).toBeUndefined();
    expect(JSON.stringify(server.requests.at(-1)?.body.messages).split(question)).toHaveLength(2);
  }

  it('keeps a partial answer over an end of VS Code by kill -9, and goes on', async () => {
    const hold = script();
    await chat.newSession();
    await chat.send('Tell me about the end');
    await chat.waitForText(BEGINNING);
    await waitForSaved(app, BEGINNING);
    await app.restart('kill9');
    chat = await app.openChat();
    await expectGoesOn('Tell me about the end');
    hold.open();
  });

  it('over a reload of the window, asks again for nothing that was asked, runs nothing, and keeps a partial answer', async () => {
    const hold = script();
    await chat.newSession();
    await chat.send('Tell me about windows');
    await chat.waitForText(BEGINNING);
    await chat.newSession();
    await chat.send('Make a file');
    await chat.waitForPrompt();
    await app.workbench.reload();
    chat = await app.openChat();
    await chat.mine.getByText('Make a file').waitFor();
    await chat.tool('bash touch never-made').waitFor();
    expect(await chat.prompt.count()).toBe(0);
    await chat.send('What happened?');
    await chat.waitForText('It was never run.');
    await chat.waitForIdle();
    expect(server.requests.at(-1)?.problem).toBeUndefined();
    expect(JSON.stringify(server.requests.at(-1)?.body.messages)).toMatch(/Cancelled|not run again/);
    expect(existsSync(join(app.workspace, 'never-made'))).toBe(false);
    await chat.openFromHistory('Tell me about windows');
    await expectGoesOn('Tell me about windows');
    hold.open();
  });

  it('stops in mid-command with all its children, and the next message works', async () => {
    // Not the command of other tests on this machine.
    const sleep = `sleep 7777.${process.pid}`;
    server.setScript(({ body }) =>
      lastUserText(body) === 'Again'
        ? reply().text('Back again.')
        : reply().toolCall('bash', { command: `touch begun; echo started-$$; bash -c "${sleep}"; true` }),
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

  it('stream-23 goes on after forty images, and after a server that finds a request too large in the middle of them', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `image-${index}.png`);
    for (const name of names) await writeFile(join(app.workspace, name), Buffer.from(PIXEL, 'base64'));
    await writeFile(join(app.workspace, names[0] ?? ''), grayPng(2_400, 300));
    let refused = false;
    server.setScript(({ body }) => {
      const seen = partsIn(body, 'tool_result');
      if (seen === 25 && !refused) {
        refused = true;
        return httpError(413, 'request_too_large', 'Request exceeds the maximum size');
      }
      const name = names[seen];
      return name === undefined ? reply().text('All of them are seen.') : reply().toolCall('read', { file_path: name });
    });
    await chat.newSession();
    const before = server.requests.length;
    await chat.send('Look at all images');
    await chat.waitForText('All of them are seen.');
    await chat.waitForIdle();
    const sent = server.requests.slice(before).map(({ body }) => body);
    const [data = ''] = /"data":"([^"]+)"/.exec(JSON.stringify(sent[1]))?.slice(1) ?? [];
    expect(sizeOfPng(Buffer.from(data, 'base64'))).toEqual([2_000, 250]);
    expect(JSON.stringify(sent[1])).toContain('a smaller copy of one of 2400 × 300 pixels');
    const images = sent.map((body) => partsIn(body, 'image'));
    expect(refused).toBe(true);
    expect(images).toHaveLength(42);
    expect(Math.max(...images)).toBe(20);
    // Half of those that were sent, when it was refused.
    expect(images[26]).toBe(Math.floor((images[25] ?? 0) / 2));
    await chat.send('And now?');
    await chat.waitForIdle();
    expect(server.requests.at(-1)?.problem).toBeUndefined();
  });

  describe('sess-13 a folder that VS Code gives another storage', () => {
    const begin = (): Promise<Chat> => app.openChat().then((opened) => (chat = opened));

    /** Opens the conversation from the list, which was not shown before the move. */
    async function open(): Promise<void> {
      await begin();
      await chat.openHistory();
      await chat.history.getByRole('button', { name: /^Remember this over the move/ }).click();
      await chat.waitForText('It is kept.');
    }

    /** Writes something and waits until it is on the disk. */
    async function draft(words: string): Promise<void> {
      await chat.message.fill(words);
      await waitFor(async () => (await filesWith(app.dataDir, words)).some((path) => path.includes('/drafts/')), {
        what: 'the draft on the disk',
        timeoutMs: 30_000,
      });
    }

    beforeAll(async () => {
      server.setScript(answering(reply().toolCall('write', { file_path: 'kept.txt', content: 'of the agent\n' }), 'It is kept.'));
      await chat.newSession();
      await chat.send('Remember this over the move');
      await chat.answer('Allow');
      await chat.waitForText('It is kept.');
      await chat.waitForIdle();
      await draft('half a thought');
    });

    it.each(['to another port', 'as one of several'] as const)(
      'has its conversations, with what is written and not sent and what is pending, though the history was never opened: %s',
      async (how) => {
        await app.move(how);
        await open();
        await waitFor(async () => (await chat.message.inputValue()) === 'half a thought', { what: 'the draft', timeoutMs: 30_000 });
        await (await chat.unfold('Changed files')).getByRole('button', { name: /^Undo .*kept\.txt/ }).waitFor({ timeout: 30_000 });
      },
    );

    it('undoes there what was pending before the move', async () => {
      await app.waitForFile('kept.txt', 'of the agent\n');
      await (await chat.unfold('Changed files')).getByRole('button', { name: /^Undo .*kept\.txt/ }).click();
      await waitFor(() => !existsSync(join(app.workspace, 'kept.txt')), { what: 'the file to be gone again', timeoutMs: 30_000 });
    });
  });
});

/** How many parts of a type a request holds. */
function partsIn(body: unknown, type: string): number {
  return JSON.stringify(body).split(`"type":"${type}"`).length - 1;
}

/** The command lines of all processes of this machine. */
async function commandLines(): Promise<readonly string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => ''));
  return (await Promise.all(lines)).map((line) => line.replaceAll('\0', ' '));
}
