import { NOTHING_MORE } from '../../../../src/engine/turn/turn-settings.js';
import { afterEach, describe, expect, test } from 'vitest';
import type { Message } from '../../../../src/domain/model/message.js';
import type { SessionMeta } from '../../../../src/domain/session/session-store.js';
import type { Tool } from '../../../../src/domain/tool/tool.js';
import type { AgentSession } from '../../../../src/engine/agent-session.js';
import type { Turn } from '../../../../src/engine/events.js';
import { type CachedRequest, cacheBreak, coldCache } from '../../../../src/engine/context/prompt-cache.js';
import { createAgentSession } from '../../../../src/engine/live-session.js';
import type { CacheDuration } from '../../../../src/provider/anthropic/endpoint.js';
import { anthropicModelInfo } from '../../../../src/provider/anthropic/models.js';
import { createAnthropicProvider } from '../../../../src/provider/anthropic/provider.js';
import { openAiModelInfo } from '../../../../src/provider/openai/models/models.js';
import { type PresetId, presetOf } from '../../../../src/provider/openai/models/presets.js';
import { createOpenAiProvider } from '../../../../src/provider/openai/provider.js';
import { memorySession } from '../../../support/memory-session.js';
import { reply, startModelServer } from '../../../support/model-server/index.js';
import { chunk, DONE, sse, startOpenAiServer } from '../../../support/openai-server/index.js';
import { bodyForClaude, PrefixCache, PromptCache } from '../../../support/prompt-cache/index.js';
import { testTool } from '../rig.js';

const MINUTE_MS = 60_000;
const RULES = { minimumTokens: 1_024 };
const SUMMARY = 'The user sent many words.';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Scene {
  readonly session: AgentSession;
  /** Goes to the model with so many tokens. */
  readonly say: (tokens: number) => Promise<Turn>;
  readonly wait: (ms: number) => void;
  readonly use: (model: string) => void;
  readonly tools: Tool[];
}

interface SceneOptions {
  readonly cacheDuration?: CacheDuration;
  readonly messages?: readonly Message[];
  readonly meta?: SessionMeta;
  readonly model?: string;
}

const START = Date.parse('2026-01-01T00:00:00Z');

/** What a scene is made of beside its server. */
function sceneOf(session: AgentSession, clock: { now: number }, tools: Tool[], use: (model: string) => void): Scene {
  closers.push(() => session.close());
  const say = (tokens: number): Promise<Turn> => session.send([{ type: 'text', text: 'word '.repeat(tokens) }]).turn;
  const wait = (ms: number): void => {
    clock.now += ms;
  };
  return { session, say, wait, use, tools };
}

function sessionDeps(
  clock: { readonly now: number },
  tools: readonly Tool[],
  { messages = [], meta = {} }: SceneOptions,
): Omit<Parameters<typeof createAgentSession>[0], 'provider' | 'model'> {
  const deps = memorySession({ systemPrompt: 'Be good.', tools: [] });
  const open = { ...deps.open, meta, session: { ...deps.open.session, messages } };
  return {
    ...deps,
    open,
    clock: { timestamp: () => new Date(clock.now).toISOString(), monotonic: () => clock.now },
    turnSettings: () => Promise.resolve({ ...NOTHING_MORE, moreTools: [...tools] }),
  };
}

