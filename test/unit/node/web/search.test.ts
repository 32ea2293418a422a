import { type IncomingMessage, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { AbortError } from '../../../../src/domain/errors.js';
import { NO_USAGE } from '../../../../src/domain/model/usage.js';
import type { WebSearch } from '../../../../src/domain/workspace/web-search.js';
import { createBraveSearch } from '../../../../src/node/web/search/brave.js';
import { createSearxngSearch } from '../../../../src/node/web/search/searxng.js';

/** What the server says to a request; `undefined` is nothing at all. */
interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

let server: Server | undefined;
let requests: IncomingMessage[] = [];

async function serve(answer: Answer | undefined): Promise<string> {
  requests = [];
  server = createServer((request, response) => {
    requests.push(request);
    if (answer === undefined) return;
    const { status = 200, type = 'application/json', body = {}, headers = {} } = answer;
    response.writeHead(status, { 'content-type': type, ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server?.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  server = undefined;
});

const never = (): AbortSignal => new AbortController().signal;
const brave = (address: string, key: string | undefined = 'brave-key'): WebSearch => createBraveSearch({ apiKey: () => Promise.resolve(key), address });
const failureOf = async (search: WebSearch): Promise<string> => {
  const failed: unknown = await search.search('x', never()).catch((error: unknown) => error);
  return failed instanceof Error ? `${failed.name}: ${failed.message}` : 'nothing failed';
};

describe('SearXNG', () => {
  it('is asked as its documentation says, also below a path, and costs nothing', async () => {
    const url = await serve({
      body: {
        query: 'x',
        results: [{ url: 'https://a.example/', title: 'A &amp; B', content: 'It &#39;is&#39; &lt;b&gt;.', engine: 'q' }, { title: 'no address' }, null],
      },
    });
    const search = createSearxngSearch({ url: `${url}/searx/?token=1` });
    expect(search).toMatchObject({ name: `SearXNG (${new URL(url).host})`, address: url });
    expect(await search.search('zod "mini" & co', never())).toEqual({
      hits: [{ url: 'https://a.example/', title: 'A & B', snippet: "It 'is' <b>." }],
      spent: { usage: NO_USAGE, costUsd: 0 },
    });
    const asked = new URL(requests[0]?.url ?? '', url);
    expect([asked.pathname, asked.searchParams.get('q'), asked.searchParams.get('format')]).toEqual(['/searx/search', 'zod "mini" & co', 'json']);
  });

  it('gives no pages when there are none', async () => {
    expect((await createSearxngSearch({ url: await serve({ body: { results: [] } }) }).search('x', never())).hits).toEqual([]);
  });

  it.each<[string, Answer]>([
    ['is forbidden', { status: 403, type: 'text/html', body: '<html>Forbidden' }],
    ['is a page', { type: 'text/html', body: '<!doctype html><html>results' }],
  ])('says which setting of the server to change when JSON %s', async (_how, answer) => {
    expect(await failureOf(createSearxngSearch({ url: await serve(answer) }))).toMatch(
      /^ToolInputError: SearXNG does not answer with JSON\. .*"json" to search\.formats.*settings\.yml.*gnomon\.webSearch\.searxngUrl/,
    );
  });

  it.each<[string, Answer, RegExp]>([
    ['too many requests', { status: 429, headers: { 'retry-after': '7' } }, /asked too often\. Try again in 7 s\./],
    ['a broken server', { status: 502 }, /failed \(status 502\)\. Try again later/],
    ['a redirect', { status: 302, headers: { location: 'https://evil.example/' } }, /redirects to another address, which is not followed/],
    ['another refusal', { status: 400 }, /refused the search \(status 400\)/],
  ])('says what to do about %s', async (_what, answer, words) => {
    expect(await failureOf(createSearxngSearch({ url: await serve(answer) }))).toMatch(words);
  });

  it('does not wait forever, and says so', async () => {
    expect(await failureOf(createSearxngSearch({ url: await serve(undefined), timeLimitMs: 50 }))).toMatch(
      /^ToolInputError: SearXNG did not answer within 0\.05 seconds\./,
    );
  });

  it('is stopped at once', async () => {
    const stop = new AbortController();
    const searching = createSearxngSearch({ url: await serve(undefined) }).search('x', stop.signal);
    stop.abort();
    await expect(searching).rejects.toThrow(AbortError);
  });

  it('says when it is not there, or its address is none', async () => {
    const url = await serve({});
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
    server = undefined;
    expect(await failureOf(createSearxngSearch({ url }))).toMatch(/cannot be reached \(ECONNREFUSED\).*gnomon\.webSearch\.searxngUrl/);
    expect(await failureOf(createSearxngSearch({ url: '' }))).toMatch(/No SearXNG server is set.*http:\/\/localhost:8888/);
    for (const odd of ['file:///etc/passwd', 'http://me:hunter2@localhost:8888', 'localhost']) {
      expect(await failureOf(createSearxngSearch({ url: odd }))).toMatch(/^(?!.*hunter2).*address of the SearXNG server is invalid/);
    }
  });
});

describe('Brave Search', () => {
  it('is asked with the key, and costs half a cent', async () => {
    const url = await serve({
      body: { type: 'search', web: { results: [{ url: 'https://a.example/', title: 'A', description: 'The <strong>words</strong> in it' }] } },
    });
    expect(await brave(url, ' brave-key ').search('the words', never())).toEqual({
      hits: [{ url: 'https://a.example/', title: 'A', snippet: 'The words in it' }],
      spent: { usage: NO_USAGE, costUsd: 0.005 },
    });
    const [request] = requests;
    expect(new URL(request?.url ?? '', url).searchParams.get('q')).toBe('the words');
    expect([request?.url?.split('?')[0], request?.headers['x-subscription-token']]).toEqual(['/res/v1/web/search', 'brave-key']);
  });

  it('asks for nothing without a key', async () => {
    const url = await serve({});
    expect(await failureOf(brave(url, ''))).toMatch(/No API key is set for Brave Search\. .*Set Brave Search API Key/);
    expect(requests).toEqual([]);
  });

  it.each<[string, Answer, RegExp]>([
    [
      'a wrong key',
      { status: 422, body: { type: 'ErrorResponse', error: { code: 'SUBSCRIPTION_TOKEN_INVALID', status: 422 } } },
      /rejected the API key\. .*Set Brave Search API Key/,
    ],
    ['no permission', { status: 401 }, /rejected the API key/],
    ['too many requests', { status: 429 }, /asked too often\. Try again in a minute/],
    ['a page of a proxy', { type: 'text/html', body: '<html>' }, /did not answer with JSON/],
    ['a query that it does not take', { status: 422, body: { error: { code: 'VALIDATION' } } }, /refused the search \(status 422\).*api-dashboard/],
  ])('says what to do about %s', async (_what, answer, words) => {
    expect(await failureOf(brave(await serve(answer)))).toMatch(words);
  });

  it('takes an answer of another form for one without pages', async () => {
    const url = await serve({ body: [1] });
    expect((await brave(url).search('x', never())).hits).toEqual([]);
  });
});
