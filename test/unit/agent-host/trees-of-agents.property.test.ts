import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import { addUsage, NO_USAGE, totalInputTokens, type Usage } from '../../../src/domain/model/usage.js';
import { hasEnded } from '../../../src/domain/session/elf.js';
import type { AgentSession } from '../../../src/engine/agent-session.js';
import type { Turn } from '../../../src/engine/events.js';
import { createPurse } from '../../../src/engine/turn/purse.js';
import type { Household } from '../../../src/elf/household.js';
import { isWithin } from '../../../src/node/files/within.js';
import { eventually } from '../../support/eventually.js';
import { hangReply, type Reply, reply, startModelServer } from '../../support/model-server/index.js';
import { chatProblem, chunk, DONE, json, sse, startOpenAiServer, type Reply as ChatReply } from '../../support/openai-server/index.js';
import { running } from '../../support/running-processes.js';
import { ALL_RUNS } from '../../support/runs.js';
import { quickFolder, temporaryFolder, writeAt } from '../../support/temporary-folder.js';
import { type NodeHost, nodeHost } from './node-host.js';
import { MODELS, PRICES } from './side-by-side/models.js';
import { ErrorLog } from './side-by-side/world.js';

/** Pairs of trees of which all are tried. */
const PAIRS = 60;
const DEPTH = 3;

/** A session with those that work for it. */
interface Node {
  readonly wire: keyof typeof MODELS;
  readonly deed: 'none' | 'write' | 'job';
  readonly background: boolean;
  /** Number of its request, from 0, with which it is stopped; absent: it is not. */
  readonly stopsAt: number | undefined;
  readonly below: readonly Node[];
}

interface Plan {
  readonly trees: readonly [Node, Node];
  /** Requests that all of them have together. */
  readonly budget: number;
  readonly atOnce: number;
}

function nodes(depth: number): fc.Arbitrary<Node> {
  return fc.record({
    wire: fc.constantFrom('messages', 'chat'),
    deed: fc.constantFrom('none', 'write', 'write', 'job'),
    background: fc.oneof({ weight: 2, arbitrary: fc.constant(false) }, fc.constant(true)),
    stopsAt: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat(1) }),
    below: depth > DEPTH ? fc.constant([]) : fc.array(nodes(depth + 1), { minLength: depth === 1 ? 1 : 0, maxLength: depth === 1 ? 3 : 2 }),
  });
}

const plans: fc.Arbitrary<Plan> = fc.record({
  trees: fc.tuple(nodes(1), nodes(1)),
  budget: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 13, max: 60 })),
  atOnce: fc.integer({ min: 1, max: 4 }),
});

/** A call of a model. */
interface Call {
  readonly name: string;
  readonly args: object;
}

/** Both chats, with what their models were asked and have answered. */
class Trees {
  readonly roots: AgentSession[] = [];
  readonly households: Household[] = [];
  /** Requests of each chat, as they came. */
  readonly raws: readonly string[][] = [[], []];
  readonly problems: string[] = [];
  /** What answers took that were sent. */
  readonly reported: [Usage, Usage] = [NO_USAGE, NO_USAGE];
  /** Whether something was stopped that others worked for, of which answers can have been under way. */
  hasCut = false;
  private readonly asked = new Map<string, number>();
  private readonly all = new Map<string, Node>();

  /** Stops an agent of a chat. */
  stopAgent: (chat: AgentSession, elf: string) => Promise<void> = () => Promise.reject(new Error('There is no host.'));

  constructor(plan: Plan) {
    plan.trees.forEach((tree, at) => this.name(tree, `${at}`));
  }

  private name(node: Node, name: string): void {
    this.all.set(name, node);
    node.below.forEach((below, at) => this.name(below, `${name}.${at + 1}`));
  }

  get requests(): number {
    return this.raws.flat().length;
  }

  /** What is said to a request; `undefined`: nothing, as it was stopped. */
  async next(raw: string, problem: string | undefined): Promise<{ readonly calls: readonly Call[]; readonly name: string } | undefined> {
    const name = /(?:ROOT|PART) ([\d.]+);/.exec(raw)?.[1] ?? '';
    const node = this.all.get(name);
    if (problem !== undefined) this.problems.push(problem);
    if (node === undefined) throw new Error(`Nobody has asked this: ${raw.slice(0, 500)}`);
    const chat = Number(name.charAt(0));
    this.raws[chat]?.push(raw);
    const nth = this.asked.get(name) ?? 0;
    this.asked.set(name, nth + 1);
    if (node.stopsAt === nth) {
      if (nth > 0 && name.includes('.') && node.below.some(({ background }) => background)) this.hasCut = true;
      await this.stop(name);
      return undefined;
    }
    if (chat === 0 || chat === 1) this.reported[chat] = addUsage(this.reported[chat], usageOf(node.wire));
    return { name, calls: nth > 0 ? [] : this.callsOf(name, node) };
  }

