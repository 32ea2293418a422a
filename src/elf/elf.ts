import type { Clock } from '../domain/clock.js';
import type { AgentFile } from '../domain/config/agent.js';
import { AbortError, errorMessage, isAbortError, ToolInputError } from '../domain/errors.js';
import type { Log } from '../domain/log.js';
import { text } from '../domain/model/content.js';
import { modelKey } from '../domain/model/model-key.js';
import { NO_USAGE, type Usage } from '../domain/model/usage.js';
import { present } from '../domain/present.js';
import { type ElfOrder, type ElfRun, type ElfTreeState, hasEnded, type StoredElf } from '../domain/session/elf.js';
import type { AgentSession } from '../engine/agent-session.js';
import { mayRestAfter, type SessionEvent, type Turn } from '../engine/events.js';
import type { AppliedState } from './brought.js';
import { type ElfResult, nothingDone, resultOf } from './elf-result.js';
import type { ElfType } from './elf-types.js';
import type { ElfMemory } from './elf-memory.js';
import { ElfTree, type ElfTreeDeps } from './elf-tree.js';
import { HeldSession, type OpenElf } from './held-session.js';
import { type NewOrder, Orders, type StartOptions } from './orders.js';

/** An elf as it is at the moment: a value. */
export interface ElfFacts extends StoredElf, ElfTreeState {
  /** Id of its session; absent until it has one. */
  readonly session?: string;
  /** `provider/model`; empty until that is known. */
  readonly model: string;
  /** Whether it waits for the user, or one does that works for it. */
  readonly needsUser: boolean;
  /** Whether a run of it was under way when its window was closed, or its chat was. */
  readonly interrupted: boolean;
  /** Its place among those that wait for one, from 1; absent for one that does not. */
  readonly position?: number;
  /** What it does now, such as a tool with what that is about; empty for nothing in particular. */
  readonly now: string;
  /** Of all its runs, and of those that work for it. */
  readonly usage: Usage;
  /** US dollars; `undefined` where a price is not known. */
  readonly costUsd: number | undefined;
}

/** What an elf is made from, new or stored. */
export interface ElfOrigin extends Omit<StoredElf, 'runs'> {
  /** Of one that is stored. */
  readonly stored?: Figures & Pick<StoredElf, 'runs'> & { readonly order?: ElfOrder };
}

/** What is known of an elf from its start on. */
export type KnownElf = Omit<StoredElf, 'runs'>;

type Figures = Pick<ElfFacts, 'session' | 'model' | 'usage' | 'costUsd'>;

/** Services of an elf. */
export interface ElfDeps {
  readonly clock: Clock;
  /** Takes keys out of what servers say. */
  readonly clean: (text: string) => string;
  /** Stores what an elf was given and has not taken up; `undefined`: there is nothing of that kind. Does not reject. */
  readonly keepOrder: (elf: KnownElf, order: ElfOrder | undefined) => Promise<void>;
  /** Is called when it has other {@link ElfFacts}. */
  readonly changed: () => void;
  readonly memory: ElfMemory;
  readonly worktrees: ElfTreeDeps['worktrees'];
  readonly log: Log;
}

/** An agent that works on a part of a task, in a session of its own, which is open while it works and while the user looks at it. */
export class Elf {
  readonly name: string;
  /** Name of the elf that has started it; `undefined`: the chat has. */
  readonly parent: string | undefined;
  /** Those that have begun. */
  private readonly runs: ElfRun[];
  /** What it was given beside these. */
  private readonly orders: Orders;
  private now = '';
  /** As they were when its session was closed. */
  private figures: Figures;
  private readonly held: HeldSession;
  /** Absent where it works in the folders of who has started it. */
  private readonly tree: ElfTree | undefined;
  /** Whether a run is under way that it was given, or waits for a place. */
  private underWay = false;
  /** Whose turn its session is at, if it is. */
  private turnOf: 'run' | 'user' | undefined;
  /** Takes what the turn came to that a run has begun last. */
  private takeResult: (result: ElfResult) => void = () => undefined;
  /** Stops what is under way. */
  private stopping = new AbortController();
  /** Whether it was stopped by the user or by who it works for, and not by the end of the window. */
  private stopped = false;
  private toldBy: readonly AgentFile[] = [];
  /** What its last run came to, where it has ended here. */
  private lastResult: ElfResult | undefined;
  /** Whether who has started it knows how its last run has ended. */
  private told: boolean;

