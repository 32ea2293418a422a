import { Signal } from '../../concurrency/signal.js';
import { isDemo } from '../../domain/demo.js';
import type { Log } from '../../domain/log.js';
import type { Router } from '../../domain/model/router.js';
import { modelKey } from '../../domain/model/model-key.js';
import type { SessionLibrary, TrashedSession } from '../../domain/session/session-library.js';
import type { SessionSummary } from '../../domain/session/session-store.js';
import { improveTitle, titleModel } from '../../engine/one-shot/improve-title.js';
import type { ModelRegistry } from '../../models/model-registry.js';
import { shortTitle } from '../../session/library/title.js';
import type { Conversation } from '../conversation/conversation.js';
import type { Conversations } from '../conversation/conversations.js';
import type { SessionActivity } from './session-activity.js';
import type { Trash } from './trash.js';

/** Services that the list of stored sessions shows and changes: open conversations, the library, and the trash. */
export interface DeskDeps {
  readonly conversations: Pick<Conversations, 'find' | 'list' | 'release'>;
  readonly library: SessionLibrary;
  readonly activity: SessionActivity;
  readonly trash: Trash;
  readonly log: Log;
}

/** Keeps order among the stored conversations, for all places that show them. */
export class StoredSessions {
  readonly library: SessionLibrary;
  readonly activity: SessionActivity;
  private readonly changed = new Signal();
  /** Fires when the results of {@link list} or {@link trashed} may have changed. Returns how to unsubscribe. */
  readonly onDidChange = this.changed.subscribe;
  /** Titles of conversations that have no message yet, and so nothing on the disk. */
  private readonly unsaved = new Map<string, string>();

  constructor(private readonly deps: DeskDeps) {
    this.library = deps.library;
    this.activity = deps.activity;
    deps.trash.onDidChange(() => this.tell());
  }

  /** All stored conversations, newest first. */
  list(): Promise<readonly SessionSummary[]> {
    return this.deps.conversations.list();
  }

  /** Sessions in the trash, with the time when they are deleted permanently. */
  trashed(): Promise<readonly (TrashedSession & { readonly goneAt: number })[]> {
    return this.deps.trash.list();
  }

  /** The title of a conversation, for messages about it. */
  async titleOf(id: string): Promise<string> {
    const open = this.deps.conversations.find(id);
    if (open !== undefined) return open.view.state.title;
    return (await this.list()).find((session) => session.id === id)?.title ?? '';
  }

  /** Gives a conversation the user's title; an empty one brings that of its first message back. */
  async rename(id: string, words: string): Promise<void> {
    const title = shortTitle(words);
    const open = this.deps.conversations.find(id);
    if (open !== undefined && open.session.messages.length === 0) this.unsaved.set(id, title ?? '');
    else await this.library.label(id, { title, titleBy: title === undefined ? undefined : 'person' });
    open?.rename(title, 'person');
    this.tell();
  }

  /** Gives a conversation the model's title. */
  async entitle(conversation: Conversation, words: string): Promise<void> {
    const title = shortTitle(words);
    if (title === undefined || conversation.titleBy === 'person') return;
    await this.library.label(conversation.id, { title, titleBy: 'model' });
    conversation.rename(title, 'model');
    this.tell();
  }

  /** Puts a conversation above the others, or back among them. */
  async pin(id: string, pinned: boolean): Promise<void> {
    await this.library.label(id, { pinned: pinned ? true : undefined });
    this.tell();
  }

  /** Stops a conversation and moves it to the trash. */
  async trash(id: string): Promise<void> {
    await this.deps.conversations.release(id);
    await this.deps.trash.put(id);
    this.activity.forget(id);
  }

  /** Takes a conversation back out of the trash. */
  restore(id: string): Promise<void> {
    return this.deps.trash.restore(id);
  }

  /** Removes for good what is in the trash: one conversation, or all. */
  purge(id: string | undefined): Promise<void> {
    return id === undefined ? this.deps.trash.empty() : this.deps.trash.remove(id);
  }

  /** Has the list read anew by all places that show it. */
  tell(): void {
    this.changed.emit();
  }

  /** Takes a v1 file in. Returns the id of the new conversation. */
  async import(bytes: Uint8Array, name: string): Promise<string> {
    const id = await this.library.import(bytes, name);
    this.tell();
    return id;
  }

  /** Saves the title of a conversation with its first message, and notifies of what is stored anew. Returns how to stop. */
  follow(conversation: Conversation): () => void {
    return conversation.session.onEvent(({ type }) => {
      if (type === 'turn_ended') this.tell();
      if (type !== 'round_started') return;
      const title = this.unsaved.get(conversation.id);
      if (title === undefined) return;
      this.unsaved.delete(conversation.id);
      if (title !== '') this.label(conversation.id, title);
    });
  }

  private label(id: string, title: string): void {
    this.library.label(id, { title, titleBy: 'person' }).catch((error: unknown) => this.deps.log.error('A title could not be saved', error));
  }
}

/** Services for generated titles: the models, the stored session that is renamed, and the user's setting. */
interface FollowTitleDeps {
  readonly models: ModelRegistry;
  readonly router: Pick<Router, 'forWork'>;
  readonly desk: StoredSessions;
  /** Whether the user wants titles by the model. */
  readonly wanted: () => boolean;
  readonly log: Log;
}

/** Has a model improve the title of a conversation, unless the user gave one. Returns what ends that. */
export function followTitles(conversation: Conversation, { models, router, desk, wanted, log }: FollowTitleDeps): () => void {
  const { session } = conversation;
  return improveTitle(session, {
    wanted: () => wanted() && conversation.titleBy === undefined,
    asked: async (signal) => {
      if (isDemo(session.model)) return undefined;
      if (session.auto.choice.type === 'auto') return router.forWork('title', await models.choose(modelKey(session.model)), signal);
      const known = models.entries().flatMap((entry) => entry.models);
      return models.choose(modelKey(titleModel(session.model, known)));
    },
    apply: (title) => {
      desk.entitle(conversation, title).catch((error: unknown) => log.error('A title could not be saved', error));
    },
    log,
  });
}
