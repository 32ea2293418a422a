import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelServer } from '../support/model-server/index.js';
import { reply, startModelServer } from '../support/model-server/index.js';
import { App } from './app.js';
import type { Chat } from './chat.js';

describe('a job with a model that speaks the Anthropic wire format', () => {
  let server: ModelServer;
  let app: App;
  let chat: Chat;

  beforeAll(async () => {
    server = await startModelServer({ apiKey: 'sk-e2e' });
    app = await App.start({
      settings: { 'gnomon.anthropic.baseUrl': server.url, 'gnomon.model': 'anthropic/claude-sonnet-5-5' },
    });
    chat = await app.openChat();
  });
  afterAll(async () => {
    await app.stop();
    await server.close();
  });

  it('thinks, uses tools over several rounds and answers', async () => {
    server.setScript((_request, n) => {
      if (n === 0) return reply().thinking('The person wants a file.', 'c2lnbmF0dXJl').text('I look at it first.').toolCall('read', { file_path: 'package.json' });
      if (n === 1) return reply().thinking('Now I write.', 'c2lnbmF0dXJlMg==').toolCall('write', { file_path: 'notes.md', content: '# Notes\n' });
      if (n === 2) return reply().toolCall('bash', { command: 'cat notes.md' });
      return reply().text('The file **notes.md** is there.');
    });
    await chat.send('Write notes');
    expect(await chat.waitForPrompt()).toContain('# Notes');
    await chat.answer('Allow');
    await chat.waitForText('is there.');
    expect(await app.read('notes.md')).toBe('# Notes\n');
    await chat.waitForIdle();
    expect(server.errors).toEqual([]);
    expect(server.requests.map((request) => request.problem)).toEqual([undefined, undefined, undefined, undefined]);
    await chat.tool('read package.json').waitFor();
    await chat.tool('bash cat notes.md').waitFor();
    await chat.thinking.first().waitFor();
    await expect.poll(() => chat.frame.locator('strong', { hasText: 'notes.md' }).count(), { timeout: 30_000 }).toBe(1);
  });

  it('sends the thinking back byte for byte', () => {
    const last = JSON.stringify(server.requests.at(-1)?.body.messages);
    expect(last).toContain('"signature":"c2lnbmF0dXJl"');
    expect(last).toContain('"signature":"c2lnbmF0dXJlMg=="');
  });

  it('never shows the key to a command', async () => {
    server.setScript((_request, n) => (n % 2 === 0 ? reply().toolCall('bash', { command: 'env' }) : reply().text('Looked.')));
    await chat.newSession();
    await chat.send('Show the environment');
    await chat.waitForPrompt();
    await chat.answer('Allow');
    await chat.waitForText('Looked.');
    expect(JSON.stringify(server.requests.at(-1)?.body)).not.toContain('sk-e2e');
  });
});
