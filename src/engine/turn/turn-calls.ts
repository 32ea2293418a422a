import type { ToolCallBlock } from '../../domain/model/content.js';
import { text } from '../../domain/model/content.js';
import type { AssistantMessage } from '../../domain/model/message.js';
import { toolCalls } from '../../domain/model/message-helpers.js';
import type { PermissionDenial } from '../../domain/session/session-store.js';
import type { ToolResult } from '../../domain/tool/tool.js';
import type { SessionEvent, ToolCallState } from '../events.js';
import type { Loop } from './loop-guard.js';
import { LoopGuard } from './loop-guard.js';
import { notExecuted } from './outcome.js';
import { failure, resultMessage } from '../tool-call/results.js';
import { runToolCalls } from '../tool-call/scheduler.js';
import type { TurnDependencies } from './turn-dependencies.js';

/** What the model is told when it makes no headway. */
const FAILING_AGAIN = '[This has failed in the same way several times in a row. Do not send it again as it is: find out why it fails, try another way, or ask the user.]';

/** The tool calls of one turn: runs or refuses them, and answers each in the conversation. */
export class TurnCalls {
  /** Calls that were denied. */
  readonly denials: PermissionDenial[] = [];
  private readonly needs: TurnDependencies;
  private readonly emit: (event: SessionEvent) => void;
  private readonly signal: AbortSignal;
  private readonly guard = new LoopGuard();

  constructor(needs: TurnDependencies, emit: (event: SessionEvent) => void, signal: AbortSignal) {
    this.needs = needs;
    this.emit = emit;
    this.signal = signal;
  }

  /** The loop in which the model is caught, if any. */
  get loop(): Loop | undefined {
    return this.guard.loop;
  }

  /** Runs the calls of an answer. */
  run(calls: readonly ToolCallBlock[]): Promise<void> {
    const { sessionId, tools, gate, approvals, mode, log, transcript, changes } = this.needs;
    const denied = (denial: PermissionDenial): void => {
      this.denials.push(denial);
      transcript.deny(denial);
    };
    const messageIndex = transcript.messages.findLastIndex(({ role }) => role === 'user');
    const context = { sessionId, tools, gate, approvals, mode, log, denied, signal: this.signal, emit: this.emit, messageIndex, ...(changes === undefined ? {} : { changes }) };
    return runToolCalls(calls, context, (call, result, readOnly) => this.answer(call, result, readOnly));
  }

  /** Answers the calls of a message that are not to be run. */
  async refuse(message: AssistantMessage): Promise<void> {
    const result = failure(notExecuted(message.stopReason));
    const state: ToolCallState = message.stopReason === 'aborted' ? { status: 'cancelled' } : { status: 'failed', result };
    for (const call of toolCalls(message)) {
      this.emit({ type: 'tool_call', callId: call.id, state });
      await this.answer(call, result, false);
    }
  }

  private async answer(call: ToolCallBlock, result: ToolResult, readOnly: boolean): Promise<void> {
    this.guard.note(call, result, readOnly);
    const told = this.guard.isFailingAgain ? { ...result, content: [...result.content, text(FAILING_AGAIN)] } : result;
    const message = resultMessage(call, told, this.needs.clock.timestamp());
    const index = await this.needs.transcript.append(message);
    this.emit({ type: 'tool_result', message, index });
  }
}
