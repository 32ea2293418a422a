import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AbortError } from '../../../../../src/domain/errors.js';
import type { WebSearch } from '../../../../../src/domain/workspace/web-search.js';
import { openAiModelInfo } from '../../../../../src/provider/openai/models/models.js';
import { presetOf } from '../../../../../src/provider/openai/models/presets.js';
import { type OpenAiServer, html, json, startOpenAiServer } from '../../../../support/openai-server/index.js';
import { never, providerFor } from '../rig.js';

let server: OpenAiServer;
let arrived = 0;
beforeAll(async () => {
  server = await startOpenAiServer();
});
beforeEach(() => {
  arrived = server.requests.length;
});
afterAll(() => server.close());

/** The search of OpenAI itself, led to the server. */
function search(model = 'gpt-5.1', key = 'test-key'): WebSearch | undefined {
  const led: typeof fetch = (input, init) =>
    fetch((input instanceof Request ? input.url : input.toString()).replace('https://api.openai.com', server.url), init);
  const provider = providerFor(server, 'openai', { baseUrl: () => undefined, apiKey: () => Promise.resolve(key), fetch: led });
  return provider.webSearch?.(openAiModelInfo('openai', presetOf('openai'), model));
}

const failureOf = async (): Promise<string> => {
  const failed: unknown = await search()
    ?.search('x', never())
    .catch((error: unknown) => error);
  return failed instanceof Error ? failed.message : 'nothing failed';
};

const source = (url: string): object => ({ type: 'url', url });
const searched = (...sources: readonly object[]): object => ({
  type: 'web_search_call',
  id: 'ws_1',
  status: 'completed',
  action: { type: 'search', queries: ['x'], sources },
});
const said = (text: string, ...cited: readonly (readonly [string, string])[]): object => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: cited.map(([url, title]) => ({ type: 'url_citation', start_index: 0, end_index: 1, url, title })) }],
});
const response = (...output: readonly object[]): object => ({
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  output,
  usage: { input_tokens: 9_000, input_tokens_details: { cached_tokens: 1_000 }, output_tokens: 300 },
});

describe('the search of OpenAI', () => {
  it('is one request with one search, and gives pages, a cited summary and the whole cost', async () => {
    const text = 'It is so ([a.example](https://a.example/p?x=1&utm_source=openai)). See [more](https://other.example/).';
    server.setScript(() =>
      json(
        response(
          { type: 'reasoning', id: 'rs_1', summary: [] },
          searched(source('https://b.example/'), source('https://a.example/p?x=1&utm_source=openai')),
          said(text, ['https://a.example/p?x=1&utm_source=openai', 'A']),
        ),
      ),
    );

    const found = await search()?.search('the query', never());

    expect(found).toEqual({
      hits: [
        { url: 'https://a.example/p?x=1', title: 'A', snippet: '' },
        { url: 'https://b.example/', title: '', snippet: '' },
      ],
      summary: 'It is so [1]. See [more](https://other.example/).',
      // 8,000 × $1.25, 1,000 × $0.125 and 300 × $10 per million, and a cent for the search.
      spent: {
        usage: { inputTokens: 8_000, outputTokens: 300, cacheReadTokens: 1_000, cacheWriteTokens: 0 },
        costUsd: expect.closeTo(0.023125) as number,
        asked: { provider: 'openai', id: 'gpt-5.1' },
        webSearchRequests: 1,
      },
    });
    expect(server.requests.length - arrived).toBe(1);
    const { path, headers, body } = server.requests.at(-1) ?? {};
    expect([path, headers?.authorization]).toEqual(['/v1/responses', 'Bearer test-key']);
    expect(body).toMatchObject({
      model: 'gpt-5.1',
      tools: [{ type: 'web_search' }],
      max_tool_calls: 1,
      include: ['web_search_call.action.sources'],
      reasoning: { effort: 'low' },
      store: false,
    });
    expect(JSON.stringify(body)).toContain('the query');
  });

  it.each([
    ['gpt-5', { effort: 'low' }],
    ['gpt-5.2-pro', { effort: 'medium' }],
    ['gpt-4.1', undefined],
  ])('asks %s with an effort that the search takes', async (model, reasoning) => {
    server.setScript(() => json(response(searched(source('https://a.example/')))));
    await search(model)?.search('x', never());
    expect(server.requests.at(-1)?.body['reasoning']).toEqual(reasoning);
  });

  it('knows no cost where the price is not known, or the tokens are billed otherwise', async () => {
    server.setScript(() => json(response(searched(source('https://a.example/')))));
    expect((await search('gpt-5.6-terra')?.search('x', never()))?.spent).toMatchObject({ usage: { inputTokens: 8_000 }, costUsd: undefined });
    expect((await search('gpt-4.1-mini')?.search('x', never()))?.spent.costUsd).toBeUndefined();
  });

  it('says when the model did not search, and takes an answer that lacks everything', async () => {
    server.setScript(() => json(response(said('I know that.'))));
    expect(await search()?.search('x', never())).toMatchObject({
      hits: [],
      problem: expect.stringContaining('did not search') as string,
      spent: { usage: { outputTokens: 300 } },
    });
    server.setScript(() => json({ output: [null, { type: 'web_search_call' }, { content: [{ annotations: [{ type: 'url_citation' }] }] }] }));
    expect(await search()?.search('x', never())).toMatchObject({ hits: [], spent: { costUsd: 0 } });
  });

  it.each<[string, () => ReturnType<typeof json>, RegExp]>([
    [
      'a model without search',
      () => json({ error: { message: "Hosted tool 'web_search' is not supported with this model.", type: 'invalid_request_error' } }, 400),
      /OpenAI did not search the web with the model gpt-5\.1: .*not supported with this model.*gnomon\.webSearch\.provider/,
    ],
    ['a wrong key', () => json({ error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } }, 401), /rejected the API key/],
    ['too many requests', () => json({ error: { message: 'Rate limit reached', code: 'rate_limit_exceeded' } }, 429), /rate limiting/],
    ['a page in place of an answer', () => html('<html>login</html>'), /sent an invalid response/],
  ])('says what to do about %s', async (_what, answer, words) => {
    server.setScript(answer);
    expect(await failureOf()).toMatch(words);
  });

  it('is stopped at once', async () => {
    server.setScript(() => json({}));
    const stop = new AbortController();
    const searching = search()?.search('x', stop.signal);
    stop.abort();
    await expect(searching).rejects.toThrow(AbortError);
  });

  it('is that of OpenAI itself, not of servers that resemble it', () => {
    expect(search()).toMatchObject({ name: 'OpenAI', address: 'https://api.openai.com' });
    const info = openAiModelInfo('x', presetOf('openai'), 'gpt-5.1');
    for (const id of ['openai', 'mistral', 'ollama', 'openrouter'] as const) expect(providerFor(server, id).webSearch?.(info)).toBeUndefined();
    expect(providerFor(server, 'openai', { baseUrl: () => 'https://api.openai.com.evil.example/v1' }).webSearch?.(info)).toBeUndefined();
  });
});