  constructor(
    private readonly origin: ElfOrigin,
    private readonly deps: ElfDeps,
  ) {
    const { name, stored } = origin;
    this.name = name;
    this.parent = origin.parent;
    this.runs = [...(stored?.runs ?? [])];
    this.told = (deps.memory.told.of(name) ?? this.runs.length) >= this.runs.length;
    const { worktree } = origin;
    this.tree = worktree === undefined ? undefined : new ElfTree(name, worktree, { ...deps, ...deps.memory });
    this.orders = new Orders((order) => deps.keepOrder(this.known, order), stored?.order);
    const { session, usage = NO_USAGE, costUsd, model = '' } = stored ?? { costUsd: 0 };
    this.figures = { usage, costUsd, model, ...present({ session }) };
    this.held = new HeldSession({ opened: (opened) => this.opened(opened), closed: (closed) => this.closed(closed) });
  }

  get facts(): ElfFacts {
    const { session } = this;
    const figures = session === undefined ? this.figures : figuresOf(session);
    return {
      ...this.known,
      ...figures,
      runs: this.allRuns,
      now: this.now,
      // Commands of a set-up ask, too, and are in no turn.
      needsUser: (session?.asks.waiting.length ?? 0) > 0,
      ...this.treeState,
      interrupted: !this.isWorking && this.run !== undefined && !hasEnded(this.run),
    };
  }

  /** Whether a run of it is under way, or waits for a place. */
  get isWorking(): boolean {
    return this.underWay || this.turnOf !== undefined;
  }

  /** Whether its last run waits to begin, or was ended before it did: its conversation has nothing of that. */
  get isUnbegun(): boolean {
    return this.orders.run !== undefined;
  }

  /** What it was started with, as long as it has not begun. */
  get wanted(): StartOptions {
    return this.orders.wanted;
  }

  /** `provider/model` that it goes on with; `undefined`: that of its parent. */
  get model(): string | undefined {
    if (this.session !== undefined) return modelKey(this.session.model);
    return this.wanted.model ?? (this.figures.model === '' ? undefined : this.figures.model);
  }

  /** What its last run came to; `undefined` while it works, and of one that ended before its chat was opened. */
  get result(): ElfResult | undefined {
    return this.isWorking ? undefined : this.lastResult;
  }

  /** Whether there is something that who has started it does not know yet. */
  get isNews(): boolean {
    return !this.isWorking && !this.told;
  }

  /** Who has started it knows how its last run has ended. */
  noteTold(): void {
    if (!this.told) this.deps.memory.told.keep(this.name, this.runs.length);
    this.told = true;
  }

  /** Looks at its worktree, if it has one, and adds what that differs in from what it began with to the result of a run. */
  async withChanged(result: ElfResult): Promise<ElfResult> {
    const changed = await this.tree?.look();
    if (changed === undefined) return result;
    const whole = { ...result, changed };
    if (this.lastResult === result) this.lastResult = whole;
    return whole;
  }

  /** Looks whether what was applied of its worktree still is: the user may have undone that. */
  async lookAgain(): Promise<void> {
    if (!this.isWorking && this.tree?.state.applied !== undefined) await this.tree.look();
  }

  /** What became of the files of its worktree when they were to be applied. */
  noteApplied(state: AppliedState): void {
    this.tree?.noteApplied(state);
  }

  /** Gets its worktree ready, where it is not yet. @throws Error with a sentence for the user and for models where that failed */
  async prepare(signal: AbortSignal, tell: (line: string) => void): Promise<void> {
    await this.held.current?.prepare?.(signal, tell);
  }

  /** Its session, while that is open. */
  get session(): AgentSession | undefined {
    const session = this.held.current?.session;
    return session?.closed === false ? session : undefined;
  }

  /** What was known of it when it was started. */
  private get known(): KnownElf {
    const { name, parent, callId, type, task, background, worktree } = this.origin;
    return { name, callId, type, task, background, ...present({ parent, worktree }) };
  }

