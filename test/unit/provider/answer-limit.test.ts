import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ThinkingEffort } from '../../../src/domain/model/effort.js';
import type { Provider } from '../../../src/domain/model/provider.js';
import { createAnthropicProvider } from '../../../src/provider/anthropic/provider.js';
import { type OpenAiServer, type Reply, chunk, DONE, json, sse, startOpenAiServer } from '../../support/openai-server/index.js';
import { answer, said } from '../../support/responses-server/index.js';
import { drain } from '../../support/stream-conformance.js';
import { never, providerFor, request } from './openai/rig.js';

const MESSAGE = { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [{ type: 'text', text: 'ok' }], stop_reason: 'end_turn', usage: {} };

let server: OpenAiServer;
beforeAll(async () => {
  server = await startOpenAiServer(({ path }): Reply => {
    if (path.endsWith('/messages')) return json(MESSAGE);
    return path.endsWith('/responses') ? answer(said('ok')) : sse(chunk({ content: 'ok' }), chunk({}, 'stop'), DONE);
  });
});
afterAll(() => server.close());

const anthropic = (): Provider => createAnthropicProvider({ apiKey: () => Promise.resolve('k'), baseUrl: () => server.url });

/** Everything in a body that says how long an answer may be and how much of it may be thinking. */
const FIELDS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'thinking', 'output_config', 'reasoning', 'reasoning_effort'];

async function sent(provider: Provider, model: string, effort: ThinkingEffort, maxTokens: number): Promise<object> {
  await drain(provider.stream(request({ model, effort, maxTokens }), never()));
  return Object.fromEntries(Object.entries(server.requests.at(-1)?.body ?? {}).filter(([name]) => FIELDS.includes(name)));
}

const ADAPTIVE = { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'high' } };
const REASONED = { effort: 'high', summary: 'auto' };

/** Thinking counts as a part of the answer everywhere: where nothing bounds it, it can take all of a small limit. */
describe('the limit of an answer, and thinking beside it', () => {
  test.each<[string, () => Provider, string, ThinkingEffort, object, object]>([
    [
      'Messages gives a budget half of it, and none where that is below the least that the API takes',
      anthropic,
      'claude-haiku-4-5',
      'high',
      { max_tokens: 4_096, thinking: { type: 'enabled', budget_tokens: 2_048 } },
      { max_tokens: 1_000 },
    ],
    [
      'Messages leaves the amount to a model that decides itself',
      anthropic,
      'claude-opus-4-6',
      'high',
      { max_tokens: 4_096, ...ADAPTIVE },
      { max_tokens: 1_000, ...ADAPTIVE },
    ],
    ['Messages cannot keep a model from it that always thinks', anthropic, 'claude-opus-5-5', 'off', { max_tokens: 4_096 }, { max_tokens: 1_000 }],
    [
      'Responses leaves it to the effort',
      () => providerFor(server, 'openai'),
      'gpt-5.6-terra',
      'high',
      { max_output_tokens: 4_096, reasoning: REASONED },
      { max_output_tokens: 1_000, reasoning: REASONED },
    ],
    [
      'Responses adds room for it where it was not asked for and cannot be left out',
      () => providerFor(server, 'openai'),
      'gpt-5',
      'off',
      { max_output_tokens: 4_096 + 4_096, reasoning: { effort: 'minimal', summary: 'auto' } },
      { max_output_tokens: 1_000 + 4_096, reasoning: { effort: 'minimal', summary: 'auto' } },
    ],
    [
      'chat completions leave it to the effort',
      () => providerFor(server, 'ollama'),
      'qwen3',
      'high',
      { max_tokens: 4_096, reasoning_effort: 'high' },
      { max_tokens: 1_000, reasoning_effort: 'high' },
    ],
    [
      'OpenRouter has it from the effort',
      () => providerFor(server, 'openrouter'),
      'x/y',
      'high',
      { max_tokens: 4_096, reasoning: { effort: 'high' } },
      { max_tokens: 1_000, reasoning: { effort: 'high' } },
    ],
    [
      'DeepSeek only switches it on',
      () => providerFor(server, 'deepseek'),
      'deepseek-flash',
      'high',
      { max_tokens: 4_096, thinking: { type: 'enabled' }, reasoning_effort: 'high' },
      { max_tokens: 1_000, thinking: { type: 'enabled' }, reasoning_effort: 'high' },
    ],
  ])('%s', async (_what, provider, model, effort, of4096, of1000) => {
    expect(await sent(provider(), model, effort, 4_096)).toEqual(of4096);
    expect(await sent(provider(), model, effort, 1_000)).toEqual(of1000);
  });
});
