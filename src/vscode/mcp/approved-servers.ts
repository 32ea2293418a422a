import type { McpEntry } from '../../domain/mcp/config.js';
import type { McpTarget } from '../../domain/mcp/connection.js';

/** A server that the user approved. */
export interface ApprovedServer {
  readonly entry: McpEntry;
  /** Changes with everything that the user approved; VS Code reads the tools anew then. */
  readonly version: string;
  /** Judges it anew and replaces its variables, when VS Code starts it; `undefined` when it may not start any more. */
  resolve(): Promise<McpTarget | undefined>;
}

/** The servers that the user approved in this window. */
export interface ApprovedServers {
  /** Without those inside extensions, which VS Code cannot reach. */
  readonly all: () => readonly ApprovedServer[];
  /** Calls back after each change. Returns how to stop that. */
  readonly onDidChange: (listener: () => void) => () => void;
}

/** A window without any. */
export const NONE_APPROVED: ApprovedServers = { all: () => [], onDidChange: () => () => undefined };