  /** What was applied before it works on is not all that it will have changed. */
  private get treeState(): ElfTreeState {
    const { applied, ...state } = this.tree?.state ?? {};
    return { ...state, ...present({ applied: this.turnOf === undefined ? applied : undefined }) };
  }

  private get run(): ElfRun | undefined {
    return this.allRuns.at(-1);
  }

  /** With the one that has not begun: the user can write to an elf before that does. */
  private get allRuns(): readonly ElfRun[] {
    const { run } = this.orders;
    return run === undefined ? this.runs : this.runs.toSpliced(this.turnOf === 'user' ? -1 : this.runs.length, 0, run);
  }

  /** Id of its session; `undefined` until it has one. */
  get sessionId(): string | undefined {
    return this.held.current?.session.id ?? this.figures.session;
  }

  /** Takes a run that waits for a place. Returns the signal that is aborted when it is to end. */
  wait(order: NewOrder): AbortSignal {
    if (this.underWay) throw new ToolInputError(`${this.name} works already.`);
    this.toldBy = [];
    if (this.turnOf === undefined) this.renew();
    this.underWay = true;
    const before = this.orders.add(order, { state: 'pending', since: this.deps.clock.timestamp(), rounds: 0 });
    if (before !== undefined) this.runs.push(before);
    this.deps.changed();
    return this.stopping.signal;
  }

  /** Resolves when what it was given is stored. */
  stored(): Promise<void> {
    return this.orders.settled();
  }

  /**
   * Tells it something while it works: that goes with its next request, at the latest in its next run. Returns false when it does not work.
   * @param id unique among all that it is told
   */
  tell(id: string, words: string): boolean {
    const told = this.session?.steer(id, [text(words)]) === true;
    if (told) this.orders.say(id, words);
    return told;
  }

  /** Has its session do what the run is for that waits, once nothing else is done there. @throws AbortError when the signal is aborted before that */
  async begin(session: AgentSession, signal: AbortSignal): Promise<ElfResult> {
    while (session.state !== 'idle') await rest(session, signal);
    if (signal.aborted) throw new AbortError();
    this.turnOf = 'run';
    let came: ElfResult | undefined;
    this.takeResult = (result) => void (came = result);
    try {
      await session.send([text(this.orders.words())]).turn;
    } finally {
      this.leaveTurn();
    }
    if (came === undefined) throw new Error('It ended without a result.');
    return came;
  }

  /** Agents that were at work where it was told what to do in its run. It may do no more than each of them. */
  get tellers(): readonly AgentFile[] {
    return this.toldBy;
  }

  /** It is told what to do by who may do no more than an agent, if one is at work there. @param type what it is now: its file may have changed */
  toldAs(type: ElfType, teller: AgentFile | undefined): void {
    if (teller !== undefined) this.toldBy = [...this.toldBy, teller];
    if (this.session !== undefined) this.held.current?.limit(type);
  }

  /** Stops its run. */
  stop(): void {
    this.stopped = true;
    this.interrupt();
  }

  /** Ends its run because what it works for is closed: it can go on later. */
  interrupt(): void {
    this.stopping.abort();
    this.session?.cancel();
  }

  /** Ends a run in which its session did nothing. */
  endRun(error: unknown): ElfResult {
    const nothing = nothingDone(this.sessionId ?? '');
    if (!isAbortError(error)) return this.settle({ ...nothing, state: 'failed', error: this.deps.clean(errorMessage(error)) });
    return this.stopped ? this.settle(nothing) : this.leaveOff(nothing);
  }

  /**
   * Opens its session, or uses it where it is open, until `release` is called. When nobody does so any more, it is closed.
   * @throws what opening throws
   */
  hold(open: () => Promise<OpenElf>): ReturnType<HeldSession['hold']> {
    return this.held.hold(open);
  }

  /** One that has ended has been left, and its session can be at another one by now. */
  private leaveTurn(): void {
    if (this.turnOf === 'run') this.turnOf = undefined;
  }

  private renew(): void {
    this.stopped = false;
    this.stopping = new AbortController();
  }

  private opened(session: AgentSession): void {
    session.onEvent((event) => this.heard(event));
    session.asks.onDidChange(() => this.deps.changed());
    this.deps.changed();
  }

