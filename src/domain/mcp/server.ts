import type { McpEntry } from './config.js';
import type { McpAgreement } from './connection.js';
import type { McpPrompt, McpResource, McpResourceTemplate, McpToolInfo } from './feature.js';

/** Statuses of a server; it always has exactly one. */
export const MCP_STATUSES = ['connected', 'failed', 'needs-auth', 'pending', 'disabled'] as const;
/** One of {@link MCP_STATUSES}. */
export type McpStatus = (typeof MCP_STATUSES)[number];

/** Reason why a server is `pending`. */
export type McpWait =
  /** For the workspace to be trusted. */
  | 'trust'
  /** For the user, who has never allowed it to start. */
  | 'approval'
  /** For the user, who has allowed something else to start. */
  | 'changed'
  /** For a chat in which an agent works that defines it. */
  | 'agent'
  /** For a value that only the user knows. */
  | 'input'
  /** For the first chat or command that needs it, or to be started by the user. */
  | 'start'
  /** For its answer. */
  | 'connecting'
  /** For another attempt, after it had died. */
  | 'restart';

/** A server as everything outside `src/mcp` sees it. A new value with every change. */
export interface McpServerState {
  /** Tells servers of one window apart, and is a part of the names of its tools: the name of its entry with nothing but `[A-Za-z0-9_-]`. */
  readonly id: string;
  readonly entry: McpEntry;
  readonly status: McpStatus;
  readonly waitsFor?: McpWait;
  /** Why it is `failed` or `needs-auth`, or why its last attempt failed: a sentence for the user. */
  readonly problem?: string;
  readonly agreement?: McpAgreement;
  readonly tools: readonly McpToolInfo[];
  readonly prompts: readonly McpPrompt[];
  readonly resources: readonly McpResource[];
  readonly templates: readonly McpResourceTemplate[];
  /** Problems with its lists, as sentences for the user. */
  readonly warnings: readonly string[];
  /** The newest lines of its standard error output, scrubbed of secrets and control characters. */
  readonly stderr: readonly string[];
  /** Number of automatic restarts since the user started it. */
  readonly restarts: number;
}
