import type { AuthProvider } from '@modelcontextprotocol/client';
import type { McpTarget } from '../../domain/mcp/connection.js';
import type { StartMcpProcess } from '../../domain/mcp/process.js';
import type { McpFetch } from '../../domain/mcp/sign-in.js';
import type { SdkServers } from './transport/in-process-transport.js';
import type { McpLimits } from './limits.js';

/** What proves the user’s identity to a server over HTTP. */
export interface McpAuthorization extends AuthProvider {
  /** The `fetch` for requests to the server. @param reach `origin` for the transport before Streamable HTTP, whose messages go to another path */
  fetch(base: McpFetch, reach: 'resource' | 'origin'): McpFetch;
}

/** What connecting needs of the outside. */
export interface McpConnectorDeps {
  /** Who Gnomon says it is. */
  readonly client: { readonly name: string; readonly version: string };
  readonly startProcess: StartMcpProcess;
  /** The platform’s, which knows the user’s proxy and certificates. */
  readonly fetch: McpFetch;
  /** Absent, or `undefined` for a server: one that wants the user to sign in is `unauthorized`. */
  readonly auth?: (target: McpTarget) => McpAuthorization | undefined;
  /** Servers inside programs that use Gnomon. */
  readonly sdkServers?: SdkServers;
  /** Other limits than the default ones. */
  readonly limits?: Partial<McpLimits>;
}
