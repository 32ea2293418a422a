import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { AbortError, ToolInputError } from '../../../../src/domain/errors.js';
import type { WebSearch } from '../../../../src/domain/workspace/web-search.js';
import { anthropicModelInfo } from '../../../../src/provider/anthropic/models.js';
import { createAnthropicProvider } from '../../../../src/provider/anthropic/provider.js';
import { never } from './rig.js';

let server: Server | undefined;
let bodies: unknown[] = [];

/** A server that answers each request with a status and a document; `undefined` is no answer at all. */
async function serve(document: unknown, status = 200): Promise<string> {
  bodies = [];
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push({ path: request.url, key: request.headers['x-api-key'], ...(JSON.parse(Buffer.concat(chunks).toString()) as object) });
      if (document === undefined) return;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof document === 'string' ? document : JSON.stringify(document));
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server?.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  server = undefined;
});

function searchAt(url: string | undefined, model = 'claude-sonnet-4-5', key: string | undefined = 'test-key'): WebSearch | undefined {
  return createAnthropicProvider({ apiKey: () => Promise.resolve(key), baseUrl: () => url }).webSearch?.(anthropicModelInfo(model));
}

const failureOf = async (search: WebSearch | undefined): Promise<string> => {
  const failed: unknown = await search?.search('x', never()).catch((error: unknown) => error);
  return failed instanceof Error ? failed.message : 'nothing failed';
};

const page = (url: string, title: string): object => ({ type: 'web_search_result', url, title, encrypted_content: 'c2VjcmV0', page_age: null });
const cite = (url: string, title: string, cited_text: string): object => ({
  type: 'web_search_result_location',
  url,
  title,
  cited_text,
  encrypted_index: 'eA==',
});
const USAGE = {
  input_tokens: 10_000,
  output_tokens: 200,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  server_tool_use: { web_search_requests: 1, web_fetch_requests: 0 },
};
const message = (content: readonly object[], usage: object = USAGE): object => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  stop_reason: 'end_turn',
  content,
  usage,
});
const call = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } };
const results = (content: unknown): object => ({ type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content });

