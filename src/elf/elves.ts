import { ToolInputError } from '../domain/errors.js';
import { t } from '../domain/l10n.js';
import { present } from '../domain/present.js';
import type { AgentSession } from '../engine/agent-session.js';
import type { Elf, ElfDeps, ElfFacts, ElfOrigin } from './elf.js';
import type { ElfMemory } from './elf-memory.js';
import { lastWordsIn } from './elf-result.js';
import { type BegunRun, ElfRuns, type ElfRunsDeps, type RunParts } from './elf-runs.js';
import { assertUnchanged, type ElfType } from './elf-types.js';
import { Household, type HouseholdDeps } from './household.js';
import type { StartOptions } from './orders.js';
import type { ElfLimitsStore } from './household-limits.js';

/** What an elf is told by the model of a session. */
export interface ElfMessage extends Pick<RunParts, 'background' | 'signal' | 'tell'> {
  /** Ids of the session that tells it, and of the call by which it does. */
  readonly session: string;
  readonly callId: string;
  /** All that the elf is told. */
  readonly prompt: string;
  /** What its type was when the user was asked, see {@link contentOf}: nothing else begins. */
  readonly content: string;
}

/** The work of an elf. */
export interface ElfWork extends ElfMessage, StartOptions {
  readonly type: ElfType;
  /** In a few words. */
  readonly task: string;
  /** Whether it is done in a worktree of its own. */
  readonly isolated?: boolean;
}

/** Services that elves work with. */
export interface ElvesDeps extends Omit<HouseholdDeps, 'keepOrder' | 'memory'>, ElfRunsDeps {
  /** A session that is open, by its id. */
  readonly find: (id: string) => AgentSession | undefined;
  /** Those that a session of the user, and those that work for it, have had in earlier times, in the order in which they were started. */
  readonly earlier: (session: string) => Promise<readonly ElfOrigin[]>;
  /** Where a session of the user stores what was answered about the limits of those that work for it. */
  readonly limitsOf: (session: AgentSession) => ElfLimitsStore;
  /** Where it stores what it remembers of them. */
  readonly memoryOf: (session: AgentSession) => ElfMemory;
  /** What was said last in the session of an elf that is not open. @throws Error when it cannot be read */
  readonly lastWords: (chat: string, session: string) => Promise<string>;
  /** See {@link ElfDeps}. @param session of the user */
  readonly keepOrder: (session: string, ...order: Parameters<ElfDeps['keepOrder']>) => Promise<void>;
}

/**
 * Elves: agents that work on parts of a task, each in a session of its own, with its own history and model. They are paid from the purse of the
 * session that they work for, ask through it, and do nothing that it may not.
 */
export class Elves {
  private readonly households = new WeakMap<AgentSession, Promise<Household>>();
  /** Those of them that are there by now. */
  private readonly known = new WeakMap<AgentSession, Household>();
  private readonly runs: ElfRuns;

  constructor(private readonly deps: ElvesDeps) {
    this.runs = new ElfRuns(deps);
  }

  /**
   * Has an elf do some work, as soon as there is a place for it. It is stored by then.
   * @throws ToolInputError for one that must not be started, with a sentence for the model
   */
  async start(work: ElfWork): Promise<BegunRun> {
    const { callId, type, task, background, isolated, prompt, model, effort, routing, content } = work;
    assertUnchanged(type, content);
    const parent = this.parentOf(work.session);
    const household = await this.of(parent);
    const ended = household.admit(type.name, prompt);
    const above = household.ofSession(parent.id);
    const elf = household.start({ callId, type: type.name, task, background, ...present({ parent: above?.name }) }, isolated);
    const order = { prompt, ...present({ model, effort, routing }) };
    const begun = this.runs.run(elf, { ...work, household, parent, order, ended, teller: parent.activeAgent });
    await elf.stored();
    return begun;
  }

  /**
   * Tells an elf something else. One that works gets it with its next request; one that has ended begins another run.
   * @throws ToolInputError for one that is not there, or must not begin, with a sentence for the model
   */
  async tell(name: string, work: ElfMessage): Promise<BegunRun | 'told'> {
    const parent = this.parentOf(work.session);
    const household = await this.of(parent);
    const elf = this.named(household, name, parent);
    const type = await this.runs.typeOf(elf);
    assertUnchanged(type, work.content);
    while (elf.isWorking) {
      // Who tells it what to do may be able to do less than who has started it.
      elf.toldAs(type, parent.activeAgent);
      if (elf.tell(work.callId, work.prompt)) {
        await elf.stored();
        return 'told';
      }
      if (elf.isUnbegun) throw new ToolInputError(`${elf.name} waits for its place. Tell it again when it works.`);
      // It takes no more, as it is about to end.
      await household.until(() => !elf.isWorking, work.signal);
      work.signal.throwIfAborted();
    }
    const ended = household.admit(type.name, `${elf.name}\n${work.prompt}`);
    const order = { prompt: work.prompt };
    const begun = this.runs.run(elf, { ...work, household, parent, type, order, ended, teller: parent.activeAgent });
    await elf.stored();
    return begun;
  }

