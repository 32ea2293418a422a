import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { Conversation, OpenQuestions } from '../../../src/chat/conversation/conversation.js';
import { elfViews } from '../../../src/chat/projection/elf-view.js';
import { usageText } from '../../../src/chat/projection/summary.js';
import { formatCost } from '../../../src/domain/l10n.js';
import { addUsage, costOf, NO_USAGE, type Usage } from '../../../src/domain/model/usage.js';
import { hasEnded } from '../../../src/domain/session/elf.js';
import type { Household } from '../../../src/elf/household.js';
import { httpError, reply } from '../../support/model-server/index.js';
import { chunk, DONE, json, sse, startOpenAiServer } from '../../support/openai-server/index.js';
import { ALL_RUNS } from '../../support/runs.js';
import { type NodeChat, nodeChat } from './node-chat.js';

/** Models by what is used of them: two wires, and one without a price, which is free on this machine. */
const MODELS = { messages: 'anthropic/claude-sonnet-5-5', chat: 'openrouter/maker/model', free: 'openrouter/maker/free' } as const;
type Kind = keyof typeof MODELS;
/** Dollars for a million tokens. */
const PRICES: Readonly<Partial<Record<Kind, Parameters<typeof costOf>[1]>>> = {
  messages: { input: 300, output: 700, cacheRead: 100, cacheWrite: 400 },
  chat: { input: 200, output: 500, cacheRead: 50, cacheWrite: 200 },
};

/** An agent, and those that it starts. */
interface Node {
  readonly kind: Kind;
  /** Tokens that each of its answers reads and writes. */
  readonly tokens: readonly [read: number, written: number];
  /** How its run ends; one that ends badly can go on. */
  readonly end: 'well' | 'fails' | 'stopped';
  readonly goesOn: boolean;
  readonly below: readonly Node[];
}

/** Agents that agents start in turn, at most. */
const DEPTH = 3;

function nodes(depth: number): fc.Arbitrary<Node> {
  return fc.record({
    kind: fc.oneof(
      { weight: 4, arbitrary: fc.constant('messages' as const) },
      { weight: 4, arbitrary: fc.constant('chat' as const) },
      fc.constant('free' as const),
    ),
    tokens: fc.tuple(fc.integer({ min: 20_000, max: 60_000 }), fc.integer({ min: 1, max: 3_000 })),
    end: fc.oneof({ weight: 4, arbitrary: fc.constant('well' as const) }, fc.constant('fails' as const), fc.constant('stopped' as const)),
    goesOn: fc.boolean(),
    below: depth === DEPTH ? fc.constant([]) : fc.array(nodes(depth + 1), { maxLength: depth === 1 ? 2 : 1 }),
  });
}

/** Trees, of which `npm test` tries some. */
const TREES = 200;

test(
  `E-31, E-62: what a chat has cost is what its providers have reported, in every place that shows it, over trees of agents`,
  { timeout: 600_000 },
  async () => {
    const chat = await pricedChat();
    await fc.assert(
      fc.asyncProperty(fc.array(nodes(1), { minLength: 1, maxLength: 2 }), (trees) => counted(chat, trees)),
      { numRuns: ALL_RUNS ? TREES : 8, endOnFailure: true },
    );
  },
);

/** A chat with two servers of models. */
interface PricedChat {
  readonly chat: NodeChat;
  /** Answers a request by what its session was told first. */
  answer: (name: string, isFirst: boolean) => Promise<Answer>;
}

/** What a model says: calls that start agents, a text, or that it fails. */
interface Answer {
  readonly starts: readonly object[];
  readonly usage: readonly [read: number, written: number];
  readonly fails: boolean;
}

/** The name of an agent in what it was told first. */
function nameIn(raw: string): string {
  return /(ROOT|PART [\d.]+);/.exec(raw)?.[1] ?? '';
}

async function pricedChat(): Promise<PricedChat> {
  const other = await startOpenAiServer();
  onTestFinished(() => other.close());
  const models = Object.entries(MODELS).map(([kind, key]) => {
    const [, provider = '', id = ''] = /^(\w+)\/(.*)$/.exec(key) ?? [];
    const price = PRICES[kind as Kind];
    return { provider, id, contextWindow: 200_000, maxOutputTokens: 4_000, ...(price === undefined ? {} : { price }) };
  });
  const chat = await nodeChat({
    inHome: { '.claude/settings.json': JSON.stringify({ permissions: { allow: ['Agent(general)'] } }) },
    settings: {
      ...{ 'gnomon.agents.maxDepth': DEPTH, 'gnomon.agents.maxTotal': 1_000, 'gnomon.maxRetries': 0 },
      'gnomon.providers': { openrouter: { baseUrl: `${other.url}/v1`, keyRequired: false } },
      'gnomon.models': models,
    },
  });
  const priced: PricedChat = { chat, answer: () => Promise.reject(new Error('Nothing is asked.')) };
  chat.server.setScript(async ({ raw, body }) => {
    const { starts, usage, fails } = await priced.answer(nameIn(raw), !body.messages.some(({ role }) => role === 'assistant'));
    if (fails) return httpError(429, 'rate_limit_error', 'Too many.');
    const begun = reply().usage({ input_tokens: usage[0], output_tokens: 1 }, { output_tokens: usage[1] });
    return starts.length === 0 ? begun.text('Found.') : starts.reduce<ReturnType<typeof reply>>((all, args) => all.toolCall('agent', args), begun);
  });
  other.setScript(async ({ raw, path }) => {
    if (!path.endsWith('/chat/completions')) return json({ data: [] });
    const { starts, usage, fails } = await priced.answer(nameIn(raw), !raw.includes('"role":"assistant"'));
    if (fails) return json({ error: { message: 'Too many.' } }, 429);
    const [read, written] = usage;
    const calls = starts.map((args, index) =>
      chunk({ tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name: 'agent', arguments: JSON.stringify(args) } }] }),
    );
    const total = { prompt_tokens: read, completion_tokens: written, total_tokens: read + written };
    return sse(
      ...(calls.length === 0 ? [chunk({ content: 'Found.' })] : calls),
      chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
      { data: { choices: [], usage: total } },
      DONE,
    );
  });
  return priced;
}