describe('the search of Anthropic', () => {
  it('is one request with one search, and gives pages, quotes, a cited summary and the whole cost', async () => {
    const url = await serve(
      message([
        { type: 'text', text: 'I will search.' },
        call,
        results([page('https://a.example/', 'A'), page('https://b.example/', 'B')]),
        { type: 'text', text: 'It is ', citations: null },
        { type: 'text', text: 'so', citations: [cite('https://b.example/', 'B', 'so it is'), cite('https://b.example/', 'B', 'indeed')] },
        { type: 'text', text: '.' },
      ]),
    );

    const found = await searchAt(url)?.search('the query', never());

    expect(found).toEqual({
      hits: [
        { url: 'https://a.example/', title: 'A', snippet: '' },
        { url: 'https://b.example/', title: 'B', snippet: 'so it is … indeed' },
      ],
      summary: 'It is so [2].',
      // 10,000 × $3 and 200 × $15 per million, and a cent for the search.
      spent: {
        usage: { inputTokens: 10_000, outputTokens: 200, cacheReadTokens: 0, cacheWriteTokens: 0 },
        costUsd: expect.closeTo(0.043) as number,
        asked: { provider: 'anthropic', id: 'claude-sonnet-4-5' },
        webSearchRequests: 1,
      },
    });
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).toMatchObject({
      path: '/v1/messages',
      key: 'test-key',
      model: 'claude-sonnet-4-5',
      stream: false,
      tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 1 }],
    });
    expect(JSON.stringify(bodies[0])).toContain('the query');
  });

  it('is estimated as more than it takes, so that there is room for it before it is sent', async () => {
    const search = searchAt(await serve(message([call, results([page('https://a.example/', 'A')])])));
    const { spent } = (await search?.search('x', never())) ?? {};
    expect(search?.estimate).toMatchObject({ tokens: 24_096, requests: 1 });
    expect(search?.estimate?.costUsd).toBeGreaterThan(spent?.costUsd ?? Infinity);
    expect(searchAt(undefined, 'claude-haiku-5-5')?.estimate?.costUsd).toBeUndefined();
  });

  it('counts tokens of a model whose price is not known, and no cost', async () => {
    const url = await serve(message([call, results([page('https://a.example/', 'A')])]));
    expect((await searchAt(url, 'claude-haiku-5-5')?.search('x', never()))?.spent).toMatchObject({ usage: { inputTokens: 10_000 }, costUsd: undefined });
  });

  it.each<[string, readonly object[], RegExp]>([
    ['is asked too often', [call, results({ type: 'web_search_tool_result_error', error_code: 'too_many_requests' })], /too often\. Try again in a minute/],
    ['has another error', [call, results({ type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' })], /failed \(max_uses_exceeded\)/],
    ['was not made', [{ type: 'text', text: 'I know that.' }], /did not search/],
  ])('says what is wrong when the search %s, and what it took all the same', async (_how, content, words) => {
    const found = await searchAt(await serve(message(content, { ...USAGE, server_tool_use: null })))?.search('x', never());
    expect(found).toMatchObject({ hits: [], spent: { usage: { inputTokens: 10_000 }, costUsd: 0.033 } });
    expect(new ToolInputError(found?.problem ?? '').message).toMatch(words);
  });

  it('finds nothing in an answer that lacks everything', async () => {
    expect(await searchAt(await serve({}))?.search('x', never())).toMatchObject({ hits: [], spent: { costUsd: 0 } });
    server?.close();
    const odd = message([
      { type: 'text' },
      results(undefined),
      results([{ title: 3 }]),
      { type: 'text', text: 'x', citations: [{ type: 'web_search_result_location' }] },
    ]);
    expect(await searchAt(await serve(odd))?.search('x', never())).toMatchObject({ hits: [] });
  });

  it.each<[string, unknown, number, RegExp]>([
    [
      'a model or account without search',
      { type: 'error', error: { type: 'invalid_request_error', message: 'web_search is not supported' } },
      400,
      /did not search the web with the model claude-sonnet-4-5: .*web_search is not supported.*choose another model.*gnomon\.webSearch\.provider/,
    ],
    [
      'a wrong key',
      { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } },
      401,
      /rejected the API key\. Run “Gnomon: Set API Key”/,
    ],
    ['too many requests', { type: 'error', error: { type: 'rate_limit_error', message: 'slow' } }, 429, /rate limiting/],
    ['no answer at all', 'null', 200, /sent an invalid response/],
    ['an answer of another form', { content: [null] }, 200, /sent an invalid response/],
    ['a page in place of an answer', '<html>', 200, /^127\.0\.0\.1:\d+ sent an invalid response\.$/],
  ])('says what to do about %s', async (_what, document, status, words) => {
    expect(await failureOf(searchAt(await serve(document, status)))).toMatch(words);
  });

  it('asks for nothing without a key', async () => {
    expect(await failureOf(searchAt(await serve({}), 'claude-sonnet-4-5', ''))).toMatch(/No API key is set for Anthropic/);
    expect(bodies).toEqual([]);
  });

  it('is stopped at once', async () => {
    const stop = new AbortController();
    const searching = searchAt(await serve(undefined))?.search('x', stop.signal);
    stop.abort();
    await expect(searching).rejects.toThrow(AbortError);
  });

  it('names who searches, and is not there for models of others', () => {
    expect(searchAt(undefined)).toMatchObject({ name: 'Anthropic', address: 'https://api.anthropic.com' });
    expect(searchAt('https://gateway.example/x')).toMatchObject({ name: 'gateway.example', address: 'https://gateway.example/x' });
    expect(searchAt('https://gateway.example/x', 'qwen3-coder')).toBeUndefined();
    expect(searchAt('not an address')).toBeUndefined();
  });
});
