import { Signal } from '../../concurrency/signal.js';
import { type ViewEvent, applyViewEvent } from '../../protocol/view-event.js';
import type { ViewState } from '../../protocol/view-state.js';

/** Milliseconds between two flushes while deltas stream: one frame. */
const FLUSH_INTERVAL_MS = 16;
/** The same while text streams faster than a user can read: fewer frames, and more time for processing the text. */
const FLOOD_INTERVAL_MS = 48;
/** Characters in a flush from which on it is a flood. */
const FLOOD_LENGTH = 2_000;
/** Events kept for panels that come back; a panel that missed more gets a snapshot. */
const KEPT_EVENTS = 2_000;

/** Numbered events, or a reason to send a snapshot instead. */
export type MissedEvents = { readonly first: number; readonly events: readonly ViewEvent[] } | undefined;

/**
 * The truth about what panels show: a state, and the numbered events that led to it.
 *
 * Deltas of one block are merged until the next flush, so the number of events is bounded by time, not by tokens.
 * The first event after a pause is flushed at once.
 */
export class ViewLog {
  private readonly kept: ViewEvent[] = [];
  private readonly queue: ViewEvent[] = [];
  /** The last queued event while it can still grow. */
  private growing: Growing | undefined;
  private readonly flushed = new Signal();
  /** Calls back after each flush. Returns how to stop that. */
  readonly onFlush = this.flushed.subscribe;
  private lastSeq = 0;
  private lastFlush = 0;
  private interval = FLUSH_INTERVAL_MS;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    readonly state: ViewState,
    readonly epoch: string,
  ) {}

  /** Number of the last flushed event, the last that {@link state} includes. */
  get seq(): number {
    return this.lastSeq;
  }

  /** Adds an event. Listeners are notified at the next flush: after at most 16 ms, or 48 ms in a flood of text. */
  push(event: ViewEvent): void {
    if (event.type === 'delta' || event.type === 'call_output') this.grow(event);
    else this.enqueue(event);
    // The time is looked at for every event: while a fast stream is read, timers do not get their turn.
    const wait = this.lastFlush + this.interval - performance.now();
    if (wait <= 0) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), wait);
  }

  /** Numbers and applies what is queued, now. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.lastFlush = performance.now();
    if (this.queue.length === 0) return;
    this.interval = (this.growing?.delta.length ?? 0) > FLOOD_LENGTH ? FLOOD_INTERVAL_MS : FLUSH_INTERVAL_MS;
    this.growing = undefined;
    for (const event of this.queue.splice(0)) {
      applyViewEvent(this.state, takesOver(event) ? structuredClone(event) : event);
      this.kept.push(event);
      this.lastSeq += 1;
    }
    if (this.kept.length > 2 * KEPT_EVENTS) this.kept.splice(0, this.kept.length - KEPT_EVENTS);
    this.flushed.emit();
  }

  /** The events after `seq`, or `undefined` when they are not kept any more. */
  since(seq: number): MissedEvents {
    const missing = this.lastSeq - seq;
    if (missing < 0 || missing > this.kept.length) return undefined;
    return { first: seq + 1, events: missing === 0 ? [] : this.kept.slice(-missing) };
  }

  private enqueue(event: ViewEvent): void {
    this.growing = undefined;
    this.queue.push(event);
  }

  /** Adds text to the last queued event where it continues that, else queues it. */
  private grow({ type, item, block, delta }: Growing): void {
    const last = this.growing;
    if (last?.type === type && last.item === item && last.block === block) {
      last.delta += delta;
      return;
    }
    const fresh = { type, item, block, delta };
    this.enqueue(fresh);
    this.growing = fresh;
  }
}

/** An event that carries more text of a block. */
interface Growing {
  readonly type: 'delta' | 'call_output';
  readonly item: string;
  readonly block: number;
  delta: string;
}

/** Whether the state keeps and later changes objects of the event, which must stay as it was for panels that come back. */
function takesOver(event: ViewEvent): boolean {
  return event.type === 'item_added' || event.type === 'block_added';
}
