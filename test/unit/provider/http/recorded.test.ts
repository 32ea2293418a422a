import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/domain/model/message.js';
import type { Provider } from '../../../../src/domain/model/provider.js';
import { createAnthropicProvider } from '../../../../src/provider/anthropic/provider.js';
import { bodyBytes, RequestLog, type SentRequest } from '../../../../src/provider/http/request-log.js';
import { recorded } from '../../../../src/provider/http/recorded.js';
import { shownText } from '../../../../src/provider/http/sent-text.js';
import { createOpenAiFill } from '../../../../src/provider/openai/fim/fill.js';
import type { PresetId } from '../../../../src/provider/openai/models/presets.js';
import { httpError, reply, startModelServer } from '../../../support/model-server/index.js';
import { type OpenAiServer, type Reply, chunk, DONE, json, sse, startOpenAiServer } from '../../../support/openai-server/index.js';
import { type RawRequest, type RecordingProxy, startRecordingProxy } from '../../../support/recording-proxy/index.js';
import { said, startResponsesServer } from '../../../support/responses-server/index.js';
import { drain, failure } from '../../../support/stream-conformance.js';
import { never, optionsFor, providerFor, request, user } from '../openai/rig.js';

const KEY = 'sk-test-4711-0815-abcdef';
/** What a conversation is made of: hidden characters, halves of pairs, long texts, and those that are kept encoded. */
const MESSAGES: readonly Message[] = [user('Hello \u202E\u200Bäöü 😀 \uD800 "quoted" \\ \u2028'), user('long '.repeat(500)), user('larger '.repeat(20_000))];

