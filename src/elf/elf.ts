import type { Clock } from '../domain/clock.js';
import type { AgentFile } from '../domain/config/agent.js';
import { errorMessage, isAbortError, ToolInputError } from '../domain/errors.js';
import { modelKey } from '../domain/model/model-key.js';
import { NO_USAGE, type Usage } from '../domain/model/usage.js';
import { present } from '../domain/present.js';
import { type ElfRun, hasEnded, type StoredElf } from '../domain/session/elf.js';
import type { AgentSession } from '../engine/agent-session.js';
import type { SessionEvent, Turn } from '../engine/events.js';
import { type ElfResult, nothingDone, resultOf } from './elf-result.js';
import type { ElfType } from './elf-types.js';

/** An elf as it is at the moment: a value. */
export interface ElfFacts extends StoredElf {
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
  /** How many files its worktree differs in from what it began with; absent where it has none, and until that is known. */
  readonly changed?: number;
  /** How many of them the user has to merge with their own, as far as that was found out; absent for none. */
  readonly conflicts?: number;
  /** Of all its runs, and of those that work for it. */
  readonly usage: Usage;
  /** US dollars; `undefined` where a price is not known. */
  readonly costUsd: number | undefined;
}

/** The session of an elf that is open, and where what is known of the elf beside it is stored. */
export interface OpenElf {
  readonly session: AgentSession;
  /** Stores what is known of it. Does not reject. */
  readonly save: (elf: StoredElf) => void;
  /** Is called when the session is closed. */
  readonly closed: () => void;
  /** Gets its worktree ready before a run, where it is not yet. @throws Error with a sentence for the user and for models where that failed */
  readonly prepare?: (signal: AbortSignal, tell: (line: string) => void) => Promise<void>;
  /** Ends what belongs to it beside its session, when that is closed. Does not reject. */
  readonly released?: () => Promise<void>;
  /** Has it do no more from now on than its type, who it works for, and {@link Elf.tellers} may. */
  readonly limit: (type: ElfType) => void;
}

/** What an elf is made from, new or stored. */
export interface ElfOrigin extends Omit<StoredElf, 'runs'> {
  /** Of one that is stored. */
  readonly stored?: Figures & Pick<StoredElf, 'runs'>;
}

type Figures = Pick<ElfFacts, 'session' | 'model' | 'usage' | 'costUsd'>;

/** Services of an elf. */
export interface ElfDeps {
  readonly clock: Clock;
  /** Takes keys out of what servers say. */
  readonly clean: (text: string) => string;
  /** Is called when it has other {@link ElfFacts}. */
  readonly changed: () => void;
}

/** An agent that works on a part of a task, in a session of its own, which is open while it works and while the user looks at it. */
export class Elf {
  readonly name: string;
  /** Name of the elf that has started it; `undefined`: the chat has. */
  readonly parent: string | undefined;
  private readonly runs: ElfRun[];
  private now = '';
  /** As they were when its session was closed. */
  private figures: Figures;
  private open: OpenElf | undefined;
  private opening: Promise<OpenElf> | undefined;
  private closing: Promise<void> = Promise.resolve();
  private holders = 0;
  /** Whether a run is under way, or waits for a place. */
  private underWay = false;
  /** Stops that. */
  private stopping = new AbortController();
  /** Whether it was stopped by the user or by who it works for, and not by the end of the window. */
  private stopped = false;
  private toldBy: readonly AgentFile[] = [];
  private conflicts = 0;
  /** What its last run came to, where it has ended here. */
  private lastResult: ElfResult | undefined;
  /** Whether who has started it knows how its last run has ended. */
  private told = true;

  constructor(
    private readonly origin: ElfOrigin,
    private readonly deps: ElfDeps,
  ) {
    const { name, stored } = origin;
    this.name = name;
    this.parent = origin.parent;
    this.runs = [...(stored?.runs ?? [])];
    this.figures = { usage: NO_USAGE, costUsd: 0, model: '', ...stored };
  }

  get facts(): ElfFacts {
    const { session } = this;
    const figures = session === undefined ? this.figures : figuresOf(session);
    return {
      ...this.known,
      ...figures,
      runs: this.runs,
      now: this.now,
      needsUser: [session?.state, session?.childState].includes('waiting'),
      ...present({ changed: this.lastResult?.changed?.length }),
      ...(this.conflicts > 0 ? { conflicts: this.conflicts } : {}),
      interrupted: !this.isWorking && this.run !== undefined && !hasEnded(this.run),
    };
  }

  /** Whether a run of it is under way, or waits for a place. */
  get isWorking(): boolean {
    return this.underWay;
  }

  /** What its last run came to; `undefined` while it works, and of one that ended before its chat was opened. */
  get result(): ElfResult | undefined {
    return this.lastResult;
  }

  /** Whether there is something that who has started it does not know yet. */
  get isNews(): boolean {
    return !this.underWay && !this.told;
  }

  /** Who has started it knows how its last run has ended. */
  noteTold(): void {
    this.told = true;
  }

  /** What its worktree differs in from what it began with, after its last run. */
  noteChanged(files: readonly string[]): void {
    if (this.lastResult !== undefined) this.lastResult = { ...this.lastResult, changed: files };
    this.deps.changed();
  }

  /** How many files of its worktree the user has to merge with their own. */
  noteConflicts(files: number): void {
    this.conflicts = files;
    this.deps.changed();
  }

