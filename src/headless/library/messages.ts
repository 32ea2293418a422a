import type { McpStatus } from '../../domain/mcp/server.js';
import type { PermissionMode } from '../../domain/tool/permission.js';
import type { ContentBlock } from './content.js';
import type { StreamEventBody } from './stream-events.js';

/** What every message but `unknown` has. */
interface Framed {
  /** The session; the same in all messages of a run. Empty where none could be opened. */
  readonly session_id: string;
  /** Of this message alone. */
  readonly uuid: string;
}

/** What a run begins with, before any other message: once, also where it has several messages of the user. */
export interface InitMessage extends Framed {
  readonly type: 'system';
  readonly subtype: 'init';
  /** Absolute path of the folder that it works in. */
  readonly cwd: string;
  /** Names of tools, as Claude Code names them. */
  readonly tools: readonly string[];
  readonly mcp_servers: readonly { readonly name: string; readonly status: McpStatus }[];
  /** The model’s own name, without its provider. */
  readonly model: string;
  /** The mode that is in effect: it can be stricter than the one that was asked for. */
  readonly permissionMode: PermissionMode;
  readonly slash_commands: readonly string[];
  /** `none`: where keys come from is not told. */
  readonly apiKeySource: string;
  readonly output_style: string;
  /** Names. */
  readonly agents: readonly string[];
}

/** What was said before this was replaced by a summary, so that the conversation fits the model. */
export interface CompactBoundaryMessage extends Framed {
  readonly type: 'system';
  readonly subtype: 'compact_boundary';
  readonly compact_metadata: {
    /** Whether someone asked for it. */
    readonly trigger: 'manual' | 'auto';
    /** Tokens before. */
    readonly pre_tokens: number;
    /** Tokens after. */
    readonly post_tokens?: number;
  };
}

/** A request to the model failed and is made again. */
export interface ApiRetryMessage extends Framed {
  readonly type: 'system';
  readonly subtype: 'api_retry';
  /** From 1. */
  readonly attempt: number;
  readonly max_retries: number;
  /** Milliseconds until then. */
  readonly retry_delay_ms: number;
  /** HTTP status; `null` where there was no answer. */
  readonly error_status: number | null;
  /** Such as `rate_limit`, `overloaded`, `network`. */
  readonly error: string;
}

/** Another mode is in effect. */
export interface StatusMessage extends Framed {
  readonly type: 'system';
  readonly subtype: 'status';
  readonly permissionMode: PermissionMode;
}

/** An agent begins to work on a part of the task. Its messages have the same id of a call as `parent_tool_use_id`. */
export interface TaskStartedMessage extends Framed {
  readonly type: 'system';
  readonly subtype: 'task_started';
  /** For `stopTask`. */
  readonly task_id: string;
  readonly tool_use_id: string;
  /** The work in a few words. */
  readonly description: string;
  /** Name of the agent, such as `explore`. */
  readonly subagent_type: string;
  /** 1 for one that the session itself has started. */
  readonly spawn_depth: number;
}

/** What a task has used. */
export interface TaskUsage {
  readonly total_tokens: number;
  readonly tool_uses: number;
  readonly duration_ms: number;
}

/** An agent makes a call. */
export interface TaskProgressMessage extends Framed {
  readonly type: 'system';
  readonly subtype: 'task_progress';
  readonly task_id: string;
  readonly tool_use_id: string;
  readonly description: string;
  readonly usage: TaskUsage;
  readonly last_tool_name: string;
}

/** A command in the background has ended because it was stopped by `stopTask`, or an agent has ended. */
export interface TaskNotificationMessage extends Framed {
  readonly type: 'system';
  readonly subtype: 'task_notification';
  /** Such as `job-1`; of an agent, that of its `task_started`. */
  readonly task_id: string;
  readonly status: 'completed' | 'failed' | 'stopped';
  /** A sentence; of an agent, the beginning of its last words. */
  readonly summary: string;
  /** Of an agent. */
  readonly tool_use_id?: string;
  readonly usage?: TaskUsage;
}

/** Something to be told to a person, such as that a message was too long to be sent. */
export interface InformationalMessage extends Framed {
  readonly type: 'system';
  readonly subtype: 'informational';
  readonly level: 'info' | 'notice' | 'suggestion' | 'warning';
  /** Sentences. */
  readonly content: string;
}

