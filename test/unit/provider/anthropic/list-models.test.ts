import { type IncomingMessage, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ModelInfo } from '../../../../src/domain/model/provider.js';
import { anthropicModelInfo } from '../../../../src/provider/anthropic/models.js';
import { listAnthropicModels } from '../../../../src/provider/anthropic/provider.js';
import { failure } from '../../../support/stream-conformance.js';
import { never } from './rig.js';
import { USUAL_EFFORTS } from '../../../../src/domain/model/effort.js';

let server: Server | undefined;
const requests: IncomingMessage[] = [];

/** A server that answers each request with what the function makes of its address; `undefined` is no answer at all. */
async function serve(answer: (url: URL) => unknown): Promise<string> {
  requests.length = 0;
  server = createServer((request, response) => {
    requests.push(request);
    const body = answer(new URL(request.url ?? '', 'http://x'));
    if (body === undefined) return;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server?.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(async () => {
  vi.restoreAllMocks();
  server?.closeAllConnections();
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  server = undefined;
});

function list(url: string, signal = never()): Promise<readonly ModelInfo[]> {
  return listAnthropicModels({ apiKey: () => Promise.resolve('test-key'), baseUrl: () => url }, signal);
}

function entry(id: unknown, more: object = {}): object {
  return { type: 'model', id, display_name: `The ${String(id)}`, created_at: '2026-01-01T00:00:00Z', ...more };
}

describe('the list of models', () => {
  it('is read page by page, with our sizes and prices where we have them', async () => {
    const url = await serve((at) =>
      at.searchParams.get('after_id') === 'claude-haiku-4-5-20251001'
        ? {
            data: [
              entry('claude-next-7', {
                max_input_tokens: 2_000_000,
                max_tokens: 256_000,
                capabilities: { image_input: { supported: false }, thinking: { supported: true }, structured_outputs: { supported: false } },
              }),
            ],
            has_more: false,
            last_id: 'claude-next-7',
          }
        : { data: [entry('claude-opus-5-5'), entry('claude-haiku-4-5-20251001')], has_more: true, last_id: 'claude-haiku-4-5-20251001' },
    );

    const models = await list(url);

    expect(requests.map(({ url: path, method }) => [method, path?.split('?')[0]])).toEqual([
      ['GET', '/v1/models'],
      ['GET', '/v1/models'],
    ]);
    expect(models).toEqual([
      { ...anthropicModelInfo('claude-opus-5-5'), label: 'The claude-opus-5-5' },
      { ...anthropicModelInfo('claude-haiku-4-5'), id: 'claude-haiku-4-5-20251001', label: 'The claude-haiku-4-5-20251001' },
      expect.objectContaining({
        id: 'claude-next-7',
        contextWindow: 2_000_000,
        maxOutputTokens: 256_000,
        supportsImages: false,
        efforts: USUAL_EFFORTS,
        supportsTools: true,
        supportsOutputSchema: false,
      }),
    ]);
    expect(models[0]?.pricing).toBeDefined();
    expect(models[2]?.pricing).toBeUndefined();
  });

  it('leaves out what is no model or a retired one, and takes each once', async () => {
    const odd = [null, 7, 'x', {}, entry(''), entry(5), entry('x'.repeat(201)), entry('claude-old', { lifecycle: 'retired' })];
    const url = await serve(() => ({
      data: [...odd, { id: 'qwen' }, entry('qwen'), entry('big', { max_input_tokens: -1, max_tokens: 'many', capabilities: null })],
    }));
    const models = await list(url);
    expect(models.map(({ id, label }) => [id, label])).toEqual([
      ['qwen', 'qwen'],
      ['big', 'The big'],
    ]);
    expect(models[1]).toMatchObject({ contextWindow: 128_000, maxOutputTokens: 8_192 });
  });

  it('ends also when the server always has more', async () => {
    let page = 0;
    const url = await serve(() => {
      page += 1;
      return { data: Array.from({ length: 500 }, (_, index) => entry(`model-${page}-${index}`)), has_more: true, last_id: `page-${page}` };
    });
    expect(await list(url)).toHaveLength(2_001);
    expect(page).toBe(5);
  });

  it('is not waited for longer than 5 seconds', async () => {
    const limit = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
    const url = await serve(() => {
      limit.abort();
      return undefined;
    });
    expect(await failure(list(url))).toMatchObject({ kind: 'network', message: expect.stringContaining('within 5 seconds') as string });
    expect(timeout).toHaveBeenCalledWith(5_000);
  });

  it('stops on request', async () => {
    const stop = new AbortController();
    const url = await serve(() => {
      stop.abort();
      return undefined;
    });
    expect(await failure(list(url, stop.signal))).toMatchObject({ name: 'AbortError' });
  });

  it('fails in words: no key, a wrong key, a page that is no list', async () => {
    const none = { apiKey: () => Promise.resolve(undefined), baseUrl: () => 'http://127.0.0.1:1' };
    expect(await failure(listAnthropicModels(none, never()))).toMatchObject({ kind: 'no_key' });
    expect(await failure(list('http://127.0.0.1:9'))).toMatchObject({ kind: 'network' });
    const url = await serve(() => 'a page');
    expect(await list(url)).toEqual([]);
  });
});
