import { Signal } from '../concurrency/signal.js';
import type { WaitingCall } from './waiting-calls.js';

/** A conversation that waits for the user. */
export interface WaitingSession {
  readonly id: string;
  readonly title: string;
  readonly calls: readonly WaitingCall[];
  /** When the first of its calls began to wait, in milliseconds of the clock that the queue was given. */
  readonly since: number;
}

/** Queue of conversations that need the user, also in the background; the longest waiting one is first. */
export class ApprovalQueue {
  private readonly waiting = new Map<string, WaitingSession>();
  /** When each call began to wait, by conversation and call. */
  private readonly begun = new Map<string, ReadonlyMap<string, number>>();
  private readonly changed = new Signal();
  /** Calls back after each change. Returns how to stop that. */
  readonly onDidChange = this.changed.subscribe;

  constructor(private readonly now: () => number) {}

  /** Takes what waits in a conversation now. */
  update(id: string, title: string, calls: readonly WaitingCall[]): void {
    const before = this.waiting.get(id);
    if (calls.length === 0) return this.remove(id);
    if (before?.title === title && isSame(before.calls, calls)) return;
    const begun = new Map(calls.map((call) => [call.id, this.begun.get(id)?.get(call.id) ?? this.now()]));
    this.begun.set(id, begun);
    this.waiting.set(id, { id, title, calls, since: Math.min(...begun.values()) });
    this.changed.emit();
  }

  /** Forgets a conversation that is closed. */
  remove(id: string): void {
    this.begun.delete(id);
    if (this.waiting.delete(id)) this.changed.emit();
  }

  /** The conversations that wait, the longest wait first. */
  sessions(): readonly WaitingSession[] {
    return [...this.waiting.values()].sort((a, b) => a.since - b.since);
  }

  /** Number of pending calls in all conversations. */
  get size(): number {
    return this.sessions().reduce((sum, { calls }) => sum + calls.length, 0);
  }

  /** The conversation to go to from the one that is shown: the next in the queue, and from the last the first again. */
  next(shown: string): WaitingSession | undefined {
    const sessions = this.sessions();
    return sessions[(sessions.findIndex(({ id }) => id === shown) + 1) % Math.max(1, sessions.length)];
  }
}

function isSame(some: readonly WaitingCall[], others: readonly WaitingCall[]): boolean {
  return some.length === others.length && some.every(({ id, kind }, index) => others[index]?.id === id && others[index].kind === kind);
}