let log: RequestLog;
const closing: (() => Promise<void>)[] = [];
beforeEach(() => {
  log = new RequestLog(() => [KEY]);
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** The address of a proxy before a server. Both are closed after the test. */
async function before(server: { readonly url: string; close(): Promise<void> }): Promise<RecordingProxy> {
  const proxy = await startRecordingProxy(server.url);
  closing.push(
    () => proxy.close(),
    () => server.close(),
  );
  return proxy;
}

function openAi(proxy: Pick<RecordingProxy, 'url'>, id: PresetId, headers: Readonly<Record<string, string>> = {}): Provider {
  return providerFor(proxy, id, { apiKey: () => Promise.resolve(KEY), requests: log, headers });
}

async function answering(answer: () => Reply): Promise<OpenAiServer> {
  return startOpenAiServer(answer);
}

const ask = (provider: Provider, model: string): Promise<unknown> =>
  drain(provider.stream(request({ model, messages: MESSAGES, cacheKey: 'session-1' }), never()));

/** The record has all bytes and headers that arrived, and a mark where a key was. */
function expectSame(noted: SentRequest | undefined, arrived: RawRequest | undefined, secret: readonly string[]): void {
  if (noted === undefined || arrived === undefined) return expect.unreachable('Nothing was noted, or nothing arrived.');
  expect(Buffer.compare(Buffer.from(bodyBytes(noted.body)), arrived.body)).toBe(0);
  expect(noted.size).toBe(arrived.body.length);
  const { pathname, search } = new URL(shownText(noted.url, () => KEY));
  expect(arrived.line).toBe(`${noted.method} ${pathname}${search} HTTP/1.1`);
  expect(noted.allHeaders).toBe(true);
  expect(noted.headers.map(({ name }) => name)).toEqual(arrived.headers.map(([name]) => name));
  const hidden = noted.headers.filter(({ value }) => value.some((piece) => typeof piece !== 'string'));
  expect(hidden.map(({ name }) => name.toLowerCase()).sort()).toEqual([...secret].sort());
  noted.headers.forEach(({ value }, index) => {
    const sent = arrived.headers[index]?.[1] ?? '';
    expect(shownText(value, ({ characters }) => sent.slice(sent.length - characters))).toBe(sent);
  });
  for (const [name, value] of arrived.headers)
    if (secret.includes(name.toLowerCase())) expect(JSON.stringify(noted)).not.toContain(value.replace(/^Bearer /, ''));
  expect(JSON.stringify(noted) + Buffer.from(bodyBytes(noted.body)).toString('latin1')).not.toContain(KEY);
}

describe('what goes out to a model', () => {
  it('is noted byte for byte over Messages of Anthropic', async () => {
    const server = await startModelServer({ script: () => reply().text('Hi.'), lenient: true });
    const proxy = await before(server);
    await ask(createAnthropicProvider({ apiKey: () => Promise.resolve(KEY), baseUrl: () => proxy.url, requests: log }), 'claude-sonnet-5-5');
    expectSame(log.requests()[0], proxy.requests()[0], ['x-api-key', 'authorization']);
    expect(log.requests()[0]).toMatchObject({
      sender: { provider: 'anthropic', model: 'claude-sonnet-5-5', session: 'session-1', keyVariable: 'ANTHROPIC_API_KEY' },
      answer: { status: 200 },
      end: { outcome: 'complete' },
    });
    expect(log.requests()[0]?.end?.usage?.outputTokens).toBeGreaterThan(0);
  });

  it('is noted byte for byte over chat completions, and headers of the settings without their values', async () => {
    const proxy = await before(await answering(() => sse(chunk({ content: 'Hi.' }), chunk({}, 'stop'), DONE)));
    await ask(openAi(proxy, 'mistral', { 'X-Gateway': 'gateway-secret-1', 'X-Title': 'mine' }), 'mistral-medium-3-5');
    expectSame(log.requests()[0], proxy.requests()[0], ['authorization', 'x-gateway', 'x-title']);
  });

  it('is noted byte for byte over Responses of OpenAI', async () => {
    const server = await startResponsesServer();
    server.play([said('Hi.')]);
    const proxy = await before(server);
    await ask(openAi(proxy, 'openai'), 'gpt-5.6-terra');
    expectSame(log.requests()[0], proxy.requests()[0], ['authorization']);
    expect(log.requests()[0]?.end?.usage).toMatchObject({ outputTokens: 20 });
  });

  it.each([
    ['mistral', json({ choices: [{ index: 0, message: { role: 'assistant', content: 'b' } }] }), '/v1/fim/completions'],
    ['ollama', json({ response: 'b', done: true }), '/api/generate'],
    ['vllm', json({ choices: [{ index: 0, text: 'b' }] }), '/v1/completions'],
  ] as const)('is noted byte for byte where %s fills in the middle', async (id, answer, path) => {
    const proxy = await before(await answering(() => answer));
    const fill = createOpenAiFill(optionsFor(proxy, id, { apiKey: () => Promise.resolve(KEY), requests: log }));
    const suffix = id === 'vllm' ? {} : { suffix: '\n// 😀' };
    expect(await fill.fill({ model: 'codestral-latest', prompt: 'const ä = ', maxTokens: 80, stops: ['\n'], ...suffix }, never())).toBe('b');
    const [noted] = log.requests();
    expectSame(noted, proxy.requests()[0], ['authorization']);
    expect(proxy.requests()[0]?.line).toContain(path);
    expect(noted).toMatchObject({ sender: { provider: id, model: 'codestral-latest' }, answer: { status: 200 }, end: { outcome: 'complete' } });
    expect(noted?.sender.session).toBeUndefined();
  });

  it('is noted where several go out at once, each with its own headers', async () => {
    const proxy = await before(await answering(() => sse(chunk({ content: 'Hi.' }), chunk({}, 'stop'), DONE)));
    const texts = ['one', 'two!', 'three', 'four!', 'five!!', 'six'];
    await Promise.all(texts.map((text) => drain(openAi(proxy, 'mistral').stream(request({ messages: [user(text)], cacheKey: 's' }), never()))));
    expect(log.requests()).toHaveLength(texts.length);
    for (const noted of log.requests()) {
      const body = Buffer.from(bodyBytes(noted.body));
      expectSame(
        noted,
        proxy.requests().find((raw) => raw.body.equals(body)),
        ['authorization'],
      );
    }
  });

  it('of retries is noted each, with what became of it', async () => {
    const replies = [httpError(529, 'overloaded_error', 'Overloaded'), reply().text('Hi.')];
    const server = await startModelServer({ script: () => replies.shift() ?? reply().text('No more.') });
    const proxy = await before(server);
    const provider = createAnthropicProvider({ apiKey: () => Promise.resolve(KEY), baseUrl: () => proxy.url, requests: log });
    await failure(ask(provider, 'claude-sonnet-5-5'));
    await ask(provider, 'claude-sonnet-5-5');
    expect(log.requests().map(({ id, answer, end }) => [id, answer?.status, end?.outcome])).toEqual([
      [2, 200, 'complete'],
      [1, 529, 'failed'],
    ]);
  });

  it('is noted twice where a request is repeated without what was refused in it', async () => {
    const server = await startResponsesServer();
    server.play(json({ error: { message: 'Your organization must be verified to generate reasoning summaries.', param: 'reasoning.summary' } }, 400), [
      said('Hi.'),
    ]);
    const proxy = await before(server);
    await drain(openAi(proxy, 'openai').stream(request({ model: 'gpt-5.6-terra', effort: 'high' }), never()));
    expect(log.requests().map(({ end, answer }) => [answer?.status, end?.outcome])).toEqual([
      [200, 'complete'],
      [400, 'failed'],
    ]);
    const [second, first] = log.requests();
    expectSame(first, proxy.requests()[0], ['authorization']);
    expectSame(second, proxy.requests()[1], ['authorization']);
  });

  it('is noted of a stream that was stopped in the middle, and of a server that is not there', async () => {
    const proxy = await before(await answering(() => sse(chunk({ content: 'Hi' }), 'stay open')));
    const stop = new AbortController();
    const stream = openAi(proxy, 'mistral').stream(request(), stop.signal);
    await stream.next();
    expect(log.requests()[0]).toMatchObject({ answer: { status: 200 } });
    expect(log.requests()[0]?.end).toBeUndefined();
    stop.abort();
    await failure(drain(stream));
    expect(log.requests()[0]?.end).toMatchObject({ outcome: 'stopped' });
    await failure(drain(openAi({ url: 'http://127.0.0.1:9' }, 'mistral').stream(request(), never())));
    expect(log.requests()[0]).toMatchObject({ allHeaders: false, end: { outcome: 'failed' } });
    expect(log.requests()[0]?.answer).toBeUndefined();
    expect(JSON.stringify(log.requests())).not.toContain(KEY);
  });

  it('is noted of bytes and of streams, whose pieces are kept as they pass, but not of questions to the server', async () => {
    const proxy = await before(await answering(() => json({})));
    const { options } = recorded<{ requests: RequestLog; fetch?: typeof fetch }>({ requests: log }, { provider: 'x', model: 'y' });
    const send = async (body?: RequestInit['body']): Promise<void> => {
      const sent = body === undefined ? {} : { method: 'POST', body, duplex: 'half' as const };
      await (await (options.fetch ?? fetch)(`${proxy.url}/a?key=${KEY}&b=1`, sent)).text();
    };
    await send(new Uint8Array(Buffer.from('{"a":"ä"}')));
    await send(new Blob(['{"a":', '1}']).stream().pipeThrough(new TransformStream()));
    await send();
    expect(log.requests().map(({ size, allHeaders }) => [size, allHeaders])).toEqual([
      [7, true],
      [10, true],
    ]);
    const [streamed, bytes] = log.requests();
    const arrived = proxy.requests().filter(({ line }) => line.startsWith('POST'));
    expectSame(bytes, arrived[0], []);
    expectSame(streamed, arrived[1], []);
    const mark = shownText(log.requests()[0]?.url ?? [], ({ characters }) => `‹${characters}›`);
    expect(mark).toBe(`${proxy.url}/a?key=‹${KEY.length}›&b=1`);
  });
});