async function counted(priced: PricedChat, trees: readonly Node[]): Promise<void> {
  const { chat } = priced;
  await chat.begin('bypassPermissions');
  const { elves } = chat.host.host;
  const all = new Map<string, Node>();
  const named = (list: readonly Node[], above: string): readonly object[] =>
    list.map((node, index) => {
      const name = `${above}${index + 1}`;
      all.set(`PART ${name}`, node);
      return { description: name, prompt: `PART ${name};`, model: MODELS[node.kind] };
    });
  const reported: Record<Kind, Usage> = { messages: NO_USAGE, chat: NO_USAGE, free: NO_USAGE };
  const ended = new Set<string>();
  const household = await elves.of(chat.conversation.session);
  priced.answer = async (name, isFirst) => {
    const node = all.get(name) ?? { ...ROOT, below: trees };
    const starts = isFirst ? named(node.below, name === 'ROOT' ? '' : `${name.slice(5)}.`) : [];
    const isBad = starts.length === 0 && node.end !== 'well' && !ended.has(name);
    if (isBad) ended.add(name);
    if (isBad && node.end === 'stopped') await elves.stop(chat.conversation.session, elfOf(household, name));
    if (!isBad) {
      const usage = { ...NO_USAGE, inputTokens: node.tokens[0], outputTokens: node.tokens[1] };
      reported[node.kind] = addUsage(reported[node.kind], usage);
    }
    return { starts, usage: node.tokens, fails: isBad && node.end === 'fails' };
  };
  const turn = await chat.say('ROOT;');
  expectTotals(turn, reported);
  for (const [name, node] of all) {
    if (!ended.has(name) || !node.goesOn) continue;
    await elves.goOn(chat.conversation.session, elfOf(household, name));
    await household.until(() => household.facts.every(({ runs }) => runs.every(hasEnded)), new AbortController().signal);
    await household.until(() => !household.startedBy(undefined).some(({ isWorking }) => isWorking), new AbortController().signal);
  }
  await shownEverywhere(chat, reported);
  // What agents have cost stays when nothing is left of them.
  const { id } = chat.conversation.session;
  await chat.conversation.session.close();
  rmSync(join(chat.host.storage, 'elves', id), { recursive: true, force: true });
  chat.conversation = new Conversation(await chat.host.reopen(id), {}, { questions: new OpenQuestions() });
  expectTotals(chat.conversation.session, reported);
}

const ROOT: Omit<Node, 'below'> = { kind: 'messages', tokens: [20_000, 100], end: 'well', goesOn: false };

function elfOf({ facts }: Household, name: string): string {
  return facts.find(({ task }) => `PART ${task}` === name)?.name ?? '';
}

function dollarsOf(reported: Readonly<Record<Kind, Usage>>): number {
  return (Object.keys(reported) as Kind[]).reduce((sum, kind) => {
    const price = PRICES[kind];
    return price === undefined ? sum : sum + costOf(reported[kind], price);
  }, 0);
}

function expectTotals({ usage, costUsd }: { readonly usage: Usage; readonly costUsd: number | undefined }, reported: Readonly<Record<Kind, Usage>>): void {
  const whole = Object.values(reported).reduce(addUsage, NO_USAGE);
  expect([usage.inputTokens, usage.outputTokens]).toEqual([whole.inputTokens, whole.outputTokens]);
  expect(costUsd?.toFixed(9)).toBe(dollarsOf(reported).toFixed(9));
}

async function shownEverywhere(chat: NodeChat, reported: Readonly<Record<Kind, Usage>>): Promise<void> {
  const { session } = chat.conversation;
  const dollars = dollarsOf(reported);
  expectTotals(session, reported);
  expect(chat.shown.usage).toBe(usageText(session.usage, dollars));
  const household = await chat.host.host.elves.of(session);
  const own = session.usage.outputTokens - household.facts.filter(({ parent }) => parent === undefined).reduce((sum, { usage }) => sum + usage.outputTokens, 0);
  expect(own).toBe(2 * ROOT.tokens[1]);
  for (const { cost, id } of elfViews(household, (key) => ({ model: key, provider: '' }))) {
    const { costUsd, usage } = household.find(id)?.facts ?? {};
    expect(cost).toBe(costUsd === undefined ? 'n/a' : usage?.outputTokens === 0 ? '' : formatCost(costUsd));
  }
  await session.close();
  const row = (await chat.host.store.list()).find(({ id }) => id === session.id);
  expect(row?.costUsd?.toFixed(9)).toBe(dollars.toFixed(9));
  chat.conversation = new Conversation(await chat.host.reopen(session.id), {}, { questions: new OpenQuestions() });
  expectTotals(chat.conversation.session, reported);
}
