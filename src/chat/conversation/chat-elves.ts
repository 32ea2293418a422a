import { ToolInputError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { AgentHost } from '../../agent-host/agent-host.js';
import type { ElfLimit } from '../../domain/session/elf.js';
import type { Elf, ElfFacts } from '../../elf/elf.js';
import type { Elves } from '../../elf/elves.js';
import { stateOf } from '../projection/elf-view.js';
import { problemWords } from '../projection/failure-labels.js';
import type { Conversation } from './conversation.js';

/** Whether an agent has no conversation yet, or has ended before it had one, as where its set-up failed: nothing of it is stored then. */
function hasSaidNothing({ session, facts: { runs } }: Elf): boolean {
  if (session !== undefined) return session.messages.length === 0;
  return runs.every(({ state, rounds }) => (state === 'failed' || state === 'cancelled') && rounds === 0);
}

/** Why there is no conversation of an agent to show. */
function whyUnbegun(facts: ElfFacts): string {
  const { state, problem } = facts.runs.at(-1) ?? {};
  if (state === 'failed' && problem !== undefined) return problem;
  if (state === 'failed' || state === 'cancelled') return t('This agent ended before it began.');
  if (facts.interrupted) return t('This agent was interrupted before it began. Continue it to have it work.');
  if (facts.position !== undefined) return t('This agent waits for its turn. Open it again once it works.');
  return t('This agent is about to start. Open it again once it works.');
}

/** What a model is told about a refusal is another sentence than that for the user. @throws always */
function rethrowForUser(error: unknown): never {
  const words = error instanceof ToolInputError ? problemWords(error.outcome, (path) => path) : undefined;
  throw words === undefined ? error : new Error(words, { cause: error });
}

/** Shows things about agents in editor tabs. */
export interface ElfTabs {
  /** Shows the conversation of a session. */
  readonly openSession: (id: string) => void;
  /** Shows a text that is only read. */
  readonly showText: (title: string, text: string) => Promise<void>;
}

/** What the user can do with the agents of a chat. */
export class ChatElves {
  constructor(
    private readonly elves: Pick<Elves, 'of' | 'stop' | 'goOn'>,
    private readonly tabs: ElfTabs,
    private readonly applyChanges: AgentHost['applyChanges'],
  ) {}

  /** Shows what an agent says and does; of one that has no conversation, why. */
  async open(chat: Conversation, name: string): Promise<void> {
    const household = await this.elves.of(chat.session);
    const elf = household.find(name);
    const facts = household.facts.find((each) => each.name === elf?.name);
    if (elf === undefined || facts === undefined) return;
    if (elf.sessionId !== undefined && !hasSaidNothing(elf)) this.tabs.openSession(elf.sessionId);
    else await this.tabs.showText(`${facts.type}: ${facts.task}`, whyUnbegun(facts));
  }

  /** Stops an agent, and those that it has started. @param name absent: all of the chat */
  stop(chat: Conversation, name?: string): Promise<void> {
    if (name === undefined) chat.wantedElves.clear();
    else chat.wantedElves.delete(name);
    return this.elves.stop(chat.session, name);
  }

  /** Writes what one has changed in its worktree into the files of the user, who is shown it first. @throws Error with a sentence for the user */
  apply(chat: Conversation, name: string): Promise<void> {
    return this.applyChanges(chat.session, { elf: name });
  }

  /**
   * Has one go on that was interrupted, stopped, or has failed. Where a limit keeps it from that, the user is asked whether to raise it, and it goes on then.
   * @throws Error with a sentence for the user where it cannot for something else
   */
  async goOn(chat: Conversation, name: string): Promise<void> {
    const household = await this.elves.of(chat.session);
    // Noted before the limit is looked at, which has the card shown anew.
    chat.wantedElves.add(name);
    if (household.refuses('user') !== undefined) return;
    chat.wantedElves.delete(name);
    await this.elves.goOn(chat.session, name).catch(rethrowForUser);
  }

  /**
   * Has all go on that were interrupted or have failed, but for those whose parent goes on and does with them what it wants.
   * @throws Error with a sentence for the user where one cannot
   */
  async goOnAll(chat: Conversation): Promise<void> {
    const household = await this.elves.of(chat.session);
    const left = household.facts.filter((facts) => ['interrupted', 'failed'].includes(stateOf(facts)));
    const names = new Set(left.map(({ name }) => name));
    const first = left.filter(({ background, parent }) => background || parent === undefined || !names.has(parent));
    const problems: unknown[] = [];
    for (const { name } of first) await this.goOn(chat, name).catch((error: unknown) => problems.push(error));
    if (problems.length > 0) throw problems[0];
  }

  /**
   * Raises a limit of the agents of a chat, for this chat alone, and has those go on that it has stopped, and those that the user wanted to go on.
   * @throws Error with a sentence for the user where something else is offered by now, or where one cannot go on
   */
  async raise(chat: Conversation, limit: ElfLimit, to: number): Promise<void> {
    const household = await this.elves.of(chat.session);
    const problems: unknown[] = [];
    const stopped = household.raise(limit, to).map(({ name }) => name);
    // What the user has asked for comes first where not all find room.
    const wanted = [...chat.wantedElves];
    for (const name of wanted) await this.goOn(chat, name).catch((error: unknown) => problems.push(error));
    for (const name of stopped) {
      if (wanted.includes(name)) continue;
      // Those that another limit keeps from going on are counted as refused, so that it is offered to be raised, too.
      if (household.refuses() !== undefined) continue;
      await this.elves.goOn(chat.session, name).catch((error: unknown) => problems.push(error));
    }
    if (problems.length > 0) rethrowForUser(problems[0]);
  }

  /** Stops all agents of a chat that has reached a limit of theirs, which is not offered to be raised until it is reached again. */
  async stopAtLimit(chat: Conversation): Promise<void> {
    await this.elves.stop(chat.session);
    await this.dismissLimit(chat);
  }

  /** Leaves a limit and all agents of a chat as they are: it is not offered to be raised until it is reached again. */
  async dismissLimit(chat: Conversation): Promise<void> {
    const household = await this.elves.of(chat.session);
    chat.wantedElves.clear();
    household.noteAnswered();
  }
}
