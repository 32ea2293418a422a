import type { Compaction, CompactionTrigger, ContextUse, FoundInstructions } from '../domain/session/context.js';
import type { AssistantMessage, Message, Timestamp, ToolResultMessage, UserMessage } from '../domain/model/message.js';
import type { HookBlock, HookOutcome } from '../domain/hook/outcome.js';
import type { SessionIdentity } from '../domain/session/identity.js';
import type { AskedCall } from '../domain/tool/asks.js';
import type { Denial } from '../domain/tool/denial.js';
import type { Judgment, PermissionMode } from '../domain/tool/permission.js';
import type { ThinkingEffort } from '../domain/model/effort.js';
import type { LimitReached } from '../domain/model/purse.js';
import type { ModelChoice } from '../domain/model/model-choice.js';
import type { HeldBack, PermissionDenial, StoredRouting } from '../domain/session/session-store.js';
import type { ToolCallBlock } from '../domain/model/content.js';
import type { StreamEvent } from '../domain/model/stream-event.js';
import type { Plan, ToolResult } from '../domain/tool/tool.js';
import type { Usage } from '../domain/model/usage.js';
import type { Figures } from './turn/spending.js';

/** A call that waits for the user. */
export interface AwaitingApproval {
  readonly status: 'awaiting_approval';
  /** The call as the model made it. */
  readonly call: AskedCall;
  readonly plan: Plan;
  readonly judgment: Extract<Judgment, { type: 'ask' }>;
  /** Revision of the call's prompt, from 1; an answer for another revision is not accepted. */
  readonly revision: number;
  /** Whether the plan is what the user made of the call. */
  readonly changed?: true;
  /** Why the user's last answer could not be followed, or what it has changed. */
  readonly problem?: string;
  /** The hook that made the plan of another one. */
  readonly rewrittenBy?: string;
  /** Names of hooks that decide at the same time, with commas between them. */
  readonly deciding?: string;
}

/** A tool call in its life; each state carries only what it has. */
export type ToolCallState =
  | { readonly status: 'pending' }
  | AwaitingApproval
  /** `why` says what allowed the call. */
  | { readonly status: 'running'; readonly plan: Plan; readonly why: string }
  | { readonly status: 'done'; readonly plan: Plan; readonly result: ToolResult }
  | { readonly status: 'failed'; readonly plan?: Plan; readonly result: ToolResult }
  | { readonly status: 'denied'; readonly plan: Plan; readonly denial: Denial }
  | { readonly status: 'cancelled'; readonly plan?: Plan };

/** Reason why a turn ended. */
export type TurnEnd =
  | 'end_turn'
  /** The answer reached the length limit of the model, also when it was continued. */
  | 'length'
  /** The answer reached a length limit and is not continued, because the caller of the turn did not want that. */
  | 'cut'
  | 'aborted'
  | 'error'
  | 'round_limit'
  /** The session's cap on turns or spending is reached. */
  | 'cap'
  /** The model made the same failing call again and again. */
  | 'loop'
  /** A hook ended it. */
  | 'hook'
  /** A hook did not let the message pass, or a command in it failed: nothing was recorded, and no model was asked. */
  | 'blocked'
  | 'unknown';

/** Record of one turn. A round is one request to the model, with those that repeat it; a turn that sent nothing has none. */
export interface Turn extends Figures {
  readonly end: TurnEnd;
  readonly messages: readonly Message[];
  readonly rounds: number;
  readonly durationMs: number;
  /** Time spent waiting for models. */
  readonly modelMs: number;
  readonly denials: readonly PermissionDenial[];
  /** Error that ended the turn, for the ends `error`, `cap`, `loop`, `hook` and `blocked`. */
  readonly error?: unknown;
  /** The limit that was reached, with the end `cap`. */
  readonly reached?: LimitReached;
}

/** A command in a message that did not run well, so that the message is not sent. */
export interface CommandBlock {
  readonly kind: 'command';
  /** A sentence for the user. */
  readonly reason: string;
}

/** Why a message is not sent. */
export type MessageBlock = HookBlock | CommandBlock;

/** A turn that has begun. Neither promise rejects: what goes wrong is in the turn. */
export interface StartedTurn {
  /**
   * Resolves when the message is recorded, or could not be, which an event reports; before anything is asked of a model. To
   * what blocked it where a hook or a command in it did: then nothing was recorded, and the words are still the user's.
   */
  readonly recorded: Promise<MessageBlock | undefined>;
  readonly turn: Promise<Turn>;
}

/** Display names of a model that did not answer, and of the one that goes on in its place. */
export interface StandsIn {
  readonly failed: string;
  readonly model: string;
}

/** Event of a session, in the order in which it happens, with whose it is. */
export type SessionEvent = (EmittedEvent | ChildEvent) & { readonly who: SessionIdentity };

