import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ImageBlock, ToolCallBlock, ToolResultContent } from '../../../../src/domain/model/content.js';
import { ProviderError } from '../../../../src/domain/errors.js';
import type { Message } from '../../../../src/domain/model/message.js';
import { NO_USAGE } from '../../../../src/domain/model/usage.js';
import { createAnthropicProvider } from '../../../../src/provider/anthropic/provider.js';
import { retryAfterMs } from '../../../../src/provider/http/failures.js';
import {
  type ModelServer,
  type Reply,
  gate,
  htmlReply,
  httpError,
  jsonReply,
  reply,
  resetReply,
  startModelServer,
} from '../../../support/model-server/index.js';
import { drain, failure } from '../../../support/stream-conformance.js';
import { never, NOW, providerFor, request, result } from './rig.js';
import { says } from '../../../support/wording.js';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

async function failing(answer: Reply): Promise<{ error: ProviderError; partial: string }> {
  server.setScript(() => answer);
  const stream = providerFor(server).stream(request(), never());
  const error = await failure(drain(stream));
  if (!(error instanceof ProviderError)) throw error;
  const [first] = stream.message().content;
  return { error, partial: first?.type === 'text' ? first.text : '' };
}

/** What a person reads is a sentence: never JSON, markup, a stack or an internal name. */
function readable(message: string): void {
  expect(message).not.toMatch(/[{}[\]]|<\w|undefined|null|TypeError|APIError|_error\b/);
  expect(message).toMatch(/^[A-Z0-9].*\.$/);
}

describe('answers with an error status', () => {
  it.each<[number, string, string, string, RegExp]>([
    [400, 'invalid_request_error', 'messages.1: something odd', 'invalid_request', /rejected the request \(messages\.1: something odd\)/],
    [400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum', 'context_length', /too long.*new chat/],
    [400, 'invalid_request_error', 'Input is too long for requested model.', 'context_length', /too long/],
    [400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.', 'quota', /credit balance is too low.*billing/],
    [401, 'authentication_error', 'invalid x-api-key', 'authentication', /rejected the API key.*Gnomon: Set API Key/],
    [402, 'billing_error', 'No credit left', 'quota', /No credit left/],
    [403, 'permission_error', 'Not for you', 'permission', /does not have permission/],
    [404, 'not_found_error', 'model: claude-9', 'not_found', /model: claude-9.*another model.*gnomon\.anthropic\.baseUrl/],
    [413, 'request_too_large', 'Request exceeds the maximum size', 'too_large', /larger than/],
    [429, 'rate_limit_error', 'slow down', 'rate_limit', /limiting your requests.*Try again/],
    [500, 'api_error', 'Internal server error', 'server', /reported an internal error/],
    [504, 'timeout_error', 'timed out', 'server', /timed out/],
    [529, 'overloaded_error', 'Overloaded', 'overloaded', /currently overloaded/],
  ])('stream-08 %i %s “%s” is %s', async (status, type, message, kind, words) => {
    const before = server.requests.length;
    const { error } = await failing(httpError(status, type, message));
    expect(error).toMatchObject({ kind, status, requestId: 'req_test' });
    expect(error.message).toMatch(words);
    readable(error.message);
    // The SDK repeats nothing by itself.
    expect(server.requests).toHaveLength(before + 1);
  });

  it.each([
    [404, 'not_found'],
    [429, 'rate_limit'],
    [502, 'server'],
    [503, 'server'],
  ])('stream-08 a page with status %i is %s, and the page is not shown', async (status, kind) => {
    const { error } = await failing(htmlReply('<html><title>Bad gateway</title>{"a":1}</html>', status));
    expect(error).toMatchObject({ kind, status });
    readable(error.message);
    expect(error.message).not.toContain('gateway');
  });

  it('stream-10 a proxy that wants a password is a network failure that names the proxy', async () => {
    const { error } = await failing(htmlReply('<html>Proxy</html>', 407));
    expect(error.kind).toBe('network');
    expect(error.message).toContain('Check your network connection, the proxy, and the setting');
    readable(error.message);
  });

  it('stream-08 JSON of an unknown form is not shown', async () => {
    const { error } = await failing(jsonReply({ detail: [{ loc: ['body'] }] }, 422));
    expect(error.kind).toBe('invalid_request');
    readable(error.message);
  });

  it.each([
    ['retry-after', '3', 3_000, says('retryInSeconds', 3)],
    ['retry-after', '0', 0, says('retryInSecond')],
    ['retry-after', '3600', 3_600_000, says('retryInMinutes', 60)],
    ['retry-after', '-5', undefined, says('retryInMinute')],
    ['retry-after', 'soon', undefined, says('retryInMinute')],
    ['retry-after-ms', '1500', 1_500, says('retryInSeconds', 2)],
  ])('stream-07 429 with %s: %s', async (header, value, milliseconds, words) => {
    const { error } = await failing(httpError(429, 'rate_limit_error', 'slow down', { [header]: value }));
    expect(error.retryAfterMs).toBe(milliseconds);
    expect(error.message).toContain(words);
  });

  it('stream-07 reads a date', () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    const at = (date: string): number | undefined => retryAfterMs(new Headers({ 'retry-after': date }), now);
    expect(at('Thu, 01 Jan 2026 00:00:30 GMT')).toBe(30_000);
    expect(at('Wed, 31 Dec 2025 23:59:59 GMT')).toBeUndefined();
    expect(retryAfterMs(undefined)).toBeUndefined();
  });
});

describe('answers that are no stream', () => {
  it.each<[string, Reply, string]>([
    ['a login page', htmlReply('<html><body>Please sign in</body></html>'), 'a web page (content type text/html'],
    ['a JSON document', jsonReply({ ok: true }), 'a JSON document (content type application/json)'],
    ['plain text', { kind: 'plain', status: 200, headers: { 'content-type': 'text/plain' }, body: 'hello' }, 'other content (content type text/plain)'],
  ])('stream-09 names %s', async (_, answer, words) => {
    const { error } = await failing(answer);
    expect(error.kind).toBe('not_a_stream');
    expect(error.message).toContain(words);
    expect(error.message).toContain('proxy');
    expect(error.message).toContain('gnomon.anthropic.baseUrl');
    readable(error.message);
  });

  it('takes an answer in one piece for what it is', async () => {
    const content = [
      { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
      { type: 'text', text: 'Whole.' },
      { type: 'tool_use', id: 'c1', name: 'read', input: { file_path: 'a' } },
    ];
    server.setScript(() =>
      jsonReply({
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'x',
        content,
        stop_reason: 'tool_use',
        stop_sequence: null,
        usage: { input_tokens: 7, output_tokens: 3 },
      }),
    );
    const stream = providerFor(server).stream(request(), never());
    await drain(stream);
    expect(stream.message()).toMatchObject({
      stopReason: 'tool_use',
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'Whole.' },
        { type: 'tool_call', id: 'c1', name: 'read', arguments: '{"file_path":"a"}' },
      ],
      usage: { inputTokens: 7, outputTokens: 3 },
    });
  });

  it('closes the connection of a page that never ends', async () => {
    const { error } = await failing(reply().hold(gate()).headers({ 'content-type': 'text/html' }));
    expect(error.kind).toBe('not_a_stream');
    expect(await server.requests.at(-1)?.closedByClient).toBe(true);
  });

  it('takes a stream that does not say what it is', async () => {
    server.setScript(() => reply().text('ok').headers({ 'content-type': '' }));
    await drain(providerFor(server).stream(request(), never()));
  });
});

