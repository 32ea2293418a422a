import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { httpError, lastToolResults, reply } from '../support/model-server/index.js';
import { type ChatRequest, type OpenAiServer, chunk, DONE, json, sse, startOpenAiServer } from '../support/openai-server/index.js';
import { KEY } from './app.js';
import type { Chat } from './chat.js';
import { type WithModel, startWithModel, toolResults } from './with-model.js';

const SLOW = { timeout: 60_000 };
const LIST = {
  object: 'list',
  data: [
    { id: 'small-1', object: 'model' },
    { id: 'large-1', object: 'model' },
  ],
};

/** A server with two models that reads package.json when it is asked something, and says what it was asked. */
function answer({ path, body }: ChatRequest): ReturnType<typeof json> | undefined {
  if (path.endsWith('/models')) return json(LIST);
  if (!path.endsWith('/chat/completions')) return undefined;
  const last = body.messages?.at(-1);
  if (last?.['role'] === 'tool') return sse(chunk({ content: `Read it, says ${String(body.model)}.` }), chunk({}, 'stop'), DONE);
  const call = { index: 0, id: 'c1', type: 'function', function: { name: 'read', arguments: '{"file_path":"package.json"}' } };
  return sse(chunk({ role: 'assistant', content: 'Looking.' }), chunk({ tool_calls: [call] }), chunk({}, 'tool_calls'), DONE);
}

