import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseModel } from '../../../../src/vscode/completion/choose-model.js';
import { ModelRegistry } from '../../../../src/models/model-registry.js';
import { createSources } from '../../../../src/models/sources.js';
import type { WorkModel } from '../../../../src/domain/model/router.js';
import { vsCodeLmSource } from '../../../../src/vscode/language-models/provider.js';
import { Secrets } from '../../../../src/models/keys/secrets.js';
import { type OpenAiServer, json, startOpenAiServer } from '../../../support/openai-server/index.js';
import { FakeLm } from '../language-models/fake-lm.js';
import { memoryChoices } from '../../models/memory-choices.js';
import { memorySecrets } from '../../models/memory-secrets.js';

/** An address on this machine where nothing answers. */
const NOBODY = 'http://127.0.0.1:9/v1';

/** Waits for the lists as long as they take. */
function untilDone(_: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}

describe('the model for suggestions', () => {
  let server: OpenAiServer;
  const environment = { ...process.env };

  beforeEach(async () => {
    server = await startOpenAiServer();
    for (const name of Object.keys(process.env)) if (name.endsWith('_API_KEY') || name.endsWith('_BASE_URL')) Reflect.deleteProperty(process.env, name);
  });
  afterEach(async () => {
    Object.assign(process.env, environment);
    await server.close();
  });

  /** The names of the model that is chosen, with how it is asked, where a server has these models. */
  async function chosen(provider: string, ids: readonly string[], { model = '', setting = '' } = {}): Promise<string> {
    server.setScript(({ path }) =>
      path.endsWith('/models') ? json({ object: 'list', data: ids.map((id) => ({ id, object: 'model' })) }) : json({ capabilities: ['completion', 'insert'] }),
    );
    const secrets = new Secrets(memorySecrets(), memoryChoices());
    const nobody = { ollama: { baseUrl: NOBODY }, lmstudio: { baseUrl: NOBODY }, vllm: { baseUrl: NOBODY } };
    const lm = new FakeLm();
    lm.models = [];
    const registry = new ModelRegistry({
      secrets,
      sources: () =>
        createSources({
          secrets,
          editor: vsCodeLmSource(lm.api),
          anthropicBaseUrl: () => server.url,
          customProviders: () => ({ ...nobody, [provider]: { baseUrl: `${server.url}/v1` } }),
        }),
      settings: { wantedModels: () => (model === '' ? [] : [{ name: model }]), customModels: () => [] },
      favorites: { get: () => [], set: () => undefined },
      lastTold: { get: () => undefined, set: () => undefined },
    });
    const router = { forWork: (_work: string, own: Pick<WorkModel, 'provider' | 'model'>) => Promise.resolve({ ...own, reason: 'It was chosen.' }) };
    const found = await chooseModel({ models: registry, router }, setting, new AbortController().signal, untilDone);
    return `${found.model.provider}/${found.model.id}`;
  }

  it('is the one of the setting', async () => {
    expect(await chosen('ollama', [], { model: 'demo/demo', setting: 'ollama/qwen2.5-coder:7b' })).toBe('ollama/qwen2.5-coder:7b');
    await expect(chosen('ollama', [], { setting: 'nobody/x' })).rejects.toThrow('Unknown model “nobody/x”');
  });

  it('is else one of the same provider that fills in the middle', async () => {
    expect(await chosen('ollama', ['llama3.3:70b', 'qwen2.5-coder:7b'], { model: 'ollama/llama3.3:70b' })).toBe('ollama/qwen2.5-coder:7b');
    process.env['MISTRAL_API_KEY'] = 'key-of-mistral';
    expect(await chosen('mistral', ['mistral-medium-3-5', 'codestral-latest'], { model: 'mistral/mistral-medium-3-5' })).toBe('mistral/codestral-latest');
  });

  it('is else the cheapest of the same provider, where prices are known', async () => {
    process.env['OPENAI_API_KEY'] = 'key-of-openai';
    expect(await chosen('openai', ['gpt-5', 'gpt-5-mini'], { model: 'openai/gpt-5' })).toBe('openai/gpt-5-mini');
    expect(await chosen('openai', ['gpt-5.6-terra'], { model: 'openai/gpt-5.6-terra' })).toBe('openai/gpt-5.6-terra');
  });
});
