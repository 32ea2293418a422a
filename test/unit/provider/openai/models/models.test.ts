import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProviderError } from '../../../../../src/domain/errors.js';
import type { ModelInfo } from '../../../../../src/domain/model/provider.js';
import { listModels } from '../../../../../src/provider/openai/models/list-models.js';
import { apiOf, knownModels, openAiModelInfo } from '../../../../../src/provider/openai/models/models.js';
import { type PresetId, PRESET_IDS, presetOf } from '../../../../../src/provider/openai/models/presets.js';
import { type OpenAiServer, type Reply, html, json, startOpenAiServer } from '../../../../support/openai-server/index.js';
import { failure } from '../../../../support/stream-conformance.js';
import { never, optionsFor } from '../rig.js';
import { USUAL_EFFORTS } from '../../../../../src/domain/model/effort.js';

let server: OpenAiServer;
beforeAll(async () => {
  server = await startOpenAiServer();
});
afterAll(() => server.close());

/** What is listed of a server that answers these paths, and nothing else. */
async function listed(id: PresetId, paths: Readonly<Record<string, Reply>>): Promise<readonly ModelInfo[]> {
  server.setScript((seen) => paths[seen.path]);
  return listModels(optionsFor(server, id), never());
}

const data = (...entries: readonly unknown[]): Reply => json({ object: 'list', data: entries });

describe('what is known beforehand', () => {
  it.each(PRESET_IDS)('%s has its default in the table, sizes that fit and ids of their own', (id) => {
    const preset = presetOf(id);
    const models = knownModels('mine', preset);
    expect(new Set(models.map((model) => model.id)).size).toBe(models.length);
    if (models.length > 0) expect(models[0]?.id).toBe(preset.defaultModel);
    for (const model of models) {
      expect(model.provider).toBe('mine');
      expect(model.maxOutputTokens).toBeLessThan(model.contextWindow);
      expect(model.pricing?.output ?? 1).toBeGreaterThan(model.pricing?.input ?? 0);
    }
  });

  it('takes dated ids for the model without its date, and an unknown one as it is', () => {
    const openai = presetOf('openai');
    expect(openAiModelInfo('openai', openai, 'gpt-5-2025-08-07')).toEqual({ ...openAiModelInfo('openai', openai, 'gpt-5'), id: 'gpt-5-2025-08-07' });
    expect(openAiModelInfo('openai', openai, '').id).toBe('gpt-5.6-terra');
    expect(openAiModelInfo('my-box', presetOf('vllm'), 'org/model')).toEqual({
      provider: 'my-box',
      id: 'org/model',
      label: 'org/model',
      contextWindow: 32_768,
      windowAssumed: true,
      maxOutputTokens: 4_096,
      efforts: [],
      supportsImages: false,
      supportsTools: true,
    });
  });
});

it.each<[string, string]>([
  ['gpt-5', 'minimal low medium high'],
  ['gpt-5-nano-2025-08-07', 'minimal low medium high'],
  ['gpt-5-codex', 'low medium high'],
  ['gpt-5-pro', 'high'],
  ['gpt-5-chat-latest', ''],
  ['gpt-5.1', 'off low medium high'],
  ['gpt-5.1-codex-max', 'low medium high xhigh'],
  ['gpt-5.2', 'off low medium high xhigh'],
  ['gpt-5.2-pro', 'medium high xhigh'],
  ['gpt-5.3-codex', 'low medium high xhigh'],
  ['gpt-5.6-terra', 'off low medium high xhigh max'],
  ['gpt-6-astra', 'low medium high xhigh max'],
  ['o4-mini', 'low medium high'],
  ['codex-mini-latest', 'low medium high'],
  ['gpt-4.1', ''],
])('%s thinks over Responses: %s', (id, efforts) => {
  const openai = presetOf('openai');
  expect(openAiModelInfo('openai', openai, id).efforts.join(' ')).toBe(efforts);
  expect(apiOf(openai, id)).toBe(efforts === '' ? 'chat' : 'responses');
  expect(apiOf({ ...openai, api: 'chat' }, id)).toBe('chat');
  expect(apiOf(presetOf('openrouter'), id)).toBe('chat');
});

