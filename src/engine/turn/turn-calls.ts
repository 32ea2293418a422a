import { present } from '../../domain/present.js';
import type { ToolCallBlock } from '../../domain/model/content.js';
import { type AssistantMessage, toolCalls } from '../../domain/model/message.js';
import type { Purse } from '../../domain/model/purse.js';
import type { Spent } from '../../domain/model/usage.js';
import type { PermissionDenial } from '../../domain/session/session-store.js';
import type { Clock } from '../../domain/clock.js';
import type { Log } from '../../domain/log.js';
import type { Gate, PermissionMode } from '../../domain/tool/permission.js';
import { withNoteBehind } from '../../domain/tool/model-notes.js';
import type { Tool, ToolResult } from '../../domain/tool/tool.js';
import type { ChangeRecorder } from '../../domain/workspace/changes.js';
import type { ToolCallState } from '../events.js';
import type { SessionHooks } from '../hooks/session-hooks.js';
import type { Approvals } from '../tool-call/approvals.js';
import { failure, resultMessage } from '../tool-call/results.js';
import { runToolCalls } from '../tool-call/scheduler.js';
import type { ModeChoice } from '../tool-call/updates.js';
import type { Transcript } from '../transcript.js';
import { type CallKind, type Loop, LoopGuard } from './loop-guard.js';
import type { TurnScope } from './turn-scope.js';
import { FAILING_AGAIN, notExecuted, SAME_AGAIN } from './outcome.js';
import type { AgentFile } from '../../domain/config/agent.js';

/** The tool that writes whole files; those that change parts of them say so. */
const WRITE = 'write';

/** Services that the calls of all turns of a session share. */
export interface TurnCallsDeps {
  readonly sessionId: string;
  readonly transcript: Transcript;
  readonly gate: Gate;
  readonly hooks: SessionHooks;
  readonly changes?: ChangeRecorder;
  readonly approvals: Approvals;
  /** Budget for calls that cost something. */
  readonly purse: Purse;
  readonly clock: Clock;
  readonly log: Log;
  /** The permission mode now. */
  readonly mode: () => PermissionMode;
  readonly modes: ModeChoice;
}

/** Context that calls get from their turn. */
export interface CallingTurn extends TurnScope {
  /** The agent that works. */
  readonly agent: () => AgentFile | undefined;
  /** Told what a call used. */
  readonly spent: (spent: Spent) => void;
}

/** The tool calls of one turn: runs or refuses them, and answers each in the conversation. */
export class TurnCalls {
  /** Calls that were denied. */
  readonly denials: PermissionDenial[] = [];
  private readonly guard = new LoopGuard();
  private stopReason: string | undefined;

  constructor(
    private readonly deps: TurnCallsDeps,
    private readonly turn: CallingTurn,
  ) {}

  /** The loop in which the model is caught, if any. */
  get loop(): Loop | undefined {
    return this.guard.loop;
  }

  /** Why a hook wants the turn to end; `undefined` when none does. */
  get stopped(): string | undefined {
    return this.stopReason;
  }

  /** Runs the calls of an answer. @param tools all of the turn @param withheld those that the agent of the turn does not have */
  run(calls: readonly ToolCallBlock[], tools: readonly Tool[], withheld: readonly Tool[]): Promise<void> {
    const { sessionId, gate, hooks, approvals, purse, mode, modes, log, transcript, changes } = this.deps;
    const denied = (denial: PermissionDenial): void => {
      this.denials.push(denial);
      transcript.deny(denial);
    };
    const messageIndex = transcript.messages.findLastIndex(({ role }) => role === 'user');
    const stopTurn = (reason: string): void => void (this.stopReason ??= reason);
    const stopped = (): boolean => this.stopReason !== undefined;
    const { emit, signal, grants } = this.turn;
    const ofSession = { sessionId, gate, hooks, approvals, purse, mode, modes, log, ...present({ changes }) };
    const ofTurn = { tools, withheld, agent: this.turn.agent, grants, stopTurn, stopped, denied, signal, emit, messageIndex };
    const editing = new Set(tools.flatMap((tool) => (tool.editing === undefined ? [] : [tool.spec.name])));
    return runToolCalls(calls, { ...ofSession, ...ofTurn }, (call, result, readOnly) =>
      this.answer(call, result, readOnly ? 'reads' : editing.has(call.name) || call.name === WRITE ? 'edits' : 'other'),
    );
  }

  /** Answers the calls of a message that are not to be run. */
  async refuse(message: AssistantMessage): Promise<void> {
    const result = failure(notExecuted(message.stopReason));
    const state: ToolCallState = message.stopReason === 'aborted' ? { status: 'cancelled' } : { status: 'failed', result };
    for (const call of toolCalls(message)) {
      this.turn.emit({ type: 'tool_call', callId: call.id, state });
      await this.answer(call, result, 'other');
    }
  }

  private async answer(call: ToolCallBlock, result: ToolResult, kind: CallKind): Promise<void> {
    this.guard.note(call, result, kind);
    if (result.spent !== undefined) this.turn.spent(result.spent);
    if (result.grant !== undefined && !result.isError) this.turn.grants.push(result.grant);
    const { warning } = this.guard;
    const told = warning === undefined ? result : withNoteBehind(result, warning === 'failing' ? FAILING_AGAIN : SAME_AGAIN);
    const message = this.deps.hooks.noted(resultMessage(call, told, this.deps.clock.timestamp()));
    const index = await this.deps.transcript.append(message);
    this.turn.emit({ type: 'tool_result', message, index });
  }
}
