import type { AgentFile } from '../domain/config/agent.js';
import { AbortError, errorMessage, ToolInputError } from '../domain/errors.js';
import { t } from '../domain/l10n.js';
import type { ThinkingEffort } from '../domain/model/effort.js';
import { text } from '../domain/model/content.js';
import type { Log } from '../domain/log.js';
import type { Purse } from '../domain/model/purse.js';
import { present } from '../domain/present.js';
import type { AgentSession } from '../engine/agent-session.js';
import { agentWithin } from '../engine/agents/narrow.js';
import type { SessionEvent } from '../engine/events.js';
import type { ElfWorktrees } from './brought.js';
import type { Elf, ElfFacts, ElfOrigin, OpenElf } from './elf.js';
import { type ElfCosts, noteCost } from './elf-costs.js';
import type { ElfResult } from './elf-result.js';
import type { ElfType } from './elf-types.js';
import { Household, type HouseholdDeps } from './household.js';
import type { ElfLimitsStore } from './household-limits.js';

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
  readonly effort?: ThinkingEffort;
  /** Whether it is done in a worktree of its own. */
  readonly isolated?: boolean;
  /** Whether who gives it away does not wait for it. */
  readonly background: boolean;
  readonly signal: AbortSignal;
  /** Takes what it does, in lines, for the user. */
  readonly tell: (line: string) => void;
}

/** What the session of an elf is opened with. */
export interface ElfStart extends Pick<ElfWork, 'callId' | 'task' | 'model' | 'effort'> {
  readonly parent: AgentSession;
  readonly type: ElfType;
  /** Id of the chat that it works for in the end. */
  readonly chat: string;
  /** What its requests are paid from; absent: that of its parent. */
  readonly purse?: Purse;
  /** Id of its session; absent: it gets a new one. */
  readonly session?: string;
  /** Name of the worktree that it works in; absent: it works where its parent does. */
  readonly worktree?: string;
  /** Stops opening it, which takes a while where a worktree is made. */
  readonly signal: AbortSignal;
}

/** Services that elves work with. */
export interface ElvesDeps extends HouseholdDeps {
  /** A session that is open, by its id. */
  readonly find: (id: string) => AgentSession | undefined;
  /** Those that a session of the user, and those that work for it, have had in earlier times, in the order in which they were started. */
  readonly earlier: (session: string) => Promise<readonly ElfOrigin[]>;
  /** Where a session of the user stores what was answered about the limits of those that work for it. */
  readonly limitsOf: (session: AgentSession) => ElfLimitsStore;
  /** What elves have cost, in all chats of the workspace. */
  readonly costs: ElfCosts;
  /** Opens the session of an elf, with no more rights than its parent has. */
  readonly open: (start: ElfStart) => Promise<Omit<OpenElf, 'closed' | 'limit'>>;
  readonly log: Log;
  readonly worktrees: Pick<ElfWorktrees, 'changed'>;
  /** What an elf can be, by its name; `undefined` where there is none such any more. */
  readonly typeOf: (name: string) => Promise<ElfType | undefined>;
}

/** A run of an elf that has begun, or waits for a place. */
export interface BegunRun {
  readonly elf: Elf;
  /** Does not reject. */
  readonly result: Promise<ElfResult>;
}

/**
 * Elves: agents that work on parts of a task, each in a session of its own, with its own history and model. They are paid from the purse of the
 * session that they work for, ask through it, and do nothing that it may not.
 */
export class Elves {
  private readonly households = new WeakMap<AgentSession, Promise<Household>>();
  /** Those of them that are there by now. */
  private readonly known = new WeakMap<AgentSession, Household>();

  constructor(private readonly deps: ElvesDeps) {}

  /**
   * Has an elf do some work, as soon as there is a place for it.
   * @throws ToolInputError for one that must not be started, with a sentence for the model
   */
  async start(work: ElfWork): Promise<BegunRun> {
    const { callId, type, task, background, isolated } = work;
    const parent = this.parentOf(work.session);
    const household = await this.of(parent);
    const ended = household.admit(type.name, work.prompt);
    const above = household.ofSession(parent.id);
    const elf = household.start({ callId, type: type.name, task, background, ...present({ parent: above?.name }) }, isolated);
    return this.run(elf, { household, parent, work, ended, teller: parent.activeAgent });
  }

