import { present } from '../../domain/present.js';
import type { McpProgress } from '../../domain/mcp/connection.js';
import type { McpContents } from '../../domain/mcp/feature.js';
import type { ConnectedServers } from '../connected-servers.js';

/** Milliseconds without a sign of life, and in all, that the user waits for a resource that a message mentions. */
const IDLE_MS = 15_000;
const HARD_MS = 25_000;

/** Options of a request that the user waits for. */
export interface Waiting {
  readonly signal: AbortSignal;
  readonly progress?: (progress: McpProgress) => void;
}

/** Reads a resource that the user mentioned. @throws McpError; AbortError when the signal stopped it. */
export function readMentioned(
  servers: Pick<ConnectedServers, 'use'>,
  { server, uri }: ResourceAddress,
  { signal, progress }: Waiting,
): Promise<readonly McpContents[]> {
  return servers.use(server, (connection) => connection.readResource(uri, { signal, idleMs: IDLE_MS, hardMs: HARD_MS, ...present({ progress }) }), signal);
}

/** Where a resource is. */
export interface ResourceAddress {
  /** Id of the server. */
  readonly server: string;
  readonly uri: string;
}
