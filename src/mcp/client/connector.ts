import type { McpConnector } from '../../domain/mcp/connection.js';
import type { McpConnectorDeps } from './link.js';
import { DEFAULT_LIMITS } from './limits.js';

/** Connects with servers through the official client, which is loaded with the first connection. */
export function createMcpConnector(deps: McpConnectorDeps): McpConnector {
  const limits = { ...DEFAULT_LIMITS, ...deps.limits };
  return {
    async connect(target, handlers, signal) {
      signal.throwIfAborted();
      const { connect } = await import('./connect.js');
      return connect({ ...deps, limits, target, handlers }, signal);
    },
  };
}
