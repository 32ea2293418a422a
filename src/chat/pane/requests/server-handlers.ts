import type { McpServerState } from '../../../domain/mcp/server.js';
import { present } from '../../../domain/present.js';
import { serverIcon } from '../../../mcp/servers/server-icon.js';
import { isAnswer } from '../../../protocol/form-check.js';
import type { ServerRequest } from '../../../protocol/panel/server-requests.js';
import type { ServerParts } from '../../ports.js';
import { consentOf, detailsOf, importsOf, inspectionOf } from '../../servers/server-views.js';
import type { WindowServers } from '../../servers/window-servers.js';
import type { PaneActions } from '../pane-actions.js';
import type { Handlers } from './handlers.js';

interface Pane extends Pick<PaneActions, 'servers'> {
  readonly current: Pick<PaneActions['current'], 'id'>;
}

/** Handlers of the MCP servers page. */
export function serverHandlers(pane: Pane, servers: WindowServers): Handlers<ServerRequest> {
  const { actions, parts } = servers;
  const attempt = (act: () => Promise<unknown>): Promise<void> => pane.servers.attempt(act);
  const change = (id: string, act: (state: McpServerState) => unknown): Promise<void> => attempt(() => servers.change(id, act));
  return {
    ...loadHandlers(pane, servers),
    list_servers: () => pane.servers.watch(true),
    close_servers: () => pane.servers.watch(false),
    server_action: ({ id, action }) => change(id, (state) => actions.run(state, action)),
    approve_server: ({ id, hash }) => change(id, (state) => actions.approve(state, hash)),
    set_server_tool: ({ id, tool, on }) => change(id, (state) => actions.switchTool(state, tool, on)),
    accept_server_tool: ({ id, tool, hash }) => change(id, (state) => actions.acceptTool(state, tool, hash)),
    set_server_budget: ({ id, budget }) => change(id, (state) => actions.choose(state, { loading: budget })),
    import_servers: ({ keys }) => attempt(() => actions.import(keys)),
    add_server: ({ to }) => attempt(() => parts.window.add(to)),
    open_servers_problem: ({ id }) => attempt(() => actions.openProblem(id)),
    answer_elicitation: (message) => answer(pane.current.id, parts, message),
  };
}

type LoadRequest = Extract<
  ServerRequest,
  { type: 'load_server' | 'load_server_consent' | 'inspect_server' | 'load_server_message' | 'load_server_icon' | 'load_server_imports' }
>;

/** Handlers that load details when a page shows them. */
function loadHandlers(pane: Pane, servers: WindowServers): Handlers<LoadRequest> {
  const { parts } = servers;
  const { all } = parts;
  return {
    load_server: ({ id }, panel) =>
      pane.servers.attempt(async () => {
        const [state, revision] = [all.state(id), servers.revisionOf(id)];
        if (state !== undefined) panel.post({ type: 'server_details', id, revision, details: await detailsOf(state, parts) });
      }),
    load_server_consent: ({ id }, panel) =>
      pane.servers.attempt(async () => {
        const state = all.state(id);
        const consent = state && (await consentOf(state, parts));
        panel.post({ type: 'server_consent', id, ...present({ consent }) });
      }),
    inspect_server: ({ id }, panel) => {
      const state = all.state(id);
      if (state !== undefined) panel.post({ type: 'server_inspection', id, inspection: inspectionOf(state, all.traffic(id)) });
    },
    load_server_message: ({ id, seq }, panel) => {
      const text = all.traffic(id).find((line) => line.seq === seq)?.text;
      panel.post({ type: 'server_message', id, seq, ...present({ text }) });
    },
    load_server_icon: async ({ id }, panel) => {
      const state = all.state(id);
      const icon = state && (await serverIcon(state, parts.guardedFetch, new AbortController().signal));
      // A part of a larger buffer would cross as all of it.
      if (icon !== undefined) panel.post({ type: 'server_icon', id, mimeType: icon.mimeType, data: new Uint8Array(icon.data) });
    },
    load_server_imports: (_, panel) => pane.servers.attempt(async () => panel.post({ type: 'server_imports', files: await importsOf(parts) })),
  };
}

/** A page answers only what the chat that it shows was asked, and with what the form allows. */
function answer(session: string, { asking }: ServerParts, { id, action, content, always }: Extract<ServerRequest, { type: 'answer_elicitation' }>): void {
  const asked = asking.open(session).find((each) => each.id === id)?.asked;
  if (asked === undefined) return;
  if (action !== 'accept') asking.answer(id, { action });
  else if (asked.mode === 'url') asking.answer(id, { action });
  else if (asked.mode === 'sample') asking.answer(id, always === true ? { action, always } : { action });
  else if (content !== undefined && isAnswer(asked.fields, content)) asking.answer(id, { action, content });
}
