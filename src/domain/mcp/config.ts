/** The kinds of transport that a configuration can name (C22). */
export const MCP_TRANSPORTS = ['stdio', 'sse', 'http', 'sdk'] as const;
/** One of {@link MCP_TRANSPORTS}. */
export type McpTransport = (typeof MCP_TRANSPORTS)[number];

/** A server that runs as a process on this machine and speaks over its standard input and output. */
export interface McpStdioConfig {
  readonly type: 'stdio';
  /** A program, by name or by path; never a command line. */
  readonly command: string;
  readonly args: readonly string[];
  /** Variables beside the few that every server gets. */
  readonly env: Readonly<Record<string, string>>;
  /** Where it starts; absent: in the first workspace folder. */
  readonly cwd?: string;
  /** A file with more variables, `NAME=value` by line. */
  readonly envFile?: string;
}

/** A server that is reached over HTTP: the Streamable HTTP transport, or with `sse` the one before it. */
export interface McpRemoteConfig {
  readonly type: 'http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** OAuth client settings; absent: as the authorization server offers. */
  readonly oauth?: McpOAuthConfig;
}

/** A client that was registered with an authorization server beforehand. */
export interface McpOAuthConfig {
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The scopes to ask for, in place of those that the server names. */
  readonly scopes?: readonly string[];
}

/** A server inside a program that uses Gnomon; the server itself is registered under this name and never in a configuration. */
export interface McpSdkConfig {
  readonly type: 'sdk';
  readonly name: string;
}

/** Configuration that starts or reaches a server. Plain data: a live server is never in it (C22). */
export type McpConfig = McpStdioConfig | McpRemoteConfig | McpSdkConfig;

/** The formats of configuration files that Gnomon reads. */
export type McpFileFormat =
  /** `.mcp.json` and `~/.claude.json`: `mcpServers`, `${VAR}` and `${VAR:-default}`. */
  | 'claude'
  /** `.vscode/mcp.json`: `servers` and `inputs`, `${input:id}`, `${env:VAR}`, `${workspaceFolder}`. */
  | 'vscode'
  /** `.cursor/mcp.json` and `~/.cursor/mcp.json`: `mcpServers`, `${env:VAR}`, `${userHome}`, `${workspaceFolder}`. */
  | 'cursor'
  /** Gnomon's own setting, with the syntax of all of them. */
  | 'gnomon';

/** Where an entry is written. */
export interface McpSource {
  /**
   * Scope of the file: a configuration of a workspace is hostile until the user approved it. `program`: whoever started Gnomon brings it, and
   * approves it by that.
   */
  readonly scope: 'workspace' | 'user' | 'extension' | 'program';
  readonly format: McpFileFormat;
  /** Absolute path of the file; for an extension its id, for the setting its key. */
  readonly file: string;
  /** The workspace folder that the file is in, or that the user wrote the entry for; absent for what the user has everywhere. */
  readonly folder?: string;
  /** Line of the entry's name in the file, from 1 on; absent where there are no lines. */
  readonly line?: number;
  /** The agents that define it, by what they are chosen by, and alone have it; absent for a server that all chats have. */
  readonly agents?: readonly string[];
}

/** A server as a file configures it, before variables are replaced. */
export interface McpEntry {
  /** As written in the file; {@link McpEntry.source} and this are what users know it by. */
  readonly name: string;
  readonly source: McpSource;
  readonly config: McpConfig;
  /** Milliseconds that a call may take; absent: the default. */
  readonly timeoutMs?: number;
  /** Whether its tools are sent with every request, however many tokens they need. */
  readonly alwaysLoad?: true;
  /** Whether the file itself switches it off. */
  readonly disabled?: true;
}

/** A server in a file of another kind, such as that of an agent, before it is read. */
export interface McpDefinition {
  readonly name: string;
  /** JSON value. */
  readonly value: unknown;
  /** Line of its name in the file, from 1 on. */
  readonly line: number;
}

/** A value that the user is asked for once, as `.vscode/mcp.json` declares it. */
export interface McpInput {
  readonly id: string;
  readonly description: string;
  readonly password: boolean;
  readonly default?: string;
  /** For a choice. */
  readonly options?: readonly string[];
}

/** A configuration file that exists on this machine. */
export type McpConfigFile = {
  readonly source: Omit<McpSource, 'line'>;
  /** Display name, such as `~/.cursor/mcp.json`. */
  readonly display: string;
} & (
  | { readonly text: string }
  /** Why its text could not be read: a sentence for the user. */
  | { readonly problem: string }
);