it('over chat completions, models that take tools only without thinking do not think', () => {
  const chat = { ...presetOf('openai'), api: 'chat' as const };
  expect(openAiModelInfo('openai', chat, 'gpt-5.6-terra').efforts).toEqual([]);
  expect(openAiModelInfo('openai', chat, 'gpt-5.2').efforts).toContain('xhigh');
});

describe('the lists of servers', () => {
  it('OpenRouter tells everything', async () => {
    const entry = {
      id: 'anthropic/claude-sonnet-5',
      name: 'Anthropic: Claude Sonnet 5',
      context_length: 1_000_000,
      architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'] },
      pricing: { prompt: '0.000003', completion: '0.000015', input_cache_read: '0.0000003', input_cache_write: '0.00000375' },
      top_provider: { context_length: 1_000_000, max_completion_tokens: 64_000 },
      supported_parameters: ['tools', 'reasoning', 'max_tokens', 'structured_outputs'],
    };
    const image = { id: 'x/paints', architecture: { output_modalities: ['image'] } };
    const router = { id: 'openrouter/auto', context_length: 2_000_000, pricing: { prompt: '-1', completion: '-1' }, supported_parameters: [] };
    const models = await listed('openrouter', { '/v1/models': data(entry, image, router) });
    expect(models).toHaveLength(2);
    expect(models[0]).toMatchObject({
      provider: 'openrouter',
      label: 'Anthropic: Claude Sonnet 5',
      contextWindow: 1_000_000,
      maxOutputTokens: 64_000,
      supportsTools: true,
      supportsOutputSchema: true,
      efforts: USUAL_EFFORTS,
      supportsImages: true,
    });
    expect(models[0]?.pricing).toEqual({ input: 3, output: 15, cacheRead: expect.closeTo(0.3) as number, cacheWrite: 3.75 });
    expect(models[1]).toMatchObject({ id: 'openrouter/auto', supportsTools: false, supportsOutputSchema: false });
    expect(models[1]).not.toHaveProperty('pricing');
    expect(server.requests.at(-1)?.headers.authorization).toBe('Bearer test-key');
  });

  it('that have prices win over the catalog, and their prices have no date: they are those of now', async () => {
    const [known, listedNow] = await listed('openai', {
      '/v1/models': data({ id: 'gpt-5', pricing: { prompt: '0.000009', completion: '0.00001' } }, { id: 'gpt-5.1' }),
    });
    expect(known).toMatchObject({ id: 'gpt-5.1', pricing: { input: 1.25, asOf: expect.stringMatching(/^20\d\d-/) as string } });
    expect(listedNow).toMatchObject({ id: 'gpt-5' });
    expect(listedNow?.pricing).toEqual({ input: 9, output: 10, cacheRead: 9, cacheWrite: 9 });
  });

  it('Mistral tells what each model can', async () => {
    const entry = (id: string, capabilities: object): object => ({ id, object: 'model', name: id, max_context_length: 131_072, capabilities });
    const models = await listed('mistral', {
      '/v1/models': data(
        entry('codestral-latest', { completion_chat: true, function_calling: false, vision: false }),
        entry('mistral-embed', { completion_chat: false }),
        entry('mistral-medium-3-5', { completion_chat: true, function_calling: true, vision: true, reasoning: true }),
      ),
    });
    expect(models.map((model) => model.id)).toEqual(['mistral-medium-3-5', 'codestral-latest']);
    expect(models[0]).toMatchObject({ contextWindow: 131_072, supportsImages: true, efforts: USUAL_EFFORTS, pricing: { input: 1.5 } });
    expect(models[1]).toMatchObject({ contextWindow: 131_072, maxOutputTokens: 8_192, supportsTools: false });
  });

  it('Ollama is asked about each model', async () => {
    const show: Record<string, object> = {
      'qwen3:8b': {
        capabilities: ['completion', 'tools', 'thinking'],
        model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40_960 },
        parameters: 'temperature 0.6\nnum_ctx 16384',
      },
      'llava:7b': { capabilities: ['completion', 'vision'], model_info: { 'llama.context_length': 4_096 } },
      'mxbai:large': { capabilities: ['embedding'], model_info: {} },
    };
    server.setScript((seen) => {
      if (seen.path === '/v1/models') return data(...Object.keys(show).map((id) => ({ id, object: 'model' })), { id: 'silent:1b' });
      const facts = show[String(seen.body.model)];
      return seen.path === '/api/show' && facts !== undefined ? json(facts) : undefined;
    });
    const models = await listModels(optionsFor(server, 'ollama', { apiKey: () => Promise.resolve(undefined) }), never());
    expect(models).toMatchObject([
      { id: 'qwen3:8b', contextWindow: 16_384, supportsTools: true, efforts: USUAL_EFFORTS, supportsImages: false },
      { id: 'llava:7b', contextWindow: 4_096, maxOutputTokens: 1_024, supportsTools: false, supportsImages: true },
      // It did not answer: what nearly every model has.
      { id: 'silent:1b', contextWindow: 32_768, supportsTools: true },
    ]);
  });

  it('Ollama gives a running model the window that it says, and of others only what is certain is believed', async () => {
    const made = { 'qwen3.context_length': 262_144 };
    const show: Record<string, object> = {
      'running:8b': { capabilities: ['completion'], model_info: made },
      'small:8b': { capabilities: ['completion'], model_info: made, parameters: 'num_ctx 65536' },
      'idle:8b': { capabilities: ['completion'], model_info: made },
      'big:480b-cloud': { capabilities: ['completion'], model_info: made, remote_host: 'https://ollama.com' },
      'odd:1b': { capabilities: ['completion'], model_info: 7, parameters: 'num_ctx much' },
    };
    const entries = [
      { name: 'running:8b', model: 'running:8b', context_length: 4_096 },
      { name: 'small:8b', model: 'small:8b', context_length: 32_768 },
      { model: 'idle:8b', context_length: -1 },
      'x',
      {},
    ];
    server.setScript((seen) => {
      if (seen.path === '/v1/models') return data(...Object.keys(show).map((id) => ({ id })));
      return seen.path === '/api/ps' ? json({ models: entries }) : json(show[String(seen.body.model)]);
    });
    const models = await listModels(optionsFor(server, 'ollama'), never());
    expect(models.map(({ id, contextWindow, maxOutputTokens }) => [id, contextWindow, maxOutputTokens])).toEqual([
      ['running:8b', 4_096, 1_024],
      ['small:8b', 32_768, 8_192],
      ['idle:8b', 0, 8_192],
      ['big:480b-cloud', 262_144, 8_192],
      ['odd:1b', 0, 4_096],
    ]);
  });

  it('LM Studio tells more over its own address, and the usual list does where there is none', async () => {
    const own = data(
      { id: 'qwen2.5-coder', type: 'llm', state: 'loaded', max_context_length: 131_072, loaded_context_length: 16_384, capabilities: ['tool_use'] },
      { id: 'gemma-3', type: 'vlm', state: 'not-loaded', max_context_length: 8_192 },
      { id: 'nomic', type: 'embeddings', max_context_length: 2_048 },
    );
    const models = await listed('lmstudio', { '/api/v0/models': own });
    expect(models).toMatchObject([
      { id: 'qwen2.5-coder', contextWindow: 16_384, supportsTools: true, supportsImages: false },
      { id: 'gemma-3', contextWindow: 8_192, supportsImages: true },
    ]);
    expect(models).toHaveLength(2);
    expect(await listed('lmstudio', { '/v1/models': data({ id: 'old' }) })).toMatchObject([{ id: 'old', contextWindow: 32_768 }]);
  });

  it('vLLM, DeepSeek and Gemini tell little, and the table knows the rest', async () => {
    expect(await listed('vllm', { '/v1/models': data({ id: 'Qwen/Qwen3-32B', max_model_len: 40_960 }) })).toMatchObject([
      { contextWindow: 40_960, maxOutputTokens: 8_192 },
    ]);
    expect(await listed('deepseek', { '/v1/models': data({ id: 'deepseek-v4-pro' }, { id: 'deepseek-flash' }) })).toMatchObject([
      { id: 'deepseek-flash', contextWindow: 1_000_000, supportsImages: true },
      { id: 'deepseek-v4-pro', supportsImages: false },
    ]);
    const gemini = await listed('gemini', {
      '/v1/models': data({ id: 'models/gemini-embedding-2' }, { id: 'models/gemini-3.8-flash' }, { id: 'models/gemini-2.5-flash-image' }),
    });
    expect(gemini).toMatchObject([{ id: 'gemini-3.8-flash', label: 'Gemini 3.8 Flash', contextWindow: 1_048_576 }]);
    expect(gemini).toHaveLength(1);
  });

  it('OpenAI lists much that one cannot talk with', async () => {
    const ids = [
      'text-embedding-3-small',
      'whisper-1',
      'tts-1-hd',
      'gpt-image-2',
      'dall-e-3',
      'omni-moderation-latest',
      'gpt-realtime',
      'gpt-5-pro',
      'gpt-5.2-codex',
      'sora-2',
      'o3-deep-research',
      'babbage-002',
      'gpt-4.1',
      'gpt-5.6-terra',
      'o4-mini',
    ];
    const models = await listed('openai', { '/v1/models': data(...ids.map((id) => ({ id, object: 'model', owned_by: 'openai' }))) });
    expect(models.map((model) => model.id)).toEqual(['gpt-5.6-terra', 'gpt-4.1', 'gpt-5-pro', 'gpt-5.2-codex', 'o4-mini']);
  });

  it('may hold anything', async () => {
    const odd = [
      null,
      5,
      'x',
      [],
      {},
      { id: 5 },
      { id: '' },
      { id: 'x'.repeat(500) },
      { id: 'good', context_length: -1, pricing: 'free', capabilities: 7, supported_parameters: 'tools', name: 9 },
      { id: 'good' },
    ];
    expect(await listed('vllm', { '/v1/models': data(...odd) })).toMatchObject([{ id: 'good', label: 'good', contextWindow: 32_768, supportsTools: true }]);
    expect(await listed('vllm', { '/v1/models': json([{ id: 'bare' }]) })).toMatchObject([{ id: 'bare' }]);
  });
});

