import type { HookEventName } from '../../domain/hook/event.js';
import type { PermissionMode } from '../../domain/tool/permission.js';

/** What a hook is told in every event. */
interface HookInputBase {
  readonly session_id: string;
  /** Absolute path of the session’s file, which may not be there yet. */
  readonly transcript_path: string;
  /** Absolute path of the folder that the agent works in. */
  readonly cwd: string;
  readonly permission_mode: PermissionMode;
  /** Present in agents that were started by a session. */
  readonly agent_id?: string;
  /** Name of the agent that works. */
  readonly agent_type?: string;
}

/** A call, with the names and the arguments that it has in Claude Code where there is such a tool. */
interface HookedCall {
  readonly tool_name: string;
  readonly tool_input: Readonly<Record<string, unknown>>;
  readonly tool_use_id: string;
}

/** What a hook is told in addition, by its event. */
interface HookFields {
  /** Before a call, whatever will be decided about it. */
  readonly PreToolUse: HookedCall;
  /** Before a command line in the text of a skill or a slash command; `command_name` has no slash. */
  readonly PreSkillShellCommand: HookedCall & { readonly command_name: string; readonly invoked_by: 'user' | 'claude' | 'other' };
  /** Before someone is asked about a call. */
  readonly PermissionRequest: HookedCall;
  /** After a call that succeeded. */
  readonly PostToolUse: HookedCall & { readonly tool_response: unknown };
  /** After a call that failed. */
  readonly PostToolUseFailure: HookedCall & { readonly error: string };
  readonly Notification: { readonly message: string; readonly title?: string; readonly notification_type: 'permission_prompt' | 'idle_prompt' };
  readonly UserPromptSubmit: { readonly prompt: string };
  readonly SessionStart: { readonly source: 'startup' | 'resume' | 'clear' | 'compact'; readonly model?: string };
  /** Never calls a function: the input of the program has ended by then, so that none could answer. */
  readonly SessionEnd: { readonly reason: 'clear' | 'prompt_input_exit' | 'other' };
  /** When the agent has finished; `stop_hook_active` is true when a hook has had it go on before. */
  readonly Stop: { readonly stop_hook_active: boolean; readonly last_assistant_message?: string };
  /** Never happens yet. */
  readonly SubagentStart: { readonly agent_id: string; readonly agent_type: string };
  /** Never happens yet. */
  readonly SubagentStop: {
    readonly stop_hook_active: boolean;
    readonly agent_id: string;
    readonly agent_type: string;
    readonly agent_transcript_path: string;
    readonly last_assistant_message?: string;
  };
  readonly PreCompact: { readonly trigger: 'manual' | 'auto'; readonly custom_instructions: string };
  readonly PostCompact: { readonly trigger: 'manual' | 'auto' };
}

/** What a hook is told. Input of later versions can have more fields. */
export type HookInput<Event extends HookEventName = HookEventName> = Event extends HookEventName
  ? HookInputBase & HookFields[Event] & { readonly hook_event_name: Event }
  : never;

/** What a hook of any event can answer. */
interface HookOutputBase {
  /** `false` ends the turn. */
  readonly continue?: boolean;
  /** Why the turn ends: a sentence for the user. */
  readonly stopReason?: string;
  /** A sentence for the user. */
  readonly systemMessage?: string;
  /** Without effect; Agent SDKs have it. */
  readonly suppressOutput?: boolean;
}

/** What ends something, or has the agent go on: `reason` is told to the model, or to the user where nothing goes to the model. */
interface Blocking {
  readonly decision?: 'block';
  readonly reason?: string;
}

/** What the model is told in addition. */
interface Telling<Event> {
  readonly hookSpecificOutput?: { readonly hookEventName: Event; readonly additionalContext?: string };
}

/** What is decided about a call. */
interface Judging<Event, More = unknown> {
  readonly hookSpecificOutput?: More & {
    readonly hookEventName: Event;
    /** `allow` is no more than a yes to what would be asked: rules that deny or ask count all the same. The strictest answer of all hooks counts. */
    readonly permissionDecision?: 'allow' | 'deny' | 'ask';
    /** For the model, or for who is asked. */
    readonly permissionDecisionReason?: string;
  };
}

/** What a hook can answer in addition, by its event. */
interface HookAnswers {
  readonly PreToolUse: Judging<
    'PreToolUse',
    {
      /** Arguments in place of all those of the call, which is judged with them. */
      readonly updatedInput?: Readonly<Record<string, unknown>>;
      readonly additionalContext?: string;
    }
  >;
  readonly PreSkillShellCommand: Judging<'PreSkillShellCommand'>;
  readonly PermissionRequest: {
    readonly hookSpecificOutput?: {
      readonly hookEventName: 'PermissionRequest';
      readonly decision:
        | { readonly behavior: 'allow'; readonly updatedInput?: Readonly<Record<string, unknown>> }
        | { readonly behavior: 'deny'; readonly message?: string };
    };
  };
  readonly PostToolUse: Blocking & Telling<'PostToolUse'>;
  readonly PostToolUseFailure: Blocking & Telling<'PostToolUseFailure'>;
  readonly Notification: unknown;
  /** Blocked, it is not sent. */
  readonly UserPromptSubmit: Blocking & Telling<'UserPromptSubmit'>;
  readonly SessionStart: Telling<'SessionStart'>;
  readonly SessionEnd: unknown;
  /** Blocked, the agent goes on. */
  readonly Stop: Blocking;
  readonly SubagentStart: Telling<'SubagentStart'>;
  readonly SubagentStop: Blocking;
  readonly PreCompact: Blocking;
  readonly PostCompact: unknown;
}

/** What a hook answers; nothing is an answer, too, and decides nothing. A field that is not here makes it one that cannot be used. */
export type HookOutput<Event extends HookEventName = HookEventName> = Event extends HookEventName ? HookOutputBase & HookAnswers[Event] : never;

/** What goes with the input of a hook. */
export interface HookContext {
  /** Aborts when no answer is needed any more: it took too long, the turn was stopped, or the program has ended. */
  readonly signal: AbortSignal;
}

/**
 * A hook. One that throws, answers what cannot be used, or takes too long has not answered: what that means says {@link HookMatcher.onFailure}. The
 * message of what it throws is told as the reason.
 */
export type HookCallback<Event extends HookEventName = HookEventName> = (
  input: HookInput<Event>,
  context: HookContext,
) => HookOutput<Event> | undefined | Promise<HookOutput<Event> | undefined>;

/** Hooks of an event, and what they are for. All that match run at the same time. */
export interface HookMatcher<Event extends HookEventName = HookEventName> {
  /**
   * Names of tools, such as `Bash` or `Edit|Write`, or a regular expression; in other events of what they tell, such as the `source` of `SessionStart`.
   * Left out: all.
   */
  readonly matcher?: string;
  readonly hooks: readonly HookCallback<Event>[];
  /** Seconds that each may take; more than 0. Default: 60. */
  readonly timeout?: number;
  /**
   * What happens where one does not answer. Default: `block` before calls, commands of skills, and prompts, and `continue` else. After a call, and at the end
   * of a turn, nothing can be blocked by it.
   */
  readonly onFailure?: 'block' | 'continue';
}

/** Hooks by their events. In some events, none is ever called: `initialization()` says which of them those are. */
export type Hooks = { readonly [Event in HookEventName]?: readonly HookMatcher<Event>[] };
