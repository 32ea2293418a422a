import { present } from '../../domain/present.js';
import type { Agents } from '../../customization/agents.js';
import { errorMessage } from '../../domain/errors.js';
import { CHAT, type ChosenModel, type SessionFactory, type SessionStart } from '../../agent-host/session-factory.js';
import { t } from '../../domain/l10n.js';
import type { Log } from '../../domain/log.js';
import type { PermissionMode } from '../../domain/tool/permission.js';
import type { AgentSession } from '../../engine/agent-session.js';
import type { OpenOptions, OpenSession, SessionStore, SessionSummary } from '../../domain/session/session-store.js';
import { notTakenOver } from '../../consent/accepted-edits.js';
import type { ShortPath } from '../projection/call-topic.js';
import type { AgentFile } from '../../domain/config/agent.js';
import { Conversation, OpenQuestions } from './conversation.js';
import { AUTO, readChoice } from '../../domain/model/model-choice.js';

/** Options of a new session; defaults are the user’s settings. */
export interface SessionWish {
  /** `provider/model`. */
  readonly model?: string | undefined;
  readonly mode?: PermissionMode;
  /** Whether it takes the place of a chat that the user cleared. */
  readonly clears?: true;
}

/** The session of an agent that works for a chat, open for as long as it is not released. */
export interface HeldElf {
  readonly session: AgentSession;
  readonly title: string;
  readonly release: () => Promise<void>;
}

/** Keeps track of a conversation from the moment it is opened. Returns what is called when it is closed. */
export type Follower = (conversation: Conversation) => () => void;

/** Services that open conversations: stored sessions, the session factory, and the models, agents, and modes for new ones. */
export interface ConversationDeps {
  readonly store: SessionStore;
  readonly log: Log;
  /** Makes the sessions. */
  readonly factory: Pick<SessionFactory, 'open' | 'systemPrompt' | 'instructions'>;
  /** The model named by a session, else the one for new sessions. */
  readonly chooseModel: (key: string | undefined) => Promise<ChosenModel>;
  readonly defaultMode: () => PermissionMode;
  /** The agent of a name, if there is one. Does not reject. */
  readonly agentOf?: (name: string) => Promise<AgentFile | undefined>;
  /** The mode that a session may start with, given the one that a setting or a stored session names. */
  readonly startingMode: (mode: PermissionMode) => PermissionMode;
  /** The mode that a stored session continues in. @param stored what is stored of it @param id the session, or the one that it was branched off from */
  readonly resumedMode: (id: string, stored: string | undefined) => PermissionMode;
  /** Shortens displayed paths. Default: unchanged. */
  readonly short?: ShortPath;
  /** Keeps track of a conversation that was started as the user has it, beside the others that do so. */
  readonly onCreated?: Follower;
  /** The chat that a session works for, which is none of a user, and what opens that beside it; absent: there are none such. */
  readonly elves?: {
    /** Id of the chat; `undefined` for a session of the user. */
    readonly chatOf: (id: string) => Promise<string | undefined>;
    readonly hold: (chat: AgentSession, id: string) => Promise<HeldElf>;
  };
  /** Takes over what is kept of the first messages of a session beside its file, for a branch of it. */
  readonly branched: (from: string, to: string, count: number) => Promise<void>;
}

/** Keeps the agent of a conversation as its file has it, and says so when it is gone: the chat goes on without it. */
export function followAgents(conversation: Conversation, agents: Agents): () => void {
  return agents.onDidChange(() => {
    const { agent } = conversation.session;
    if (agent === undefined) return;
    const now = agents.find(agent.name);
    if (now === undefined) conversation.notify({ level: 'warning', text: agentGone(agent.name), actions: [] });
    else if (now.origin.file !== agent.origin.file)
      conversation.notify({ level: 'warning', text: t('The agent “{0}” now comes from {1}.', agent.name, now.origin.display), actions: [] });
    if (JSON.stringify(now) !== JSON.stringify(agent)) conversation.setAgent(now);
  });
}

/** Warning for an agent whose file is gone. */
function agentGone(name: string): string {
  return t('The agent “{0}” is not available anymore. The chat continues without it.', name);
}

/** The conversations that are open. One that is left while it runs continues; one that is left idle is closed. */
export class Conversations {
  private readonly open = new Map<string, Conversation>();
  private readonly opening = new Map<string, Promise<Conversation>>();
  private readonly ending = new Map<string, Promise<void>>();
  private readonly followers: Follower[] = [];
  private readonly unfollow = new WeakMap<Conversation, readonly (() => void)[]>();
  /** Listeners to notify when a conversation that is held is closed nevertheless. */
  private readonly holders = new WeakMap<Conversation, () => void>();
  /** Those that the user cleared, until they are closed. */
  private readonly cleared = new WeakSet<Conversation>();

  constructor(private readonly deps: ConversationDeps) {}

