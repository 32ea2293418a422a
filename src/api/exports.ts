import type { Log } from '../domain/log.js';
import { ApiError } from './api-error.js';
import type { SessionDeps } from './api-session.js';
import type { ApiSessions } from './api-sessions.js';
import type { GnomonApi, GnomonExports } from './gnomon-api.js';
import type { ExtensionServers } from './extension-servers.js';
import type { OfferedTools } from './offered-tools.js';

/** The newest version that is offered: the first number changes when something is taken away, the second when something is added. */
const API_VERSION = '1.2.0';
/** The version that callers ask for. */
const MAJOR = 1;

/** Services behind the extension API. Only `load` starts the rest of the extension. */
export interface ExportDeps {
  /** Gives what sessions need, loading the rest of the extension the first time. */
  readonly load: () => Promise<{ readonly apiSessions: SessionDeps }>;
  readonly offered: OfferedTools;
  readonly servers: ExtensionServers;
  /** The id of an installed extension as it is written there, whatever its case here; `undefined` when it is not installed. */
  readonly installed: (id: string) => string | undefined;
  readonly log: Log;
}

/** Makes what `activate` returns to other extensions. It loads nothing before they call for more. */
export function createExports({ load, offered, servers, installed, log }: ExportDeps): GnomonExports {
  let loading: Promise<ApiSessions> | undefined;
  const sessions = (): Promise<ApiSessions> => {
    // After a failure the next call tries again.
    loading ??= Promise.all([load(), import('./api-sessions.js')])
      .then(([runtime, made]) => new made.ApiSessions({ ...runtime.apiSessions, offered, log }))
      .catch((error: unknown) => {
        loading = undefined;
        throw error;
      });
    return loading;
  };
  const apiOf = (caller: string): GnomonApi => ({
    startSession: async (options) => (await sessions()).start(caller, options),
    listSessions: async () => (loading === undefined ? [] : (await loading).list(caller)),
    openSession: async (id) => (await sessions()).open(caller, id),
    registerTool: async (tool) => (await import('./register-tool.js')).registerTool(tool, { caller, offered }),
    registerMcpServer: async (server) => (await import('./register-mcp-server.js')).registerMcpServer(server, { caller, offered: servers, log }),
  });
  return Object.freeze({
    apiVersion: API_VERSION,
    getApi: (version: unknown, extensionId: unknown) => Object.freeze(apiOf(callerOf(version, extensionId, installed))),
  });
}

/** Validates the caller. Its arguments are unchecked, as extensions can be written in JavaScript. */
function callerOf(version: unknown, extensionId: unknown, installed: ExportDeps['installed']): string {
  if (version !== MAJOR) throw new ApiError('version', `Gnomon offers version ${MAJOR} of its API (${API_VERSION}), not ${String(version)}.`);
  const caller = typeof extensionId === 'string' ? installed(extensionId) : undefined;
  if (caller === undefined)
    throw new ApiError('caller', `getApi takes the id of the calling extension, context.extension.id. There is no extension ${String(extensionId)}.`);
  return caller.toLowerCase();
}
