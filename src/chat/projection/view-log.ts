import { Signal } from '../../concurrency/signal.js';
import { type ViewEvent, applyViewEvent } from '../../protocol/view-event.js';
import type { ViewState } from '../../protocol/view-state.js';

/** Milliseconds between two flushes while deltas stream: one frame. */
const FLUSH_INTERVAL_MS = 16;
/** The same behind a new message or block, whose first text comes right after it. */
const NEW_INTERVAL_MS = 2;
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
 * The first event after a pause is flushed at once, and what the user waits for most, new messages and blocks and how they begin, soon.
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
  /** When the timer is due, by `performance.now()`. */
  private due = Number.POSITIVE_INFINITY;

  constructor(
    readonly state: ViewState,
    readonly epoch: string,
  ) {}

  /** Number of the last flushed event, the last that {@link state} includes. */
  get seq(): number {
    return this.lastSeq;
  }

  /** Adds an event. Listeners are notified at the next flush: after at most 16 ms, or 48 ms in a flood of text; 2 ms for a new message or block. */
  push(event: ViewEvent): void {
    if (event.type === 'delta' || event.type === 'call_output') this.grow(event);
    else this.enqueue(event);
    // The time is looked at for every event: while a fast stream is read, timers do not get their turn.
    const now = performance.now();
    const usual = this.lastFlush + this.interval;
    const due = isNew(event) ? Math.min(usual, now + NEW_INTERVAL_MS) : usual;
    if (due <= now) this.flush();
    else if (due < this.due) this.flushAt(due, now);
  }

  /** Numbers and applies what is queued, now. */
  flush(): void {
    clearTimeout(this.timer);
    this.due = Number.POSITIVE_INFINITY;
    this.lastFlush = performance.now();
    if (this.queue.length === 0) return;
    const usual = this.queue.some(isNew) ? NEW_INTERVAL_MS : FLUSH_INTERVAL_MS;
    this.interval = (this.growing?.delta.length ?? 0) > FLOOD_LENGTH ? FLOOD_INTERVAL_MS : usual;
    this.growing = undefined;
    for (const event of this.queue.splice(0)) {
      applyViewEvent(this.state, isNew(event) ? structuredClone(event) : event);
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

  private flushAt(due: number, now: number): void {
    clearTimeout(this.timer);
    this.due = due;
    this.timer = setTimeout(() => this.flush(), due - now);
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

/** Whether an event brings something that grows from now on. The state keeps and changes its objects, and it must stay as it was for panels that come back. */
function isNew({ type }: ViewEvent): boolean {
  return type === 'item_added' || type === 'block_added';
}
