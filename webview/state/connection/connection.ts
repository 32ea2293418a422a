import type { HostMessage, PanelMessage } from '../../../src/protocol/messages.js';
import { validateHostMessage } from '../../../src/protocol/validate-host-message.js';
import type { ViewEvent } from '../../../src/protocol/view-event.js';
import type { ViewState } from '../../../src/protocol/view-state.js';

type Snapshot = Extract<HostMessage, { type: 'snapshot' }>;
type Batch = Extract<HostMessage, { type: 'events' }>;
/** Items that were asked for. */
export type ItemsMessage = Extract<HostMessage, { type: 'items' }>;
/** Messages that are not part of the numbered stream. */
export type SideMessage = Exclude<HostMessage, Snapshot | Batch | ItemsMessage>;

/** Callbacks that apply host messages to the panel's copy, and the channel for requests to the host. */
export interface ConnectionDeps {
  readonly post: (message: PanelMessage) => void;
  /** Takes a conversation, with its items from `start` on, in place of the one shown. */
  readonly show: (state: ViewState, session: string, start: number) => void;
  /** Applies events in order; there is at least one. */
  readonly apply: (events: readonly ViewEvent[]) => void;
  /** Takes items that were asked for, as they are after the last event applied. */
  readonly items: (message: ItemsMessage) => void;
  readonly side: (message: SideMessage) => void;
  /** Asks for {@link Connection.drain} at the next frame. */
  readonly schedule: () => void;
}

/**
 * Keeps the panel's copy of a conversation equal to the host's.
 *
 * Snapshots, events and items wait for the next frame and are applied in order; each event exactly once, by its number.
 * After a gap, or events of another session or epoch, the copy is not touched any more and a snapshot is asked for.
 */
export class Connection {
  private readonly queue: (Snapshot | Batch | ItemsMessage)[] = [];
  private at: { readonly session: string; readonly epoch: string; seq: number } | undefined;
  private resyncing = false;

  constructor(private readonly deps: ConnectionDeps) {}

  /** Says that the page is there. */
  start(): void {
    this.deps.post({ type: 'ready' });
  }

  /** Asks for what was missed, if anything: for a page that was hidden and kept its copy. */
  catchUp(): void {
    if (this.at === undefined || this.resyncing) return;
    this.deps.post({ type: 'ready', attached: { ...this.at } });
  }

  /** Takes a message, not yet checked. Anything that is not of the protocol is ignored. */
  receive(raw: unknown): void {
    const message = validateHostMessage(raw);
    if (message === undefined) return;
    if (message.type !== 'snapshot' && message.type !== 'events' && message.type !== 'items') {
      this.deps.side(message);
      return;
    }
    this.queue.push(message);
    this.deps.schedule();
  }

  /** Applies what waits, events that follow one another at once, and acknowledges it. */
  drain(): void {
    let changed = false;
    let fresh: ViewEvent[] = [];
    for (const message of this.queue.splice(0)) {
      if (message.type === 'events') {
        fresh.push(...this.takeBatch(message));
        continue;
      }
      changed ||= fresh.length > 0 || message.type === 'snapshot';
      // What came before a snapshot is in it.
      if (message.type === 'snapshot') this.takeSnapshot(message);
      else {
        this.apply(fresh);
        this.takeItems(message);
      }
      fresh = [];
    }
    changed ||= fresh.length > 0;
    this.apply(fresh);
    if (changed && this.at !== undefined) this.deps.post({ type: 'ack', seq: this.at.seq });
  }

  private apply(events: readonly ViewEvent[]): void {
    if (events.length > 0) this.deps.apply(events);
  }

  /** Items of another state than the one shown would get events twice, or never. */
  private takeItems(message: ItemsMessage): void {
    const at = this.at;
    if (this.resyncing) return;
    const same = at !== undefined && at.session === message.session && at.epoch === message.epoch && at.seq === message.seq;
    if (same) this.deps.items(message);
    else this.resync();
  }

  private takeSnapshot(snapshot: Snapshot): void {
    this.at = { session: snapshot.session, epoch: snapshot.epoch, seq: snapshot.seq };
    this.resyncing = false;
    this.deps.show(snapshot.state, snapshot.session, snapshot.window?.start ?? 0);
  }

  /** The events of a batch that are new. */
  private takeBatch(batch: Batch): readonly ViewEvent[] {
    const at = this.at;
    if (this.resyncing) return [];
    const same = at !== undefined && at.session === batch.session && at.epoch === batch.epoch;
    if (!same || batch.first > at.seq + 1) {
      this.resync();
      return [];
    }
    const fresh = batch.events.slice(at.seq + 1 - batch.first);
    at.seq += fresh.length;
    return fresh;
  }

  private resync(): void {
    if (this.resyncing) return;
    this.resyncing = true;
    this.deps.post({ type: 'ready' });
  }
}

/**
 * Whether a message event comes from the editor and not from a frame in this page or a page of another origin.
 * The sender cannot be compared with `window.parent`: VS Code hides the real parent from the page.
 */
export function isFromHost(event: MessageEvent, own: Window): boolean {
  if (event.origin !== own.origin) return false;
  return !Array.from({ length: own.length }, (_, index) => own[index]).some((child) => child === event.source);
}