/** A chat with Claude, billed by Anthropic's rules; each model has a cache of its own. */
async function claude(options: SceneOptions = {}): Promise<Scene> {
  const [clock, tools, caches] = [{ now: START }, [] as Tool[], new Map<string, PromptCache>()];
  const server = await startModelServer();
  closers.push(() => server.close());
  server.setScript(({ body }) => {
    const cache = caches.get(body.model) ?? new PromptCache(RULES);
    caches.set(body.model, cache);
    const { read, written, writtenForHour, uncached } = cache.take(body, clock.now);
    const kinds = { ephemeral_5m_input_tokens: written - writtenForHour, ephemeral_1h_input_tokens: writtenForHour };
    const usage = { input_tokens: uncached, cache_read_input_tokens: read, cache_creation_input_tokens: written, cache_creation: kinds };
    return reply()
      .text(JSON.stringify(body.system).includes('You summarize') ? SUMMARY : 'Ok.')
      .usage(usage, { output_tokens: 5 });
  });
  const provider = createAnthropicProvider({
    apiKey: () => Promise.resolve('sk-test'),
    baseUrl: () => server.url,
    cacheDuration: () => options.cacheDuration ?? '5m',
    now: () => new Date(clock.now).toISOString(),
  });
  const session = createAgentSession({ ...sessionDeps(clock, tools, options), provider, model: anthropicModelInfo(options.model ?? 'claude-sonnet-5-5') });
  return sceneOf(session, clock, tools, (model) => session.setModel(provider, anthropicModelInfo(model)));
}

/** A chat over chat completions: with Claude over OpenRouter, else with a cache as OpenAI's. */
async function completions(preset: PresetId, model: string): Promise<Scene> {
  const [clock, tools, claudes, others] = [{ now: START }, [] as Tool[], new PromptCache(RULES), new Map<string, PrefixCache>()];
  const server = await startOpenAiServer();
  closers.push(() => server.close());
  server.setScript(({ body }) => {
    const isSummary = JSON.stringify(body.messages).includes('You summarize');
    const usage =
      body.model?.includes('claude') === true
        ? claudeUsage(claudes.take(bodyForClaude(body), clock.now))
        : { ...prefixUsage(others, body), ...(preset === 'mistral' ? { prompt_tokens_details: null } : {}) };
    return sse(chunk({ content: isSummary ? SUMMARY : 'Ok.' }, 'stop', { usage }), DONE);
  });
  const provider = createOpenAiProvider({ name: preset, preset: presetOf(preset), apiKey: () => Promise.resolve('sk-test'), baseUrl: () => server.url });
  const place = preset === 'vllm' ? { onThisMachine: true as const } : {};
  const info = (id: string): ReturnType<typeof openAiModelInfo> => ({ ...openAiModelInfo(preset, presetOf(preset), id), contextWindow: 1_000_000, ...place });
  const session = createAgentSession({ ...sessionDeps(clock, tools, {}), provider, model: info(model) });
  return sceneOf(session, clock, tools, (id) => session.setModel(provider, info(id)));
}

function claudeUsage({ read, written, uncached }: ReturnType<PromptCache['take']>): object {
  return { prompt_tokens: read + written + uncached, completion_tokens: 5, prompt_tokens_details: { cached_tokens: read, cache_write_tokens: written } };
}

function prefixUsage(caches: Map<string, PrefixCache>, body: Parameters<PrefixCache['take']>[0]): object {
  const cache = caches.get(body.model ?? '') ?? new PrefixCache();
  caches.set(body.model ?? '', cache);
  const { read, total } = cache.take(body);
  return { prompt_tokens: total, completion_tokens: 5, prompt_tokens_details: { cached_tokens: read } };
}