  /**
   * Tells an elf something else. One that works gets it with its next request; one that has ended begins another run.
   * @throws ToolInputError for one that is not there, or must not begin, with a sentence for the model
   */
  async tell(name: string, work: Omit<ElfWork, 'type' | 'task' | 'model' | 'effort' | 'isolated'>): Promise<BegunRun | 'told'> {
    const parent = this.parentOf(work.session);
    const household = await this.of(parent);
    const elf = this.named(household, name, parent);
    if (elf.isWorking) {
      // Who tells it what to do may be able to do less than who has started it.
      elf.toldAs(await this.typeOf(elf), parent.activeAgent);
      if (elf.session?.steer(work.callId, [text(work.prompt)]) === true) return 'told';
      throw new ToolInputError(`${elf.name} waits for its place. Tell it again when it works.`);
    }
    const type = await this.typeOf(elf);
    const ended = household.admit(type.name, `${elf.name}\n${work.prompt}`);
    return this.run(elf, { household, parent, work: { ...work, type, task: elf.facts.task }, ended, teller: parent.activeAgent });
  }

  /**
   * An elf of a session, by its name.
   * @throws ToolInputError naming those that there are
   */
  async find(session: string, name: string): Promise<Elf> {
    const parent = this.parentOf(session);
    return this.named(await this.of(parent), name, parent);
  }

  /** Those that a session has started. */
  async startedBy(session: string): Promise<readonly Elf[]> {
    const parent = this.parentOf(session);
    const household = await this.of(parent);
    return household.startedBy(household.ofSession(parent.id)?.name);
  }

  /** What the model of a session is to know of the agents that it has started: those that work, and those whose end it does not know. */
  news(id: string): readonly ElfFacts[] {
    const session = this.deps.find(id);
    const chat = session && this.chatOf(session);
    const household = chat && this.known.get(chat);
    if (household === undefined) return [];
    const own = household.startedBy(household.ofSession(id)?.name);
    return own.filter((elf) => elf.isWorking || elf.isNews || elf.facts.interrupted).map(({ facts }) => facts);
  }

  /** Name of the elf whose session it is, of a session of the user that has some; `undefined` for none of them. */
  nameOf(session: AgentSession, id: string): string | undefined {
    return this.known.get(session)?.ofSession(id)?.name;
  }

  /** Stops one that a session has started, and those that it has started. @throws ToolInputError naming those that there are */
  async stopOwn(session: string, name: string): Promise<Elf> {
    const elf = await this.find(session, name);
    stopAll(await this.of(this.parentOf(session)), elf);
    return elf;
  }

  /** Waits until one of some elves has ended, or the signal is aborted. The place of who waits is for others meanwhile. */
  async ended(session: string, elves: readonly Elf[], signal: AbortSignal): Promise<void> {
    const parent = this.parentOf(session);
    const household = await this.of(parent);
    const one = (): Promise<void> =>
      new Promise((resolve) => {
        const stops = [household.onDidChange(() => look()), () => signal.removeEventListener('abort', done)];
        const done = (): void => {
          for (const stop of stops) stop();
          resolve();
        };
        const look = (): void => {
          if (signal.aborted || elves.some(({ isWorking }) => !isWorking)) done();
        };
        signal.addEventListener('abort', done, { once: true });
        look();
      });
    await household.without(household.ofSession(parent.id)?.name, one, signal);
  }

  /** The elves of a session of the user, and of all that work for it. */
  of(session: AgentSession): Promise<Household> {
    const chat = this.chatOf(session);
    const household = this.households.get(chat) ?? this.newHousehold(chat);
    this.households.set(chat, household);
    return household;
  }

  /** The session of the user that one works for in the end. */
  private chatOf(session: AgentSession): AgentSession {
    const above = session.identity.worksFor && this.deps.find(session.identity.worksFor.session);
    return above === undefined ? session : this.chatOf(above);
  }

  /**
   * Opens the session of an elf for the user, who reads it or writes to it, until `release` is called.
   * @throws Error with a sentence for the user where it cannot be opened
   */
  async hold(session: AgentSession, name: string): ReturnType<Elf['hold']> {
    const household = await this.of(session);
    const elf = household.find(name);
    if (elf === undefined) throw new Error(t('There is no agent “{0}” in this chat.', name));
    const above = elf.parent === undefined ? undefined : await this.hold(session, elf.parent);
    try {
      const held = await elf.hold(() => this.opened(elf, { household, parent: above?.session ?? session }));
      const release = async (): Promise<void> => {
        await held.release();
        await above?.release();
      };
      return { session: held.session, release };
    } catch (error) {
      await above?.release();
      throw error;
    }
  }

