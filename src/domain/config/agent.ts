import type { ThinkingEffort } from '../model/effort.js';
import type { PermissionMode } from '../tool/permission.js';
import type { McpEntry } from '../mcp/config.js';
import type { HookDefinition } from '../hook/definition.js';
import type { ConfigOrigin } from './origin.js';
import type { FieldReport } from './problem.js';

/** An agent as a program defines it (C17). */
export interface AgentDefinition {
  /** Unique name for the user and models, without `:` or a dash at the start. */
  readonly name: string;
  /** When to use it. */
  readonly description: string;
  /** Its instructions; absent: none beside the usual ones. */
  readonly systemPrompt?: string;
  /** Names of the tools that it has, as Gnomon names them, or `mcp__server__*`; `['*']` for all. Never more than the session has. */
  readonly allowedTools: readonly string[];
  /** `provider/model`, or as another program names it, with commas between several of which the first is preferred; absent: that of the chat. */
  readonly model?: string;
}

/** An agent of a file. It can narrow what a session may do, and never widen it. */
export interface AgentFile extends AgentDefinition {
  readonly origin: ConfigOrigin;
  /** Taken away from {@link AgentDefinition.allowedTools}. */
  readonly disallowedTools: readonly string[];
  /** Used where it is at least as strict as the mode of the chat. */
  readonly permissionMode?: PermissionMode;
  /** Whether calls that would be asked about are denied while it is active (`dontAsk` of Claude Code). */
  readonly deniesPrompts?: true;
  /** The most rounds of a turn; at least 1. */
  readonly maxTurns?: number;
  readonly effort?: ThinkingEffort;
  /** Where it works when it is started for a part of a task; absent: in the folders of who starts it. */
  readonly isolation?: 'worktree';
  /** Whether who starts it for a part of a task does not wait for it; absent: as the call says. */
  readonly background?: true;
  /** Whether no model can start it for a part of a task, unless the agent that it works as names it; absent: each can. */
  readonly notForModels?: true;
  /** Names of the agents that it can start for parts of its task; absent: any. */
  readonly startable?: readonly string[];
  /** Names of skills that are active from the start. */
  readonly skills: readonly string[];
  /** The MCP servers that it uses, as they stand in the names of their tools; absent: all that are configured for every chat. */
  readonly mcpServers?: readonly string[];
  /** Those of them that its own file defines, for it alone; absent: none. */
  readonly definedServers?: readonly McpEntry[];
  /** Hooks that run only while it is active. */
  readonly hooks: readonly HookDefinition[];
  /** Whether the user can choose it in the composer. */
  readonly userInvocable: boolean;
  /** State of every field of the file. */
  readonly fields: readonly FieldReport[];
}