describe('the turn that broke the cache, by Anthropic’s rules', () => {
  test('none does while the chat only grows and does not wait', async () => {
    const { say, wait } = await claude();
    for (const tokens of [30_000, 5, 5_000, 5]) {
      expect(await say(tokens)).not.toHaveProperty('cacheBreak');
      wait(4 * MINUTE_MS);
    }
  });

  test.each<[string, (scene: Scene) => unknown, string]>([
    ['another model', ({ use }) => use('claude-opus-5-5'), 'model'],
    ['other tools', ({ tools }) => tools.push(testTool('look')), 'tools'],
    ['a wait of six minutes', ({ wait }) => wait(6 * MINUTE_MS), 'expired'],
  ])('%s is named, once', async (_name, change, reason) => {
    const scene = await claude();
    await scene.say(30_000);
    await scene.say(5);
    change(scene);
    const { cacheBreak: lost } = await scene.say(5);
    expect(lost?.reason).toBe(reason);
    expect(lost?.tokens).toBeGreaterThan(29_000);
    expect(await scene.say(5)).not.toHaveProperty('cacheBreak');
  });

  test('so is a summary, where much is kept word for word', async () => {
    const { say, session, wait } = await claude();
    for (const tokens of [50_000, 15_000, 10]) await say(tokens);
    await session.compact();
    expect((await say(5)).cacheBreak).toMatchObject({ reason: 'summary' });
    wait(6 * MINUTE_MS);
    session.undoCompaction();
    expect((await say(5)).cacheBreak).toMatchObject({ reason: 'summary_undone' });
  });

  test('less than 10,000 tokens are not worth a word', async () => {
    const { say, wait } = await claude();
    await say(8_000);
    wait(6 * MINUTE_MS);
    expect(await say(5)).not.toHaveProperty('cacheBreak');
  });

  test('an hour in the cache is an hour', async () => {
    const { say, wait } = await claude({ cacheDuration: '1h' });
    await say(30_000);
    wait(50 * MINUTE_MS);
    expect(await say(5)).not.toHaveProperty('cacheBreak');
    wait(61 * MINUTE_MS);
    expect((await say(5)).cacheBreak).toMatchObject({ reason: 'expired' });
  });

  test('going back to a model whose cache is still there costs nothing', async () => {
    const { say, use } = await claude();
    await say(30_000);
    use('claude-opus-5-5');
    expect((await say(5)).cacheBreak).toMatchObject({ reason: 'model' });
    use('claude-sonnet-5-5');
    expect(await say(5)).not.toHaveProperty('cacheBreak');
  });

  test('a chat that is opened again knows when it was in the cache last', async () => {
    const first = await claude();
    await first.say(30_000);
    const models = { '1': 'anthropic/claude-sonnet-5-5' };
    const again = await claude({ messages: first.session.messages, meta: { models } });
    again.wait(6 * MINUTE_MS);
    expect((await again.say(5)).cacheBreak).toMatchObject({ reason: 'expired' });
    // Of a chat whose models are not stored nothing is known.
    const unknown = await claude({ messages: first.session.messages });
    unknown.wait(6 * MINUTE_MS);
    expect(await unknown.say(5)).not.toHaveProperty('cacheBreak');
  });
});

describe('the turn that broke the cache, by the rules of others', () => {
  test.each<[PresetId, string]>([
    ['openai', 'gpt-4.1'],
    ['openrouter', 'anthropic/claude-sonnet-5.5'],
  ])('%s: nothing while the chat grows; a summary is named', async (preset, model) => {
    const { say, session } = await completions(preset, model);
    for (const tokens of [50_000, 15_000, 10, 5]) expect(await say(tokens)).not.toHaveProperty('cacheBreak');
    await session.compact();
    expect((await say(5)).cacheBreak).toMatchObject({ reason: 'summary' });
  });

  test('OpenAI: other tools are named; the first request to another model does not show that it has a cache', async () => {
    const { say, tools, use } = await completions('openai', 'gpt-4.1');
    for (const tokens of [30_000, 5]) await say(tokens);
    tools.push(testTool('look'));
    expect((await say(5)).cacheBreak).toMatchObject({ reason: 'tools' });
    await say(5);
    use('gpt-4.1-mini');
    expect(await say(5)).not.toHaveProperty('cacheBreak');
  });

  test('a server without a cache breaks none, whatever is changed', async () => {
    const { say, tools, wait } = await completions('mistral', 'mistral-medium-3-5');
    for (const tokens of [30_000, 5]) await say(tokens);
    tools.push(testTool('look'));
    wait(60 * MINUTE_MS);
    expect(await say(5)).not.toHaveProperty('cacheBreak');
  });
});

