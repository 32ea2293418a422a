import { USUAL_EFFORTS } from '../../../../src/domain/model/effort.js';
import type { ModelInfo, Provider } from '../../../../src/domain/model/provider.js';
import { createAnthropicProvider } from '../../../../src/provider/anthropic/provider.js';
import { presetOf } from '../../../../src/provider/openai/models/presets.js';
import { createOpenAiProvider } from '../../../../src/provider/openai/provider.js';
import { type Gate, httpError, reply, startModelServer } from '../../../support/model-server/index.js';
import { chunk, DONE, json, sse, startOpenAiServer } from '../../../support/openai-server/index.js';

/** What a server does with a request: answers, now or when a gate opens, refuses it as a server that fails, or breaks off in the middle. */
export type Deed = 'answer' | 'fail' | 'break off' | Gate;

/** A server on loopback whose answers all take as much, with the provider that reaches it. */
export interface CountingWire {
  readonly name: string;
  readonly provider: Provider;
  readonly model: ModelInfo;
  /** Requests that have arrived. */
  readonly count: () => number;
  /** What the server does with each request, by its number from 0. */
  plan(deed: (n: number) => Deed): void;
  close(): Promise<void>;
}

/** What each whole answer takes, with these prices: half a dollar. */
export const TAKEN = { costUsd: 0.5, tokens: 1_000 };

function modelOf(provider: string, id: string): ModelInfo {
  return {
    provider,
    id,
    label: id,
    contextWindow: 40_000,
    // More than an answer takes, so that what is estimated is never too low.
    maxOutputTokens: 2_000,
    pricing: { input: 500, output: 500, cacheRead: 500, cacheWrite: 500 },
    efforts: USUAL_EFFORTS,
    supportsImages: true,
    supportsTools: true,
  };
}

/** Anthropic's Messages API. */
export async function messagesWire(): Promise<CountingWire> {
  let [next, arrived] = [(_n: number): Deed => 'answer', 0];
  const server = await startModelServer();
  server.setScript(() => {
    const deed = next(arrived++);
    if (deed === 'fail') return httpError(500, 'api_error', 'It failed.');
    const whole = reply().text('Well.').usage({ input_tokens: 900 }, { output_tokens: 100 });
    if (deed === 'break off') return whole.cut();
    return deed === 'answer' ? whole : reply().hold(deed).text('Well.').usage({ input_tokens: 900 }, { output_tokens: 100 });
  });
  return {
    name: 'Messages',
    provider: createAnthropicProvider({ apiKey: () => Promise.resolve('k'), baseUrl: () => server.url }),
    model: modelOf('anthropic', 'claude-opus-4-6'),
    count: () => arrived,
    plan: (deed) => ([next, arrived] = [deed, 0]),
    close: () => server.close(),
  };
}

/** OpenAI's Chat Completions API. */
export async function chatWire(): Promise<CountingWire> {
  let [next, arrived] = [(_n: number): Deed => 'answer', 0];
  const usage = { data: { choices: [], usage: { prompt_tokens: 900, completion_tokens: 100, total_tokens: 1_000 } } };
  const server = await startOpenAiServer(() => {
    const deed = next(arrived++);
    if (deed === 'fail') return json({ error: { message: 'It failed.' } }, 500);
    if (deed === 'break off') return sse(chunk({ content: 'We' }), 'cut');
    return sse(...(deed === 'answer' ? [] : [deed]), chunk({ content: 'Well.' }), chunk({}, 'stop'), usage, DONE);
  });
  return {
    name: 'Chat Completions',
    provider: createOpenAiProvider({
      name: 'openrouter',
      preset: { ...presetOf('openrouter'), api: 'chat' },
      apiKey: () => Promise.resolve('k'),
      baseUrl: () => `${server.url}/v1`,
    }),
    model: modelOf('openrouter', 'maker/model'),
    count: () => arrived,
    plan: (deed) => ([next, arrived] = [deed, 0]),
    close: () => server.close(),
  };
}
