import type { ThinkingEffort } from '../../domain/model/effort.js';
import type { PermissionMode } from '../../domain/tool/permission.js';
import type { Hooks } from './hooks.js';
import type { McpServer } from './mcp-server.js';
import type { CanUseTool } from './permissions.js';
import type { CliStart, Transport } from './transport.js';

/** A server that is started as a process. */
export interface McpStdioServer {
  readonly type?: 'stdio';
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A server at an address. */
export interface McpRemoteServer {
  readonly type: 'http' | 'sse';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server within this process: the one of {@link Options.toolServers} that has this name. Its tools have the name under which this stands. */
export interface McpSdkServer {
  readonly type: 'sdk';
  readonly name: string;
}

/** How an MCP server is reached: plain data, never a running server. */
export type McpServerConfig = McpStdioServer | McpRemoteServer | McpSdkServer;

/** Gnomon’s own system prompt, with something behind it. */
export interface PresetSystemPrompt {
  readonly type: 'preset';
  /** `claude_code` is the same: a program that was written for Claude Code gets Gnomon’s own. */
  readonly preset?: 'gnomon' | 'claude_code';
  readonly append?: string;
}

/**
 * A mode to begin in. Those that Gnomon does not have become the next stricter one: `auto` and `manual` are `default`, and with `dontAsk` what
 * would be asked about is denied.
 */
export type StartingMode = PermissionMode | 'auto' | 'manual' | 'dontAsk';

/** What a run is to do and may do. All are optional; an option that is not here is an error. */
export interface Options {
  /** Rules of what needs no permission, such as `Bash(npm test:*)`. */
  readonly allowedTools?: readonly string[];
  /** Rules of what is denied, whatever else allows it. */
  readonly disallowedTools?: readonly string[];
  /** The names of the only tools that there are; empty for none. Default: all. */
  readonly tools?: readonly string[];
  /** `provider/model`, or a name such as `opus`. Default: the user’s. */
  readonly model?: string;
  readonly effort?: ThinkingEffort;
  /** Requests to the model for one message at most: a whole number from 1 to 10,000. */
  readonly maxTurns?: number;
  /** US dollars that the whole run may cost. */
  readonly maxBudgetUsd?: number;
  /** A text takes the place of Gnomon’s own. */
  readonly systemPrompt?: string | PresetSystemPrompt;
  /** Default: the user’s. `bypassPermissions` asks for nothing: only in a container or virtual machine. */
  readonly permissionMode?: StartingMode;
  /** Whether `setPermissionMode('bypassPermissions')` will be allowed. */
  readonly allowDangerouslySkipPermissions?: boolean;
  /** Decides what would be asked about. Left out: it is denied, with its reason for the model. */
  readonly canUseTool?: CanUseTool;
  /** Functions that are called when something happens, by its event: before a call, at a prompt, at the end. They come beside those of files. */
  readonly hooks?: Hooks;
  /** The name of the agent that works. */
  readonly agent?: string;
  /** Whether to go on with the newest session of the folder. */
  readonly continueConversation?: boolean;
  /** The id of the session to go on with. */
  readonly resume?: string;
  /** Whether the session that is gone on with stays as it is, and a copy is gone on with. */
  readonly forkSession?: boolean;
  /** The id of a new session. */
  readonly sessionId?: string;
  /** Where sessions are kept: `vscode` for those that VS Code has of the folder. Default: `own`. */
  readonly sessionStorage?: 'own' | 'vscode';
  /** Whether answers are told while they come, as `stream_event`. */
  readonly includePartialMessages?: boolean;
  /** The folder to work in; relative to that of this process, which is the default. */
  readonly cwd?: string;
  /** More folders to work in; absolute, or relative to `cwd`. */
  readonly addDirs?: readonly string[];
  /** A settings file, or settings, which go before all others but the organization’s. What cannot be followed ends the run before it begins. */
  readonly settings?: string | Readonly<Record<string, unknown>>;
  /** Layers that files are read of: settings, hooks, rules, servers, agents, skills, and instructions; empty for none. Default: all. */
  readonly settingSources?: readonly ('user' | 'project' | 'local')[];
  /** Whether hooks, servers, allow rules, and instructions of the project are used: only for code that you trust. */
  readonly trustProject?: boolean;
  /** A file with MCP servers, or servers by their names. What they need to know is not visible to other users of the machine. */
  readonly mcpServers?: string | Readonly<Record<string, McpServerConfig>>;
  /** Servers within this process, such as one with functions as tools. Each has the name under which `mcpServers` names it, else its own. */
  readonly toolServers?: readonly McpServer[];
  /** Whether no other servers than these are started. */
  readonly strictMcpConfig?: boolean;
  /** Variables beside those of this process, which they replace; `undefined` takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The id of the user that the program runs as, where the system and this process’s user allow that. */
  readonly user?: number;
  /** Characters of a line that is read at most. Default: 67,108,864. */
  readonly maxBufferSize?: number;
  /** Gets what the program writes to standard error, as it comes. */
  readonly stderr?: (text: string) => void;
  /** More flags, by their names without dashes; `null` for one without a value. They come last. */
  readonly extraArgs?: Readonly<Record<string, string | null>>;
  /** Ends the run when it is aborted: what waits for a message gets an `AbortError` once the program has ended. */
  readonly signal?: AbortSignal;
  /** The same, for those who have the controller at hand. */
  readonly abortController?: AbortController;
  /** Where the program is, as {@link ProcessTransport} takes it. */
  readonly cliPath?: string;
  /** Makes another way to the program than a process. */
  readonly transport?: (start: CliStart) => Transport;
}
