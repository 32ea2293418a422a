import { createHash, randomBytes } from 'node:crypto';
import { Signal } from '../concurrency/signal.js';
import { Slots } from '../concurrency/slots.js';
import { ToolInputError } from '../domain/errors.js';
import { t } from '../domain/l10n.js';
import { addAmounts, type Amount, NO_AMOUNT, type Purse } from '../domain/model/purse.js';
import { totalInputTokens } from '../domain/model/usage.js';
import type { AgentSession } from '../engine/agent-session.js';
import { createPurse } from '../engine/turn/purse.js';
import { present } from '../domain/present.js';
import { ELF_LIMITS, type ElfLimit, type ElfLimits, type ReachedElfLimit } from '../domain/session/elf.js';
import type { ElfResult } from './elf-result.js';
import { Elf, type ElfDeps, type ElfFacts, type ElfOrigin } from './elf.js';
import { type ElfLimitsStore, type ElfUse, HouseholdLimits, isStoppedBy } from './household-limits.js';

/** Services of a {@link Household}; the limits are read anew for each run, but for how many work at the same time. */
export interface HouseholdDeps extends Omit<ElfDeps, 'changed'> {
  readonly limits: () => ElfLimits;
}

/** What a chat has stored of its elves. */
export interface StoredHousehold {
  /** Those of earlier times, in the order in which they were started. */
  readonly elves: readonly ElfOrigin[];
  readonly limits: ElfLimitsStore;
}

/** Times that the same work is given to the same type: a model that does so again is caught in a loop. */
const MOST_EQUAL = 2;

/** The elves of one session of the user, at every depth, and what they share. */
export class Household {
  private readonly slots: Slots;
  private readonly queue: Elf[] = [];
  private readonly elves = new Map<string, { readonly elf: Elf; hasPlace: boolean; waitsFor: number; returning: Promise<void> }>();
  /** How often each work was given away and came to something, and how often it is being done. */
  private readonly given = new Map<string, { done: number; underWay: number }>();
  private readonly limits: HouseholdLimits;
  private readonly changed = new Signal();
  private runs = 0;
  /** Calls back when one of them has other facts. Returns how to stop that. */
  readonly onDidChange = this.changed.subscribe;

  /** What the requests of all of them are paid from, beside that of the chat. */
  readonly purse: Purse;

  /** @param chat the session of the user */
  constructor(
    readonly chat: Pick<AgentSession, 'id' | 'purse' | 'closed' | 'expect'>,
    stored: StoredHousehold,
    private readonly deps: HouseholdDeps,
  ) {
    this.limits = new HouseholdLimits(deps.limits, stored.limits);
    // What an elf has used contains what those have that it has started.
    const spent = stored.elves.filter(({ parent }) => parent === undefined).map((origin) => amountOf(origin.stored));
    this.purse = createPurse(() => this.limits.current.budget, { parent: chat.purse, spent: spent.reduce(addAmounts, NO_AMOUNT), of: 'agents' });
    this.slots = new Slots(deps.limits().atOnce);
    for (const origin of stored.elves) {
      const { runs = [], order } = origin.stored ?? {};
      this.runs += runs.filter(({ byUser }) => byUser === undefined).length + (order?.run === undefined ? 0 : 1);
      this.add(origin);
    }
  }

  /** All of them, in the order in which they were started. */
  get facts(): readonly ElfFacts[] {
    return [...this.elves.values()].map(({ elf }) => {
      const position = this.queue.indexOf(elf);
      return { ...elf.facts, ...present({ position: position < 0 ? undefined : position + 1 }) };
    });
  }

  find(name: string): Elf | undefined {
    return this.elves.get(name.trim().toLowerCase())?.elf;
  }

  /** The elf that works in a worktree. @param worktree its name */
  inWorktree(worktree: string): Elf | undefined {
    return this.all.find(({ facts }) => facts.worktree === worktree);
  }

  /** The elf whose session it is. */
  ofSession(id: string): Elf | undefined {
    return this.all.find(({ sessionId }) => sessionId === id);
  }

  /** Those that have the same parent. @param parent name of an elf; absent: the chat */
  startedBy(parent: string | undefined): readonly Elf[] {
    return this.all.filter((elf) => elf.parent === parent);
  }

  /** Takes up another one. @param isolated whether it works in a worktree */
  start(origin: Omit<ElfOrigin, 'name' | 'worktree'>, isolated = false): Elf {
    let number = this.elves.size + 1;
    while (this.elves.has(`agent-${number}`)) number += 1;
    const name = `agent-${number}`;
    // Other chats have agents of this name.
    return this.add({ ...origin, name, ...(isolated ? { worktree: `${name}-${randomBytes(3).toString('hex')}` } : {}) });
  }

  /**
   * Counts a run that is about to begin.
   * @returns what is to be called when it has ended
   * @throws ToolInputError where it must not begin
   */
  admit(type: string, prompt: string): (came: Pick<ElfResult, 'state'>) => void {
    const limit = this.refuses();
    if (limit !== undefined) throw new ToolInputError({ kind: 'agent_limit', limit, started: this.runs });
    const key = createHash('sha256').update(`${type}\n${prompt}`).digest('hex');
    const given = this.given.get(key) ?? { done: 0, underWay: 0 };
    const times = given.done + given.underWay;
    if (times >= MOST_EQUAL)
      throw new ToolInputError(`Not started: the same prompt was given to the agent “${type}” ${times} times. Use what it finds, or say it otherwise.`);
    this.given.set(key, given);
    given.underWay += 1;
    this.runs += 1;
    return ({ state }) => {
      given.underWay -= 1;
      // What has failed, or was stopped, can be tried again.
      if (state === 'completed') given.done += 1;
    };
  }