  /** Has every conversation that is opened from now on followed. */
  addFollower(follower: Follower): void {
    this.followers.push(follower);
  }

  /** Starts an empty conversation. Nothing is on disk before its first message. */
  async create(shape = CHAT, wish: SessionWish = {}): Promise<Conversation> {
    const { store, factory, chooseModel, defaultMode } = this.deps;
    const [instructions, chosen] = await Promise.all([factory.instructions(), chooseModel(wish.model)]);
    const open = await store.create(factory.systemPrompt(instructions));
    const conversation = this.add({ ...chosen, open, instructions, mode: wish.mode ?? defaultMode(), shape, ...present({ clears: wish.clears }) });
    const { onCreated } = this.deps;
    const isUsual = shape === CHAT && wish.model === undefined && wish.mode === undefined;
    if (isUsual && onCreated !== undefined) this.unfollow.set(conversation, [...(this.unfollow.get(conversation) ?? []), onCreated(conversation)]);
    return conversation;
  }

  /** Starts an empty conversation in place of one that the user clears; hooks run for both. */
  async clear(conversation: Conversation): Promise<Conversation> {
    const next = await this.create(CHAT, { clears: true });
    this.cleared.add(conversation);
    return next;
  }

  /**
   * Opens a stored conversation, or returns it when it is open already.
   * @throws InvalidDataError when it cannot be read, SessionBusyError when another window has it open.
   */
  async get(id: string): Promise<Conversation> {
    const known = this.open.get(id);
    if (known === undefined) return this.once(id, {});
    // Cleared while it worked, and wanted again.
    this.cleared.delete(known);
    return known;
  }

  /**
   * Opens a stored conversation, and asks another window that has it open to release it.
   * @throws SessionBusyError when that window is at work on it.
   */
  async takeOver(id: string): Promise<Conversation> {
    return this.open.get(id) ?? this.once(id, { takeOver: true });
  }

  /**
   * Starts a conversation with the first messages of another one, which stays as it is.
   * @param count how many messages it begins with.
   */
  async branch(id: string, count: number): Promise<Conversation> {
    const conversation = await this.adopt(await this.deps.store.branch(id, count), id);
    await this.deps.branched(id, conversation.id, Math.min(count, conversation.session.messages.length));
    return conversation;
  }

  /** Starts a conversation with all that is stored of another one, which may be open in another window. */
  fork(id: string): Promise<Conversation> {
    return this.branch(id, Number.MAX_SAFE_INTEGER);
  }

  /** A conversation that is open in this window. */
  find(id: string): Conversation | undefined {
    return this.open.get(id);
  }

  /**
   * Keeps a conversation open while no place shows it.
   * @param ended is called when it goes away nevertheless: it is deleted, another window has it, or this one is closed.
   * @returns what gives it free.
   */
  hold(conversation: Conversation, ended: () => void): () => void {
    this.holders.set(conversation, ended);
    return () => this.holders.delete(conversation);
  }

  /** Stops and releases a conversation that is open here. */
  async release(id: string): Promise<void> {
    const known = this.open.get(id);
    this.open.delete(id);
    if (known !== undefined) await this.end(known);
  }

  /** All stored conversations, newest first. */
  list(): Promise<readonly SessionSummary[]> {
    return this.deps.store.list();
  }

  /**
   * Releases a conversation that is not shown any more; one that is at work, when its turn has ended.
   * @param isShown whether it is shown again by then
   */
  async leave(conversation: Conversation, isShown: (conversation: Conversation) => boolean): Promise<void> {
    const { chat } = conversation;
    // An agent goes on without being shown.
    if (conversation.busy && chat === undefined) await conversation.untilIdle();
    const isHeld = this.holders.has(conversation) || [...this.open.values()].some((each) => each.chat === conversation);
    if (isHeld || isShown(conversation) || this.open.get(conversation.id) !== conversation) return;
    this.open.delete(conversation.id);
    await this.end(conversation);
    if (chat !== undefined) await this.leave(chat, isShown);
  }

  /** Stops and saves all. */
  async close(): Promise<void> {
    const all = [...this.open.values()];
    this.open.clear();
    // Those that were left a moment ago are being saved, too.
    await Promise.all([...this.ending.values(), ...all.map((conversation) => this.end(conversation))]);
  }

  /** The session's own model, or the one for new sessions and why. */
  private async modelOf(open: OpenSession): Promise<readonly [ChosenModel, readonly string[]]> {
    try {
      const { model, modelChoice } = open.meta;
      const chosen = await this.deps.chooseModel(model);
      return [modelChoice === undefined ? chosen : { ...chosen, choice: readChoice(modelChoice) }, []];
    } catch (error) {
      // Whoever has Auto has it still.
      return [await this.deps.chooseModel(open.meta.modelChoice === AUTO ? AUTO : undefined), [errorMessage(error)]];
    }
  }