  private async stop(name: string): Promise<void> {
    const [chat = '', ...path] = name.split('.');
    const root = this.roots[Number(chat)];
    const elf = this.households[Number(chat)]?.facts.find(({ task }) => task === name)?.name;
    if (path.length === 0) root?.cancel();
    else if (root !== undefined && elf !== undefined) await this.stopAgent(root, elf);
  }

  private callsOf(name: string, { deed, below }: Node): readonly Call[] {
    const note = `process-${name}`;
    return [
      ...(deed === 'write' ? [{ name: 'write', args: { file_path: `made-${name}.txt`, content: name } }] : []),
      ...(deed === 'job'
        ? [{ name: 'bash', args: { command: `sleep 300 & echo $$ $! > part-${name}; mv part-${name} ${note}; wait`, background: true } }]
        : []),
      ...below.map(({ wire, background }, at) => {
        const part = `${name}.${at + 1}`;
        return { name: 'agent', args: { description: part, prompt: `PART ${part};`, model: MODELS[wire], background } };
      }),
    ];
  }
}

const TOKENS = { read: 20, written: 7 };

function usageOf(wire: Node['wire']): Usage {
  return { ...NO_USAGE, inputTokens: TOKENS.read, outputTokens: TOKENS.written, cacheReadTokens: wire === 'messages' ? 3 : 0 };
}

function asMessage(next: Awaited<ReturnType<Trees['next']>>): Reply {
  if (next === undefined) return hangReply;
  const begun = reply().usage({ input_tokens: TOKENS.read, cache_read_input_tokens: 3, output_tokens: 1 }, { output_tokens: TOKENS.written });
  return next.calls.length === 0 ? begun.text(`Done ${next.name}.`) : next.calls.reduce((all, { name, args }) => all.toolCall(name, args), begun);
}

function asCompletion(next: Awaited<ReturnType<Trees['next']>>): ChatReply {
  if (next === undefined) return { kind: 'hang' };
  const calls = next.calls.map(({ name, args }, index) =>
    chunk({ tool_calls: [{ index, id: `call_${next.name}_${index}`, type: 'function', function: { name, arguments: JSON.stringify(args) } }] }),
  );
  const usage = { prompt_tokens: TOKENS.read, completion_tokens: TOKENS.written, total_tokens: TOKENS.read + TOKENS.written };
  return sse(
    ...(calls.length === 0 ? [chunk({ content: `Done ${next.name}.` })] : calls),
    chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    { data: { choices: [], usage } },
    DONE,
  );
}

/** Servers for both wires, which say what is to be said in trees. */
async function startServers(next: Trees['next']): Promise<Readonly<Record<string, unknown>>> {
  const [messages, chat] = await Promise.all([startModelServer(), startOpenAiServer()]);
  onTestFinished(async () => {
    await Promise.all([messages.close(), chat.close()]);
  });
  messages.setScript(async ({ raw, problem }) => asMessage(await next(raw, problem)));
  chat.setScript(async ({ raw, body, path }) => (path.endsWith('/chat/completions') ? asCompletion(await next(raw, chatProblem(body))) : json({ data: [] })));
  return {
    'gnomon.anthropic.baseUrl': messages.url,
    'gnomon.providers': { openrouter: { baseUrl: `${chat.url}/v1`, keyRequired: false } },
    'gnomon.models': (['messages', 'chat'] as const).map((wire) => {
      const [, provider = '', id = ''] = /^(\w+)\/(.*)$/.exec(MODELS[wire]) ?? [];
      return { provider, id, price: PRICES[wire], contextWindow: 200_000, maxOutputTokens: 2_000 };
    }),
  };
}

/** Has both chats do their work, and all that work for them. */
async function played(trees: Trees): Promise<readonly Turn[]> {
  const turns = await Promise.all(trees.roots.map((root, at) => root.send([{ type: 'text', text: `ROOT ${at};` }]).turn));
  await eventually(() => {
    expect(trees.roots.map(({ childState }) => childState)).toEqual(trees.roots.map(() => 'idle'));
  });
  return turns;
}

const tokensOf = (usage: Usage): number => totalInputTokens(usage) + usage.outputTokens;