  /** Gets its worktree ready, where it is not yet. @throws Error with a sentence for the user and for models where that failed */
  async prepare(signal: AbortSignal, tell: (line: string) => void): Promise<void> {
    await this.open?.prepare?.(signal, tell);
  }

  /** Its session, while that is open. */
  get session(): AgentSession | undefined {
    return this.open?.session.closed === false ? this.open.session : undefined;
  }

  /** What was known of it when it was started. */
  private get known(): Omit<StoredElf, 'runs'> {
    const { name, parent, callId, type, task, background, worktree } = this.origin;
    return { name, callId, type, task, background, ...present({ parent, worktree }) };
  }

  private get run(): ElfRun | undefined {
    return this.runs.at(-1);
  }

  /** Id of its session; `undefined` until it has one. */
  get sessionId(): string | undefined {
    return this.open?.session.id ?? this.figures.session;
  }

  /** Begins a run that waits for a place. Returns the signal that is aborted when it is to end. */
  wait(): AbortSignal {
    if (this.underWay) throw new ToolInputError(`${this.name} works already.`);
    this.toldBy = [];
    this.stopped = false;
    this.stopping = new AbortController();
    this.beginRun('pending');
    return this.stopping.signal;
  }

  /** Agents that were at work where it was told what to do in its run. It may do no more than each of them. */
  get tellers(): readonly AgentFile[] {
    return this.toldBy;
  }

  /** It is told what to do by who may do no more than an agent, if one is at work there. @param type what it is now: its file may have changed */
  toldAs(type: ElfType, teller: AgentFile | undefined): void {
    if (teller !== undefined) this.toldBy = [...this.toldBy, teller];
    if (this.session !== undefined) this.open?.limit(type);
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
  async hold(open: () => Promise<OpenElf>): Promise<{ readonly session: AgentSession; readonly release: () => Promise<void> }> {
    this.holders += 1;
    try {
      // That it failed was said where it was closed.
      await Promise.allSettled([this.closing]);
      const session = this.session ?? (await this.opened(open)).session;
      let held = true;
      const release = async (): Promise<void> => {
        const wasHeld = held;
        held = false;
        if (wasHeld) await this.release();
      };
      return { session, release };
    } catch (error) {
      this.holders -= 1;
      throw error;
    }
  }

  /** Several may want it opened at once. */
  private opened(open: () => Promise<OpenElf>): Promise<OpenElf> {
    this.opening ??= this.take(open).finally(() => (this.opening = undefined));
    return this.opening;
  }

  private async take(open: () => Promise<OpenElf>): Promise<OpenElf> {
    const opened = await open();
    opened.session.onEvent((event) => this.heard(event));
    this.open = opened;
    this.deps.changed();
    return opened;
  }

  private async release(): Promise<void> {
    this.holders -= 1;
    const { open } = this;
    if (this.holders > 0 || open === undefined) return;
    this.closing = this.close(open);
    await this.closing;
  }

  private async close(open: OpenElf): Promise<void> {
    try {
      await open.session.close().finally(() => this.left(open));
    } finally {
      await open.released?.();
    }
  }

  private left(open: OpenElf): void {
    this.figures = figuresOf(open.session);
    if (this.open === open) this.open = undefined;
    open.closed();
    this.deps.changed();
  }

  /** Keeps up with what its session does. That of those that work for it is known by what its session says of itself. */
  private heard(event: SessionEvent): void {
    switch (event.type) {
      case 'turn_started':
        // The user can write to it, too.
        if (this.underWay && this.run?.state === 'pending') this.runs[this.runs.length - 1] = { ...this.run, state: 'running' };
        else if (!this.underWay) {
          this.stopped = false;
          this.stopping = new AbortController();
          this.beginRun('running');
        }
        this.save();
        break;
      case 'round_started':
        this.now = '';
        if (this.run !== undefined) this.runs[this.runs.length - 1] = { ...this.run, rounds: event.round };
        break;
      case 'tool_call':
        if (event.state.status === 'running') this.now = `${event.state.plan.tool} ${event.state.plan.subject}`;
        break;
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

  private beginRun(state: 'pending' | 'running'): void {
    this.underWay = true;
    this.lastResult = undefined;
    this.conflicts = 0;
    this.runs.push({ state, since: this.deps.clock.timestamp(), rounds: 0 });
    this.deps.changed();
  }

  private ended(turn: Turn): void {
    const session = this.open?.session;
    if (session === undefined) return;
    const result = resultOf(session.id, turn, this.deps.clean);
    if (turn.end === 'aborted' && !this.stopped && (session.closed || this.stopping.signal.aborted)) this.leaveOff(result);
    else this.settle(result);
  }

  /** Ends a run without an end of its own, so that it is known that it can go on. */
  private leaveOff(result: ElfResult): ElfResult {
    this.underWay = false;
    this.lastResult = result;
    this.deps.changed();
    return result;
  }

  private settle(result: ElfResult): ElfResult {
    const { state, error, limit, rounds, durationMs } = result;
    this.underWay = false;
    this.now = '';
    this.told = false;
    this.lastResult = result;
    if (this.run !== undefined) this.runs[this.runs.length - 1] = { ...this.run, state, rounds, durationMs, ...present({ problem: error, limit }) };
    this.save();
    this.deps.changed();
    return result;
  }

  private save(): void {
    this.open?.save({ ...this.known, runs: [...this.runs] });
  }
}

function figuresOf({ id, model, usage, costUsd }: AgentSession): Figures {
  return { session: id, model: modelKey(model), usage, costUsd };
}