  /** The same as {@link hold} by the id of its session, with what it does in a few words. */
  async holdSession(
    session: AgentSession,
    id: string,
  ): Promise<{ readonly session: AgentSession; readonly release: () => Promise<void>; readonly title: string }> {
    const elf = (await this.of(session)).ofSession(id);
    if (elf === undefined) throw new Error(t('This agent is not there any more.'));
    const { type, task } = elf.facts;
    return { ...(await this.hold(session, elf.name)), title: `${type}: ${task}` };
  }

  /** Stops an elf, and those that it has started; all of a session of the user where none is named. */
  async stop(session: AgentSession, name?: string): Promise<void> {
    const household = await this.of(session);
    for (const elf of name === undefined ? household.startedBy(undefined) : [household.find(name)]) if (elf !== undefined) stopAll(household, elf);
  }

  /**
   * Has an elf go on where it was left, in the background, as the user wants.
   * @throws Error with a sentence for the user where it cannot
   */
  async goOn(session: AgentSession, name: string): Promise<void> {
    const household = await this.of(session);
    const elf = household.find(name);
    if (elf === undefined || elf.isWorking) return;
    const above = elf.parent === undefined ? undefined : await this.hold(session, elf.parent);
    try {
      const { callId, task, type: typeName } = elf.facts;
      const type = await this.typeOf(elf);
      const work = { session: session.id, callId, task, type, prompt: GO_ON, background: true, signal: new AbortController().signal, tell: () => undefined };
      const ended = household.admit(typeName, `${elf.name}\n${GO_ON}\n${elf.facts.runs.length}`);
      const { result } = this.run(elf, { household, parent: above?.session ?? session, work, ended });
      result.then(() => above?.release()).catch((error: unknown) => this.deps.log.error('The session of an agent could not be closed', error));
    } catch (error) {
      await above?.release();
      throw error;
    }
  }

  private async opened(elf: Elf, { household, parent, work = {} }: OpenParts, signal = new AbortController().signal): Promise<OpenElf> {
    const { callId, task, session, worktree } = elf.facts;
    const type = await this.typeOf(elf);
    const { model, effort } = work;
    const purse = elf.parent === undefined ? household.purse : undefined;
    const open = await this.deps.open({ chat: household.chat, parent, callId, task, type, signal, ...present({ session, model, effort, purse, worktree }) });
    const leave = parent.adopt(open.session);
    let limits = type;
    // It never does more without a question than who it works for, also where that changes meanwhile.
    const follow = (): void => {
      open.session.setMode(parent.effectiveMode);
      open.session.setAgent(agentWithin(limits.agent, within([...elf.tellers, parent.activeAgent])));
    };
    const stop = parent.onEvent(({ type: happened }) => {
      if (happened === 'settings_changed') follow();
    });
    follow();
    return {
      ...open,
      limit: (now) => {
        limits = now;
        follow();
      },
      closed: () => {
        stop();
        leave();
      },
    };
  }

  /** Begins a run. Who has started it in the background stays open until it has ended. */
  private run(elf: Elf, parts: RunParts): BegunRun {
    const { household, parent, work } = parts;
    const above = household.ofSession(parent.id);
    const stopped = waiting(elf, parts);
    const stop = (): void => (parent.closed ? elf.interrupt() : elf.stop());
    if (!work.background) work.signal.addEventListener('abort', stop, { once: true });
    if (work.signal.aborted) stop();
    if (household.queued > 0) work.tell('Waits for one of the other agents to end.');
    const place = (): Promise<ElfResult> => household.place(elf, () => this.done(elf, parts, stopped), stopped);
    const run = async (): Promise<ElfResult> => {
      if (!work.background) return household.without(above?.name, place, stopped);
      const kept = await above?.hold(() => Promise.reject(new AbortError()));
      try {
        return await place();
      } finally {
        await kept?.release();
      }
    };
    elf.toldAs(work.type, parts.teller);
    const result = run()
      .catch((error: unknown) => elf.endRun(error))
      .finally(() => work.signal.removeEventListener('abort', stop))
      .then((came) => {
        parts.ended(came);
        noteCost(this.deps.costs, elf.facts, came);
        return came;
      });
    parent.expect({ stop: () => elf.interrupt(), ended: result });
    return { elf, result };
  }