/** Whether a session, or one that works for it, may do nothing any more after an event. */
export function mayRestAfter(event: SessionEvent): boolean {
  if (event.type === 'child') return mayRestAfter(event.event);
  return event.type === 'turn_ended' || event.type === 'compaction_ended' || event.type === 'work_changed';
}

/** Event of a session that works for this one, or for one that does. */
export interface ChildEvent {
  readonly type: 'child';
  readonly event: SessionEvent;
}

/** Event as parts of a session emit it, which need not know whose they are. */
export type EmittedEvent =
  | { readonly type: 'turn_started'; readonly message: UserMessage; readonly index: number }
  /** The user said something while the turn ran, by {@link AgentSession.steer}: it was recorded and goes with the next round. */
  | { readonly type: 'message_added'; readonly id: string; readonly message: UserMessage; readonly index: number }
  /** A hook did not let such a message pass. */
  | { readonly type: 'message_blocked'; readonly id: string; readonly block: HookBlock }
  /** The commands in a message begin, before it is recorded: their calls follow. */
  | { readonly type: 'commands_started'; readonly calls: readonly ToolCallBlock[]; readonly time: Timestamp }
  /** They are over; with one that failed, the message is not sent. */
  | { readonly type: 'commands_ended'; readonly failed: boolean }
  /** Hooks have been running for a while: what they are shown as, in words of the user or of their files; empty when they have ended. */
  | { readonly type: 'hooks_running'; readonly status: string }
  /** Hooks ran, for a tool call or for something else that happened. */
  | { readonly type: 'hooks_ran'; readonly callId?: string; readonly outcome: HookOutcome }
  | { readonly type: 'round_started'; readonly round: number; readonly model: string }
  | { readonly type: 'stream'; readonly event: StreamEvent }
  /** The answer of a round is whole, or kept as far as it came. `index` is its place in the conversation. */
  | { readonly type: 'answer'; readonly message: AssistantMessage; readonly index: number }
  | { readonly type: 'tool_call'; readonly callId: string; readonly state: ToolCallState }
  | { readonly type: 'tool_output'; readonly callId: string; readonly chunk: string }
  | { readonly type: 'tool_result'; readonly message: ToolResultMessage; readonly index: number }
  | { readonly type: 'usage'; readonly usage: Usage; readonly costUsd: number | undefined }
  /** A request failed in a way that passes; it is made again after `delayMs` milliseconds. `attempt` counts from 1. */
  | { readonly type: 'retry_scheduled'; readonly attempt: number; readonly maxAttempts: number; readonly delayMs: number; readonly error: unknown }
  /** The wait before another attempt is over, or was cut short. */
  | { readonly type: 'retry_ended' }
  | { readonly type: 'context'; readonly context: ContextUse }
  /**
   * The server read only so many tokens of a longer request without saying so; sent once for each model. `model` is its
   * display name, `advice` how the user gets a larger window, where that is known.
   */
  | { readonly type: 'context_cut'; readonly model: string; readonly tokens: number; readonly advice: string | undefined }
  | { readonly type: 'compaction_started'; readonly trigger: CompactionTrigger }
  /** A summary took the place of the beginning. */
  | { readonly type: 'compacted'; readonly compaction: Compaction }
  /** Summarizing failed; the conversation is as it was. */
  | { readonly type: 'compaction_failed'; readonly error: unknown }
  | { readonly type: 'compaction_undone'; readonly compaction: Compaction }
  /** A summary that the user asked for is over, and the session is idle again; `error` says why there is none. */
  | { readonly type: 'compaction_ended'; readonly error?: unknown }
  /** Other messages than before are held back; `heldBack` is all of them. */
  | { readonly type: 'held_back'; readonly heldBack: readonly HeldBack[] }
  /** Settings of the next round; `model` is `provider/model`, `agent` the name of one that can make the `effectiveMode` stricter than that of the user. */
  | {
      readonly type: 'settings_changed';
      readonly model: string;
      /** Who chooses it. */
      readonly modelChoice: ModelChoice['type'];
      readonly mode: PermissionMode;
      readonly effectiveMode: PermissionMode;
      readonly effort: ThinkingEffort;
      readonly agent?: string;
    }
  /**
   * How the turn of the user’s message at an index came to its model, where that was chosen for it. `standsIn` has the display names of the model
   * that did not answer in it, which the next message tries again, and of the one that goes on.
   */
  | { readonly type: 'routed'; readonly routing: StoredRouting; readonly index: number; readonly standsIn?: StandsIn }
  /** The instructions are not the same any more; `found` is all of them. */
  | { readonly type: 'instructions_found'; readonly found: FoundInstructions }
  /** Saving failed; the conversation continues in memory and saving is tried again. */
  | { readonly type: 'storage_failed'; readonly error: unknown }
  /** Work that others do for this session is about to begin, or has ended. */
  | { readonly type: 'work_changed' }
  | { readonly type: 'turn_ended'; readonly turn: Turn };
