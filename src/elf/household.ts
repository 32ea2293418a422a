import { createHash, randomBytes } from 'node:crypto';
import { Signal } from '../concurrency/signal.js';
import { Slots } from '../concurrency/slots.js';
import { ToolInputError } from '../domain/errors.js';
import { addAmounts, type Amount, NO_AMOUNT, type Purse } from '../domain/model/purse.js';
import { totalInputTokens } from '../domain/model/usage.js';
import type { AgentSession } from '../engine/agent-session.js';
import { createPurse } from '../engine/turn/purse.js';
import { present } from '../domain/present.js';
import type { ElfLimits } from '../domain/session/elf.js';
import { Elf, type ElfDeps, type ElfFacts, type ElfOrigin } from './elf.js';

/** Services of a {@link Household}; the limits are read anew for each run, but for how many work at the same time. */
export interface HouseholdDeps extends Omit<ElfDeps, 'changed'> {
  readonly limits: () => ElfLimits;
}

/** Times that the same work is given to the same type: a model that does so again is caught in a loop. */
const MOST_EQUAL = 2;

/** The elves of one session of the user, at every depth, and what they share. */
export class Household {
  private readonly slots: Slots;
  private readonly queue: Elf[] = [];
  private readonly elves = new Map<string, { readonly elf: Elf; waitsFor: number; returning: Promise<void> }>();
  /** How often each work was given away, and came to something. */
  private readonly given = new Map<string, number>();
  private readonly changed = new Signal();
  private runs = 0;
  /** Id of the session of the user. */
  readonly chat: string;
  /** Calls back when one of them has other facts. Returns how to stop that. */
  readonly onDidChange = this.changed.subscribe;

  /** What the requests of all of them are paid from, beside that of the chat. */
  readonly purse: Purse;

  /**
   * @param chat the session of the user
   * @param stored those of earlier times, in the order in which they were started
   */
  constructor(
    chat: Pick<AgentSession, 'id' | 'purse'>,
    stored: readonly ElfOrigin[],
    private readonly deps: HouseholdDeps,
  ) {
    this.chat = chat.id;
    // What an elf has used contains what those have that it has started.
    const spent = stored.filter(({ parent }) => parent === undefined).map((origin) => amountOf(origin.stored));
    this.purse = createPurse(() => deps.limits().budget, { parent: chat.purse, spent: spent.reduce(addAmounts, NO_AMOUNT) });
    this.slots = new Slots(deps.limits().atOnce);
    for (const origin of stored) {
      this.runs += origin.stored?.runs.length ?? 0;
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
   * @returns what is to be called when the same work came to something
   * @throws ToolInputError where it must not begin
   */
  admit(type: string, prompt: string): () => void {
    const { inAll } = this.deps.limits();
    if (this.runs >= inAll)
      throw new ToolInputError(`Not started: this chat has started ${inAll} agents, which is the most. Do the rest yourself, or tell the user.`);
    const key = createHash('sha256').update(`${type}\n${prompt}`).digest('hex');
    const given = this.given.get(key) ?? 0;
    if (given >= MOST_EQUAL)
      throw new ToolInputError(`Not started: the same prompt was given to the agent “${type}” ${given} times. Use what it found, or say it otherwise.`);
    this.runs += 1;
    return () => this.given.set(key, (this.given.get(key) ?? 0) + 1);
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
    this.queue.push(elf);
    try {
      return await this.slots.use(() => {
        leave();
        return work();
      }, signal);
    } finally {
      leave();
    }
  }

  /** Gives the place of an elf to others while it waits for those that it has started: they could wait for it in turn. */
  async without<Result>(name: string | undefined, wait: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const waiting = name === undefined ? undefined : this.elves.get(name);
    if (waiting === undefined) return wait();
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
    const { costUsd, tokens } = this.deps.limits().budget;
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

  private get all(): readonly Elf[] {
    return [...this.elves.values()].map(({ elf }) => elf);
  }

  private add(origin: ElfOrigin): Elf {
    const elf = new Elf(origin, { ...this.deps, changed: () => this.changed.emit() });
    this.elves.set(origin.name, { elf, waitsFor: 0, returning: Promise.resolve() });
    this.changed.emit();
    return elf;
  }
}

function amountOf(stored: ElfOrigin['stored']): Amount {
  if (stored === undefined) return NO_AMOUNT;
  return { costUsd: stored.costUsd, tokens: totalInputTokens(stored.usage) + stored.usage.outputTokens, requests: 0 };
}
