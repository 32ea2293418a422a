import { assertNever } from '../../../domain/assert-never.js';
import type { ToolCallBlock } from '../../../domain/model/content.js';
import type { SessionEvent, ToolCallState } from '../../../engine/events.js';
import type { ViewEvent } from '../../../protocol/view-event.js';
import { imageCount, resultText, viewOfState } from './call-view.js';

/** A call of the turn, and where it is shown. */
interface KnownCall {
  readonly block: number;
  readonly answer: string;
  call: ToolCallBlock;
  /** What allowed it, once that is known. */
  why?: string;
}

/** Turns what becomes of the calls of a turn into changes of what panels show. */
export class CallProjector {
  private readonly calls = new Map<string, KnownCall>();

  constructor(private readonly emit: (event: ViewEvent) => void) {}

  /** A call is shown at a place from now on. */
  begin(call: ToolCallBlock, answer: string, block: number): void {
    this.calls.set(call.id, { block, answer, call });
  }

  /** A call of which the arguments are whole. */
  update(call: ToolCallBlock, state: ToolCallState): void {
    const known = this.calls.get(call.id);
    if (known === undefined) return;
    known.call = call;
    if (state.status === 'running') known.why = state.why;
    this.emit({ type: 'call', item: known.answer, block: known.block, call: viewOfState(call, state, known.why) });
  }

  /** Takes what a call does or gives back. */
  project(event: Extract<SessionEvent, { type: 'tool_call' | 'tool_output' | 'tool_result' }>): void {
    switch (event.type) {
      case 'tool_call':
        return this.state(event.callId, event.state);
      case 'tool_output':
        return this.at(event.callId, (place) => this.emit({ type: 'call_output', ...place, delta: event.chunk }));
      case 'tool_result':
        return this.at(event.message.toolCallId, (place) => this.emit({ type: 'call_result', ...place, output: resultText(event.message), ...imageCount(event.message) }));
      default:
        assertNever(event);
    }
  }

  /** Forgets the calls of an answer from a block on; without an answer, all. */
  forget(answer?: string, from = 0): void {
    for (const [id, known] of this.calls) if (answer === undefined || (known.answer === answer && known.block >= from)) this.calls.delete(id);
  }

  private state(callId: string, state: ToolCallState): void {
    const known = this.calls.get(callId);
    if (known === undefined) return;
    this.update(known.call, state);
    this.emit({ type: 'meta', patch: { activity: waitsForPerson(state) ? 'waiting' : 'running' } });
    if (state.status === 'done' && state.plan.preview.kind === 'todos') this.emit({ type: 'meta', patch: { todos: state.plan.preview.items } });
  }

  private at(callId: string, act: (place: { item: string; block: number }) => void): void {
    const known = this.calls.get(callId);
    if (known !== undefined) act({ item: known.answer, block: known.block });
  }
}

/** Whether the person has to do something before the call goes on. */
function waitsForPerson(state: ToolCallState): boolean {
  return state.status === 'awaiting_approval' || (state.status === 'running' && state.plan.preview.kind === 'question');
}