  /**
   * An elf of a session, by its name.
   * @throws ToolInputError naming those that there are
   */
  async find(session: string, name: string): Promise<Elf> {
    const parent = this.parentOf(session);
    return this.named(await this.of(parent), name, parent);
  }

  /** What an elf is by now. @throws ToolInputError where nothing has that name now */
  typeOf(elf: Elf): Promise<ElfType> {
    return this.runs.typeOf(elf);
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

  /** What an elf said last that has ended before its chat was opened; empty for nothing. @throws Error when that cannot be read */
  async lastWords(session: string, elf: Elf): Promise<string> {
    if (elf.session !== undefined) return lastWordsIn(elf.session.messages);
    const id = elf.sessionId;
    return id === undefined ? '' : this.deps.lastWords(this.chatOf(this.parentOf(session)).id, id);
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

  /**
   * Waits until one of some elves has ended, the time is over, or the signal is aborted. The place of who waits is for others meanwhile.
   * @param signal that of the turn that waits
   */
  async ended(session: string, elves: readonly Elf[], signal: AbortSignal, timeoutMs: number): Promise<void> {
    const parent = this.parentOf(session);
    const household = await this.of(parent);
    const long = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    await household.without(household.ofSession(parent.id)?.name, () => household.until(() => elves.some(({ isWorking }) => !isWorking), long), signal);
  }

  /** The elves of a session of the user, and of all that work for it. */
  of(session: AgentSession): Promise<Household> {
    const chat = this.chatOf(session);
    const household = this.households.get(chat) ?? this.newHousehold(chat);
    this.households.set(chat, household);
    return household;
  }

  /** The session of the user that one works for in the end. */
  chatOf(session: AgentSession): AgentSession {
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
      const held = await elf.hold(() => this.runs.open(elf, { household, parent: above?.session ?? session }));
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
    if (elf === undefined) return;
    const above = elf.parent === undefined ? undefined : await this.hold(session, elf.parent);
    try {
      const type = await this.runs.typeOf(elf);
      // It works already, also where the user has asked for it twice.
      if (elf.isWorking) return await above?.release();
      const ended = household.admit(type.name, `${elf.name}\n${GO_ON}\n${elf.facts.runs.length}`);
      // One that has not begun knows of nothing where it could go on.
      const order = elf.isUnbegun ? {} : { prompt: GO_ON };
      const alone = { background: true, signal: new AbortController().signal, tell: () => undefined };
      const { result } = this.runs.run(elf, { ...alone, household, parent: above?.session ?? session, type, order, ended });
      result.then(() => above?.release()).catch((error: unknown) => this.deps.log.error('The session of an agent could not be closed', error));
    } catch (error) {
      await above?.release();
      throw error;
    }
  }

  /** Looks whether what was applied of the worktrees of a session of the user still is. Does not reject. */
  async lookAgain(session: AgentSession): Promise<void> {
    const household = this.known.get(this.chatOf(session));
    // One after the other: each has Git read files.
    for (const { name } of household?.facts ?? []) await household?.find(name)?.lookAgain();
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

  private async newHousehold(session: AgentSession): Promise<Household> {
    const { clock, clean, earlier, limits, limitsOf, memoryOf, keepOrder, worktrees, log } = this.deps;
    const { id } = session;
    const keep = {
      ...{ limits, clock, clean, worktrees, log },
      memory: memoryOf(session),
      keepOrder: (...order: Parameters<ElfDeps['keepOrder']>) => keepOrder(id, ...order),
    };
    const household = new Household(session, { elves: await earlier(id), limits: limitsOf(session) }, keep);
    this.known.set(session, household);
    return household;
  }
}

/** What an elf is told that is to go on. */
const GO_ON = 'Go on where you were interrupted.';

function stopAll(household: Household, elf: Elf): void {
  elf.stop();
  for (const below of household.startedBy(elf.name)) stopAll(household, below);
}
