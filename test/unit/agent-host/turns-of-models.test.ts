import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { httpError, reply } from '../../support/model-server/index.js';
import { type ChatRequest, chunk, DONE, json, sse, startOpenAiServer } from '../../support/openai-server/index.js';
import { KEY, nodeChat, wordsOf } from './node-chat.js';

const LIST = { object: 'list', data: ['small-1', 'large-1'].map((id) => ({ id, object: 'model' })) };
const PACKAGE = { 'package.json': '{ "name": "sample" }\n' };

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
  it('with the Anthropic wire format: think, use tools over several rounds, and end a command in the background that was shown no key', async () => {
    const chat = await nodeChat({ inFolder: PACKAGE });
    // What shows a chat has the facts about its folder looked up.
    await chat.host.host.ground.environment.refresh();
    chat.inTurn(
      reply().thinking('The person wants a file.', 'c2lnbmF0dXJl').text('I look at it first.').toolCall('read', { file_path: 'package.json' }),
      reply().thinking('Now I write.', 'c2lnbmF0dXJlMg==').toolCall('write', { file_path: 'notes.md', content: '# Notes\n' }),
      reply().toolCall('bash', { command: 'env; exec sleep 1000', background: true }),
      reply().toolCall('jobs', { action: 'kill', id: 'job-1' }),
      reply().text('The file **notes.md** is there.'),
    );
    chat.send('Write notes');
    expect(wordsOf(await chat.prompt())).toContain('# Notes');
    await chat.allow();
    expect(wordsOf(await chat.prompt())).toContain('exec sleep 1000');
    await chat.allow();
    await chat.ended();
    expect(readFileSync(chat.at('notes.md'), 'utf8')).toBe('# Notes\n');
    expect(chat.results.join()).toMatch(/killed|ended/);
    expect(chat.server.errors).toEqual([]);
    expect(chat.server.requests.map(({ problem }) => problem)).toEqual(Array.from({ length: 5 }, () => undefined));
    expect(chat.calls.map(({ name, subject }) => `${name} ${subject}`)).toEqual([
      'read package.json',
      'write notes.md',
      expect.stringContaining('bash env'),
      expect.stringContaining('jobs'),
    ]);
    expect(chat.shown.items.flatMap((item) => (item.kind === 'answer' ? item.blocks : [])).filter(({ type }) => type === 'thinking')).toHaveLength(2);
    for (const fact of ['<environment>', 'Date: ', 'Permission mode: default', 'Contents: ', 'package.json'])
      expect(JSON.stringify(chat.server.requests[0]?.body.messages[0]?.content)).toContain(fact);
    for (const signature of ['c2lnbmF0dXJl', 'c2lnbmF0dXJlMg==']) expect(chat.sent).toContain(`"signature":"${signature}"`);
    expect([chat.sent.includes('PATH='), chat.sent.includes(KEY)]).toEqual([true, false]);
  });

  it('G29 stream-20 of an endpoint of one’s own, tools included; the provider is switched in mid-session and back, and thinking stays with the model that thought', async () => {
    const own = await startOpenAiServer(answer);
    onTestFinished(() => own.close());
    const chat = await nodeChat({ inFolder: PACKAGE, settings: { 'gnomon.providers': { mine: { baseUrl: `${own.url}/v1`, label: 'My server' } } } });
    await chat.host.host.models.refresh();
    const sent = (): string | undefined => own.requests.filter(({ path }) => path.endsWith('/chat/completions')).at(-1)?.raw;
    chat.server.setScript(() => reply().thinking('Hm.', 'signed-here').text('This is Claude.'));
    await chat.select('mine/small-1');
    await chat.say('What is in package.json?');
    expect(wordsOf(chat.shown.items)).toContain('Read it, says small-1.');
    expect(sent()).toContain('"role":"tool"');
    await chat.select('anthropic/claude-opus-5-5');
    await chat.say('Who are you?');
    expect(chat.server.requests.at(-1)).toMatchObject({ problem: undefined, body: { model: 'claude-opus-5-5' } });
    await chat.select('mine/large-1');
    await chat.say('And you?');
    expect(wordsOf(chat.shown.items)).toContain('Read it, says large-1.');
    expect([sent()?.includes('This is Claude.'), sent()?.includes('signed-here')]).toEqual([true, false]);
    await chat.select('anthropic/claude-opus-5-5');
    await chat.say('Back again?');
    expect([chat.sent.includes('signed-here'), chat.server.requests.at(-1)?.problem]).toEqual([true, undefined]);
  });

  it('show a plan and ask a question with choices; the answer reaches the model', async () => {
    const chat = await nodeChat();
    const todos = [
      { text: 'Find the place', status: 'done' },
      { text: 'Change it', status: 'in_progress' },
      { text: 'Test it', status: 'pending' },
    ];
    const question = { question: 'Which color?', choices: ['Red', 'Blue'] };
    chat.answers(reply().toolCall('todo', { todos }).toolCall('ask', question));
    chat.send('Paint it');
    const asked = (): (typeof chat.calls)[number] | undefined => chat.calls.find(({ preview }) => preview?.kind === 'question');
    await expect.poll(() => asked()?.status).toBe('running');
    expect(wordsOf(asked()?.preview)).toContain('Which color?');
    expect(chat.shown.todos).toEqual(todos);
    chat.conversation.answerQuestion({ type: 'answer_question', callId: asked()?.id ?? '', choices: ['Blue'] });
    await chat.ended();
    expect(chat.results.join()).toContain('Blue');
  });

  it('summarize by command, get the summary in place of what it stands for, and all of it again after Undo', async () => {
    const chat = await nodeChat();
    const canary = 'the first thing that was ever said';
    chat.server.setScript(({ raw }) =>
      raw.includes('keep the numbers') ? reply().text('SUMMARY: they spoke of things.') : reply().text('I hear you. '.repeat(400)),
    );
    for (const text of [canary, 'second', 'third', 'fourth']) await chat.say(text);
    chat.conversation.compact('keep the numbers');
    await chat.conversation.untilIdle();
    expect(chat.shown.items.at(-1)).toMatchObject({ kind: 'compaction', status: 'active' });
    await chat.say('fifth');
    expect([chat.sent.includes('SUMMARY: they spoke of things.'), chat.sent.includes(canary)]).toEqual([true, false]);
    expect(chat.conversation.session.undoCompaction()).toBe(true);
    await chat.say('sixth');
    expect([chat.sent.includes(canary), chat.server.requests.at(-1)?.problem]).toEqual([true, undefined]);
    expect(wordsOf(chat.shown.items)).toContain(canary);
  });

  it('stream-07 that are busy are waited for as the server asks, and asked at once when the user says so', async () => {
    const chat = await nodeChat();
    const replies = [httpError(429, 'rate_limit_error', 'Too many requests', { 'retry-after': '120' }), reply().text('Here it is.')];
    chat.server.setScript(() => replies.shift() ?? reply().text('Nothing more.'));
    chat.send('Say something');
    await expect.poll(() => chat.shown.retry).not.toBeNull();
    expect(chat.server.requests).toHaveLength(1);
    expect(chat.conversation.session.retryNow()).toBe(true);
    await chat.ended();
    expect([wordsOf(chat.shown.items).includes('Here it is.'), chat.shown.retry]).toEqual([true, null]);
  });

  it('stream-23 go on after forty images, and after a server that finds a request too large in the middle of them', async () => {
    const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const chat = await nodeChat();
    const names = Array.from({ length: 40 }, (_, index) => `image-${index}.png`);
    for (const name of names) writeFileSync(chat.at(name), Buffer.from(PIXEL, 'base64'));
    let refused = false;
    chat.server.setScript(({ body }) => {
      const seen = partsIn(body, 'tool_result');
      if (seen === 25 && !refused) {
        refused = true;
        return httpError(413, 'request_too_large', 'Request exceeds the maximum size');
      }
      const name = names[seen];
      return name === undefined ? reply().text('All of them are seen.') : reply().toolCall('read', { file_path: name });
    });
    await chat.say('Look at all images');
    expect(wordsOf(chat.shown.items)).toContain('All of them are seen.');
    const images = chat.server.requests.map(({ body }) => partsIn(body, 'image'));
    expect([refused, images.length, Math.max(...images)]).toEqual([true, 42, 20]);
    // Half of those that were sent, when it was refused.
    expect(images[26]).toBe(Math.floor((images[25] ?? 0) / 2));
    chat.server.setScript(() => reply().text('Fine.'));
    await chat.say('And now?');
    expect(chat.server.requests.at(-1)?.problem).toBeUndefined();
  });

  it('stop in mid-command with all its children, and the next message works', async () => {
    const chat = await nodeChat();
    // Not the command of other tests on this machine.
    const sleep = `sleep 7777.${process.pid}`;
    chat.answers(reply().toolCall('bash', { command: `touch begun; echo started-$$; bash -c "${sleep}"; true` }));
    chat.send('Sleep');
    await chat.allow();
    await expect.poll(() => wordsOf(chat.calls)).toMatch(/started-\d+/);
    chat.conversation.session.cancel();
    await chat.ended();
    await expect.poll(() => commandLines().filter((line) => line.includes(sleep))).toEqual([]);
    chat.server.setScript(() => reply().text('Back again.'));
    await chat.say('Again');
    expect(wordsOf(chat.shown.items)).toContain('Back again.');
    expect(chat.server.requests.at(-1)?.problem).toBeUndefined();
  });
});

/** How many parts of a type a request holds. */
function partsIn(body: unknown, type: string): number {
  return JSON.stringify(body).split(`"type":"${type}"`).length - 1;
}

/** The command lines of all processes of this machine. */
function commandLines(): readonly string[] {
  return readdirSync('/proc').flatMap((id) => {
    try {
      return /^\d+$/.test(id) ? [readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ')] : [];
    } catch {
      return []; // It has ended just now.
    }
  });
}