/** As many requests were made as were paid for, and what they took is what the chats count. */
function checkMoney(
  trees: Trees,
  turns: readonly Turn[],
  { purse, budget }: { readonly purse: ReturnType<typeof createPurse>; readonly budget: number },
): void {
  const all = trees.households.flatMap(({ facts }) => facts);
  expect(all.filter(({ interrupted, runs: [run] }) => interrupted || run === undefined || !hasEnded(run))).toEqual([]);
  const ends = all.flatMap(({ runs }) => runs);
  expect(trees.requests).toBeLessThanOrEqual(budget);
  const isUsedUp = turns.some(({ end }) => end === 'cap') || ends.some(({ limit }) => limit !== undefined);
  if (isUsedUp) expect(trees.requests).toBe(budget);
  const tokens = trees.roots.reduce((sum, { usage }) => sum + tokensOf(usage), 0);
  expect([purse.spent.requests, purse.spent.tokens, purse.reserved]).toEqual([trees.requests, tokens, { requests: 0, tokens: 0, costUsd: 0 }]);
  for (const [at, { usage }] of trees.roots.entries()) {
    const reported = trees.reported[at] ?? NO_USAGE;
    if (trees.hasCut) expect(tokensOf(usage)).toBeLessThanOrEqual(tokensOf(reported));
    else expect(usage).toEqual(reported);
  }
}

/** What was changed is of the chat in whose folder it is, and its requests have nothing of the other one. */
async function checkApart(trees: Trees, { host, folders }: { readonly host: NodeHost; readonly folders: readonly string[] }): Promise<void> {
  expect(trees.problems).toEqual([]);
  const written = (at: number): readonly string[] => readdirSync(folders[at] ?? '').filter((name) => name.startsWith('made-'));
  for (const [at, { id }] of trees.roots.entries()) {
    const folder = folders[at] ?? '';
    const { entries } = await host.checkpoints.index(id);
    expect(entries.filter(({ path }) => !isWithin(folder, path))).toEqual([]);
    const reviewed = host.ledger.files().filter(({ sessions }) => sessions.includes(id));
    expect(reviewed.filter(({ path, sessions }) => !isWithin(folder, path) || sessions.length > 1)).toEqual([]);
    expect(written(at).filter((name) => !reviewed.some(({ path }) => path === join(folder, name)))).toEqual([]);
    expect(written(at).filter((name) => !name.startsWith(`made-${at}`))).toEqual([]);
    const foreign = [`PART ${1 - at}.`, `ROOT ${1 - at};`, folders[1 - at] ?? '-', trees.roots[1 - at]?.id ?? '-'];
    expect(trees.raws[at]?.filter((raw) => foreign.some((words) => raw.includes(words)))).toEqual([]);
  }
}

async function tried(plan: Plan): Promise<void> {
  const [root, storage] = [temporaryFolder(), quickFolder()];
  const at = (name: string): string => join(root, name);
  for (const name of ['first', 'second', 'home']) mkdirSync(at(name));
  writeAt(at('home/.gnomon/settings.json'), { permissions: { allow: ['Agent(general)'] } });
  for (const [name, value] of Object.entries({ HOME: at('home'), USERPROFILE: at('home'), ANTHROPIC_API_KEY: 'sk-test' })) vi.stubEnv(name, value);
  const folders = [at('first'), at('second')] as const;
  const log = new ErrorLog();
  const trees = new Trees(plan);
  const settings = await startServers((raw, problem) => trees.next(raw, problem));
  const limits = { 'gnomon.agents.maxDepth': DEPTH, 'gnomon.agents.maxAtOnce': plan.atOnce, 'gnomon.agents.maxTotal': 500, 'gnomon.maxRetries': 0 };
  const host = await nodeHost({ folder: folders[0], storage, settings: { ...settings, ...limits }, log });
  const second = host.groundIn(folders[1]);
  trees.stopAgent = (session, elf) => host.host.elves.stop(session, elf);
  const purse = createPurse(() => ({ requests: plan.budget }));
  for (const [place, { wire }] of plan.trees.entries()) {
    const model = await host.host.models.choose(MODELS[wire]);
    const session = await host.start({ ...model, mode: 'bypassPermissions', purse }, place === 0 ? host.host.ground : second);
    trees.roots.push(session);
    trees.households.push(await host.host.elves.of(session));
  }
  checkMoney(trees, await played(trees), { purse, budget: plan.budget });
  await checkApart(trees, { host, folders });
  expect([host.host.sessions.asks, log.errors]).toEqual([[], []]);
  for (const session of trees.roots) await session.close();
  const noted = folders.flatMap((folder) => readdirSync(folder).flatMap((name) => (name.startsWith('process-') ? [join(folder, name)] : [])));
  const processes = noted.flatMap((path) => readFileSync(path, 'utf8').trim().split(' ').map(Number));
  expect(running(processes)).toEqual([]);
  second.dispose();
  await host.close();
}

it(
  'E-12, E-31: trees of agents on two wires take as many requests as there are, pay for each once, keep apart, and leave nothing',
  { timeout: 600_000 },
  async () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    await fc.assert(
      fc.asyncProperty(plans, (plan) => tried(plan)),
      { numRuns: ALL_RUNS ? PAIRS : 2, endOnFailure: true },
    );
  },
);
