import { t } from '../domain/l10n.js';
import { McpError } from '../domain/mcp/connection.js';
import type { McpServerState } from '../domain/mcp/server.js';
import type { McpServers } from './servers/servers.js';

/** The part of the window's servers that resources and prompts use. */
export type ConnectedServers = Pick<McpServers, 'states' | 'state' | 'subscribe' | 'use'>;

/** Empty implementation, while no server is configured. */
export const NO_SERVERS: ConnectedServers = {
  states: [],
  state: () => undefined,
  subscribe: () => () => undefined,
  use: (id) => Promise.reject(new McpError('closed', t('There is no server “{0}” any more.', id))),
};

/** The servers that all chats have: what those offer that agents define is for the models of these alone. */
export function sharedServers(servers: ConnectedServers): ConnectedServers {
  const isShared = ({ entry }: McpServerState): boolean => entry.source.agents === undefined;
  const state = (id: string): McpServerState | undefined => {
    const found = servers.state(id);
    return found !== undefined && isShared(found) ? found : undefined;
  };
  return {
    get states() {
      return servers.states.filter(isShared);
    },
    state,
    subscribe: (listener) => servers.subscribe(listener),
    use: (id, work, signal) => (state(id) === undefined ? NO_SERVERS : servers).use(id, work, signal),
  };
}

/** The servers whose lists can be used now. */
export function connectedOf({ states }: Pick<ConnectedServers, 'states'>): readonly McpServerState[] {
  return states.filter(({ status }) => status === 'connected');
}
