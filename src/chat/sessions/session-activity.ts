import { Signal } from '../../concurrency/signal.js';
import { escapeHidden } from '../../domain/hidden-characters.js';
import type { Dialogs } from '../../domain/host/dialogs.js';
import { t } from '../../domain/l10n.js';
import type { Log } from '../../domain/log.js';
import type { SessionState } from '../../protocol/host/session-messages.js';
import { type OtherQuestions, NOTHING_BESIDES } from '../../consent/waiting-calls.js';
import { wholeActivity } from '../projection/elf-view.js';
import type { Surfaces } from '../conversation/surfaces.js';
import type { ViewState } from '../../protocol/view-state.js';

/** A conversation, as far as what it does is watched. */
export interface WatchedConversation {
  readonly id: string;
  readonly view: { readonly state: ViewState; flush(): void; onFlush(listener: () => void): () => void };
}

/** Where it is kept which conversations have finished unseen. */
export interface UnreadStore {
  /** Their ids. @param now milliseconds since 1970. */
  names(now: number): Promise<readonly string[]>;
  write(id: string): void;
  remove(id: string): void;
}

/** State of all conversations in this window, also in the background, and which have finished unseen. */
export class SessionActivity {
  private readonly memory: UnreadStore | undefined;
  private readonly open = new Map<string, WatchedConversation>();
  private readonly unread = new Set<string>();
  private readonly changed = new Signal();
  /** Calls back after each change. Returns how to stop that. */
  readonly onDidChange = this.changed.subscribe;
  private readonly finishedUnseen = new Signal<{ readonly id: string; readonly title: string }>();
  /** Calls back when a conversation has finished while the user did not look at it. Returns how to stop that. */
  readonly onDidFinish = this.finishedUnseen.subscribe;
  private told = '';

  /**
   * @param surfaces where the user sees conversations. @param memory keeps what was unseen for the next start.
   * @param besides what waits for the user in conversations that may be idle
   */
  constructor(
    private readonly surfaces: Pick<Surfaces, 'isSeen'>,
    memory?: UnreadStore,
    private readonly besides: OtherQuestions = NOTHING_BESIDES,
  ) {
    this.memory = memory;
    besides.onDidChange(() => this.tell());
  }

  /** Takes up again what was unseen when the window closed. @param now milliseconds since 1970. */
  async restore(now: number): Promise<void> {
    for (const id of (await this.memory?.names(now)) ?? []) this.unread.add(id);
    this.look();
  }

  /** Watches a conversation. Returns what to call when it is closed. */
  follow(conversation: WatchedConversation): () => void {
    const { id, view } = conversation;
    this.open.set(id, conversation);
    let before = wholeActivity(view.state);
    const stop = view.onFlush(() => {
      const now = wholeActivity(view.state);
      if (now === before) return;
      const finished = before !== 'idle' && now === 'idle';
      before = now;
      if (finished) this.finished(conversation);
      this.tell();
    });
    return () => {
      // A conversation that is not shown is closed as soon as its turn has ended, before its view has that event.
      view.flush();
      stop();
      if (this.open.get(id) === conversation) this.open.delete(id);
      this.tell();
    };
  }

  /** State of a conversation; `undefined` when it is idle and has nothing new. */
  stateOf(id: string): SessionState | undefined {
    if (this.open.has(id) && this.besides.of(id).length > 0) return 'waiting';
    const state = this.open.get(id)?.view.state;
    const activity = state === undefined ? 'idle' : wholeActivity(state);
    if (activity === 'idle') return this.unread.has(id) ? 'unread' : undefined;
    return activity === 'waiting' ? 'waiting' : 'working';
  }

  /** All that do something or have something new. */
  states(): readonly { readonly id: string; readonly state: SessionState }[] {
    const ids = new Set([...this.open.keys(), ...this.unread]);
    return [...ids].flatMap((id) => {
      const state = this.stateOf(id);
      return state === undefined ? [] : [{ id, state }];
    });
  }

  /** The user may look at other conversations now. */
  look(): void {
    for (const id of this.unread) if (this.surfaces.isSeen(id)) this.drop(id);
    this.tell();
  }

  /** Forgets a conversation that is deleted. */
  forget(id: string): void {
    this.drop(id);
    this.tell();
  }

  private finished({ id, view }: WatchedConversation): void {
    if (this.surfaces.isSeen(id)) return;
    this.unread.add(id);
    this.memory?.write(id);
    this.finishedUnseen.emit({ id, title: view.state.title });
  }

  private drop(id: string): void {
    if (this.unread.delete(id)) this.memory?.remove(id);
  }

  private tell(): void {
    const now = JSON.stringify(this.states());
    if (now === this.told) return;
    this.told = now;
    this.changed.emit();
  }
}

/** Characters of a title that a notification shows. */
const MAX_TITLE = 60;

/** Services for notifications about finished chats, and the user's setting for them. */
interface FinishDeps {
  readonly activity: SessionActivity;
  readonly dialogs: Dialogs;
  readonly log: Log;
  /** Whether the user wants to be notified of conversations that have finished. */
  readonly wanted: () => boolean;
  /** Whether the user works in this window. */
  readonly windowFocused: () => boolean;
  readonly open: (id: string) => Promise<void>;
}

/** Tells the user of a conversation that has finished while they were elsewhere, and leads to it. Returns what ends that. */
export function alertWhenFinished({ activity, dialogs, log, wanted, windowFocused, open }: FinishDeps): () => void {
  const tell = async (id: string, title: string): Promise<void> => {
    const name = escapeHidden(title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE)}…` : title);
    const show = t('Show');
    if ((await dialogs.notify('info', t('Gnomon finished “{0}”.', name), show)) === show) await open(id);
  };
  return activity.onDidFinish(({ id, title }) => {
    if (!wanted() || windowFocused()) return;
    tell(id, title).catch((error: unknown) => log.error('A conversation that has finished could not be shown', error));
  });
}
