import { Signal } from '../../concurrency/signal.js';
import type { HostMessage } from '../../protocol/messages.js';
import { ChatPane } from './chat-pane.js';
import type { Conversation } from '../conversation/conversation.js';
import type { ChatDeps, PaneHolder } from './chat-deps.js';
import type { Place, Places } from './place.js';

/** Services that all panes share, and the sidebar with the conversation that it starts with. */
export interface PanesDeps {
  readonly chat: Omit<ChatDeps, 'isShown'>;
  readonly places: Places;
  readonly sidebar: Place;
  readonly first: Conversation;
  /** Remembers which conversation the sidebar shows, for the next start. */
  readonly remember: (id: string) => void;
  /** Whether the user works in this window. */
  readonly windowFocused: () => boolean;
}

/** All places where conversations are shown: the sidebar and editor tabs. Each has a conversation of its own; two may show the same. */
export class Panes {
  readonly sidebar: ChatPane;
  private readonly all = new Map<Place, ChatPane>();
  private readonly changed = new Signal();

  /** Fires when what is shown anywhere changes, and when another pane is the active one. */
  readonly onDidChange = this.changed.subscribe;

  constructor(private readonly deps: PanesDeps) {
    this.sidebar = this.add(deps.sidebar, deps.first, deps.remember);
    deps.places.onDidChange(() => this.changed.emit());
  }

  /** The pane that commands are meant for: the one that the user worked in last. */
  get active(): ChatPane {
    return this.all.get(this.deps.places.active) ?? this.sidebar;
  }

  /** The pane in a place. */
  paneOf(place: Place): ChatPane | undefined {
    return this.all.get(place);
  }

  /** Adds the pane of an editor tab. */
  addTab(tab: Place, conversation: Conversation, remember: PaneHolder['remember']): ChatPane {
    return this.add(tab, conversation, remember);
  }

  /** A tab is gone. */
  remove(tab: Place): void {
    const pane = this.all.get(tab);
    this.all.delete(tab);
    pane?.dispose();
    this.changed.emit();
  }

  /** Whether a conversation is shown in any place. */
  isShown(conversation: Conversation): boolean {
    return [...this.all.values()].some(({ current }) => current === conversation);
  }

  /** Whether the user looks at a conversation. */
  isSeen(id: string): boolean {
    return this.deps.windowFocused() && this.isVisible(id);
  }

  /** Whether a conversation is on the screen, in this window that may be behind others. */
  isVisible(id: string): boolean {
    return [...this.all].some(([place, { current }]) => place.visible && current.id === id);
  }

  /** Posts to the pages of a pane that is in view, of the active one if it is. Returns whether there is one. */
  postToVisible(message: HostMessage): boolean {
    const { active } = this.deps.places;
    const pane = active.visible ? this.active : [...this.all].find(([place]) => place.visible)?.[1];
    pane?.panels.post(message);
    return pane !== undefined;
  }

  /** Shows a conversation: where it is shown already, else in the active pane. */
  async open(id: string): Promise<void> {
    const [place] = [...this.all].find(([, { current }]) => current.id === id) ?? [this.deps.places.active];
    await place.reveal();
    this.deps.places.activate(place);
    await this.active.openSession(id);
  }

  /** Brings the active pane into view. */
  reveal(): Promise<void> {
    return this.deps.places.active.reveal();
  }

  /** Closes a conversation in every place. */
  async close(id: string): Promise<void> {
    for (const [place, pane] of [...this.all]) {
      if (pane.current.id !== id) continue;
      if (place.close === undefined) await pane.closeSession(id);
      else place.close();
    }
  }

  private add(place: Place, conversation: Conversation, remember: PaneHolder['remember']): ChatPane {
    const deps = { ...this.deps.chat, isShown: (one: Conversation) => this.isShown(one) };
    const pane = new ChatPane(deps, { remember, focused: () => this.deps.places.activate(place) }, conversation);
    this.all.set(place, pane);
    pane.onDidChange(() => this.changed.emit());
    this.changed.emit();
    return pane;
  }
}