describe('a list that does not come', () => {
  it.each<[string, Reply, string]>([
    ['a page', html('<html>Sign in</html>'), 'protocol'],
    ['something else', json({ data: { a: 1 } }), 'protocol'],
    ['a refused key', json({ error: { message: 'no' } }, 401), 'authentication'],
    ['a failure', html('<html>oops</html>', 500), 'server'],
    ['too much', { kind: 'plain', status: 200, headers: { 'content-type': 'application/json' }, body: `"${'x'.repeat(6 * 1024 * 1024)}"` }, 'network'],
  ])('is a ProviderError for people: %s', async (_, answer, kind) => {
    server.setScript(() => answer);
    const error = await failure(listModels(optionsFor(server, 'vllm'), never()));
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ kind });
    expect(error.message).toMatch(/^[\w.:]+ .*\.$/);
  });

  it('is given up when the signal fires, and the connection is closed', async () => {
    server.setScript(() => ({ kind: 'hang' }));
    const before = server.requests.length;
    const controller = new AbortController();
    const pending = failure(listModels(optionsFor(server, 'vllm'), controller.signal));
    const seen = await server.request(before);
    controller.abort();
    expect(await pending).toBeInstanceOf(ProviderError);
    expect(await seen.closedByClient).toBe(true);
  });

  it('needs a key where the server does', async () => {
    expect(await failure(listModels(optionsFor(server, 'openai', { apiKey: () => Promise.resolve(undefined) }), never()))).toMatchObject({ kind: 'no_key' });
  });
});
