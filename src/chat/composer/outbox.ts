import { namesOfAttached, withWords } from '../../domain/session/attached.js';
import { blockedWords } from '../../engine/hooks/blocked-turn.js';
import type { HookBlock } from '../../domain/hook/outcome.js';
import type { ColdCache } from '../../domain/session/context.js';
import { BlockedByHookError, errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { ViewQueue } from '../../protocol/view-state.js';
import type { ScriptedText } from '../../domain/session/scripted-text.js';
import type { TurnOptions } from '../../engine/turn/turn-scope.js';
import type { UserContent } from '../../domain/model/content.js';
import type { ChosenModels, ProposedModel, TaskWish } from '../../domain/model/router.js';
import { present } from '../../domain/present.js';
import type { ResolveMentions, ResolveOptions } from '../../mentions/mention-deps.js';
import type { Conversation } from '../conversation/conversation.js';
import type { MessageOptions } from '../../slash/message-options.js';

/** Characters of a waiting message that are shown. */
const SHOWN = 2_000;

/** End of a turn, which decides whether queued messages are sent. */
export type TurnEnding = 'well' | 'stopped' | 'badly';

/** The session that queued messages are sent to, and what resolves their mentions and options. */
export interface OutboxDeps {
  readonly conversation: Pick<Conversation, 'running' | 'send' | 'expectMore'> & {
    readonly session: Pick<Conversation['session'], 'steer' | 'unsteer' | 'coldCache'> & {
      readonly auto: Pick<ChosenModels, 'isOn' | 'waits' | 'propose' | 'holds'>;
    };
  };
  /** Resolves the mentions in a text. */
  readonly resolve: ResolveMentions;
  /** Resolves the turn options of a message. Does not reject. Default: no options. */
  readonly optionsFor?: (wishes: MessageOptions) => Promise<TurnOptions>;
  /** Called after every change of the queue. */
  readonly changed: () => void;
}

/**
 * Sends the messages of one conversation, one at a time. What is said while a turn runs waits; each end of a turn that went
 * well sends the next. After a stop or a failure they wait until the user says so. A message that is to be sent now goes with
 * the next round of the turn that runs. A message leaves the queue only when it is recorded in the conversation, or when the
 * user takes it out.
 */
export class Outbox {
  private readonly queue = new MessageQueue();
  /** Why nothing goes out on its own; empty while it does. */
  private held = '';
  /** Id of the message that is being sent to the conversation. */
  private onItsWay: string | undefined;
  /** Ids of messages that are to go with the turn that runs, in their order; `true` once the session has them. */
  private readonly urgent = new Map<string, boolean>();
  private steering = false;

  constructor(private readonly deps: OutboxDeps) {}

  get messages(): readonly QueuedMessage[] {
    return this.queue.messages;
  }

  /** Extra cost of a message that is sent now, if the provider's cache has expired; `undefined` if not, or if it would be queued. */
  get coldCache(): ColdCache | undefined {
    return this.isFree ? this.deps.conversation.session.coldCache : undefined;
  }

  /** Whether a message goes out at once. */
  private get isFree(): boolean {
    return this.onItsWay === undefined && !this.deps.conversation.running;
  }

  /** The model that a message would get if it were sent now; `undefined` where it would wait, or none is chosen for it. */
  async proposal(message: QueuedMessage, wish: TaskWish, options: ResolveOptions): Promise<ProposedModel | undefined> {
    const isFree = (): boolean => this.isFree && this.deps.conversation.session.auto.isOn();
    if (!isFree()) return undefined;
    const proposed = await this.propose(await this.contentOf(message, options), wish, options);
    return isFree() ? proposed : undefined;
  }

  /** Puts back what waited when the window was closed. */
  restore(messages: readonly QueuedMessage[]): void {
    if (messages.length === 0) return;
    this.queue.add(...messages);
    this.held = t('VS Code was closed before these messages were sent.');
    this.changed();
  }

  /**
   * Sends a message, or lets it wait while a turn runs. Resolves when it is recorded or waits.
   * @param now whether it is to go with the turn that runs.
   * @param options stop it while what it mentions is looked up, and tell of that
   * @throws Error when it was not taken; OutdatedModelError when the model that was proposed for it can no longer be used.
   */
  async submit(message: QueuedMessage, now = false, options: ResolveOptions = {}): Promise<void> {
    if (this.isFree) return this.submitFirst(message, options);
    if (message.proposed !== undefined) throw new OutdatedModelError();
    this.queue.add(message);
    this.held = '';
    if (now) this.sendNow(message.id);
    else this.changed();
  }

  private async submitFirst(message: QueuedMessage, options: ResolveOptions): Promise<void> {
    try {
      await this.handOver(message, options);
    } catch (error) {
      // What came behind it is not to wait for nothing.
      this.urgent.clear();
      void this.next();
      throw error;
    }
  }

  /** To be called when a turn or a summary has ended. */
  ended(how: TurnEnding): void {
    this.urgent.clear();
    if (how === 'well') {
      this.changed();
      void this.next();
      return;
    }
    if (this.queue.messages.length === 0) return;
    this.held = how === 'stopped' ? t('Paused because you stopped the turn.') : t('Paused because the last turn did not complete.');
    this.changed();
  }

  /** Sends a waiting message as soon as may be: with the next round of the turn that runs, or before all others. */
  sendNow(id: string): void {
    if (this.onItsWay === id || this.urgent.has(id) || !this.queue.hurry(id, this.urgent.size + (this.onItsWay === this.queue.first?.id ? 1 : 0))) return;
    this.held = '';
    if (this.onItsWay !== undefined || this.deps.conversation.running) this.urgent.set(id, false);
    this.changed();
    if (this.deps.conversation.running) void this.steer();
    else void this.next();
  }

  /** To be called when a message is recorded in the turn that runs. */
  recorded(id: string): void {
    this.urgent.delete(id);
    this.queue.take(id);
    this.changed();
  }

  /** To be called when a hook did not let a message go with the turn: it waits for the user's decision. */
  blocked(id: string, block: HookBlock): void {
    this.urgent.delete(id);
    this.held = blockedWords(block);
    this.changed();
  }

  /** Moves a waiting message; those that go with the turn stay in front. */
  move(id: string, to: 'up' | 'down'): void {
    this.queue.move(id, to, this.urgent.size);
    this.changed();
  }

  /** Removes a waiting message; `undefined` when it is being sent or not there. */
  take(id: string): QueuedMessage | undefined {
    if (this.onItsWay === id || (this.urgent.get(id) === true && !this.deps.conversation.session.unsteer(id))) return undefined;
    this.urgent.delete(id);
    const message = this.queue.take(id);
    if (message !== undefined) this.changed();
    return message;
  }

  /** For pages. */
  view(): ViewQueue {
    const messages = this.queue.messages.map(({ id, text, attached }) => ({
      id,
      text: text.slice(0, SHOWN),
      attached: namesOfAttached(attached),
      now: this.urgent.has(id),
    }));
    return { messages, held: messages.length === 0 ? '' : this.held };
  }

  /** Whether another message follows on its own. */
  private get followsUp(): boolean {
    return this.onItsWay !== undefined || (this.held === '' && this.queue.messages.length > 0);
  }

  private changed(): void {
    this.deps.changed();
    this.deps.conversation.expectMore(this.followsUp);
  }

  private async next(): Promise<void> {
    const message = this.queue.first;
    if (message === undefined || this.onItsWay !== undefined || this.held !== '' || this.deps.conversation.running) return;
    try {
      await this.handOver(message);
    } catch (error) {
      // There is no turn with which those behind it could go.
      this.urgent.clear();
      this.held = t('The next message could not be sent: {0}', errorMessage(error));
      this.changed();
    }
  }

  /** Hands the session what is to go with the turn, in its order. */
  private async steer(): Promise<void> {
    if (this.steering) return;
    this.steering = true;
    for (let next = this.firstUrgent; next !== undefined; next = this.firstUrgent) await this.steerOne(next);
    this.steering = false;
  }

  private get firstUrgent(): QueuedMessage | undefined {
    return this.queue.messages.find(({ id }) => this.urgent.get(id) === false);
  }

  private async steerOne({ id, text, attached, expanded, turn }: QueuedMessage): Promise<void> {
    // Commands do not run while the model works, and a turn cannot change into another one: it waits for its end, in front of the others.
    if (expanded !== undefined || wantsTurn(turn)) {
      this.urgent.delete(id);
      this.changed();
      return;
    }
    try {
      const mentioned = await this.deps.resolve(text);
      // Meanwhile it may have been taken out, or the turn have ended.
      if (this.urgent.get(id) !== false) return;
      // Without a turn, as while a summary is made, it waits for the end of that in front of the others.
      if (this.deps.conversation.session.steer(id, withWords([...mentioned, ...attached], text))) this.urgent.set(id, true);
      else this.urgent.delete(id);
    } catch (error) {
      this.urgent.delete(id);
      this.held = t('The next message could not be sent: {0}', errorMessage(error));
    }
    this.changed();
  }

  /** Rejects when the message was not taken; it stays in the queue then, if it was in it. */
  private async handOver(message: QueuedMessage, options: ResolveOptions = {}): Promise<void> {
    this.onItsWay = message.id;
    this.deps.conversation.expectMore(true);
    try {
      const { expanded, turn } = message;
      const content = await this.contentOf(message, options);
      const { conversation, optionsFor } = this.deps;
      const wanted = turn === undefined || !wantsTurn(turn) ? {} : await optionsFor?.(turn);
      const proposed = await this.modelFor(message, content, options);
      const block = await conversation.send(content, { ...wanted, ...present({ proposed, script: expanded?.script }) }).recorded;
      if (block !== undefined) throw new BlockedByHookError(blockedWords(block));
      this.queue.take(message.id);
    } finally {
      this.onItsWay = undefined;
      this.changed();
    }
    void this.steer();
    // The turn may be over by now; its end came too early to send the next.
    void this.next();
  }

  private async contentOf({ expanded, attached, text }: QueuedMessage, options: ResolveOptions): Promise<readonly UserContent[]> {
    if (expanded !== undefined) return [...expanded.blocks, ...attached];
    return withWords([...(await this.deps.resolve(text, options)), ...attached], text);
  }

  /** The model for a message that is being sent, where that is chosen for it: before its turn, so that it can be stopped like all that a message waits for. */
  private async modelFor(message: QueuedMessage, content: readonly UserContent[], options: ResolveOptions): Promise<ProposedModel | undefined> {
    const { proposed, expanded, turn } = message;
    const { auto } = this.deps.conversation.session;
    if (proposed !== undefined && !auto.holds(proposed, content)) throw new OutdatedModelError();
    // What a command wants is known to its turn.
    if (proposed !== undefined || expanded !== undefined || wantsTurn(turn) || !auto.isOn()) return proposed;
    return this.propose(content, {}, options);
  }

  private async propose(content: readonly UserContent[], wish: TaskWish, { signal, progress }: ResolveOptions): Promise<ProposedModel> {
    const { auto } = this.deps.conversation.session;
    if (auto.waits) progress?.(t('Choosing a model…'));
    const proposed = await auto.propose(content, wish, signal ?? new AbortController().signal);
    signal?.throwIfAborted();
    return proposed;
  }
}

/** The model that was proposed for a message can no longer be used for it: it was not sent. */
export class OutdatedModelError extends Error {
  constructor() {
    super(t('The model that was shown can no longer be used for this message. Send it again.'));
  }
}

/** Expanded message of a command file. Its shell commands run when it is sent. */
export interface ExpandedMessage {
  readonly script: ScriptedText;
  /** The command, and the content of mentions in its file. */
  readonly blocks: readonly UserContent[];
}

/** A message that waits to be sent. What it mentions is looked up when it goes out. */
export interface QueuedMessage {
  readonly id: string;
  /** The text as it was written. */
  readonly text: string;
  /** Attachments, beside the content of mentions in the text. */
  readonly attached: readonly UserContent[];
  /** The message that the command in {@link text} becomes; absent for other messages. */
  readonly expanded?: ExpandedMessage;
  /** Turn options of its command or skill. */
  readonly turn?: MessageOptions;
  /** The model that the user has seen for it; absent while it waits. */
  readonly proposed?: ProposedModel;
}

/** Whether a message wants a turn other than usual. */
function wantsTurn(wishes: MessageOptions = {}): boolean {
  return Object.values(wishes).some((wish) => wish !== undefined);
}

/** Messages in the order in which they are sent. Every message that came in is in it until it is taken out by name. */
export class MessageQueue {
  private list: readonly QueuedMessage[] = [];

  get messages(): readonly QueuedMessage[] {
    return this.list;
  }

  /** The one that goes out next. */
  get first(): QueuedMessage | undefined {
    return this.list[0];
  }

  /** Puts messages at the end. */
  add(...messages: readonly QueuedMessage[]): void {
    this.list = [...this.list, ...messages];
  }

  /** Takes a message out; `undefined` when it is not there any more. */
  take(id: string): QueuedMessage | undefined {
    const message = this.list.find((each) => each.id === id);
    this.list = this.list.filter((each) => each !== message);
    return message;
  }

  /** Changes places with the message before or behind it. The first `fixed` ones keep theirs. */
  move(id: string, to: 'up' | 'down', fixed = 0): void {
    const at = this.list.findIndex((each) => each.id === id);
    const other = to === 'up' ? at - 1 : at + 1;
    const [a, b] = [this.list[at], this.list[other]];
    if (a !== undefined && b !== undefined && Math.min(at, other) >= fixed) this.list = this.list.with(at, b).with(other, a);
  }

  /** Puts a message in front of all others but the first `behind`. Returns whether it is there. */
  hurry(id: string, behind = 0): boolean {
    const message = this.take(id);
    if (message !== undefined) this.list = this.list.toSpliced(behind, 0, message);
    return message !== undefined;
  }
}
