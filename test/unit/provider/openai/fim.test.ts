import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FillRequest } from '../../../../src/domain/model/fill.js';
import { createOpenAiFill } from '../../../../src/provider/openai/fim/fill.js';
import type { PresetId } from '../../../../src/provider/openai/models/presets.js';
import { type OpenAiServer, html, json, startOpenAiServer } from '../../../support/openai-server/index.js';
import { never, optionsFor } from './rig.js';

const WHOLE: FillRequest = { model: 'codestral-latest', prompt: 'const a = ', maxTokens: 80, stops: ['\n'] };
const REQUEST: FillRequest = { ...WHOLE, suffix: ';\n' };

let server: OpenAiServer;
let arrived = 0;
beforeAll(async () => {
  server = await startOpenAiServer();
});
beforeEach(() => {
  arrived = server.requests.length;
});
afterAll(() => server.close());

const fillOf = (id: PresetId): ReturnType<typeof createOpenAiFill> => createOpenAiFill(optionsFor(server, id));
const sent = (): { path: string | undefined; body: unknown; key: string | undefined } => {
  const last = server.requests.at(-1);
  return { path: last?.path, body: last?.body, key: last?.headers.authorization };
};

describe('filling in the middle', () => {
  it('speaks with Codestral as Mistral describes it', async () => {
    server.setScript(() =>
      json({ id: 'x', object: 'chat.completion', choices: [{ index: 0, message: { role: 'assistant', content: 'b' }, finish_reason: 'stop' }], usage: {} }),
    );
    expect(await fillOf('mistral').way('codestral-latest', never())).toBe('suffix');
    expect(await fillOf('mistral').way('mistral-medium-3-5', never())).toBe('none');
    expect(server.requests).toHaveLength(arrived);
    expect(await fillOf('mistral').fill(REQUEST, never())).toBe('b');
    expect(sent()).toEqual({
      path: '/v1/fim/completions',
      key: 'Bearer test-key',
      body: { model: 'codestral-latest', prompt: 'const a = ', suffix: ';\n', max_tokens: 80, temperature: 0, stop: ['\n'], stream: false },
    });
  });

  it('speaks with Ollama over its own interface, and asks once whether a model inserts', async () => {
    server.setScript(({ path }) =>
      path === '/api/show' ? json({ capabilities: ['completion', 'insert'] }) : json({ model: 'q', response: 'b', done: true, done_reason: 'stop' }),
    );
    const fill = fillOf('ollama');
    expect([await fill.way('qwen2.5-coder', never()), await fill.way('qwen2.5-coder', never())]).toEqual(['suffix', 'suffix']);
    expect(server.requests.length - arrived).toBe(1);
    expect(await fill.fill({ ...REQUEST, model: 'qwen2.5-coder' }, never())).toBe('b');
    expect(sent()).toMatchObject({
      path: '/api/generate',
      body: { model: 'qwen2.5-coder', prompt: 'const a = ', suffix: ';\n', stream: false, options: { num_predict: 80, temperature: 0, stop: ['\n'] } },
    });
    await fill.fill({ ...WHOLE, model: 'qwen2.5-coder' }, never());
    expect(sent().body).toMatchObject({ raw: true });
  });

  it('asks Ollama again when it could not be asked, and talks with a model that does not insert', async () => {
    const fill = fillOf('ollama');
    server.setScript(() => json({ error: 'busy' }, 500));
    expect(await fill.way('llama3', never())).toBe('none');
    server.setScript(() => json({ capabilities: ['completion', 'tools'] }));
    expect([await fill.way('llama3', never()), await fill.way('llama3', never())]).toEqual(['none', 'none']);
    expect(server.requests.length - arrived).toBe(2);
  });

  it('gives other servers a whole prompt, and OpenAI itself none', async () => {
    server.setScript(() => json({ object: 'text_completion', choices: [{ index: 0, text: 'b', finish_reason: 'stop' }] }));
    for (const id of ['vllm', 'lmstudio', 'openai'] as const) expect(await fillOf(id).way('qwen2.5-coder', never())).toBe('prompt');
    const itself = createOpenAiFill(optionsFor(server, 'openai', { baseUrl: () => undefined }));
    expect(await itself.way('gpt-5', never())).toBe('none');
    for (const id of ['openrouter', 'deepseek', 'gemini'] as const) expect(await fillOf(id).way('any', never())).toBe('none');
    expect(await fillOf('vllm').fill({ ...WHOLE, stops: [] }, never())).toBe('b');
    expect(sent()).toMatchObject({
      path: '/v1/completions',
      body: { model: 'codestral-latest', prompt: 'const a = ', max_tokens: 80, temperature: 0, stream: false },
    });
    expect(sent().body).not.toHaveProperty('suffix');
    expect(sent().body).not.toHaveProperty('stop');
  });

  it('tells what went wrong in words, with how long to wait', async () => {
    server.setScript(() => json({ message: 'Requests rate limit exceeded' }, 429, { 'retry-after': '7' }));
    await expect(fillOf('mistral').fill(REQUEST, never())).rejects.toMatchObject({ name: 'ProviderError', kind: 'rate_limit', retryAfterMs: 7_000 });
    server.setScript(() => html('<p>Log in</p>'));
    await expect(fillOf('mistral').fill(REQUEST, never())).rejects.toMatchObject({ name: 'ProviderError', kind: 'protocol' });
    server.setScript(() => json({ error: 'model "x" not found' }, 404));
    await expect(fillOf('ollama').fill(REQUEST, never())).rejects.toMatchObject({ kind: 'not_found' });
    const without = createOpenAiFill(optionsFor(server, 'mistral', { apiKey: () => Promise.resolve(undefined) }));
    await expect(without.fill(REQUEST, never())).rejects.toMatchObject({ kind: 'no_key' });
  });

  it('closes the connection when it is stopped', async () => {
    server.setScript(() => ({ kind: 'hang' }));
    const stop = new AbortController();
    const filling = fillOf('mistral').fill(REQUEST, stop.signal);
    const request = await server.request(arrived);
    stop.abort();
    await expect(filling).rejects.toMatchObject({ name: 'AbortError' });
    expect(await request.closedByClient).toBe(true);
  });
});