test('a server on this machine is free to read all of it again', async () => {
  const { say, tools, session, wait } = await completions('vllm', 'qwen3');
  for (const tokens of [60_000, 5]) await say(tokens);
  tools.push(testTool('look'));
  wait(48 * 60 * MINUTE_MS);
  expect(session.coldCache).toBeUndefined();
  const turn = await say(5);
  expect(turn.usage.cacheReadTokens).toBe(0);
  expect(turn).not.toHaveProperty('cacheBreak');
  expect(session.costUsd).toBe(0);
});

test.each<[string, () => Promise<Scene>]>([
  ['Anthropic', () => claude()],
  ['OpenAI', () => completions('openai', 'gpt-4.1')],
  ['Claude over OpenRouter', () => completions('openrouter', 'anthropic/claude-sonnet-5.5')],
  ['a server that does not say what it has read from its cache', () => completions('mistral', 'mistral-medium-3-5')],
])('what is read from a cache is no sign of a cut conversation: %s', async (_name, open) => {
  const { session, say } = await open();
  let cuts = 0;
  session.onEvent(({ type }) => (cuts += type === 'context_cut' ? 1 : 0));
  for (const tokens of [4_000, 1_200, 5_000, 1_200, 1_200, 9_000, 50]) await say(tokens);
  expect(cuts).toBe(0);
});

describe('why, from two requests', () => {
  const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 40_000, cacheWriteTokens: 2_000 };
  const asked = { systemPrompt: 'a', tools: '[]', images: 20, effort: 'medium' };
  const before: CachedRequest = { model: 'a/b', sentAt: START, usage, cache: { lifetimeMs: 5 * MINUTE_MS }, summary: undefined, asked };
  const miss = { ...before, sentAt: START + MINUTE_MS, usage: { ...usage, cacheReadTokens: 0, cacheWriteTokens: 43_000 } };

  test.each([
    ['system_prompt', { ...miss, asked: { ...asked, systemPrompt: 'b' } }],
    ['images', { ...miss, asked: { ...asked, images: 10 } }],
    ['effort', { ...miss, asked: { ...asked, effort: 'high' } }],
    ['expired', { ...miss, sentAt: START + 5 * MINUTE_MS }],
    ['unknown', miss],
  ])('%s', (reason, now) => {
    expect(cacheBreak(before, now)).toEqual({ reason, tokens: 42_000 });
  });

  test('what only one of them says is no reason, nor is time where no lifetime is documented', () => {
    const stored = { model: before.model, sentAt: before.sentAt, usage, summary: undefined };
    expect(cacheBreak(stored, { ...miss, asked: { ...asked, effort: 'high' } })?.reason).toBe('unknown');
    const late = { ...miss, sentAt: START + 600 * MINUTE_MS, cache: undefined };
    expect(cacheBreak({ ...before, cache: undefined }, late)).toBeUndefined();
  });

  test('a time that cannot be read is no reason and breaks nothing', () => {
    expect(cacheBreak({ ...before, sentAt: Number.NaN }, miss)?.reason).toBe('unknown');
    const next = { model: 'a/b', cache: before.cache, summary: undefined, tokens: 84_000, now: START, pricing: undefined };
    expect(coldCache({ ...before, sentAt: Number.NaN, usage: { ...usage, cacheReadTokens: 90_000 } }, next)).toBeUndefined();
  });
});

