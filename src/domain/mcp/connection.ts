import type { McpConfig } from './config.js';
import type {
  McpCallResult,
  McpCompletionRef,
  McpContents,
  McpIcon,
  McpListed,
  McpPrompt,
  McpPromptMessage,
  McpResource,
  McpResourceTemplate,
  McpToolInfo,
} from './feature.js';
import type { McpElicitation, McpElicitationAnswer, McpRoot, McpSample, McpSampleAnswer } from './request.js';

/** The protocol revisions that Gnomon supports, newest first. Servers that support only an older one work, too. */
export const MCP_REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** Name and version that a server reports. Never used as its identity. */
export interface McpServerInfo {
  readonly name: string;
  readonly version: string;
  readonly icons?: readonly McpIcon[];
}

/** Capabilities of a server. */
export interface McpCapabilities {
  readonly tools: boolean;
  readonly resources: boolean;
  readonly subscriptions: boolean;
  readonly prompts: boolean;
  readonly completions: boolean;
  readonly logging: boolean;
}

/** Result of the handshake: protocol revision, capabilities, and transport. */
export interface McpAgreement {
  /** `modern` from 2026-07-28 on: no session, no requests of servers. */
  readonly era: 'modern' | 'legacy';
  /** One of {@link MCP_REVISIONS}. */
  readonly revision: string;
  /** The transport that works, which for `http` can be that of older servers. */
  readonly transport: 'stdio' | 'http' | 'sse' | 'sdk';
  readonly server?: McpServerInfo;
  readonly capabilities: McpCapabilities;
  /** The server's instructions for models. */
  readonly instructions?: string;
}

/** A line of a server's log. */
export interface McpLogLine {
  /** Of syslog, such as `warning`. */
  readonly level: string;
  readonly text: string;
}

/** A message between Gnomon and a server, for the inspector. */
export interface McpTraffic {
  readonly direction: 'sent' | 'received';
  /** The JSON text of the message, cut to {@link MAX_TRAFFIC_CHARACTERS}. */
  readonly text: string;
}

/** Characters of a message that the inspector keeps. */
export const MAX_TRAFFIC_CHARACTERS = 4_000;

/** Why a connection ended. */
export interface McpClosed {
  /** A sentence for the user, such as “The process ended with exit code 1.” */
  readonly reason: string;
  /** Whether Gnomon closed it. */
  readonly wanted: boolean;
}

/** Handlers for notifications and requests of a server. None of these may throw; those that return promises may reject. */
export interface McpHandlers {
  /** Asks the user for something; absent: the capability is not declared. An {@link McpRefusal} is sent to the server. */
  readonly elicit?: (request: McpElicitation, signal: AbortSignal) => Promise<McpElicitationAnswer>;
  /** Called when the user has completed the web page of an elicitation, by its id. */
  readonly elicited?: (id: string) => void;
  /** Asks the model for something; absent: the capability is not declared. An {@link McpRefusal} is sent to the server. */
  readonly sample?: (request: McpSample, signal: AbortSignal) => Promise<McpSampleAnswer>;
  readonly roots: () => readonly McpRoot[];
  /** A list has changed, at most once in {@link McpConnector}'s debounce for any number of notifications. */
  readonly changed: (list: 'tools' | 'prompts' | 'resources') => void;
  readonly resourceUpdated: (uri: string) => void;
  readonly logged: (line: McpLogLine) => void;
  readonly traffic: (message: McpTraffic) => void;
  /** A line that a process wrote to its standard error output, or noise on its standard output. */
  readonly stderr: (line: string) => void;
  /** Called exactly once for each connection that was made, also when Gnomon closes it. */
  readonly closed: (closed: McpClosed) => void;
}

/** Progress of a call. */
export interface McpProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Options of a call. */
export interface McpCallOptions {
  readonly signal: AbortSignal;
  /** Milliseconds without a sign of life after which the call fails; progress starts it anew. */
  readonly idleMs?: number;
  /** Milliseconds after which the call fails in any case. */
  readonly hardMs?: number;
  /** At most 20 times a second, the newest. */
  readonly progress?: (progress: McpProgress) => void;
}

/**
 * A connection with a server. Every method rejects with {@link McpError}, or with an AbortError when its signal stopped it; once
 * the connection has ended all that is pending rejects at once.
 */
export interface McpConnection {
  readonly agreement: McpAgreement;
  listTools(signal: AbortSignal): Promise<McpListed<McpToolInfo>>;
  /** @param tool as it was listed: the headers that its schema asks for and the check of its output follow it */
  callTool(tool: McpToolInfo, args: Readonly<Record<string, unknown>>, options: McpCallOptions): Promise<McpCallResult>;
  listResources(signal: AbortSignal): Promise<McpListed<McpResource>>;
  listResourceTemplates(signal: AbortSignal): Promise<McpListed<McpResourceTemplate>>;
  readResource(uri: string, options: McpCallOptions): Promise<readonly McpContents[]>;
  /** Subscribes to changes of a resource. Returns what unsubscribes. */
  subscribe(uri: string, signal: AbortSignal): Promise<() => Promise<void>>;
  listPrompts(signal: AbortSignal): Promise<McpListed<McpPrompt>>;
  getPrompt(name: string, args: Readonly<Record<string, string>>, options: McpCallOptions): Promise<readonly McpPromptMessage[]>;
  /** Suggestions for a blank; `others` are those that are filled in. Empty where the server has none. */
  complete(
    ref: McpCompletionRef,
    blank: { readonly name: string; readonly value: string },
    others: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<readonly string[]>;
  /** Ends it: a process is given 500 ms after its input was closed, then SIGTERM, then SIGKILL for its whole group. Never rejects. */
  close(): Promise<void>;
}

/** A server to connect with, all variables replaced. */
export interface McpTarget {
  /** Names it in messages and in the secret storage. */
  readonly name: string;
  readonly config: McpConfig;
  /** Absolute path of the folder in which a process starts unless its configuration names one. */
  readonly cwd: string;
}

/** Connects with servers. What it loads is loaded with the first connection. */
export interface McpConnector {
  /** @throws McpError; AbortError when the signal stopped it, with nothing left running. */
  connect(target: McpTarget, handlers: McpHandlers, signal: AbortSignal): Promise<McpConnection>;
}

/** Kind of an error of a server; decides its status and the actions that the user gets. */
export type McpErrorKind =
  /** The process could not be started, or the address not be reached. */
  | 'unreachable'
  /** It wants the user to sign in. */
  | 'unauthorized'
  /** Nothing came for too long. */
  | 'timeout'
  /** The connection ended in the middle of something. */
  | 'closed'
  /** It answered with an error of its own. */
  | 'answered'
  /** It broke the protocol, or a limit of Gnomon. */
  | 'protocol'
  /** Gnomon refuses to do what it wants, such as to open something that is not a web address. */
  | 'refused';

/** A failure of a server. `message` is written for the user and contains no secrets: what happened, and what to do where that is known. */
export class McpError extends Error {
  override readonly name = 'McpError';
  /** Code of a JSON-RPC error, or an HTTP status. */
  readonly code: number | undefined;

  constructor(
    readonly kind: McpErrorKind,
    message: string,
    { code, cause }: { readonly code?: number; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.code = code;
  }
}