  private closed(session: AgentSession): void {
    const { session: id, ...figures } = figuresOf(session);
    // One in which nothing was said is not stored: there is none to be opened again.
    this.figures = { ...figures, ...present({ session: session.messages.length === 0 ? undefined : id }) };
    this.deps.changed();
  }

  /** Keeps up with what its session does. That of those that work for it is known by what its session says of itself. */
  private heard(event: SessionEvent): void {
    switch (event.type) {
      case 'turn_started':
        this.began();
        break;
      case 'round_started':
        // A turn that the user has made again has no message that begins it.
        if (this.turnOf === undefined) this.began();
        this.now = '';
        this.change({ rounds: event.round });
        // A run that the window ends has no other end that would store it.
        this.save();
        break;
      case 'tool_call':
        if (event.state.status === 'running') this.now = `${event.state.plan.tool} ${event.state.plan.subject}`;
        break;
      case 'message_added':
      case 'message_blocked':
        this.orders.said(event.id);
        return;
      case 'turn_ended':
        this.ended(event.turn);
        break;
      case 'usage':
        break;
      case 'child':
        // Of what one says that works for it, nothing is shown here.
        if (event.event.type === 'stream' || event.event.type === 'child') return;
        break;
      default:
        return;
    }
    this.deps.changed();
  }

  /** Its session has begun a turn. The user can write to it, too. */
  private began(): void {
    const run = this.turnOf === 'run' ? this.orders.begun() : undefined;
    if (run === undefined) {
      if (!this.underWay) this.renew();
      this.turnOf = 'user';
    }
    this.tree?.noteBegun();
    const mark = run === undefined ? ({ byUser: true } as const) : {};
    this.runs.push({ state: 'running', since: run?.since ?? this.deps.clock.timestamp(), rounds: 0, ...mark });
    this.save();
  }

  private ended(turn: Turn): void {
    const session = this.held.current?.session;
    const { turnOf } = this;
    // A hook has blocked a message of the user: nothing has begun.
    if (session === undefined || turnOf === undefined) return;
    const result = resultOf(session.id, turn, this.deps.clean);
    this.turnOf = undefined;
    if (turnOf === 'run') this.takeResult(result);
    const isLeft = turn.end === 'aborted' && !this.stopped && (session.closed || this.stopping.signal.aborted);
    if (isLeft) this.leaveOff(result, turnOf);
    else this.settle(result, turnOf);
    // A run has it done before its result goes to who waits for it.
    if (turnOf === 'user') void this.withChanged(result);
  }

  /** Ends a run without an end of its own, so that it is known that it can go on. */
  private leaveOff(result: ElfResult, turnOf: Elf['turnOf'] = 'run'): ElfResult {
    if (turnOf === 'run') this.underWay = false;
    this.lastResult = result;
    this.deps.changed();
    return result;
  }

  private settle(result: ElfResult, turnOf: Elf['turnOf'] = 'run'): ElfResult {
    const { state, error, limit, rounds, durationMs } = result;
    this.now = '';
    this.told = false;
    this.deps.memory.told.keep(this.name, Math.max(0, this.runs.length - 1));
    this.lastResult = result;
    const end = { state, rounds, durationMs, ...present({ problem: error, limit }) };
    if (turnOf === 'run') this.underWay = false;
    if (turnOf === 'user' || !this.orders.end(end)) this.change(end);
    this.save();
    this.deps.changed();
    return result;
  }

  /** Changes the run that is under way in its session. */
  private change(to: Partial<ElfRun>): void {
    const run = this.runs.at(-1);
    if (run !== undefined) this.runs[this.runs.length - 1] = { ...run, ...to };
  }

  private save(): void {
    this.held.current?.save({ ...this.known, runs: [...this.runs] });
  }
}

/** Resolves when a session may be at rest. @throws AbortError when the signal is aborted before that */
function rest(session: AgentSession, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      stop();
      signal.removeEventListener('abort', aborted);
    };
    const aborted = (): void => {
      leave();
      reject(new AbortError());
    };
    const stop = session.onEvent((event) => {
      if (!mayRestAfter(event)) return;
      leave();
      resolve();
    });
    if (signal.aborted) aborted();
    else signal.addEventListener('abort', aborted, { once: true });
  });
}

function figuresOf({ id, model, usage, costUsd }: AgentSession): Figures {
  return { session: id, model: modelKey(model), usage, costUsd };
}