  /** The session's agent, or that it is not there any more. */
  private async agentOf({ meta: { agent: name } }: OpenSession): Promise<readonly [AgentFile | undefined, readonly string[]]> {
    if (name === undefined) return [undefined, []];
    const agent = await this.deps.agentOf?.(name);
    return [agent, agent === undefined ? [agentGone(name)] : []];
  }

  /** Several places may ask for a session at once. */
  private once(id: string, options: OpenOptions): Promise<Conversation> {
    const opening = this.opening.get(id) ?? this.openStored(id, options).finally(() => this.opening.delete(id));
    this.opening.set(id, opening);
    return opening;
  }

  private async openStored(id: string, options: OpenOptions): Promise<Conversation> {
    // It may just be closing. What went wrong then was reported there.
    await this.ending.get(id)?.catch(() => undefined);
    const chat = await this.deps.elves?.chatOf(id);
    if (chat !== undefined) return this.openElf(id, await this.get(chat));
    return this.adopt(await this.deps.store.open(id, options));
  }

  /** Opens the session of an agent beside the chat that it works for. */
  private async openElf(id: string, chat: Conversation): Promise<Conversation> {
    const { elves, short } = this.deps;
    if (elves === undefined) throw new Error(t('This agent cannot be opened here.'));
    const { session, title, release } = await elves.hold(chat.session, id);
    const conversation = new Conversation(session, { title }, { questions: new OpenQuestions(), ofChat: false, of: { chat, release }, ...present({ short }) });
    this.open.set(conversation.id, conversation);
    conversation.notify({ level: 'info', text: t('This agent works on a part of “{0}”. It can do no more than that chat.', chat.title), actions: [] });
    return conversation;
  }

  /** Another window continues with a conversation. */
  private releaseTaken(conversation: Conversation): void {
    if (this.open.get(conversation.id) === conversation) this.open.delete(conversation.id);
    conversation.show({ elsewhere: true });
    this.end(conversation).catch((error: unknown) => this.deps.log.warn(`A session that another window has did not close: ${errorMessage(error)}`));
  }

  private end(conversation: Conversation): Promise<void> {
    const { id } = conversation;
    const ending = this.stop(conversation).finally(() => this.ending.delete(id));
    this.ending.set(id, ending);
    return ending;
  }

  /** Stops and saves a conversation. */
  private async stop(conversation: Conversation): Promise<void> {
    for (const unfollow of this.unfollow.get(conversation) ?? []) unfollow();
    // Its agents are closed with it: they are opened anew when it is.
    for (const each of [...this.open.values()]) if (each.chat === conversation) this.open.delete(each.id);
    this.holders.get(conversation)?.();
    await conversation.close(this.cleared.has(conversation) ? 'clear' : 'other');
  }

  /** Makes a conversation of a session that was opened. @param modeOf the session whose mode it takes over */
  private async adopt(open: OpenSession, modeOf = open.session.id): Promise<Conversation> {
    const [[chosen, problem], instructions, [agent, gone]] = await Promise.all([this.modelOf(open), this.deps.factory.instructions(), this.agentOf(open)]);
    const mode = this.deps.resumedMode(modeOf, open.meta.mode);
    const conversation = this.add({ ...chosen, open, instructions, mode, agent });
    for (const text of [...open.warnings, ...problem, ...gone, ...notTakenOver(open.meta.mode, conversation.session.mode)])
      conversation.notify({ level: 'warning', text, actions: ['show_log'] });
    this.findParent(conversation, open);
    return conversation;
  }

  private findParent(conversation: Conversation, { meta }: OpenSession): void {
    if (meta.parent === undefined) return;
    const told = tellOfParent(conversation, meta.parent.id, () => this.list());
    told.catch((error: unknown) => this.deps.log.warn(`It could not be found out where a session was branched off: ${errorMessage(error)}`));
  }

  private add(start: Omit<SessionStart, 'questions'>): Conversation {
    const questions = new OpenQuestions();
    const mode = this.deps.startingMode(start.mode);
    const session = this.deps.factory.open({ ...start, mode, questions });
    const conversation = new Conversation(session, start.open.meta, {
      questions,
      ofChat: start.shape === undefined || start.shape === CHAT,
      ...present({ short: this.deps.short }),
    });
    this.open.set(conversation.id, conversation);
    this.unfollow.set(
      conversation,
      this.followers.map((follow) => follow(conversation)),
    );
    this.deps.store.share(conversation.id, { isIdle: () => !conversation.busy, onTakenOver: () => this.releaseTaken(conversation) });
    return conversation;
  }
}

/** Says in a branch which conversation it left, where that is still there. */
async function tellOfParent(conversation: Conversation, id: string, list: () => Promise<readonly SessionSummary[]>): Promise<void> {
  const parent = (await list()).find((session) => session.id === id);
  if (parent !== undefined) conversation.show({ parent: { id, title: parent.title } });
}