  /** The limit for which no run may begin now; `undefined` where one may. It counts as a start that was refused, unless the user wants it: they are asked. */
  refuses(by: 'model' | 'user' = 'model'): ElfLimit | undefined {
    const limit = this.exhausted;
    if (limit === undefined) return undefined;
    if (by === 'user') this.limits.noteWanted(limit);
    else this.limits.noteRefused(limit);
    this.changed.emit();
    return limit;
  }

  /** The limit for which no run may begin now. */
  get exhausted(): ElfLimit | undefined {
    return this.limits.exhausted(this.use);
  }

  /** The limit that has stopped elves, or kept them from being started, and about which the user has not answered since. */
  get reached(): ReachedElfLimit | undefined {
    return this.limits.reached(this.use, this.runsOfEach);
  }

  /**
   * Raises the limit that was {@link reached}, for this chat alone, as the user wants.
   * @returns the elves that failed for a limit, without those whose parent goes on and does with them what it wants
   * @throws Error with a sentence for the user where something else is offered by now
   */
  raise(limit: ElfLimit, to: number): readonly Elf[] {
    if (this.reached?.limit !== limit || this.reached.higher !== to) throw new Error(t('This limit has changed meanwhile. Look at it again.'));
    this.limits.raise(limit, to, this.runsOfEach);
    this.changed.emit();
    const stopped = this.all.filter(({ facts }) => isStopped(facts));
    const names = new Set(stopped.map(({ name }) => name));
    return stopped.filter(({ parent, facts }) => facts.background || parent === undefined || !names.has(parent));
  }

  /** Notes that the user has answered about the limit that was {@link reached}. */
  noteAnswered(): void {
    this.limits.noteAnswered(this.runsOfEach);
    this.changed.emit();
  }

  /**
   * Has an elf work as soon as there is a place for it.
   * @throws AbortError when the signal is aborted before there is one; what the work throws
   */
  async place<Result>(elf: Elf, work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const leave = (): void => {
      const index = this.queue.indexOf(elf);
      if (index >= 0) this.queue.splice(index, 1);
      this.changed.emit();
    };
    const placed = this.elves.get(elf.name);
    this.queue.push(elf);
    try {
      return await this.slots.use(() => {
        leave();
        if (placed !== undefined) placed.hasPlace = true;
        return work();
      }, signal);
    } finally {
      if (placed !== undefined) placed.hasPlace = false;
      leave();
    }
  }

  /** Resolves when a condition holds, which is looked at with each change, or the signal is aborted. */
  until(holds: () => boolean, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const stops = [this.onDidChange(() => look()), () => signal.removeEventListener('abort', done)];
      const done = (): void => {
        for (const stop of stops) stop();
        resolve();
      };
      const look = (): void => {
        if (signal.aborted || holds()) done();
      };
      signal.addEventListener('abort', done, { once: true });
      look();
    });
  }

  /**
   * Gives the place of an elf to others while it waits for those that it has started: they could wait for it in turn. It has none in a turn of the user.
   * @param signal of its turn: once that is aborted, it needs no place
   */
  async without<Result>(name: string | undefined, wait: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const waiting = name === undefined ? undefined : this.elves.get(name);
    if (waiting === undefined || !waiting.hasPlace) return wait();
    await waiting.returning;
    waiting.waitsFor += 1;
    if (waiting.waitsFor === 1) this.slots.lend();
    try {
      return await wait();
    } finally {
      waiting.waitsFor -= 1;
      if (waiting.waitsFor === 0) waiting.returning = this.slots.takeBack(signal);
      await waiting.returning;
    }
  }

  /** What is left of what they may use together; absent where there is no limit, or where a price is not known. */
  get left(): ElfLimits['budget'] {
    const { costUsd, tokens } = this.limits.current.budget;
    const { spent } = this.purse;
    return {
      ...(costUsd === undefined || spent.costUsd === undefined ? {} : { costUsd: Math.max(0, costUsd - spent.costUsd) }),
      ...(tokens === undefined ? {} : { tokens: Math.max(0, tokens - spent.tokens) }),
    };
  }

  /** The number of those that wait for a place. */
  get queued(): number {
    return this.queue.length;
  }

  private get use(): ElfUse {
    return { spent: this.purse.spent, runs: this.runs };
  }

  private get runsOfEach(): readonly ElfFacts['runs'][] {
    return this.all.map(({ facts }) => facts.runs);
  }

  private get all(): readonly Elf[] {
    return [...this.elves.values()].map(({ elf }) => elf);
  }

  private add(origin: ElfOrigin): Elf {
    const elf = new Elf(origin, { ...this.deps, changed: () => this.changed.emit() });
    this.elves.set(origin.name, { elf, hasPlace: false, waitsFor: 0, returning: Promise.resolve() });
    this.changed.emit();
    return elf;
  }
}

/** Whether the last run failed for a limit of all agents of its chat. */
function isStopped({ runs }: ElfFacts): boolean {
  const last = runs.at(-1);
  return last !== undefined && ELF_LIMITS.some((limit) => isStoppedBy(limit, last));
}

function amountOf(stored: ElfOrigin['stored']): Amount {
  if (stored === undefined) return NO_AMOUNT;
  return { costUsd: stored.costUsd, tokens: totalInputTokens(stored.usage) + stored.usage.outputTokens, requests: 0 };
}
