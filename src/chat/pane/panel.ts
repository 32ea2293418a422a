import type { Log } from '../../domain/log.js';
import type { HostMessage, PanelMessage } from '../../protocol/messages.js';
import type { ViewState } from '../../protocol/view-state.js';
import { validatePanelMessage } from '../../protocol/validate-panel-message.js';
import type { Conversation } from '../conversation/conversation.js';
import { endOf, pageOf } from '../projection/items.js';

/** Maximum number of unacknowledged events sent to a panel. */
const WINDOW = 120;

/** Milliseconds for which a page that comes, or is made anew, still does what was asked for before it was there. */
const WISH_MS = 10_000;

/** Command for a page from outside, such as focusing the composer. Idempotent. */
type Wish = Extract<HostMessage, { type: 'focus_composer' | 'focus_agents' | 'show_history' | 'show_servers' | 'show_configuration' | 'open_search' }>;

/** The part of a conversation that a panel shows. */
export type Shown = Pick<Conversation, 'id' | 'view'>;

/** Items that follow one that was sought. */
const FOUND_ITEMS = 20;

/** Channel that posts messages to a page. */
export interface Page {
  postMessage(message: HostMessage): PromiseLike<boolean>;
}

/** Host side of the connection to a page. */
export interface PanelPort {
  /** Takes a message of the page, not yet checked. */
  receive(raw: unknown): void;
  /** Ends all work for the page. */
  dispose(): void;
}

/** State that a page still has of a conversation when it connects; absent for a new page. */
export type Attached = Extract<PanelMessage, { type: 'ready' }>['attached'];
type Items = Extract<HostMessage, { type: 'items' }>;

/** One page: its position in the conversation it shows, and what is being sent to it. */
export class Panel {
  private conversation: Shown | undefined;
  private stopListening: (() => void) | undefined;
  private ready = false;
  private sent = 0;
  private acknowledged = 0;

  constructor(
    private readonly page: Page,
    private readonly log: Log,
  ) {}

  /** Checks what the page said. `ack` is dealt with here; anything else that is well-formed is returned. */
  receive(raw: unknown): Exclude<PanelMessage, { type: 'ack' }> | undefined {
    const message = validatePanelMessage(raw);
    if (message === undefined) this.log.warn('A message of the panel was refused: it is not of a known form.');
    if (message?.type !== 'ack') return message;
    this.acknowledge(message.seq);
    return undefined;
  }

  /** Shows a conversation, from the start of its transcript. */
  show(conversation: Shown): void {
    this.stopListening?.();
    this.conversation = conversation;
    this.stopListening = conversation.view.onFlush(() => this.pump());
    if (this.ready) this.sendSnapshot(conversation);
  }

  /** The page is there, maybe again: brings it up to date by the missed events where that is possible. */
  attach(attached: Attached): void {
    this.ready = true;
    if (this.conversation !== undefined) this.catchUp(this.conversation, attached);
  }

  /** Posts items of the transcript, from an index on. */
  sendItems(start: number, count: number): void {
    this.answerWithItems(({ items }) => ({ start, items: pageOf(items, start, count) }));
  }

  /** Posts an item of the transcript, with some that follow it. */
  sendItem(id: string): void {
    this.answerWithItems(({ items }) => {
      const start = items.findIndex((item) => item.id === id);
      return start < 0 ? { start: 0, items: [], sought: id } : { start, items: pageOf(items, start, FOUND_ITEMS), sought: id };
    });
  }

  /** Posts a message beside the stream of events. Nothing is posted before the page is there. */
  post(message: HostMessage): void {
    if (!this.ready) return;
    void this.page.postMessage(message).then(undefined, (error: unknown) => {
      this.log.error('A message to the panel was lost', error);
    });
  }

  /** Ends all work for this page. */
  dispose(): void {
    this.ready = false;
    this.stopListening?.();
  }

  /** Brings a page up to date. */
  private catchUp(conversation: Shown, attached: Attached): void {
    const { view } = conversation;
    const same = attached?.session === conversation.id && attached.epoch === view.epoch;
    if (!same || view.since(attached.seq) === undefined) return this.sendSnapshot(conversation);
    this.sent = this.acknowledged = attached.seq;
    this.pump();
  }

  /** Sends all events so far before the items, so that later events are new for every item that the page has. */
  private answerWithItems(choose: (state: ViewState) => Pick<Items, 'start' | 'items' | 'sought'>): void {
    const conversation = this.conversation;
    if (conversation === undefined || !this.ready) return;
    const { id: session, view } = conversation;
    view.flush();
    this.sendEvents(conversation);
    this.post({ type: 'items', session, epoch: view.epoch, seq: this.sent, ...choose(view.state) });
  }

  private acknowledge(seq: number): void {
    if (seq > this.sent) return;
    this.acknowledged = Math.max(this.acknowledged, seq);
    this.pump();
  }

  private pump(): void {
    const conversation = this.conversation;
    if (conversation === undefined || !this.ready || this.sent - this.acknowledged >= WINDOW) return;
    this.sendEvents(conversation);
  }

  /** Posts all events that the page has not been sent. */
  private sendEvents(conversation: Shown): void {
    const missed = conversation.view.since(this.sent);
    if (missed === undefined) return this.sendSnapshot(conversation);
    if (missed.events.length === 0) return;
    this.sent += missed.events.length;
    this.post({ type: 'events', session: conversation.id, epoch: conversation.view.epoch, ...missed });
  }

  private sendSnapshot(conversation: Shown): void {
    const { view } = conversation;
    view.flush();
    this.sent = this.acknowledged = view.seq;
    this.post({ type: 'snapshot', session: conversation.id, epoch: view.epoch, seq: view.seq, ...endOf(view.state) });
  }
}

/** All pages that show the chat; they show the same conversation. */
export class Panels {
  private readonly all = new Set<Panel>();
  /** Pending command for the next page that connects, with its expiry. */
  private wish: { readonly message: Wish; readonly until: number } | undefined;

  /** Takes in a page and shows it the conversation. */
  add(panel: Panel, conversation: Shown): void {
    this.all.add(panel);
    panel.show(conversation);
  }

  /** Removes and disposes a page. */
  remove(panel: Panel): void {
    this.all.delete(panel);
    panel.dispose();
  }

  /** Shows another conversation. */
  show(conversation: Conversation): void {
    for (const panel of this.all) panel.show(conversation);
  }

  /**
   * Has the pages do something that the user asked for. A view that was just opened has no page yet, and VS Code throws a
   * page away that is hidden, so that what is posted while it makes another one is lost: the next one is asked when it is there.
   */
  ask(message: Wish): void {
    this.wish = { message, until: Date.now() + WISH_MS };
    this.post(message);
  }

  /** A page says that it is there, maybe again: brings it up to date, and asks it for what was asked for before. */
  attach(panel: Panel, attached: Attached): void {
    panel.attach(attached);
    if (this.wish !== undefined && Date.now() < this.wish.until) panel.post(this.wish.message);
    this.wish = undefined;
  }

  /** Posts a message to every page. */
  post(message: HostMessage): void {
    for (const panel of this.all) panel.post(message);
  }
}