describe('models', () => {
  let own: OpenAiServer;
  let all: WithModel;
  let chat: Chat;

  beforeAll(async () => {
    own = await startOpenAiServer(answer);
    all = await startWithModel({ 'gnomon.providers': { mine: { baseUrl: `${own.url}/v1`, label: 'My server' } } });
    chat = all.chat;
  });
  beforeEach(() => chat.newSession());
  afterAll(async () => {
    await all.stop();
    await own.close();
  });

  it('with the Anthropic wire format: think, use tools over several rounds, and end a command in the background that was shown no key', async () => {
    const { server, app } = all;
    const before = server.requests.length;
    const rounds = [
      reply().thinking('The person wants a file.', 'c2lnbmF0dXJl').text('I look at it first.').toolCall('read', { file_path: 'package.json' }),
      reply().thinking('Now I write.', 'c2lnbmF0dXJlMg==').toolCall('write', { file_path: 'notes.md', content: '# Notes\n' }),
      reply().toolCall('bash', { command: 'env; exec sleep 1000', background: true }),
      reply().toolCall('jobs', { action: 'kill', id: 'job-1' }),
      reply().text('The file **notes.md** is there.'),
    ];
    server.setScript(() => rounds.shift() ?? reply().text('Nothing more.'));
    await chat.send('Write notes');
    expect(await chat.waitForPrompt()).toContain('# Notes');
    await chat.answer('Allow');
    expect(await chat.waitForPrompt()).toContain('exec sleep 1000');
    await chat.answer('Allow');
    await chat.log.locator('strong', { hasText: 'notes.md' }).waitFor(SLOW);
    await chat.waitForIdle();
    expect(await app.read('notes.md')).toBe('# Notes\n');
    expect(toolResults(server).join()).toMatch(/killed|ended/);
    expect(server.errors).toEqual([]);
    const requests = server.requests.slice(before);
    expect(requests.map(({ problem }) => problem)).toEqual(Array.from({ length: 5 }, () => undefined));
    for (const call of ['read package.json', 'write notes.md', 'bash env']) await chat.tool(call).waitFor(SLOW);
    await chat.thinking.first().waitFor(SLOW);
    const facts = String(requests[0]?.body.messages[0] && JSON.stringify(requests[0].body.messages[0].content));
    for (const fact of ['<environment>', 'Date: ', 'Permission mode: default', 'Contents: ', 'package.json']) expect(facts).toContain(fact);
    const last = JSON.stringify(requests.at(-1)?.body);
    expect(last).toContain('"signature":"c2lnbmF0dXJl"');
    expect(last).toContain('"signature":"c2lnbmF0dXJlMg=="');
    expect(last).toContain('PATH=');
    expect(last).not.toContain(KEY);
  });

  it('G29 stream-20 of an endpoint of one’s own, tools included; the provider is switched in mid-session and back, and thinking stays with the model that thought', async () => {
    const { server, app } = all;
    const sent = (): string | undefined => own.requests.filter(({ path }) => path.endsWith('/chat/completions')).at(-1)?.raw;
    server.setScript(() => reply().thinking('Hm.', 'signed-here').text('This is Claude.'));
    await chat.select('Model', 'small-1');
    await chat.send('What is in package.json?');
    await chat.waitForText('Read it, says small-1.');
    await chat.waitForIdle();
    expect(sent()).toContain('"role":"tool"');
    await app.workbench.runCommand('Gnomon: Select Model');
    const picker = app.page.locator('.quick-input-widget');
    // By its own words: the command palette has the same input a moment before.
    await picker.getByPlaceholder('Select a model for this chat').fill('claude-opus-5-5');
    await picker.getByRole('option', { name: /^Claude Opus 5\.5/ }).click();
    await chat.waitForChoice('Model', 'Claude Opus 5.5');
    await chat.send('Who are you?');
    await chat.waitForText('This is Claude.');
    await chat.waitForIdle();
    expect(server.requests.at(-1)?.body.model).toBe('claude-opus-5-5');
    expect(server.requests.at(-1)?.problem).toBeUndefined();
    await chat.select('Model', 'large-1');
    await chat.send('And you?');
    await chat.waitForText('Read it, says large-1.');
    await chat.waitForIdle();
    expect(sent()).toContain('This is Claude.');
    expect(sent()).not.toContain('signed-here');
    await chat.select('Model', 'Claude Opus 5.5');
    await chat.send('Back again?');
    await chat.answers.nth(3).getByText('This is Claude.').waitFor(SLOW);
    await chat.waitForIdle();
    expect(JSON.stringify(server.requests.at(-1)?.body.messages)).toContain('signed-here');
    expect(server.requests.at(-1)?.problem).toBeUndefined();
  });

  it('show a plan and ask a question with choices; the answer reaches the model', async () => {
    const { server } = all;
    const todos = [
      { text: 'Find the place', status: 'done' },
      { text: 'Change it', status: 'in_progress' },
      { text: 'Test it', status: 'pending' },
    ];
    const question = { question: 'Which color?', choices: ['Red', 'Blue'] };
    server.setScript(({ body }) =>
      lastToolResults(body).length > 0 ? reply().text('So be it.') : reply().toolCall('todo', { todos }).toolCall('ask', question),
    );
    await chat.send('Paint it');
    const prompt = chat.frame.getByRole('group', { name: 'Question from Gnomon' });
    await prompt.getByText('Which color?').waitFor(SLOW);
    await chat.frame
      .getByRole('region', { name: 'Plan' })
      .getByText(/1 of 3/)
      .waitFor(SLOW);
    await prompt.getByText('Blue').click();
    await prompt.getByRole('button', { name: 'Answer' }).click();
    await chat.waitForText('So be it.');
    expect(toolResults(server).join()).toContain('Blue');
    await chat.waitForIdle();
  });

  it('summarize with /compact, get the summary in place of what it stands for, and all of it again after Undo', async () => {
    const { server } = all;
    const canary = 'the first thing that was ever said';
    server.setScript(({ body }) => {
      if (JSON.stringify(body).includes('keep the numbers')) return reply().text('SUMMARY: they spoke of things.');
      return reply().text('I hear you. '.repeat(400));
    });
    for (const text of [canary, 'second', 'third', 'fourth']) {
      await chat.send(text);
      await chat.waitForIdle();
    }
    await chat.message.fill('/compact keep the numbers');
    await chat.message.press('Enter');
    const summary = chat.frame.getByRole('group', { name: 'Chat summarized' });
    await summary.getByRole('button', { name: 'Undo' }).waitFor(SLOW);
    await chat.send('fifth');
    await chat.waitForIdle();
    const compacted = JSON.stringify(server.requests.at(-1)?.body.messages);
    expect(compacted).toContain('SUMMARY: they spoke of things.');
    expect(compacted).not.toContain(canary);
    await summary.getByRole('button', { name: 'Undo' }).click();
    await chat.send('sixth');
    await chat.waitForIdle();
    expect(JSON.stringify(server.requests.at(-1)?.body.messages)).toContain(canary);
    expect(server.requests.at(-1)?.problem).toBeUndefined();
    expect(await chat.mine.first().textContent()).toContain(canary);
  });

  it('stream-07 that are busy are waited for as the server asks, and asked at once with Retry now', async () => {
    const { server } = all;
    const replies = [httpError(429, 'rate_limit_error', 'Too many requests', { 'retry-after': '120' }), reply().text('Here it is.')];
    server.setScript(() => replies.shift() ?? reply().text('Nothing more.'));
    const before = server.requests.length;
    await chat.send('Say something');
    await chat.button('Retry Now').waitFor(SLOW);
    expect(server.requests).toHaveLength(before + 1);
    await chat.button('Retry Now').click();
    await chat.waitForText('Here it is.');
    await chat.waitForIdle();
    expect(await chat.button('Retry Now').count()).toBe(0);
  });
});