describe('a chat that has cooled down', () => {
  test('costs what is then paid for it', async () => {
    const { say, wait, session } = await claude();
    await say(84_000);
    wait(4 * MINUTE_MS);
    expect(session.coldCache).toBeUndefined();
    wait(2 * MINUTE_MS);
    const cold = session.coldCache;
    expect(cold?.tokens).toBeGreaterThan(83_000);
    const turn = await say(5);
    expect(cold?.costUsd).toBeCloseTo(turn.costUsd ?? 0, 2);
    expect(turn.cacheBreak).toMatchObject({ reason: 'expired' });
    expect(session.coldCache).toBeUndefined();
  });

  test('of an hour costs twice the input', async () => {
    const { say, wait, session } = await claude({ cacheDuration: '1h' });
    await say(84_000);
    wait(59 * MINUTE_MS);
    expect(session.coldCache).toBeUndefined();
    wait(MINUTE_MS);
    const { tokens = 0, costUsd } = session.coldCache ?? {};
    expect(costUsd).toBeCloseTo((tokens * 2 * 2) / 1_000_000, 5);
  });

  test('is not told of a model without a price what it costs', async () => {
    const { say, wait, session } = await claude({ model: 'claude-haiku-5-5' });
    await say(84_000);
    wait(6 * MINUTE_MS);
    expect(session.coldCache).toEqual({ reason: 'expired', tokens: expect.any(Number) as number });
  });

  test('is not told of where it is small, was summarized, or the server does not say how long it keeps it', async () => {
    const small = await claude();
    await small.say(40_000);
    small.wait(6 * MINUTE_MS);
    expect(small.session.coldCache).toBeUndefined();
    const { say, wait, session } = await claude();
    for (const tokens of [60_000, 55_000, 5]) await say(tokens);
    wait(6 * MINUTE_MS);
    expect(session.coldCache).toBeDefined();
    await session.compact();
    expect(session.coldCache).toBeUndefined();
    const other = await completions('openai', 'gpt-4.1');
    for (const tokens of [60_000, 5]) await other.say(tokens);
    other.wait(48 * 60 * MINUTE_MS);
    expect(other.session.coldCache).toBeUndefined();
  });

  test.each<[string, boolean, boolean]>([
    ['the same model, warm', false, false],
    ['the same model, expired', false, true],
    ['another model, warm', true, false],
    ['another model, expired', true, true],
  ])('costs before the message what is then paid: %s', async (_case, switches, expires) => {
    const { say, wait, use, session } = await claude();
    for (const tokens of [60_000, 5]) await say(tokens);
    if (switches) use('claude-opus-5-5');
    if (expires) wait(6 * MINUTE_MS);
    const cold = session.coldCache;
    expect(cold?.reason).toBe(switches ? 'model' : expires ? 'expired' : undefined);
    const turn = await say(5);
    if (cold !== undefined) expect(cold.costUsd).toBeCloseTo(turn.costUsd ?? 0, 2);
    expect(session.coldCache).toBeUndefined();
  });

  test('costs nothing more with a model that has it in its cache still, and all of it later', async () => {
    const { say, wait, use, session } = await claude();
    await say(60_000);
    use('claude-opus-5-5');
    await say(5);
    use('claude-sonnet-5-5');
    expect(session.coldCache).toBeUndefined();
    wait(6 * MINUTE_MS);
    expect(session.coldCache).toMatchObject({ reason: 'model' });
  });

  test('costs all of it again once a summary is undone', async () => {
    const { say, session } = await claude();
    for (const tokens of [60_000, 55_000, 5]) await say(tokens);
    await session.compact();
    await say(5);
    session.undoCompaction();
    const cold = session.coldCache;
    expect(cold).toMatchObject({ reason: 'summary_undone' });
    expect(cold?.tokens).toBeGreaterThan(100_000);
  });

  test('is told of where a chat moves to a server that does not say how long it keeps it, and not where that costs nothing', async () => {
    const other = await completions('openai', 'gpt-4.1');
    for (const tokens of [60_000, 5]) await other.say(tokens);
    other.use('gpt-4.1-mini');
    expect(other.session.coldCache).toMatchObject({ reason: 'model', tokens: expect.any(Number) as number });
    const free = await completions('vllm', 'a');
    for (const tokens of [60_000, 5]) await free.say(tokens);
    free.use('b');
    expect(free.session.coldCache).toBeUndefined();
  });

  test('is known when it is opened again', async () => {
    const first = await claude();
    await first.say(60_000);
    const again = await claude({ messages: first.session.messages, meta: { models: { '1': 'anthropic/claude-sonnet-5-5' } } });
    expect(again.session.coldCache).toBeUndefined();
    again.wait(6 * MINUTE_MS);
    expect(again.session.coldCache?.tokens).toBeGreaterThan(59_000);
  });
});
