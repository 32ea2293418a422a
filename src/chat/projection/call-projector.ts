import { assertNever } from '../../domain/assert-never.js';
import { present } from '../../domain/present.js';
import type { HookOutcome } from '../../domain/hook/outcome.js';
import type { ToolCallBlock } from '../../domain/model/content.js';
import type { Timestamp, ToolResultMessage } from '../../domain/model/message.js';
import type { SessionEvent, ToolCallState } from '../../engine/events.js';
import { hookRecords } from '../../engine/hooks/hook-records.js';
import type { ViewEvent } from '../../protocol/view-event.js';
import type { ViewActivity, ViewHookRun, ViewToolCall } from '../../protocol/view-state.js';
import { resultView } from './call-result.js';
import type { ShortPath } from './call-topic.js';
import { type CallView, hookRunViews, imageCount, outcomeOf, viewOfState } from './call-view.js';

/** A call of the turn, and where it is shown. */
interface KnownCall extends Pick<ViewToolCall, 'by' | 'maker' | 'isApart'> {
  readonly block: number;
  readonly answer: string;
  call: ToolCallBlock;
  /** Reason why it was allowed, once known. */
  why?: string;
  /** Since when it runs, once it does. */
  since?: Timestamp;
  /** The hooks that ran for it. */
  hooks?: readonly ViewHookRun[];
  /** As it was shown last. */
  shown?: CallView;
}

/** Converts the progress of a turn's calls to changes of the transcript. */
export class CallProjector {
  private readonly calls = new Map<string, KnownCall>();
  /** Those that wait for the user: agents work side by side. */
  private readonly waiting = new Set<string>();

  constructor(
    private readonly emit: (event: ViewEvent) => void,
    private readonly short: ShortPath,
  ) {}

  /** Whether a turn of the chat runs: agents in the background can ask while none does. */
  turnRuns = false;

  /** What the chat does, as far as its calls and its turns say. It can be told something while only agents in the background wait. */
  get activity(): ViewActivity {
    const waits = this.turnRuns ? this.waiting.size > 0 : [...this.waiting].some((id) => this.calls.get(id)?.by === undefined);
    if (waits) return 'waiting';
    return this.turnRuns ? 'running' : 'idle';
  }

  /** A call is shown at a place from now on. */
  begin(call: ToolCallBlock, place: Pick<KnownCall, 'answer' | 'block' | 'by' | 'maker' | 'isApart'>): void {
    this.calls.set(call.id, { ...place, call });
  }

  /** Whether a call is shown. */
  has(callId: string): boolean {
    return this.calls.has(callId);
  }

  /** A call of which the arguments are whole. */
  update(call: ToolCallBlock, state: ToolCallState): void {
    const known = this.calls.get(call.id);
    if (known === undefined) return;
    known.call = call;
    if (state.status === 'running') {
      known.why = state.why;
      known.since ??= new Date().toISOString();
    }
    this.show(known, viewOfState(call, state, { why: known.why, since: known.since, short: this.short }));
  }

  /** Hooks ran for a call: what they did is shown with it. */
  hooksRan(callId: string, outcome: HookOutcome): void {
    const known = this.calls.get(callId);
    if (known === undefined) return;
    known.hooks = [...(known.hooks ?? []), ...hookRunViews(hookRecords(outcome, callId), known.call.arguments)];
    if (known.shown !== undefined) this.show(known, known.shown);
  }

  private show(known: KnownCall, view: CallView): void {
    const shown = { ...view, ...present({ hooks: known.hooks, by: known.by, maker: known.maker, isApart: known.isApart }) };
    known.shown = shown;
    this.emit({ type: 'call', item: known.answer, block: known.block, call: shown });
  }

  /** Takes what a call does or gives back. */
  project(event: Extract<SessionEvent, { type: 'tool_call' | 'tool_output' | 'tool_result' }>): void {
    switch (event.type) {
      case 'tool_call':
        return this.state(event.callId, event.state);
      case 'tool_output':
        return this.at(event.callId, (place) => this.emit({ type: 'call_output', ...place, delta: event.chunk }));
      case 'tool_result':
        return this.result(event.message);
      default:
        assertNever(event);
    }
  }

  private result(message: ToolResultMessage): void {
    const known = this.calls.get(message.toolCallId);
    if (known === undefined) return;
    const { output } = resultView({ content: message.content, outcome: outcomeOf(message), short: this.short });
    this.at(message.toolCallId, (place) => this.emit({ type: 'call_result', ...place, output, ...imageCount(message) }));
  }

  /** Forgets the calls of an answer from a block on; without an answer, all. */
  forget(answer?: string, from = 0): void {
    for (const [id, known] of this.calls) {
      if (answer !== undefined && (known.answer !== answer || known.block < from)) continue;
      this.calls.delete(id);
      this.waiting.delete(id);
    }
  }

  /** Forgets those of the chat itself, whose turn is over. */
  forgetOwn(): void {
    for (const [id, { by }] of this.calls) {
      if (by !== undefined) continue;
      this.calls.delete(id);
      this.waiting.delete(id);
    }
  }

  private state(callId: string, state: ToolCallState): void {
    const known = this.calls.get(callId);
    if (known === undefined) return;
    this.update(known.call, state);
    if (waitsForUser(state)) this.waiting.add(callId);
    else this.waiting.delete(callId);
    this.emit({ type: 'meta', patch: { activity: this.activity } });
    if (state.status === 'done' && state.plan.preview.kind === 'todos') this.emit({ type: 'meta', patch: { todos: state.plan.preview.items } });
  }

  private at(callId: string, act: (place: { item: string; block: number }) => void): void {
    const known = this.calls.get(callId);
    if (known !== undefined) act({ item: known.answer, block: known.block });
  }
}

/** Whether the user has to do something before the call continues. */
function waitsForUser(state: ToolCallState): boolean {
  return state.status === 'awaiting_approval' || (state.status === 'running' && state.plan.preview.kind === 'question');
}
