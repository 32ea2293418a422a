import type { ResolveMentions } from '../../mentions/mention-deps.js';
import type { Conversation } from '../conversation/conversation.js';
import { Draft } from './draft.js';
import type { MessageOptionsResolver } from '../../slash/message-options.js';
import { type DraftStore, EMPTY_DRAFT } from './draft-store.js';

/** Services that all drafts of the window share: storage, mentions, and the options of commands. */
export interface DraftsDeps {
  readonly store: DraftStore;
  /** Looks up what a text mentions. */
  readonly resolve: ResolveMentions;
  /** Resolves the options that commands and skills set for their turns. Absent: they set none. */
  readonly messageOptions?: MessageOptionsResolver;
}

/** The drafts of the conversations that are open in this window. */
export class Drafts {
  private readonly drafts = new WeakMap<Conversation, Draft>();
  /** The drafts of the conversations that are open, by their ids. */
  private readonly open = new Map<string, Draft>();
  /** The empty conversation that has what was written in one before. */
  private keeper: Conversation | undefined;

  constructor(private readonly deps: DraftsDeps) {}

  /** The draft of a conversation. */
  of(conversation: Conversation): Draft {
    const known = this.drafts.get(conversation);
    if (known !== undefined) return known;
    const takesNew = conversation.ofChat && conversation.session.messages.length === 0 && !this.isKept();
    if (takesNew) this.keeper = conversation;
    const draft = new Draft(conversation, { ...this.deps, takesNew });
    this.drafts.set(conversation, draft);
    return draft;
  }

  /** Looks after the draft of a conversation that was opened. Returns what ends that. */
  follow(conversation: Conversation): () => void {
    const draft = this.of(conversation);
    this.open.set(conversation.id, draft);
    return () => {
      if (this.open.get(conversation.id) === draft) this.open.delete(conversation.id);
      if (this.keeper === conversation) this.keeper = undefined;
      draft.dispose();
    };
  }

  /** Gives an empty conversation what is written in the one in whose place it comes. */
  handOver(from: Conversation, to: Conversation): void {
    this.of(to).takeOver(this.of(from));
    if (this.keeper === from) this.keeper = to;
  }

  /** The draft of an open conversation. */
  find(id: string): Draft | undefined {
    return this.open.get(id);
  }

  /** Removes the draft of a session that is gone. */
  forget(id: string): void {
    this.deps.store.save(id, EMPTY_DRAFT);
  }

  /** Brings the draft of a session that comes from another storage. @param from absolute path of the drafts there. */
  bring(id: string, from: string): Promise<void> {
    return this.deps.store.bring(id, from);
  }

  /** Waits until everything is on the disk. */
  flush(): Promise<void> {
    return this.deps.store.flush();
  }

  private isKept(): boolean {
    return this.keeper !== undefined && this.keeper.session.messages.length === 0;
  }
}
