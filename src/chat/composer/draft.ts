import { Signal } from '../../concurrency/signal.js';
import { AbortError, NothingToCompactError } from '../../domain/errors.js';
import type { SessionEvent } from '../../engine/events.js';
import type { TurnOptions } from '../../engine/turn/turn-scope.js';
import type { ResolveMentions } from '../../mentions/mention-deps.js';
import { Attachments } from './attachments.js';
import type { Conversation } from '../conversation/conversation.js';
import { type TurnEnding, Outbox } from './outbox.js';
import type { MessageOptions, MessageOptionsResolver } from '../../slash/message-options.js';
import { type DraftContent, type DraftStore, EMPTY_DRAFT } from './draft-store.js';

/** Key of the draft of a conversation without a message, which has no file and no lasting id. */
const NEW = 'new';

/** Services of one draft: where it is stored, and what resolves its mentions and the options of its commands. */
export interface DraftDeps {
  readonly store: DraftStore;
  /** Looks up what a text mentions. */
  readonly resolve: ResolveMentions;
  /** Resolves the options that commands and skills set for their turns. Absent: they set none. */
  readonly messageOptions?: MessageOptionsResolver | undefined;
  /** Whether this conversation takes up what was written in an empty one before. */
  readonly takesNew: boolean;
}

/** The draft and the message queue of one conversation, shared by all places that show it. */
export class Draft {
  readonly attachments = new Attachments();
  readonly outbox: Outbox;
  /** Resolves when what was kept is there again. */
  readonly ready: Promise<void>;
  private readonly changed = new Signal();
  /** Calls back when something else is attached. Returns how to stop that. */
  readonly onDidChange = this.changed.subscribe;
  private readonly stopListening: () => void;
  private words = '';
  private writtenAt = 0;
  private isNew: boolean;
  private takesNew: boolean;
  private loaded = false;

  constructor(
    private readonly conversation: Conversation,
    private readonly deps: DraftDeps,
  ) {
    this.isNew = conversation.session.messages.length === 0;
    this.takesNew = deps.takesNew;
    const { resolve, messageOptions } = deps;
    this.outbox = new Outbox({
      conversation,
      resolve,
      changed: () => this.queueChanged(),
      ...(messageOptions === undefined ? {} : { optionsFor: (wishes) => this.optionsFor(wishes, messageOptions) }),
    });
    this.stopListening = conversation.session.onEvent((event) => this.heard(event));
    this.ready = this.load();
  }

  get text(): string {
    return this.words;
  }

  /** When the text was written; the clocks of page and host may differ, so what is newer always has a larger number. */
  get at(): number {
    return this.writtenAt;
  }

  /** Takes over what a page says is written; something older than what is known is passed over. */
  write(text: string, at: number): void {
    if (at < this.writtenAt) return;
    this.words = text;
    this.writtenAt = at;
    this.save();
  }

  /** Puts a text in place of what is written. It is newer than whatever a page has said. */
  replace(text: string): void {
    this.write(text, Math.max(Date.now(), this.writtenAt + 1));
  }

  /** To be called when what is attached has changed. */
  attachmentsChanged(): void {
    this.save();
    this.changed.emit();
  }

  /** Forgets what was sent. */
  sent(text: string, attachments: readonly string[]): void {
    if (this.words === text) this.words = '';
    this.attachments.remove(attachments);
    this.attachmentsChanged();
  }

  /** Takes over what is written and attached in an empty conversation in whose place this one comes. */
  takeOver(other: Draft): void {
    this.takesNew ||= other.takesNew;
    other.takesNew = false;
    this.attachments.restore(other.attachments.all);
    this.write(other.words, other.writtenAt);
  }

  /** Releases the conversation; everything is kept. */
  dispose(): void {
    this.stopListening();
    this.conversation.expectMore(false);
    this.changed.clear();
  }

  private async load(): Promise<void> {
    const kept = this.keeps ? await this.deps.store.load(this.key) : EMPTY_DRAFT;
    this.loaded = true;
    this.attachments.restore(kept.attachments);
    if (kept.at >= this.writtenAt) {
      this.words = kept.text;
      this.writtenAt = kept.at;
    }
    this.outbox.restore(kept.queue);
    this.save();
  }

  private heard(event: SessionEvent): void {
    if (event.type === 'turn_started') this.becomesStored();
    if (event.type === 'message_added') this.outbox.recorded(event.id);
    if (event.type === 'message_blocked') this.outbox.blocked(event.id, event.block);
    if (event.type === 'turn_ended') this.outbox.ended(endingOf(event.turn.end));
    if (event.type === 'compaction_ended')
      this.outbox.ended(
        event.error === undefined || event.error instanceof NothingToCompactError ? 'well' : event.error instanceof AbortError ? 'stopped' : 'badly',
      );
  }

  /** With its first message the conversation has a file, and its draft the name of that. */
  private becomesStored(): void {
    if (!this.isNew) return;
    this.isNew = false;
    this.save();
    if (this.takesNew) this.deps.store.save(NEW, EMPTY_DRAFT);
  }

  /** The options of a turn that begins now. A notice in the chat says which are not available. */
  private async optionsFor(wishes: MessageOptions, messageOptions: MessageOptionsResolver): Promise<TurnOptions> {
    const { options, problems } = await messageOptions.optionsFor(wishes, this.conversation.session);
    if (problems.length > 0) this.conversation.notify({ level: 'warning', text: problems.join('\n'), actions: [] });
    return options;
  }

  private queueChanged(): void {
    this.conversation.show({ queue: this.outbox.view() });
    this.save();
  }

  private save(): void {
    // Before what is kept is known, it would be overwritten.
    if (!this.loaded || !this.keeps) return;
    const content: DraftContent = { text: this.words, at: this.writtenAt, attachments: this.attachments.all, queue: this.outbox.messages };
    this.deps.store.save(this.key, content);
  }

  /** Of several empty conversations one has the draft that is kept. */
  private get keeps(): boolean {
    return !this.isNew || this.takesNew;
  }

  private get key(): string {
    return this.isNew ? NEW : this.conversation.id;
  }
}

function endingOf(end: Extract<SessionEvent, { type: 'turn_ended' }>['turn']['end']): TurnEnding {
  if (end === 'end_turn') return 'well';
  return end === 'aborted' ? 'stopped' : 'badly';
}