/** An answer of the model, or a part of one that has calls. With `includePartialMessages`, its `stream_event`s came before. */
export interface AssistantMessage extends Framed {
  readonly type: 'assistant';
  readonly message: {
    readonly id: string;
    readonly role: 'assistant';
    /** The model’s own name. */
    readonly model: string;
    readonly content: readonly ContentBlock[];
    /** `end_turn`, `tool_use`, `max_tokens`; `null` for one that broke off. */
    readonly stop_reason: string | null;
    readonly usage: TokenUsage;
  };
  /** The call of the agent that says it; `null` for the one that was asked. */
  readonly parent_tool_use_id: string | null;
}

/** Results of tools, as `tool_result` blocks; or, with `isReplay`, a message of the user that is repeated. */
export interface UserMessage extends Framed {
  readonly type: 'user';
  readonly message: { readonly role: 'user'; readonly content: string | readonly ContentBlock[] };
  readonly parent_tool_use_id: string | null;
  readonly isReplay?: boolean;
}

/** A piece of an answer while it comes; only with `includePartialMessages`. The texts of its deltas make up the answer. */
export interface StreamEventMessage extends Framed {
  readonly type: 'stream_event';
  readonly event: StreamEventBody;
  readonly parent_tool_use_id: string | null;
}

/** Tokens. What was read from a cache, or written to one, is not in `input_tokens`. */
export interface TokenUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation_input_tokens: number;
}

/** What a model was used for; tokens as in {@link TokenUsage}. */
export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadInputTokens: number;
  readonly cacheCreationInputTokens: number;
  readonly webSearchRequests: number;
  /** US dollars; `null` where no price is known. */
  readonly costUSD: number | null;
  /** Tokens; `null` where not known. */
  readonly contextWindow: number | null;
}

/** A call that was not allowed. */
export interface PermissionDenial {
  /** As Claude Code names tools. */
  readonly tool_name: string;
  readonly tool_use_id: string;
  readonly tool_input: Readonly<Record<string, unknown>>;
  /** Name of the agent that made the call; absent: the session itself did. */
  readonly agent_type?: string;
}

/** What all results have. Figures are those of the whole run so far. */
interface ResultFields extends Framed {
  readonly type: 'result';
  /** Of this message of the user, in milliseconds. */
  readonly duration_ms: number;
  /** Spent waiting for the model, in milliseconds. */
  readonly duration_api_ms: number;
  /** Requests to the model for this message of the user. */
  readonly num_turns: number;
  /** As in {@link AssistantMessage}, of the last answer. */
  readonly stop_reason: string | null;
  /** Why it ended, in Gnomon’s words, such as `end_turn`, `aborted`, `round_limit`. */
  readonly terminal_reason: string;
  /** US dollars; `null` where the price of something is not known. */
  readonly total_cost_usd: number | null;
  readonly usage: TokenUsage;
  /** By the names `provider/model`. */
  readonly modelUsage: Readonly<Record<string, ModelUsage>>;
  readonly permission_denials: readonly PermissionDenial[];
}

/** A message of the user was done. */
export interface SuccessResult extends ResultFields {
  readonly subtype: 'success';
  readonly is_error: false;
  /** The text of the last answer. */
  readonly result: string;
  /** Data in the form that was asked for by `--json-schema`. */
  readonly structured_output?: unknown;
}

/** A message of the user was not done. */
export interface ErrorResult extends ResultFields {
  /**
   * `error_during_execution`: it failed, or was interrupted. `error_max_turns`, `error_max_budget_usd`: a limit was reached.
   * `error_max_structured_output_retries`: the model gave no data in the form that was asked for.
   */
  readonly subtype: 'error_during_execution' | 'error_max_turns' | 'error_max_budget_usd' | 'error_max_structured_output_retries';
  readonly is_error: true;
  /** Why, as sentences. */
  readonly errors: readonly string[];
}

/** What a message of the user came to: exactly one for each, and the last of its messages. */
export type ResultMessage = SuccessResult | ErrorResult;

/** Something that this version of the library does not know, as it came: a later version of the program says more. Pass over it. */
export interface UnknownMessage {
  readonly type: 'unknown';
  readonly raw: Readonly<Record<string, unknown>>;
}

/** A message about the run itself. */
export type SystemMessage =
  | InitMessage
  | StatusMessage
  | CompactBoundaryMessage
  | ApiRetryMessage
  | TaskStartedMessage
  | TaskProgressMessage
  | TaskNotificationMessage
  | InformationalMessage;

/**
 * What a program gets, in this order for each message of the user: `stream_event`s, `assistant`, `user` with results of tools, again until the
 * answer calls no tool, then `result`; `system` messages come between them. The types are complete: each field that is named here was checked,
 * and what is of another type is `unknown`. Messages can have more fields than these.
 */
export type AgentMessage = SystemMessage | AssistantMessage | UserMessage | ResultMessage | StreamEventMessage | UnknownMessage;