  private async done(elf: Elf, parts: RunParts, stopped: AbortSignal): Promise<ElfResult> {
    const { work } = parts;
    const { session, release } = await elf.hold(() => this.opened(elf, parts, stopped));
    const forget = session.onEvent((event) => {
      const line = lineOf(event);
      if (line !== undefined) work.tell(line);
    });
    try {
      stopped.throwIfAborted();
      await elf.prepare(stopped, work.tell);
      await session.send([text(work.prompt)]).turn;
      await this.lookAtWorktree(elf);
      return elf.result ?? elf.endRun(new Error('It ended without a result.'));
    } finally {
      forget();
      // What it has said is there all the same.
      await release().catch((error: unknown) => work.tell(`It could not be stored: ${errorMessage(error)}`));
    }
  }

  /** Finds out what one has changed in its worktree. */
  private async lookAtWorktree(elf: Elf): Promise<void> {
    const { worktree } = elf.facts;
    if (worktree === undefined) return;
    try {
      elf.noteChanged(await this.deps.worktrees.changed(worktree, AbortSignal.timeout(LOOK_MS)));
    } catch (error) {
      this.deps.log.warn(`What ${elf.name} has changed is not known: ${errorMessage(error)}`);
    }
  }

  private parentOf(session: string): AgentSession {
    const parent = this.deps.find(session);
    if (parent === undefined) throw new ToolInputError('Not started: the session of this call is closed.');
    return parent;
  }

  /** An elf that a session may ask about: one that it has started itself. */
  private named(household: Household, name: string, parent: AgentSession): Elf {
    const own = household.startedBy(household.ofSession(parent.id)?.name);
    const elf = household.find(name);
    if (elf !== undefined && own.includes(elf)) return elf;
    const names = own.map((each) => each.name).join(', ');
    throw new ToolInputError(`There is no agent “${name.slice(0, 50)}”. ${names === '' ? 'None was started.' : `There are: ${names}.`}`);
  }

  private async typeOf(elf: Elf): Promise<ElfType> {
    const { type } = elf.facts;
    const found = await this.deps.typeOf(type);
    if (found === undefined) throw new ToolInputError(`The agent “${type}” of ${elf.name} is not there any more, so it cannot go on.`);
    return found;
  }

  private async newHousehold(session: AgentSession): Promise<Household> {
    const { clock, clean, earlier, limits, limitsOf } = this.deps;
    const household = new Household(session, { elves: await earlier(session.id), limits: limitsOf(session) }, { limits, clock, clean });
    this.known.set(session, household);
    return household;
  }
}

interface OpenParts {
  readonly household: Household;
  readonly parent: AgentSession;
  readonly work?: Pick<ElfStart, 'model' | 'effort'>;
}

interface RunParts extends OpenParts {
  readonly work: ElfWork;
  /** The agent that is at work where it is told to work; absent: none, or the user tells it. */
  readonly teller?: AgentFile | undefined;
  /** Is called when the run has ended. */
  readonly ended: (came: Pick<ElfResult, 'state'>) => void;
}

/** Begins a run that waits for a place. @throws ToolInputError where one is under way */
function waiting(elf: Elf, { ended }: RunParts): AbortSignal {
  try {
    return elf.wait();
  } catch (error) {
    ended({ state: 'failed' });
    throw error;
  }
}

/** An agent that may do no more than each of some. */
function within(agents: readonly (AgentFile | undefined)[]): AgentFile | undefined {
  return agents.reduce((outer, inner) => (inner === undefined ? outer : agentWithin(inner, outer)), undefined);
}

/** Milliseconds that looking at a worktree may take. */
const LOOK_MS = 60_000;

/** What an elf is told that is to go on. */
const GO_ON = 'Go on where you were interrupted.';

function stopAll(household: Household, elf: Elf): void {
  elf.stop();
  for (const below of household.startedBy(elf.name)) stopAll(household, below);
}

/** What is shown of an event: the calls that run, and those that were denied. */
function lineOf(event: SessionEvent): string | undefined {
  if (event.type !== 'tool_call') return undefined;
  const { state } = event;
  if (state.status === 'running') return `${state.plan.tool} ${state.plan.subject}`;
  return state.status === 'denied' ? `denied: ${state.plan.tool} ${state.plan.subject}` : undefined;
}