it.each([
  [
    400,
    'messages.3.content.1.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels',
    true,
  ],
  [400, 'Could not process image', true],
  [400, 'messages.1: something odd', false],
  [500, 'An image server is down', false],
])('stream-23 %i “%s” is about images: %s', async (status, message, isAbout) => {
  const { error } = await failing(httpError(status, status === 400 ? 'invalid_request_error' : 'api_error', message));
  expect(error.refusedImages).toEqual(isAbout ? [] : undefined);
});

describe('stream-23 the images that an error names', () => {
  const image = (byte: number): ImageBlock => ({ type: 'image', mimeType: 'image/png', data: new Uint8Array([byte]) });
  const [first, second, third, fourth] = [image(1), image(2), image(3), image(4)];
  const call = (id: string): ToolCallBlock => ({ type: 'tool_call', id, name: 'read', arguments: '{}' });
  const answered = (toolCallId: string, isError: boolean, ...content: readonly ToolResultContent[]): Message =>
    ({ ...result(toolCallId, ''), isError, content }) as Message;
  const messages: readonly Message[] = [
    { role: 'user', content: [{ type: 'text', text: 'Look' }, first], timestamp: NOW },
    { role: 'assistant', content: [call('a'), call('b'), call('c')], stopReason: 'tool_use', rawStopReason: 'tool_use', usage: NO_USAGE, timestamp: NOW },
    answered('a', false, { type: 'text', text: 'one' }, second),
    answered('b', true, { type: 'text', text: 'failed' }, image(9)),
    answered('c', false, third),
    { role: 'user', content: [fourth], timestamp: NOW },
  ];

  it.each<[string, string, object, readonly ImageBlock[]]>([
    ['by their places in its words', 'messages.0.content.1.image.source.base64.data: image exceeds 5 MB', {}, [first]],
    ['in a tool result', 'messages.2.content.0.tool_result.content.1.image.source.base64.data: image exceeds 5 MB', {}, [second]],
    ['behind a failed tool', 'messages.2.content.2.tool_result.content.0.image.source.base64: Could not process image', {}, [third]],
    ['in its details', 'Image dimensions are too large', { paths: ['messages.2.content.2.content.0', 'messages.2.content.3'] }, [third, fourth]],
    ['with places that do not exist', 'messages.7.content.1.image: Could not process image', { paths: 'no list' }, []],
  ])('%s', async (_, message, details, named) => {
    server.setScript(() => jsonReply({ type: 'error', error: { type: 'invalid_request_error', message, details } }, 400));
    const error = await failure(drain(providerFor(server).stream(request({ messages }), never())));
    expect((error as ProviderError).refusedImages).toEqual(named);
  });
});

