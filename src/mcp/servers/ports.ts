import type { Clock } from '../../domain/clock.js';
import type { McpEntry } from '../../domain/mcp/config.js';
import type { McpConnector, McpHandlers, McpLogLine, McpTarget } from '../../domain/mcp/connection.js';
import type { McpServerState, McpWait } from '../../domain/mcp/server.js';

/** An entry that is effective in this window, and what tells it apart from the others there. */
export interface McpServerEntry {
  /** Unique among all; see {@link McpServerState.id}. */
  readonly id: string;
  readonly entry: McpEntry;
}

/** Reason why a server does not start until the user does something. */
export type McpHold = Extract<McpWait, 'trust' | 'approval' | 'changed' | 'agent' | 'input'>;

/** Whether a server may start. */
export type McpVerdict =
  | { readonly may: false; readonly waitsFor: McpHold }
  | {
      readonly may: true;
      /** With all variables replaced. This happens only after the user approved the server, since variables can contain secrets. */
      readonly target: McpTarget;
      /** Values that are shown nowhere: what variables and inputs were replaced with, and headers. */
      readonly secrets: readonly string[];
    };

/**
 * Judges whether a server may start now: trust, consent, the agents that work, and the values that only the user knows. It is asked when an entry appears
 * and again directly before each start, so that nothing starts that has changed since it was approved.
 * @throws McpError when it cannot start as it is configured, such as a variable without a value; the server is `failed` then.
 */
export type McpStartGate = (entry: McpEntry) => Promise<McpVerdict>;

/** Resolves after so many milliseconds, or as soon as the signal aborts. Never rejects. */
export type McpDelay = (ms: number, signal: AbortSignal) => Promise<void>;

/** Handlers for requests of servers to the user and the model. */
export type McpQuestions = Pick<McpHandlers, 'elicit' | 'elicited' | 'sample' | 'roots'>;

/** Ports that the servers of a window use. */
export interface McpServersDeps {
  readonly connector: McpConnector;
  readonly gate: McpStartGate;
  readonly clock: Clock;
  readonly wait: McpDelay;
  /** Values that are shown nowhere and can change at any time, such as tokens. Asked for whenever something is shown. */
  readonly secrets: () => Iterable<string>;
  /** Request handlers for the server with this id. Called for each connection. */
  readonly questions: (id: string) => McpQuestions;
}

/** Event of the servers of a window. */
export type McpServersEvent =
  | { readonly type: 'state'; readonly state: McpServerState }
  /** Its entry is gone. */
  | { readonly type: 'removed'; readonly id: string }
  | { readonly type: 'resource'; readonly id: string; readonly uri: string }
  /** Scrubbed. */
  | { readonly type: 'log'; readonly id: string; readonly line: McpLogLine };
