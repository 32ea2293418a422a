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

  get waiting(): readonly Ask[] {
    return [...this.calls.values()].filter((ask) => ask !== undefined);
  }

  /** Takes an event of the session. */
  heard(event: SessionEvent): void {
    const after = this.after(event);
    if (after === this.calls) return;
    const before = this.waiting;
    this.calls = after;
    const { waiting } = this;
    if (waiting.length !== before.length || waiting.some((ask, index) => ask !== before[index])) this.changed.emit();
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
    const { call, plan, judgment, revision, changed, problem, rewrittenBy } = state;
    return { kind: 'permission', ...{ who, callId, call, plan, judgment, revision }, ...present({ changed, problem, rewrittenBy }) };
  }
  if (state.status !== 'running' || state.plan.preview.kind !== 'question') return undefined;
  return { kind: 'question', who, callId, question: state.plan.preview.question };
}