describe('breaks', () => {
  it('stream-03 a connection that is cut in the middle keeps the partial answer', async () => {
    const { error, partial } = await failing(reply().text('so far').cut());
    expect(error).toMatchObject({ kind: 'interrupted' });
    expect(partial).toBe('so far');
    readable(error.message);
  });

  it('a call whose answer says why it stopped, but never that it is over, is interrupted: it must not run', async () => {
    const stopped = { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 5 } };
    const { error } = await failing(reply().toolCall('bash', { command: 'rm a' }).events(stopped).unfinished());
    expect(error).toMatchObject({ kind: 'interrupted', fact: says('responseCutOff') });
  });

  it('a stream that ends without its end is interrupted too', async () => {
    const { error, partial } = await failing(reply().text('so far').unfinished());
    expect(error).toMatchObject({ kind: 'interrupted', fact: says('responseCutOff') });
    expect(partial).toBe('so far');
  });

  it('stream-03 a connection that is reset before anything came is a network failure', async () => {
    const { error } = await failing(resetReply);
    expect(error.kind).toBe('network');
    expect(error.message).toContain('the connection was closed');
    readable(error.message);
  });

  it.each([
    ['overloaded_error', 'overloaded'],
    ['api_error', 'server'],
    ['rate_limit_error', 'rate_limit'],
    ['something_new', 'server'],
  ])('stream-06 an %s in the stream is %s; the partial answer is kept and the error is no part of it', async (type, kind) => {
    const { error, partial } = await failing(reply().text('so far').errorEvent(type, 'Not now'));
    expect(error.kind).toBe(kind);
    expect(partial).toBe('so far');
    readable(error.message);
  });

  it('stream-06 an error without the name of its event is the same error', async () => {
    const { error, partial } = await failing(reply().text('so far').errorEvent('overloaded_error', 'Not now').style({ dataOnly: true }));
    expect(error.kind).toBe('overloaded');
    expect(partial).toBe('so far');
  });

  it.each(['nginx: gone', 'null', ''])('stream-06 an error event that says “%s” is an error all the same', async (data) => {
    const { error, partial } = await failing(reply().text('so far').raw(`event: error\ndata: ${data}\n\n`));
    expect(error.kind).toBe('server');
    expect(partial).toBe('so far');
  });
});

describe('before a request', () => {
  it.each([undefined, ''])('says what to do without a key (%o)', async (key) => {
    const provider = createAnthropicProvider({ apiKey: () => Promise.resolve(key), baseUrl: () => server.url });
    const before = server.requests.length;
    const error = await failure(provider.stream(request(), never()).next());
    expect(error).toMatchObject({ kind: 'no_key', message: expect.stringMatching(/Gnomon: Set API Key.*ANTHROPIC_API_KEY/) as string });
    expect(server.requests).toHaveLength(before);
  });

  it('refuses a wrong key with the way to another one', async () => {
    const strict = await startModelServer({ apiKey: 'right', script: () => reply().text('ok') });
    const error = await failure(drain(providerFor(strict).stream(request(), never())));
    expect(error).toMatchObject({ kind: 'authentication', message: expect.stringContaining('Gnomon: Set API Key') as string });
    expect(error.message).not.toContain('test-key');
    await strict.close();
  });

  it('names the host and the setting when it cannot be reached', async () => {
    const port = await freePort();
    const provider = createAnthropicProvider({ apiKey: () => Promise.resolve('k'), baseUrl: () => `http://127.0.0.1:${port}` });
    const error = await failure(provider.stream(request(), never()).next());
    expect(error).toMatchObject({ kind: 'network' });
    expect(error.message).toContain(`127.0.0.1:${port}`);
    expect(error.message).toContain('the connection was refused');
    expect(error.message).toContain('gnomon.anthropic.baseUrl');
    readable(error.message);
  });

  it.each(['localhost:8080', 'not an address', 'ftp://host'])('refuses “%s” as an address', async (address) => {
    const provider = createAnthropicProvider({ apiKey: () => Promise.resolve('k'), baseUrl: () => address });
    const error = await failure(provider.stream(request(), never()).next());
    expect(error).toMatchObject({ kind: 'network' });
    expect(error.message).toContain(address);
    expect(error.message).toContain('gnomon.anthropic.baseUrl');
  });

  it('takes an address with a slash or a version at its end, and notices a change at once', async () => {
    let address = 'http://127.0.0.1:1';
    const provider = createAnthropicProvider({ apiKey: () => Promise.resolve('k'), baseUrl: () => address });
    server.setScript(() => reply().text('ok'));
    for (const ending of ['', '/', '/v1', '/v1/']) {
      address = server.url + ending;
      await drain(provider.stream(request(), never()));
    }
  });
});

/** A port on which nothing listens. */
async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  const { port } = listener.address() as AddressInfo;
  await new Promise((resolve) => listener.close(resolve));
  return port;
}
