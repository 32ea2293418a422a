import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTick } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { ChatElves } from '../../../src/chat/conversation/chat-elves.js';
import { Conversation, OpenQuestions } from '../../../src/chat/conversation/conversation.js';
import type { ElfRun, ElfRunState } from '../../../src/domain/session/elf.js';
import { hasEnded } from '../../../src/domain/session/elf.js';
import type { ElfFacts } from '../../../src/elf/elf.js';
import type { Household } from '../../../src/elf/household.js';
import { eventually } from '../../support/eventually.js';
import { httpError, type RecordedRequest, type Reply, reply } from '../../support/model-server/index.js';
import { running } from '../../support/running-processes.js';
import { ALL_RUNS } from '../../support/runs.js';
import { type NodeChat, nodeChat } from './node-chat.js';

/** Chats of which all are tried. */
const CHATS = 60;
const DEPTH = 2;
const AT_ONCE = 2;

/** What the model of an agent says, or why it says nothing. */
const ANSWERS = ['words', 'words', 'words', 'write', 'command', 'job', 'agents', 'agents', 'overloaded', 'too many', 'cut'] as const;
type Answer = (typeof ANSWERS)[number];

const step = fc.record({
  does: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('start', 'start in background') },
    { weight: 8, arbitrary: fc.constantFrom(...ANSWERS) },
    { weight: 3, arbitrary: fc.constantFrom('allow', 'deny') },
    { weight: 5, arbitrary: fc.constantFrom('stop', 'stop all', 'cancel', 'go on', 'tell', 'write to it', 'raise') },
    { weight: 1, arbitrary: fc.constantFrom('open again', 'restart') },
  ),
  which: fc.nat(5),
  /** Turns of the event loop before the next one; absent: it comes when everything waits for an answer. */
  ticks: fc.option(fc.oneof(fc.nat(3), fc.nat(200)), { nil: undefined, freq: 1 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const plan = fc.record({
  tokens: fc.option(fc.integer({ min: 500, max: 4_000 }), { nil: undefined, freq: 1 }),
  steps: fc.array(step, { minLength: 6, maxLength: 18 }),
});
type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;

/** What may come after a state; `none` is before a run is known. */
const NEXT: Readonly<Record<ElfRunState | 'none', readonly ElfRunState[]>> = {
  none: ['pending', 'running'],
  pending: ['pending', 'running', 'failed', 'cancelled'],
  running: ['running', 'completed', 'failed', 'cancelled'],
  completed: ['completed'],
  failed: ['failed'],
  cancelled: ['cancelled'],
};

/** Watches the runs of all agents of a chat, also over a reload. */
class Watch {
  readonly wrong: string[] = [];
  private readonly known = new Map<string, ReadonlyMap<string, ElfRun>>();

  see(facts: readonly ElfFacts[]): void {
    for (const name of this.known.keys()) if (!facts.some((elf) => elf.name === name)) this.wrong.push(`${name} is gone`);
    for (const { name, runs: all } of facts) this.seeRuns(name, all);
  }

  /** All of them, as they were seen last. */
  get last(): readonly ElfRun[] {
    return [...this.known.values()].flatMap((all) => [...all.values()]);
  }

  private seeRuns(name: string, all: readonly ElfRun[]): void {
    const before = this.known.get(name) ?? new Map<string, ElfRun>();
    const now = new Map<string, ElfRun>();
    for (const run of all) {
      const key = `${run.since} ${run.byUser === true}`;
      now.set(now.has(key) ? `${key} again` : key, run);
    }
    for (const [key, run] of before) {
      const { state } = now.get(key) ?? {};
      if (state === undefined) this.wrong.push(`A run of ${name} is gone: ${run.state}`);
      else if (!NEXT[run.state].includes(state)) this.wrong.push(`${name}: ${run.state}, then ${state}`);
      if (hasEnded(run) && !isDeepStrictEqual(now.get(key), run)) this.wrong.push(`${name}: ${JSON.stringify(run)} became ${JSON.stringify(now.get(key))}`);
    }
    for (const [key, { state }] of now) if (!before.has(key) && !NEXT.none.includes(state)) this.wrong.push(`${name}: begins as ${state}`);
    this.known.set(name, now);
  }
}

/** A request of an agent that has no answer yet. */
interface Held {
  readonly part: string;
  readonly answer: (reply: Reply) => void;
}

/** A chat with agents, and what happens to it. */
class World {
  readonly watch = new Watch();
  /** What agents were told, and it was taken. */
  readonly told: string[] = [];
  readonly failures: unknown[] = [];
  private held: Held[] = [];
  private household!: Household;
  private unwatch = (): void => undefined;
  private turn: Promise<unknown> = Promise.resolve();
  private isBusy = false;
  /** Whether what the chat says is for an agent that it has started. */
  private isTelling = false;
  /** Is called when something has happened. */
  private happened = (): void => undefined;
  /** Whether the user has stopped something since the chat was opened. */
  private hasStopped = false;
  private readonly beside: Promise<unknown>[] = [];
  /** What the model of the chat calls next. */
  private staged: readonly object[] = [];
  private count = 0;

  constructor(
    readonly chat: NodeChat,
    private readonly elves: () => ChatElves,
    private readonly number: number,
  ) {
    chat.server.setScript((request) => this.script(request));
  }

  async follow(): Promise<void> {
    this.unwatch();
    this.household = await this.chat.host.host.elves.of(this.chat.conversation.session);
    this.watch.see(this.household.facts);
    this.unwatch = this.household.onDidChange(() => {
      this.watch.see(this.household.facts);
      this.happened();
    });
  }

  get facts(): readonly ElfFacts[] {
    return this.household.facts;
  }

  private get cancelled(): number {
    return this.facts.flatMap(({ runs: all }) => all.filter(({ state }) => state === 'cancelled')).length;
  }

  get isAtRest(): boolean {
    return this.facts.every(({ name }) => this.household.find(name)?.isWorking === false);
  }

  /** Ids of processes that commands have noted. */
  get processes(): readonly number[] {
    return readdirSync(this.chat.folder)
      .filter((name) => name.startsWith('process-'))
      .flatMap((name) => readFileSync(this.chat.at(name), 'utf8').trim().split(' ').map(Number));
  }

  async step({ does, which, ticks }: Step): Promise<void> {
    this.hasStopped ||= does === 'stop' || does === 'stop all' || does === 'cancel';
    await this.do(does, which);
    if (ticks === undefined) await this.quiet();
    for (let tick = 0; tick < (ticks ?? 0); tick += 1) await nextTick();
  }

  /** Resolves when all that works waits for an answer: of its model, of the user, of a place, of another agent, or of a command. */
  private async quiet(): Promise<void> {
    const waits = (): boolean => {
      const working = this.facts.filter(({ name }) => this.household.find(name)?.isWorking === true);
      const isWaitedFor = (name: string | undefined): boolean => working.some(({ parent, background }) => parent === name && !background);
      const isWaiting = ({ name, task, position, needsUser, now }: ElfFacts): boolean =>
        position !== undefined || needsUser || now.startsWith('bash') || this.held.some(({ part }) => part === task) || isWaitedFor(name);
      return working.every(isWaiting) && (!this.isBusy || isWaitedFor(undefined) || (this.isTelling && working.some(({ parent }) => parent === undefined)));
    };
    const late = AbortSignal.timeout(QUIET_MS);
    late.addEventListener('abort', () => this.happened(), { once: true });
    while (!waits() && !late.aborted) await new Promise<void>((resolve) => (this.happened = resolve));
  }

  private async do(does: Step['does'], which: number): Promise<void> {
    const { session } = this.chat.conversation;
    const elf = this.facts[which % Math.max(1, this.facts.length)];
    switch (does) {
      case 'start':
      case 'start in background':
        this.say(Array.from({ length: 1 + (which % 3) }, () => this.work(does === 'start' ? undefined : true)));
        return;
      case 'tell':
        if (elf?.parent === undefined && elf !== undefined)
          this.say([{ description: 'More', prompt: `MORE ${this.next()};`, agent_id: elf.name, background: which % 2 === 0 }]);
        return;
      case 'allow':
      case 'deny': {
        const { waiting } = session.asks;
        const ask = waiting[which % Math.max(1, waiting.length)];
        if (ask?.kind === 'permission') session.answer(ask.callId, { type: does }, ask.revision, ask.who.session);
        return;
      }
      case 'stop':
        return elf && this.elves().stop(this.chat.conversation, elf.name);
      case 'stop all':
        return this.elves().stop(this.chat.conversation);
      case 'cancel':
        session.cancel();
        return;
      case 'go on':
        return elf && this.maybe(this.elves().goOn(this.chat.conversation, elf.name));
      case 'write to it':
        return elf && this.maybe(this.writeTo(elf.name));
      case 'raise': {
        const { reached } = this.household;
        return reached?.higher === undefined ? undefined : this.maybe(this.elves().raise(this.chat.conversation, reached.limit, reached.higher));
      }
      case 'open again':
        return this.openAgain();
      case 'restart':
        return this.openAgain(() => this.chat.restart());
      default: {
        const [held] = this.held.splice(which % Math.max(1, this.held.length), 1);
        held?.answer(this.replyOf(does, held));
      }
    }
  }

  /** Stops everything, and waits until it has ended. */
  async stopped(): Promise<void> {
    const { session } = this.chat.conversation;
    await this.elves().stop(this.chat.conversation);
    session.cancel();
    await this.turn;
    await eventually(async () => {
      await this.elves().stop(this.chat.conversation);
      expect([this.isAtRest, session.childState, this.chat.conversation.busy]).toEqual([true, 'idle', false]);
    });
    await Promise.all(this.beside);
    for (const { answer } of this.held.splice(0)) answer(reply().text('Too late.'));
  }

  async openAgain(between: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    const { id } = this.chat.conversation.session;
    const cancelled = this.cancelled;
    await this.chat.conversation.close('other');
    await Promise.all([this.turn, ...this.beside]);
    this.watch.see(this.facts);
    // Those at work can go on: the user has not stopped them.
    if (!this.hasStopped && this.cancelled > cancelled) this.watch.wrong.push('Closing the chat has cancelled a run');
    this.held = [];
    this.hasStopped = false;
    await between();
    this.chat.conversation = new Conversation(await this.chat.host.reopen(id), {}, { questions: new OpenQuestions() });
    await this.follow();
  }

  /** Starts agents that find something at once, and gives the states of their runs. */
  async quickly(count: number): Promise<readonly string[]> {
    const before = this.facts.length;
    this.chat.server.setScript((request) => (partOf(request) === undefined ? this.script(request) : reply().text('Found.')));
    this.say(Array.from({ length: count }, () => this.work()));
    await this.turn;
    return this.facts.slice(before).flatMap(({ runs: all }) => all.map(({ state }) => state));
  }

  private next(): string {
    this.count += 1;
    return `${this.number}.${this.count}`;
  }

  private work(background?: true): object {
    const name = this.next();
    return { description: name, prompt: `PART ${name};`, ...(background === undefined ? {} : { background }) };
  }

  private say(staged: readonly object[]): void {
    if (this.isBusy) return;
    this.isBusy = true;
    this.isTelling = staged.some((args) => 'agent_id' in args);
    this.staged = staged;
    const { turn } = this.chat.conversation.send([{ type: 'text', text: 'Go on.' }]);
    this.turn = turn.finally(() => {
      this.isBusy = false;
      this.happened();
    });
  }

  private async writeTo(name: string): Promise<void> {
    const { session, release } = await this.chat.host.host.elves.hold(this.chat.conversation.session, name);
    if (session.state !== 'idle') return release();
    const words = `WRITTEN ${this.next()};`;
    const { recorded, turn } = session.send([{ type: 'text', text: words }]);
    this.beside.push(turn.then(release));
    await recorded;
    this.told.push(words);
  }

  /** Takes that something cannot be done now, with a reason. */
  private async maybe(doing: Promise<void>): Promise<void> {
    await doing.catch((error: unknown) => this.failures.push(error));
  }

  private script(request: RecordedRequest): Reply | Promise<Reply> {
    const part = partOf(request);
    if (part !== undefined) return this.holds(part, request);
    const calls = this.staged;
    this.staged = [];
    return calls.length === 0 ? reply().text('Well.') : this.giveAway(calls);
  }

  private holds(part: string, { closedByClient }: RecordedRequest): Promise<Reply> {
    return new Promise((answer) => {
      const held = { part, answer };
      this.held.push(held);
      this.happened();
      void closedByClient.then(() => {
        this.held = this.held.filter((other) => other !== held);
        this.happened();
      });
    });
  }

  private giveAway(calls: readonly object[]): Reply {
    return calls.reduce<ReturnType<typeof reply>>((all, args) => all.toolCall('agent', args), reply()).usage(USAGE, USAGE);
  }

  private replyOf(answer: Answer, { part }: Held): Reply {
    const file = this.next();
    const note = `sleep 300 & echo $$ $! > process-${file}; wait`;
    switch (answer) {
      case 'words':
        return reply().text(`Found ${part}.`).usage(USAGE, USAGE);
      case 'write':
        return reply()
          .toolCall('write', { file_path: `made-${file}.txt`, content: 'x' })
          .usage(USAGE, USAGE);
      case 'command':
      case 'job':
        return reply()
          .toolCall('bash', { command: note, ...(answer === 'job' ? { background: true } : {}) })
          .usage(USAGE, USAGE);
      case 'agents':
        return this.giveAway([this.work(), this.work(true)]);
      case 'overloaded':
        return httpError(529, 'overloaded_error', 'Too much to do.');
      case 'too many':
        return httpError(429, 'rate_limit_error', 'Too many.');
      case 'cut':
        return reply().text('Half of').cut();
    }
  }
}

/** Milliseconds for which it is waited that nothing goes on: if something does, the next step comes into the middle of it. */
const QUIET_MS = 400;
const USAGE = { input_tokens: 100, output_tokens: 10 };

function partOf({ body }: RecordedRequest): string | undefined {
  return /PART ([\d.]+);/.exec(JSON.stringify(body.messages[0]?.content ?? ''))?.[1];
}

/** All that is stored of the agents of a chat. */
function storedOf({ host, conversation }: NodeChat): string {
  const folder = join(host.storage, 'elves', conversation.id);
  if (!existsSync(folder)) return '';
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n');
}

/** The runs whose cost was noted. */
function notedCosts({ host }: NodeChat): number {
  const path = join(host.storage, 'agent-costs.json');
  if (!existsSync(path)) return 0;
  const { costs } = JSON.parse(readFileSync(path, 'utf8')) as { readonly costs: readonly { readonly usd: readonly number[] }[] };
  return costs.reduce((sum, { usd }) => sum + usd.length, 0);
}

let number = 0;

async function tried({ tokens, steps }: Plan): Promise<void> {
  number += 1;
  const chat = await nodeChat({
    settings: {
      ...{ 'gnomon.agents.maxDepth': DEPTH, 'gnomon.agents.maxAtOnce': AT_ONCE, 'gnomon.maxRetries': 0 },
      ...(tokens === undefined ? {} : { 'gnomon.agents.maxTokens': tokens }),
    },
  });
  const elves = (): ChatElves =>
    new ChatElves(chat.host.host.elves, { openSession: () => undefined, showText: () => Promise.resolve() }, () => Promise.resolve());
  const world = new World(chat, elves, number);
  await world.follow();
  await world.step({ does: 'start in background', which: 1, ticks: undefined });
  for (const each of steps) await world.step(each);
  await world.stopped();
  expect(world.watch.wrong).toEqual([]);
  const { session } = chat.conversation;
  expect([session.asks.waiting, chat.host.host.sessions.asks, chat.shown.activity]).toEqual([[], [], 'idle']);
  // What was left when the chat was closed, and nobody has continued, is interrupted; all else has ended.
  for (const { runs: all, interrupted, session: id = '' } of world.facts) {
    const last = all.at(-1);
    expect([interrupted || (last !== undefined && hasEnded(last)), chat.host.host.sessions.find(id)]).toEqual([true, undefined]);
  }
  if (tokens === undefined) expect(await world.quickly(AT_ONCE)).toEqual(Array.from({ length: AT_ONCE }, () => 'completed'));
  await world.openAgain(() => {
    expect(running(world.processes)).toEqual([]);
    return Promise.resolve();
  });
  expect(world.watch.wrong).toEqual([]);
  const stored = storedOf(chat);
  expect([...world.told, ...world.facts.map(({ task }) => `PART ${task};`)].filter((words) => !stored.includes(words))).toEqual([]);
  expect(notedCosts(chat)).toBe(
    world.watch.last.filter(({ state, rounds, byUser }) => (state === 'completed' || state === 'failed') && rounds > 0 && byUser === undefined).length,
  );
  expect(chat.server.requests.flatMap(({ problem }) => problem ?? [])).toEqual([]);
  expect(await Promise.all(chat.server.requests.map(({ closedByClient }) => closedByClient.then(() => 'over')))).toHaveLength(chat.server.requests.length);
  await chat.close();
}

// States follow from places, sessions, requests, limits, and what is stored: all of it is real here, and only what the model and the user do is made up.
it(
  'E-02: a run of an agent waits, works, and ends once, whatever happens to it, and nothing is left of it but what it was told and said',
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(plan, (wish) => tried(wish)),
      { numRuns: ALL_RUNS ? CHATS : 2, endOnFailure: true },
    );
  },
);
