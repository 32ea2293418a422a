import { describe, expect, it } from 'vitest';
import { RequestLog } from '../../../src/provider/http/request-log.js';
import { listModels } from '../../../src/provider/openai/models/list-models.js';
import { presetOf } from '../../../src/provider/openai/models/presets.js';
import type { EndpointSettings } from '../../../src/models/custom-endpoints.js';
import { openAiSource } from '../../../src/models/sources.js';
import { Secrets } from '../../../src/models/keys/secrets.js';
import { chunk, DONE, json, sse, startOpenAiServer } from '../../support/openai-server/index.js';
import { drain } from '../../support/stream-conformance.js';
import { memoryChoices } from './memory-choices.js';
import { memorySecrets } from './memory-secrets.js';

const endpoint = (id: 'ollama' | 'openai', own = false): EndpointSettings => ({ id, preset: presetOf(id), baseUrl: undefined, headers: {}, own });
const forever = (): Promise<never> => new Promise(() => undefined);
const never = (): AbortSignal => new AbortController().signal;

describe('a source that speaks chat completions', () => {
  it('of this machine is set up when its list comes, and not when it fails or is too long in coming', async () => {
    const secrets = new Secrets(memorySecrets(), memoryChoices());
    const quick = openAiSource(
      secrets,
      () => endpoint('ollama'),
      () => Promise.resolve([]),
    );
    expect(await quick.isSetUp(never())).toBe(true);
    const absent = openAiSource(
      secrets,
      () => endpoint('ollama'),
      () => Promise.reject(new Error('refused')),
    );
    expect(await absent.isSetUp(never())).toBe(false);
    const hanging = openAiSource(
      secrets,
      () => endpoint('ollama'),
      (_, signal) => Promise.race([forever(), aborted(signal)]),
    );
    expect(await hanging.isSetUp(never())).toBe(false);
  });

  it('of the person’s own is always set up, so that a failure is told', async () => {
    const own = openAiSource(
      new Secrets(memorySecrets(), memoryChoices()),
      () => endpoint('ollama', true),
      () => Promise.reject(new Error('refused')),
    );
    expect(await own.isSetUp(never())).toBe(true);
  });

  it('that needs a key is set up with one, and asked nothing without', async () => {
    const storage = memorySecrets();
    const source = openAiSource(
      new Secrets(storage, memoryChoices()),
      () => endpoint('openai'),
      () => expect.unreachable('It is asked without a key.'),
    );
    expect(await source.isSetUp(never())).toBe((process.env['OPENAI_API_KEY'] ?? '') !== '');
    await storage.store('gnomon.openai.apiKey', 'k');
    const withKey = openAiSource(
      new Secrets(storage, memoryChoices()),
      () => endpoint('openai'),
      () => expect.unreachable('It is asked without need.'),
    );
    expect(await withKey.isSetUp(never())).toBe(true);
    expect(withKey.fallback?.[0]?.id).toBe(withKey.defaultModel);
  });

  it('notes its requests to models, suggestions too, but no lists, no key, and no header from the settings', async () => {
    const server = await startOpenAiServer(({ path }) => {
      if (path.endsWith('/models')) return json({ data: [{ id: 'm' }] });
      return path.endsWith('/chat/completions') ? sse(chunk({ content: 'Hi.' }), chunk({}, 'stop'), DONE) : json({ choices: [{ text: 'b' }] });
    });
    const storage = memorySecrets();
    await storage.store('gnomon.mine.apiKey', 'key-of-mine-4711');
    const used = new Set<string>();
    const log = new RequestLog(() => [...used]);
    const mine: EndpointSettings = {
      id: 'mine',
      preset: presetOf('vllm'),
      baseUrl: `${server.url}/v1`,
      headers: { 'X-Gateway': 'of-the-gateway', 'X-Copy': 'is key-of-mine-4711' },
      own: true,
    };
    const source = openAiSource(new Secrets(storage, memoryChoices(), used), () => mine, listModels, log);
    await source.list(never());
    await drain(
      source.provider.stream(
        {
          model: 'm',
          systemPrompt: '',
          messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }], timestamp: '2026-01-02T03:04:05.678Z' }],
          tools: [],
          cacheKey: 's',
        },
        never(),
      ),
    );
    await source.fill?.fill({ model: 'm', prompt: 'a', maxTokens: 5, stops: [] }, never());
    await server.close();
    expect(server.requests.map(({ headers }) => [headers.authorization, headers['x-gateway']])).toEqual(
      Array.from({ length: 3 }, () => ['Bearer key-of-mine-4711', 'of-the-gateway']),
    );
    expect(log.requests().map(({ sender }) => [sender.provider, sender.model, sender.session])).toEqual([
      ['mine', 'm', undefined],
      ['mine', 'm', 's'],
    ]);
    const whole = JSON.stringify(log.requests());
    for (const secret of ['key-of-mine-4711', 'of-the-gateway']) expect(whole).not.toContain(secret);
  });
});

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true }));
}
