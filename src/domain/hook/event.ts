import type { PermissionMode } from '../tool/permission.js';
import type { ServersTool } from '../tool/tool.js';

/** The events that hooks are for (C30), and five more where they cost little. Names and fields are those of Claude Code. */
export const HOOK_EVENTS = [
  'PreToolUse',
  'PreSkillShellCommand',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'Notification',
  'UserPromptSubmit',
  'SessionStart',
  'SessionEnd',
  'Stop',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
] as const;
/** One of {@link HOOK_EVENTS}. */
export type HookEventName = (typeof HOOK_EVENTS)[number];

/** Fields of the input of every hook. */
export interface HookContext {
  readonly session_id: string;
  /** Absolute path of the session's file. */
  readonly transcript_path: string;
  readonly cwd: string;
  readonly permission_mode: PermissionMode;
  /** Present in agents that were started by a session. */
  readonly agent_id?: string;
  /** Present with it: for how many sessions in a row the agent works, from 1. Claude Code has no such field. */
  readonly agent_depth?: number;
  /** Name of the agent that works. */
  readonly agent_type?: string;
}

/** A tool call, with the names and the arguments that it has in Claude Code where there is such a tool. */
interface ToolFields {
  readonly tool_name: string;
  readonly tool_input: unknown;
  readonly tool_use_id: string;
  /** The server and tool behind `tool_name`, for a tool of a server. It is not in the input; hooks get the long name as `tool_name`. */
  readonly of_server?: ServersTool;
}

/** The event-specific input of hooks, without the common fields. */
export type HookEvent =
  | ({ readonly hook_event_name: 'PreToolUse' | 'PermissionRequest' } & ToolFields)
  /** Before a command line in the text of a skill or a slash command, which is a call of the tool that runs commands; `command_name` has no slash. */
  | ({ readonly hook_event_name: 'PreSkillShellCommand'; readonly command_name: string; readonly invoked_by: 'user' | 'claude' | 'other' } & ToolFields)
  | ({ readonly hook_event_name: 'PostToolUse'; readonly tool_response: unknown } & ToolFields)
  | ({ readonly hook_event_name: 'PostToolUseFailure'; readonly error: string } & ToolFields)
  | {
      readonly hook_event_name: 'Notification';
      readonly message: string;
      readonly title?: string;
      readonly notification_type: 'permission_prompt' | 'idle_prompt';
    }
  | { readonly hook_event_name: 'UserPromptSubmit'; readonly prompt: string }
  | { readonly hook_event_name: 'SessionStart'; readonly source: 'startup' | 'resume' | 'clear' | 'compact'; readonly model?: string }
  | { readonly hook_event_name: 'SessionEnd'; readonly reason: 'clear' | 'prompt_input_exit' | 'other' }
  | { readonly hook_event_name: 'Stop'; readonly stop_hook_active: boolean; readonly last_assistant_message?: string }
  | { readonly hook_event_name: 'SubagentStart'; readonly agent_id: string; readonly agent_type: string }
  | {
      readonly hook_event_name: 'SubagentStop';
      readonly stop_hook_active: boolean;
      readonly agent_id: string;
      readonly agent_type: string;
      readonly agent_transcript_path: string;
      readonly last_assistant_message?: string;
    }
  | { readonly hook_event_name: 'PreCompact'; readonly trigger: 'manual' | 'auto'; readonly custom_instructions: string }
  | { readonly hook_event_name: 'PostCompact'; readonly trigger: 'manual' | 'auto' };

/** The events that are about a tool call. */
export const TOOL_EVENTS: ReadonlySet<HookEventName> = new Set([
  'PreToolUse',
  'PreSkillShellCommand',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
]);

/** Those before a call, at which hooks deny, ask, and allow. */
export const CALL_GUARDS: ReadonlySet<HookEventName> = new Set(['PreToolUse', 'PreSkillShellCommand', 'PermissionRequest']);
