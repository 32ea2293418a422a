import { createHash } from 'node:crypto';
import { Slots } from '../concurrency/slots.js';
import { errorMessage, isAbortError, ToolInputError } from '../domain/errors.js';
import { text } from '../domain/model/content.js';
import { NO_USAGE } from '../domain/model/usage.js';
import type { AgentSession } from '../engine/agent-session.js';
import type { SessionEvent } from '../engine/events.js';
import { type ElfResult, resultOf } from './elf-result.js';
import type { ElfType } from './elf-types.js';

/** Elves of one session of the user that work at the same time; more wait for one of them to end. */
const MOST_AT_ONCE = 4;
/** Elves of one session of the user in all. */
const MOST_IN_ALL = 50;
/** Times that the same work is given to the same type: a model that does so again is caught in a loop. */
const MOST_EQUAL = 2;

/** The work of an elf. */
export interface ElfWork {
  /** Ids of the session that gives it away, and of the call by which it does. */
  readonly session: string;
  readonly callId: string;
  readonly type: ElfType;
  /** In a few words. */
  readonly task: string;
  /** All that the elf is told. */
  readonly prompt: string;
  /** `provider/model`; absent: that of who gives it away. */
  readonly model?: string;
  readonly signal: AbortSignal;
  /** Takes what it does, in lines, for the user. */
  readonly tell: (line: string) => void;
}

/** What the session of an elf is opened with. */
export interface ElfStart extends Pick<ElfWork, 'callId' | 'type' | 'task' | 'model'> {
  readonly parent: AgentSession;
}

/** Services that elves work with. */
export interface ElvesDeps {
  /** A session that is open, by its id. */
  readonly find: (id: string) => AgentSession | undefined;
  /** Number of elves that a session has had in earlier runs. */
  readonly earlier: (session: AgentSession) => Promise<number>;
  /** Opens the session of an elf, with no more rights than its parent has. */
  readonly open: (start: ElfStart) => Promise<AgentSession>;
  /** Takes keys out of what servers say. */
  readonly clean: (text: string) => string;
}

/** The elves of one session of the user, at every depth. */
interface Household {
  readonly slots: Slots;
  started: number;
  working: number;
  /** How often each work was given away. */
  readonly given: Map<string, number>;
}

/**
 * Elves: agents that work on parts of a task, each in a session of its own, with its own history and model. They are paid from the purse of the
 * session that they work for, ask through it, and do nothing that it may not.
 */
export class Elves {
  private readonly households = new WeakMap<AgentSession, Promise<Household>>();

  constructor(private readonly deps: ElvesDeps) {}

  /**
   * Has an elf do some work, as soon as there is a place for it.
   * @throws ToolInputError for one that must not be started, with a sentence for the model
   */
  async work(work: ElfWork): Promise<ElfResult> {
    const parent = this.deps.find(work.session);
    if (parent === undefined) throw new ToolInputError('Not started: the session of this call is closed.');
    const household = await this.householdOf(parent);
    const key = admit(household, work);
    if (household.working >= MOST_AT_ONCE) work.tell(`Waits: ${MOST_AT_ONCE} agents are working already.`);
    household.working += 1;
    try {
      const result = await household.slots.use(() => this.done(work, parent), work.signal);
      // What has failed can be tried again.
      if (result.state === 'completed') household.given.set(key, (household.given.get(key) ?? 0) + 1);
      return result;
    } catch (error) {
      if (!isAbortError(error)) throw error;
      return { id: '', state: 'cancelled', output: '', usage: NO_USAGE, costUsd: 0, rounds: 0, durationMs: 0 };
    } finally {
      household.working -= 1;
    }
  }

  private async done(work: ElfWork, parent: AgentSession): Promise<ElfResult> {
    const { callId, type, task, model, signal, tell } = work;
    const session = await this.deps.open({ parent, callId, type, task, ...(model === undefined ? {} : { model }) });
    const leave = parent.adopt(session);
    const stops = [
      // It never does more without a question than who it works for, also where that changes meanwhile.
      parent.onEvent((event) => {
        if (event.type === 'settings_changed') session.setMode(event.effectiveMode);
      }),
      session.onEvent((event) => {
        const line = lineOf(event);
        if (line !== undefined) tell(line);
      }),
    ];
    const stop = (): void => session.cancel();
    signal.addEventListener('abort', stop, { once: true });
    try {
      session.setMode(parent.effectiveMode);
      const { turn } = session.send([text(work.prompt)]);
      if (signal.aborted) stop();
      return resultOf(session.id, await turn, this.deps.clean);
    } finally {
      signal.removeEventListener('abort', stop);
      for (const end of stops) end();
      // What it has said is there all the same.
      await session.close().catch((error: unknown) => tell(`It could not be stored: ${errorMessage(error)}`));
      leave();
    }
  }

  private householdOf(session: AgentSession): Promise<Household> {
    const above = session.identity.worksFor && this.deps.find(session.identity.worksFor.session);
    if (above !== undefined) return this.householdOf(above);
    const known = this.households.get(session) ?? this.newHousehold(session);
    this.households.set(session, known);
    return known;
  }

  private async newHousehold(session: AgentSession): Promise<Household> {
    return { slots: new Slots(MOST_AT_ONCE), started: await this.deps.earlier(session), working: 0, given: new Map() };
  }
}

/** Counts an elf that is about to be started. @returns what the same work is known by @throws ToolInputError where it must not be */
function admit(household: Household, { type, prompt }: ElfWork): string {
  if (household.started >= MOST_IN_ALL)
    throw new ToolInputError(`Not started: this chat has started ${MOST_IN_ALL} agents, which is the most. Do the rest yourself, or tell the user.`);
  const key = createHash('sha256').update(`${type.name}\n${prompt}`).digest('hex');
  const given = household.given.get(key) ?? 0;
  if (given >= MOST_EQUAL)
    throw new ToolInputError(`Not started: the same prompt was given to the agent “${type.name}” ${given} times. Use what it found, or say it otherwise.`);
  household.started += 1;
  return key;
}

/** What is shown of an event: the calls that run, and those that were denied. */
function lineOf(event: SessionEvent): string | undefined {
  if (event.type !== 'tool_call') return undefined;
  const { state } = event;
  if (state.status === 'running') return `${state.plan.tool} ${state.plan.subject}`;
  return state.status === 'denied' ? `denied: ${state.plan.tool} ${state.plan.subject}` : undefined;
}
