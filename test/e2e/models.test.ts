import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelServer } from '../support/model-server/index.js';
import { reply, startModelServer } from '../support/model-server/index.js';
import type { ChatRequest, OpenAiServer } from '../support/openai-server/index.js';
import { chunk, DONE, json, sse, startOpenAiServer } from '../support/openai-server/index.js';
import { App } from './app.js';
import type { Chat } from './chat.js';

const SLOW = { timeout: 60_000 };
const LIST = { object: 'list', data: [{ id: 'small-1', object: 'model' }, { id: 'large-1', object: 'model' }] };

/** A server with two models that reads package.json when it is asked something, and says what it was asked. */
function answer({ path, body }: ChatRequest): ReturnType<typeof json> | undefined {
  if (path.endsWith('/models')) return json(LIST);
  if (!path.endsWith('/chat/completions')) return undefined;
  const last = body.messages?.at(-1);
  if (last?.['role'] === 'tool') return sse(chunk({ content: `Read it, says ${String(body.model)}.` }), chunk({}, 'stop'), DONE);
  const call = { index: 0, id: 'c1', type: 'function', function: { name: 'read', arguments: '{"file_path":"package.json"}' } };
  return sse(chunk({ role: 'assistant', content: 'Looking.' }), chunk({ tool_calls: [call] }), chunk({}, 'tool_calls'), DONE);
}

describe('several providers', () => {
  let own: OpenAiServer;
  let anthropic: ModelServer;
  let app: App;
  let chat: Chat;

  beforeAll(async () => {
    own = await startOpenAiServer(answer);
    anthropic = await startModelServer({ foreignThinking: true });
    anthropic.setScript(() => reply().thinking('Hm.', 'signed-here').text('This is Claude.'));
    app = await App.start({
      settings: {
        'gnomon.providers': { mine: { baseUrl: `${own.url}/v1`, label: 'My server' } },
        'gnomon.model': 'mine/small-1',
        'gnomon.anthropic.baseUrl': anthropic.url,
      },
    });
    chat = await app.openChat();
  });
  afterAll(async () => {
    await app.stop();
    await own.close();
    await anthropic.close();
  });

  it('works with a model of an endpoint of one’s own, tools included', async () => {
    await chat.send('What is in package.json?');
    await chat.waitForText('Read it, says small-1.');
    await chat.waitForIdle();
    expect(own.requests.filter(({ path }) => path.endsWith('/chat/completions')).at(-1)?.raw).toContain('"role":"tool"');
  });

  it('offers what the endpoint lists, and goes on with another of its models in the same session', async () => {
    await chat.select('Model', 'large-1');
    await chat.send('And now?');
    await chat.waitForText('Read it, says large-1.');
    await chat.waitForIdle();
  });

  it('G29 stream-20 switches the provider in mid-session and back; thinking stays with the model that thought', async () => {
    await chat.select('Model', 'Claude Sonnet 5.5');
    await chat.send('Who are you?');
    await chat.waitForText('This is Claude.');
    await chat.waitForIdle();
    expect(anthropic.requests.at(-1)?.problem).toBeUndefined();
    await chat.select('Model', 'small-1');
    await chat.send('And you?');
    await chat.answers.nth(3).getByText('Read it, says small-1.').waitFor(SLOW);
    await chat.waitForIdle();
    const sent = own.requests.filter(({ path }) => path.endsWith('/chat/completions')).at(-1)?.raw;
    expect(sent).toContain('This is Claude.');
    expect(sent).not.toContain('signed-here');
    await chat.select('Model', 'Claude Sonnet 5.5');
    await chat.send('Back again?');
    await chat.answers.nth(4).getByText('This is Claude.').waitFor(SLOW);
    await chat.waitForIdle();
    expect(JSON.stringify(anthropic.requests.at(-1)?.body.messages)).toContain('signed-here');
    expect(anthropic.requests.at(-1)?.problem).toBeUndefined();
  });

  it('says what to do when the endpoint is gone', async () => {
    await chat.newSession();
    await own.close();
    await chat.select('Model', 'small-1');
    await chat.send('Hello?');
    await chat.waitForText(/cannot reach My server.*Is it running\?/);
    await chat.waitForIdle();
  });
});
