import { present } from '../domain/present.js';
import { Signal } from '../concurrency/signal.js';
import type { SessionIdentity } from '../domain/session/identity.js';
import type { Ask, AskSource } from '../domain/tool/asks.js';
import type { SessionEvent, ToolCallState } from './events.js';

/** Pending approvals and questions of a session, tracked by its events, the same for every view of the session. */
export class Asks implements AskSource {
  private readonly changed = new Signal();
  readonly onDidChange = this.changed.subscribe;
  /** By their calls, in the order of these. */
  private calls: ReadonlyMap<string, Ask | undefined> = new Map();
  /** Those of sessions that work for this one. */
  private readonly children = new Set<AskSource>();
  /** When each began to wait, among all of this session and those below it. */
  private readonly order = new WeakMap<Ask, number>();
  private counted = 0;

  get waiting(): readonly Ask[] {
    const own = [...this.calls.values()].filter((ask) => ask !== undefined);
    if (this.children.size === 0) return own;
    const place = (ask: Ask): number => this.order.get(ask) ?? Infinity;
    return [...own, ...[...this.children].flatMap(({ waiting }) => waiting)].toSorted((one, other) => place(one) - place(other));
  }

  /** Has what a session that works for this one waits for wait here, too. Returns how to stop that. */
  follow(child: AskSource): () => void {
    // What waits already stands before what the other one asks.
    this.note();
    this.children.add(child);
    const stop = child.onDidChange(() => {
      this.note();
      this.changed.emit();
    });
    return () => {
      stop();
      this.children.delete(child);
      this.changed.emit();
    };
  }

  /** Takes an event of the session. */
  heard(event: SessionEvent): void {
    const after = this.after(event);
    if (after === this.calls) return;
    const before = this.waiting;
    this.calls = after;
    if (this.children.size > 0) this.note();
    const { waiting } = this;
    if (waiting.length !== before.length || waiting.some((ask, index) => ask !== before[index])) this.changed.emit();
  }

  /** Gives what has begun to wait its place. */
  private note(): void {
    for (const ask of this.waiting) if (!this.order.has(ask)) this.order.set(ask, (this.counted += 1));
  }

  private after(event: SessionEvent): ReadonlyMap<string, Ask | undefined> {
    switch (event.type) {
      case 'turn_ended':
        return this.calls.size === 0 ? this.calls : new Map();
      case 'tool_call':
        return this.withState(event);
      default:
        return this.calls;
    }
  }

  /** Only open calls are kept: those that programs make end with no turn. */
  private withState({ who, callId, state }: Extract<SessionEvent, { type: 'tool_call' }>): ReadonlyMap<string, Ask | undefined> {
    const calls = new Map(this.calls);
    if (isOver(state)) calls.delete(callId);
    else calls.set(callId, askOf(who, callId, state));
    return calls;
  }
}

/** Whether a call in a state has ended. */
function isOver({ status }: ToolCallState): boolean {
  return status === 'done' || status === 'failed' || status === 'denied' || status === 'cancelled';
}

/** The approval or answer that a call in a state waits for; `undefined` for none. */
function askOf(who: SessionIdentity, callId: string, state: ToolCallState): Ask | undefined {
  if (state.status === 'awaiting_approval') {
    const { call, plan, judgment, revision, changed, problem, rewrittenBy, deciding } = state;
    return { kind: 'permission', ...{ who, callId, call, plan, judgment, revision }, ...present({ changed, problem, rewrittenBy, deciding }) };
  }
  if (state.status !== 'running' || state.plan.preview.kind !== 'question') return undefined;
  return { kind: 'question', who, callId, question: state.plan.preview.question };
}
