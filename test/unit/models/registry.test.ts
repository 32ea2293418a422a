import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeModel, modelFacts } from '../../../src/models/describe.js';
import { modelKey } from '../../../src/domain/model/model-key.js';
import { ModelRegistry } from '../../../src/models/model-registry.js';
import type { NamedBySetting } from '../../../src/customization/settings.js';
import { createSources } from '../../../src/models/sources.js';
import { vsCodeLmSource } from '../../../src/vscode/language-models/provider.js';
import { Secrets } from '../../../src/models/keys/secrets.js';
import { modelChoices } from '../../../src/chat/pane/choices.js';
import { demoModel } from '../../../src/provider/demo/provider.js';
import { FakeLm } from '../vscode/language-models/fake-lm.js';
import { memoryChoices } from './memory-choices.js';
import { type MemorySecrets, memorySecrets } from './memory-secrets.js';
import { USUAL_EFFORTS } from '../../../src/domain/model/effort.js';

/** A server on loopback that answers `GET …/models` with a status and ids. */
interface ListServer {
  readonly url: string;
  readonly asked: { readonly url: string; readonly key: string }[];
  status: number;
  ids: readonly string[];
  close(): Promise<void>;
}

async function startListServer(): Promise<ListServer> {
  const asked: { url: string; key: string }[] = [];
  const server = createServer((request, response) => {
    asked.push({ url: request.url ?? '', key: request.headers.authorization ?? '' });
    response.writeHead(state.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ object: 'list', data: state.ids.map((id) => ({ id, object: 'model' })) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const state = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    status: 200,
    ids: ['m-one', 'm-two'] as readonly string[],
    close,
  };
  return state;
}

/** An address on this machine where nothing answers. */
const NOBODY = 'http://127.0.0.1:9/v1';

describe('model registry', () => {
  let server: ListServer;
  let storage: MemorySecrets;
  let lm: FakeLm;
  let settings: { model: string; files?: readonly NamedBySetting[]; models: unknown; providers: Record<string, unknown> };
  let told: string | undefined;
  let favorites: readonly string[];
  const environment = { ...process.env };

  beforeEach(async () => {
    server = await startListServer();
    storage = memorySecrets();
    lm = new FakeLm();
    lm.models = [];
    told = undefined;
    favorites = [];
    settings = { model: '', models: [], providers: { ollama: { baseUrl: NOBODY }, lmstudio: { baseUrl: NOBODY }, vllm: { baseUrl: NOBODY } } };
    for (const name of Object.keys(process.env)) if (name.endsWith('_API_KEY') || name.endsWith('_BASE_URL')) Reflect.deleteProperty(process.env, name);
  });
  afterEach(async () => {
    Object.assign(process.env, environment);
    await server.close();
  });

  /** How often it was read which models are allowed: that looks through all settings. */
  let listsRead = 0;

  function registry(secrets = new Secrets(storage, memoryChoices())): ModelRegistry {
    const customProviders = (): unknown => settings.providers;
    return new ModelRegistry({
      secrets,
      sources: () => createSources({ secrets, editor: vsCodeLmSource(lm.api), anthropicBaseUrl: () => server.url, customProviders }),
      settings: {
        wantedModels: () => [...(settings.files ?? []), ...(settings.model === '' ? [] : [{ name: settings.model }])],
        customModels: () => settings.models,
        allowedModels: () => {
          listsRead += 1;
          return [];
        },
      },
      favorites: { get: () => favorites, set: (names) => (favorites = names) },
      lastTold: { get: () => told, set: (name) => (told = name) },
    });
  }

  it('reads once which models are allowed, however many there are', () => {
    settings.models = Array.from({ length: 1_000 }, (_, index) => ({ provider: 'anthropic', id: `m-${index}` }));
    const models = registry();
    listsRead = 0;
    expect(models.entries().flatMap((entry) => entry.models).length).toBeGreaterThanOrEqual(1_000);
    expect(listsRead).toBe(1);
  });

  it('remembers which models the user prefers, and tells so', () => {
    const models = registry();
    let changes = 0;
    models.onDidChange(() => (changes += 1));
    models.prefer('anthropic/a', true);
    models.prefer('openai/b', true);
    models.prefer('anthropic/a', false);
    expect([favorites, models.isFavorite('openai/b'), models.isFavorite('anthropic/a'), changes]).toEqual([['openai/b'], true, false, 3]);
  });

  /** The names of all models on offer, by provider. */
  function offered(models: ModelRegistry): Record<string, readonly string[]> {
    return Object.fromEntries(models.entries().map(({ source, models: list }) => [source.id, list.map(({ id }) => id)]));
  }

  it('offers what endpoints list, with the key, and what is not set up not at all; asks nobody before it is told to', async () => {
    settings.providers['mine'] = { baseUrl: server.url, label: 'Mine', headers: { 'x-a': 'b' } };
    await storage.store('gnomon.mine.apiKey', 'k1');
    const models = registry();
    expect(models.entries()).toEqual([]);
    expect(server.asked).toEqual([]);
    await models.refresh();
    expect(offered(models)).toMatchObject({ mine: ['m-one', 'm-two'], demo: [demoModel.id] });
    expect(Object.keys(offered(models))).not.toContain('openai');
    expect(Object.keys(offered(models))).not.toContain('anthropic');
    expect(server.asked).toEqual([{ url: '/v1/models', key: 'Bearer k1' }]);
    const [first] = modelChoices(models.entries(), demoModel).filter(({ group }) => group === 'Mine');
    expect(first).toMatchObject({ id: 'mine/m-one', label: 'm-one', description: expect.stringMatching(/-token context window · tools/) as string });
  });

  it('knows which models run on this machine, by the address of their server', async () => {
    settings.providers['mine'] = { baseUrl: server.url };
    settings.providers['away'] = { baseUrl: 'https://models.example.com/v1' };
    const models = registry();
    const local = async (name: string): Promise<boolean> => (await models.choose(name)).model.onThisMachine === true;
    expect([await local('ollama/qwen3'), await local('mine/a'), await local('away/a'), await local('openai/gpt-5'), await local('demo/demo')]).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    await models.refresh();
    expect(
      models
        .entries()
        .find(({ source }) => source.id === 'mine')
        ?.models.every(({ onThisMachine }) => onThisMachine),
    ).toBe(true);
    settings.providers['ollama'] = { baseUrl: 'http://192.168.1.20:11434/v1' };
    models.reload();
    expect(await local('ollama/qwen3')).toBe(false);
  });

  it('a server of the settings that does not answer is told of; one that is only known is left out', async () => {
    settings.providers = { ollama: { baseUrl: NOBODY } };
    const models = registry();
    await models.refresh();
    const entry = models.entries().find(({ source }) => source.id === 'ollama');
    expect(entry?.models).toEqual([]);
    expect(entry?.problem).toMatch(/cannot reach 127\.0\.0\.1:9/);
    expect(Object.keys(offered(models))).not.toContain('lmstudio');
  });

  it('lists again when a key is set, and drops the models when it is cleared', async () => {
    server.ids = ['claude-opus-5-5'];
    const secrets = new Secrets(storage, memoryChoices());
    const models = registry(secrets);
    await models.refresh();
    expect(offered(models)['anthropic']).toBeUndefined();
    const changed = (): Promise<void> => new Promise((resolve) => void models.onDidChange(resolve));
    const appeared = changed();
    await secrets.set('anthropic', 'key');
    await appeared;
    await models.refresh();
    expect(offered(models)['anthropic']).toEqual(['claude-opus-5-5']);
    const gone = changed();
    await secrets.clear('anthropic');
    await gone;
    expect(offered(models)['anthropic']).toBeUndefined();
    expect(await secrets.names('anthropic')).toEqual([]);
  });

  it('a gateway without a list still has Anthropic’s models', async () => {
    server.status = 404;
    await storage.store('gnomon.anthropic.apiKey', 'key');
    const models = registry();
    await models.refresh();
    const entry = models.entries().find(({ source }) => source.id === 'anthropic');
    expect(entry?.problem).toBeUndefined();
    expect(entry?.models.length).toBeGreaterThan(5);
    server.status = 500;
    const other = registry();
    await other.refresh();
    expect(other.entries()[0]).toMatchObject({ source: { id: 'anthropic' }, problem: expect.any(String) as string });
    expect(other.entries()[0]?.models.length).toBeGreaterThan(5);
  });

  it('lays the person’s own words over the list, adds models that no list has, and names what is wrong (P35)', async () => {
    settings.providers['mine'] = { baseUrl: server.url };
    settings.models = [
      { provider: 'mine', id: 'm-two', label: 'Two', temperature: 0.1, maxTokens: 50, price: { input: 1, output: 2 } },
      { provider: 'mine', id: 'm-three', contextWindow: 9_000 },
      { provider: 'mine', id: 'm-four', temperature: 9 },
    ];
    const models = registry();
    expect(models.problems).toEqual(['gnomon.models[2].temperature: The value must be at most 2.']);
    await models.refresh();
    expect(offered(models)['mine']).toEqual(['m-three', 'm-one', 'm-two']);
    expect((await models.choose('mine/m-two')).model).toMatchObject({ label: 'Two', temperature: 0.1, maxTokens: 50, pricing: { output: 2 } });
    expect((await models.choose('mine/m-three')).model.contextWindow).toBe(9_000);
    expect((await models.choose('mine/never-listed')).model.id).toBe('never-listed');
    expect(models.find('mine/m-two')).toMatchObject({ label: 'Two', pricing: { output: 2 } });
    expect(models.labelsOf('mine/m-two')).toEqual({ model: 'Two', provider: models.entries().find(({ source }) => source.id === 'mine')?.source.label });
    expect(models.labelsOf('gone/org/m-two')).toEqual({ model: 'org/m-two', provider: 'gone' });
    expect([models.find('gone/m-two'), models.find('m-two'), models.find('mine/')]).toEqual([undefined, undefined, undefined]);
  });

  it('follows the settings: sources come and go, and open sessions use the new address', async () => {
    settings.providers['mine'] = { baseUrl: NOBODY };
    const models = registry();
    const { provider } = await models.choose('mine/m-one');
    settings.providers['mine'] = { baseUrl: server.url };
    server.status = 404;
    const request = {
      model: 'm-one',
      systemPrompt: '',
      messages: [{ role: 'user' as const, timestamp: '', content: [{ type: 'text' as const, text: 'x' }] }],
      tools: [],
    };
    await expect(provider.stream(request, new AbortController().signal).next()).rejects.toThrow();
    expect(server.asked.map(({ url }) => url)).toEqual(['/v1/chat/completions']);
    settings.providers = {};
    models.reload();
    await expect(models.choose('mine/m-one')).rejects.toThrow(
      /Unknown model “mine\/m-one”\. Use the format provider\/model\. Available providers: anthropic, openai/,
    );
  });

  describe('the first model', () => {
    const chosen = async (models: ModelRegistry): Promise<string> => {
      await models.refresh();
      const { model } = await models.choose(undefined);
      return `${model.provider}/${model.id}`;
    };

    it('is the setting, else Anthropic with a key, else another with a key, else VS Code’s, else a running Ollama, else the demo', async () => {
      const models = registry();
      expect(await chosen(models)).toBe(`demo/${demoModel.id}`);
      settings.providers['ollama'] = { baseUrl: server.url };
      expect(await chosen(registry())).toBe('ollama/m-one');
      lm.models = [{ vendor: 'acme', id: 'm', name: 'Acme', maxInputTokens: 1_000 }];
      expect(await chosen(registry())).toBe('vscode-lm/acme/m');
      await storage.store('gnomon.mistral.apiKey', 'k');
      expect(await chosen(registry())).toMatch(/^mistral\//);
      await storage.store('gnomon.anthropic.apiKey', 'k');
      expect(await chosen(registry())).toMatch(/^anthropic\/claude-/);
      settings.model = `demo/${demoModel.id}`;
      expect(await chosen(registry())).toBe(`demo/${demoModel.id}`);
    });

    it('S-01: is the one that a file means, by a name of Claude Code or the name of a model that is set up', async () => {
      await storage.store('gnomon.anthropic.apiKey', 'k');
      settings.model = 'demo/demo';
      const models = registry();
      const chosen = async (name: string): Promise<string> => {
        settings.files = [{ name, file: '.claude/settings.json' }];
        return modelKey((await models.choose(undefined)).model);
      };
      expect(await chosen('haiku')).toMatch(/^anthropic\/claude-haiku-/);
      expect(await chosen('opus[1m]')).toMatch(/^anthropic\/claude-opus-/);
      expect(await chosen('anthropic/claude-not-listed-9')).toBe('anthropic/claude-not-listed-9');
    });

    it('where a file means one that there is not, is that of the next place, which the user is told once', async () => {
      settings.model = 'demo/demo';
      settings.files = [
        { name: 'opus', file: '.claude/settings.json' },
        { name: 'openrouter/x', file: '~/.gnomon/settings.json' },
      ];
      const models = registry();
      for (const text of ['The model “opus” from .claude/settings.json is not available. New chats use demo/demo.', undefined]) {
        expect(modelKey((await models.choose(undefined)).model)).toBe('demo/demo');
        expect(models.news('demo/demo')?.text).toBe(text);
      }
      settings.model = '';
      settings.files = [{ name: 'opus', file: '.claude/settings.json' }];
      expect(modelKey((await models.choose(undefined)).model)).toBe('demo/demo');
    });

    it('where a file of the workspace chooses it, says so once, with its price, and how the user has their own', async () => {
      const chosen = { name: 'anthropic/claude-opus-5', file: '.claude/settings.json', ofRepository: true };
      settings = { ...settings, model: 'demo/demo', files: [chosen] };
      await storage.store('gnomon.anthropic.apiKey', 'k');
      const models = registry();
      const { model } = await models.choose(undefined);
      expect(modelKey(model)).toBe('anthropic/claude-opus-5');
      expect(models.news('anthropic/claude-opus-5')).toEqual({
        text: expect.stringMatching(/^Model from \.claude\/settings\.json: .*per million tokens/) as unknown,
        ofRepository: true,
      });
      expect(models.news('anthropic/claude-opus-5')).toBeUndefined();
      expect(await models.own()).toBe('demo/demo');
      // Of the user's own files, and where the user has the same one, there is nothing to say.
      for (const files of [[{ ...chosen, file: '~/.claude/settings.json', ofRepository: false }], [{ ...chosen, name: 'demo/demo' }]]) {
        settings = { ...settings, files };
        told = undefined;
        const others = registry();
        await others.choose(undefined);
        expect(['anthropic/claude-opus-5', 'demo/demo'].map((name) => others.news(name))).toEqual([undefined, undefined]);
      }
    });

    it('is told of once for each new choice, with the reason, and never when the person chose', async () => {
      const models = registry();
      const demo = await chosen(models);
      // Of the demo the chat says itself that it is one.
      expect(models.news(demo)).toBeUndefined();
      await storage.store('gnomon.openai.apiKey', 'k');
      const openai = await chosen(registry());
      const again = registry();
      await chosen(again);
      expect(again.news(demo)).toBeUndefined();
      expect(again.news(openai)?.text).toMatch(/because an API key for OpenAI is set/);
      expect(again.news(openai)).toBeUndefined();
      const later = registry();
      await chosen(later);
      expect(later.news(openai)).toBeUndefined();
      settings.model = openai;
      told = undefined;
      const set = registry();
      await chosen(set);
      expect(set.news(openai)).toBeUndefined();
    });

    it('is not waited for when VS Code does not answer', async () => {
      lm.api.lm.selectChatModels = () => new Promise(() => undefined);
      expect((await registry().choose(undefined)).model.id).toBe(demoModel.id);
    });

    it('gives way to a model whose list comes later, and only then says which it is', async () => {
      lm.models = [{ vendor: 'acme', id: 'm', name: 'Acme', maxInputTokens: 1_000 }];
      const models = registry();
      const demo = `demo/${demoModel.id}`;
      expect((await models.choose(undefined)).model.id).toBe(demoModel.id);
      expect(models.improved(demo)).toBeUndefined();
      expect(models.news(demo)).toBeUndefined();
      await models.refresh();
      expect(models.improved(demo)).toBe('vscode-lm/acme/m');
      expect(models.news('vscode-lm/acme/m')?.text).toMatch(/because it is available in VS Code/);
      settings.model = demo;
      const set = registry();
      await set.choose(undefined);
      await set.refresh();
      expect(set.improved(demo)).toBeUndefined();
    });
  });

  it('names the model of a provider for new sessions, asking for the list only where nothing else tells', async () => {
    settings.providers['mine'] = { baseUrl: server.url };
    const models = registry();
    expect(await models.defaultOf('anthropic')).toMatch(/^anthropic\/claude-/);
    expect(server.asked).toEqual([]);
    expect(await models.defaultOf('mine')).toBe('mine/m-one');
    expect(await models.defaultOf('nobody')).toBeUndefined();
  });
});

describe('the words about a model', () => {
  const model = { provider: 'p', id: 'm', label: 'M', maxOutputTokens: 1, supportsTools: true, supportsImages: false, efforts: USUAL_EFFORTS };

  it.each([
    [
      { contextWindow: 1_000_000, pricing: { input: 2, output: 10.5, cacheRead: 0, cacheWrite: 0 } },
      '1M-token context window · $2 in, $10.5 out per million tokens · tools, thinking',
    ],
    [{ contextWindow: 128_000, pricing: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } }, '128k-token context window · free · tools, thinking'],
    [
      { contextWindow: 128_000, pricing: { input: 2, output: 10, cacheRead: 0, cacheWrite: 0, asOf: '2026-11-20' } },
      '128k-token context window · $2 in, $10 out per million tokens · price of 2026-11-20 · tools, thinking',
    ],
    [{ contextWindow: 900, supportsTools: false, efforts: [] }, '900-token context window'],
  ])('%j', (change, words) => {
    expect(describeModel({ ...model, ...change })).toBe(words);
  });

  it('say that a price is not known where the provider charges for tokens, and nothing of it elsewhere', () => {
    const unknown = { ...model, contextWindow: 128_000, efforts: [] };
    expect([describeModel(unknown, true), modelFacts(unknown, true)]).toEqual(['128k-token context window · price unknown · tools', '128k · ?']);
    expect([describeModel(unknown), modelFacts(unknown)]).toEqual(['128k-token context window · tools', '128k']);
  });

  it('the current model is among the choices where no list has it', () => {
    const current = { ...demoModel, provider: 'gone', id: 'x', label: 'X' };
    expect(modelChoices([], current)).toMatchObject([{ id: 'gone/x', label: 'X', group: 'gone' }]);
  });
});
