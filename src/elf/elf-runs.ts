import type { AgentFile } from '../domain/config/agent.js';
import { AbortError, errorMessage, isAbortError, ToolInputError } from '../domain/errors.js';
import { t } from '../domain/l10n.js';
import type { Log } from '../domain/log.js';
import type { Purse } from '../domain/model/purse.js';
import { present } from '../domain/present.js';
import type { AgentSession } from '../engine/agent-session.js';
import { agentWithin } from '../engine/agents/narrow.js';
import type { SessionEvent } from '../engine/events.js';
import type { Elf } from './elf.js';
import { type ElfCosts, noteCost } from './elf-costs.js';
import type { ElfResult } from './elf-result.js';
import { contentOf, type ElfType } from './elf-types.js';
import type { OpenElf } from './held-session.js';
import type { Household } from './household.js';
import type { NewOrder, StartOptions } from './orders.js';

/** What the session of an elf is opened with. */
export interface ElfStart extends StartOptions {
  /** The call that it was started by. */
  readonly callId: string;
  readonly task: string;
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

/** Services that elves are opened and run with. */
export interface ElfRunsDeps {
  /** Opens the session of an elf, with no more rights than its parent has. */
  readonly open: (start: ElfStart) => Promise<Omit<OpenElf, 'closed' | 'limit'>>;
  readonly log: Log;
  /** What elves have cost, in all chats of the workspace. */
  readonly costs: ElfCosts;
  /** What an elf can be, by its name; `undefined` where there is none such. */
  readonly typeOf: (name: string) => Promise<ElfType | undefined>;
}

/** A run of an elf that has begun, or waits for a place. */
export interface BegunRun {
  readonly elf: Elf;
  /** Does not reject. */
  readonly result: Promise<ElfResult>;
}

/** Those that an elf is opened for. */
export interface OpenParts {
  readonly household: Household;
  readonly parent: AgentSession;
}

/** What a run is about, and for whom it is. */
export interface RunParts extends OpenParts {
  readonly type: ElfType;
  readonly order: NewOrder;
  /** Whether who gives it away does not wait for it. */
  readonly background: boolean;
  /** That of the turn in which it was given away. */
  readonly signal: AbortSignal;
  /** Takes what it does, in lines, for the user. */
  readonly tell: (line: string) => void;
  /** The agent that is at work where it is told to work; absent: none, or the user tells it. */
  readonly teller?: AgentFile | undefined;
  /** Is called when the run has ended. */
  readonly ended: (came: Pick<ElfResult, 'state'>) => void;
}

/** Opens the sessions of elves, and has them work there, within what those may do that they work for. */
export class ElfRuns {
  constructor(private readonly deps: ElfRunsDeps) {}

  /** What an elf is by now. @throws ToolInputError where nothing has that name now */
  async typeOf(elf: Elf): Promise<ElfType> {
    const { type } = elf.facts;
    const found = await this.deps.typeOf(type);
    if (found === undefined) throw new ToolInputError(t('The agent “{0}” of {1} is not there any more, so it cannot go on.', type, elf.name));
    return found;
  }

  /** Opens the session of an elf. */
  async open(elf: Elf, { household, parent }: OpenParts, signal = new AbortController().signal): Promise<OpenElf> {
    const { callId, task, session, worktree } = elf.facts;
    const type = await this.typeOf(elf);
    const purse = elf.parent === undefined ? household.purse : undefined;
    const open = await this.deps.open({ chat: household.chat.id, parent, callId, task, type, signal, ...elf.wanted, ...present({ session, purse, worktree }) });
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

  /** Begins a run as soon as there is a place for it. Who has started it in the background stays open until it has ended, and so do all above. */
  run(elf: Elf, parts: RunParts): BegunRun {
    const { household, parent, background, signal, type } = parts;
    const above = household.ofSession(parent.id);
    const stopped = waiting(elf, parts);
    const stop = (): void => (parent.closed || household.chat.closed ? elf.interrupt() : elf.stop());
    if (!background) signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    if (household.queued > 0) parts.tell('Waits for one of the other agents to end.');
    // It has ended before who waits for it has a place again.
    const place = (): Promise<ElfResult> => household.place(elf, () => this.work(elf, parts, stopped), stopped).catch((error: unknown) => elf.endRun(error));
    const kept = background ? allAbove(household, above).map((each) => each.hold(() => Promise.reject(new AbortError()))) : [];
    const run = async (): Promise<ElfResult> => {
      if (!background) return household.without(above?.name, place, signal);
      await Promise.all(kept);
      return place();
    };
    elf.toldAs(type, parts.teller);
    const result = run()
      .catch((error: unknown) => elf.endRun(error))
      .finally(() => signal.removeEventListener('abort', stop))
      .then(async (came) => {
        parts.ended(came);
        // Who it works for is not closed before all of it is stored, and does not wait for work that has come to something.
        await noteCost(this.deps.costs, elf.facts, came);
        return came;
      });
    parent.expect({ stop: () => elf.interrupt(), ended: result });
    // Who has started it can only be closed when it has ended, so it is the chat that waits for that.
    if (kept.length > 0) household.chat.expect({ stop: () => elf.interrupt(), ended: result.then(() => this.release(kept)) });
    return { elf, result };
  }

  /** Does not reject. @param kept sessions below before those that they work for */
  private async release(kept: readonly ReturnType<Elf['hold']>[]): Promise<void> {
    for (const each of kept) {
      try {
        await (await each).release();
      } catch (error) {
        if (!isAbortError(error)) this.deps.log.error('The session of an agent could not be closed', error);
      }
    }
  }

  private async work(elf: Elf, { tell, ...parts }: RunParts, stopped: AbortSignal): Promise<ElfResult> {
    const { session, release } = await elf.hold(() => this.open(elf, parts, stopped));
    const forget = session.onEvent((event) => {
      const line = lineOf(event);
      if (line !== undefined) tell(line);
    });
    try {
      // Its file can have changed while it waited for its place: it works as what was allowed.
      if (contentOf(await this.typeOf(elf)) !== contentOf(parts.type)) elf.toldAs(parts.type, undefined);
      if (stopped.aborted) throw new AbortError();
      await elf.prepare(stopped, tell);
      return await elf.withChanged(await elf.begin(session, stopped));
    } finally {
      forget();
      // What it has said is there all the same.
      await release().catch((error: unknown) => tell(`It could not be stored: ${errorMessage(error)}`));
    }
  }
}

/** An elf and those that it works for, without the chat: each closes what works for it when it is closed. */
function allAbove(household: Household, elf: Elf | undefined): readonly Elf[] {
  if (elf === undefined) return [];
  return [elf, ...allAbove(household, elf.parent === undefined ? undefined : household.find(elf.parent))];
}

/** Takes a run that waits for a place. @throws ToolInputError where one is under way */
function waiting(elf: Elf, { order, ended }: RunParts): AbortSignal {
  try {
    return elf.wait(order);
  } catch (error) {
    ended({ state: 'failed' });
    throw error;
  }
}

/** An agent that may do no more than each of some. */
function within(agents: readonly (AgentFile | undefined)[]): AgentFile | undefined {
  return agents.reduce((outer, inner) => (inner === undefined ? outer : agentWithin(inner, outer)), undefined);
}

/** What is shown of an event: the calls that run, and those that were denied. */
function lineOf(event: SessionEvent): string | undefined {
  if (event.type !== 'tool_call') return undefined;
  const { state } = event;
  if (state.status === 'running') return `${state.plan.tool} ${state.plan.subject}`;
  return state.status === 'denied' ? `denied: ${state.plan.tool} ${state.plan.subject}` : undefined;
}
