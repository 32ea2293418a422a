import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ModelServer } from '../support/model-server/index.js';
import { htmlReply, reply, startModelServer } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import { App } from './app.js';
import type { Chat } from './chat.js';
import { filesIn } from './files.js';

const MODEL = { 'gnomon.model': 'anthropic/claude-sonnet-5-5' };

describe('without a key', () => {
  let app: App;
  beforeAll(async () => {
    app = await App.start({ settings: MODEL, own: { env: {} } });
  });
  afterAll(() => app.stop());

  it('says how to set one and keeps the message', async () => {
    const chat = await app.openChat();
    await chat.send('Hello');
    await chat.waitForText(/no Anthropic API key|no API key/i);
    await chat.button('Set API key').waitFor();
    expect(await chat.mine.textContent()).toContain('Hello');
    await chat.waitForIdle();
  });
});

describe('an endpoint that cannot be reached', () => {
  let app: App;
  beforeAll(async () => {
    app = await App.start({ settings: { ...MODEL, 'gnomon.anthropic.baseUrl': 'http://127.0.0.1:9' } });
  });
  afterAll(() => app.stop());

  it('is named with the setting to look at', async () => {
    const chat = await app.openChat();
    await chat.send('Hello');
    await chat.waitForText(/127\.0\.0\.1:9/);
    await chat.waitForText(/gnomon\.anthropic\.baseUrl/);
    await chat.waitForIdle();
  });
});

// What fails is not asked again by itself here: each test is about what the person sees at the end.
describe('a server that answers badly', () => {
  let server: ModelServer;
  let app: App;
  let chat: Chat;

  beforeAll(async () => {
    server = await startModelServer({ apiKey: 'right' });
    app = await App.start({ settings: { 'gnomon.maxRetries': 0, ...MODEL, 'gnomon.anthropic.baseUrl': server.url } });
    chat = await app.openChat();
  });
  beforeEach(() => chat.newSession());
  afterAll(async () => {
    await app.stop();
    await server.close();
  });

  /** The session is usable: the next message is answered, and the server took the conversation. */
  async function expectUsable(): Promise<void> {
    await chat.waitForIdle();
    server.setScript(() => reply().text('All is well again.'));
    await chat.send('And now?');
    await chat.waitForText('All is well again.');
    expect(server.requests.at(-1)?.problem).toBeUndefined();
    expect(await chat.mine.count()).toBe(2);
  }

  it('names a page that came instead of a stream', async () => {
    server.setScript(() => htmlReply('<html><title>Log in</title></html>'));
    await chat.send('Hello');
    await chat.waitForText(/text\/html/);
    await expectUsable();
  });

  it('keeps what came before a cut', async () => {
    server.setScript(() => reply().text('Only the first ha').cut());
    await chat.send('Hello');
    await chat.waitForText('Only the first ha');
    await chat.button('Retry').first().waitFor();
    await expectUsable();
    expect(await chat.log.textContent()).toContain('Only the first ha');
  });

  it('answers an unknown tool with an error the model can act on', async () => {
    server.setScript(({ body }) => (body.messages.length === 1 ? reply().toolCall('teleport', { to: 'Mars' }) : reply().text('I see.')));
    await chat.send('Hello');
    await chat.waitForText('I see.');
    expect(JSON.stringify(server.requests.at(-1)?.body)).toMatch(/teleport[^"]*(unknown|no tool)|(unknown|no tool)[^"]*teleport/i);
    await expectUsable();
  });

  it('answers malformed arguments with an error the model can act on', async () => {
    server.setScript(({ body }) => (body.messages.length === 1 ? reply().toolCall('read', '{"file_path": ') : reply().text('I see.')));
    await chat.send('Hello');
    await chat.waitForText('I see.');
    await expectUsable();
  });
});

describe('a wrong key', () => {
  let server: ModelServer;
  let app: App;
  beforeAll(async () => {
    server = await startModelServer({ apiKey: 'right' });
    app = await App.start({ settings: { ...MODEL, 'gnomon.anthropic.baseUrl': server.url } });
  });
  afterAll(async () => {
    await app.stop();
    await server.close();
  });

  it('is told with the way to set another', async () => {
    const chat = await app.openChat();
    await chat.send('Hello');
    await chat.waitForText(/key/i);
    await chat.button('Set API key').waitFor();
    await chat.waitForIdle();
    expect(await chat.log.textContent()).not.toContain('wrong');
  });
});

describe('a session file that is damaged', () => {
  let app: App;
  beforeAll(async () => {
    app = await App.start({ own: { env: {} } });
  });
  afterAll(() => app.stop());

  it('is named, kept as it is, and does not stand in the way of others', async () => {
    let chat = await app.openChat();
    await chat.send('Hello there');
    await chat.waitForIdle();
    const file = await waitFor(() => sessionFile(app), { what: 'the file of the session', timeoutMs: 30_000 });
    const damaged = (await readFile(file, 'utf8')).replace('"version": 1', '"version": 99');
    await app.restart();
    await writeFile(file, damaged);
    chat = await app.openChat();
    await chat.waitForText(/version/i);
    expect(await readFile(file, 'utf8')).toBe(damaged);
    await chat.send('A new start');
    await chat.waitForIdle();
    expect(await chat.mine.last().textContent()).toContain('A new start');
    await chat.button('History').click();
    await chat.frame.getByText('A new start').first().waitFor();
  });
});

/** The first session file there is, by absolute path. */
async function sessionFile(app: App): Promise<string | undefined> {
  return (await filesIn(app.dataDir)).find((file) => /sessions\/\d+\.json$/.test(file));
}
