import { present } from '../../../domain/present.js';
import { isAnswer } from '../../../protocol/form-check.js';
import type { ServerRequest } from '../../../protocol/panel/server-requests.js';
import type { PaneActions } from '../pane-actions.js';
import type { Panel } from '../panel.js';
import { limitedDetails } from '../pane-servers.js';
import type { Handlers } from './handlers.js';

type Ask<Type extends ServerRequest['type']> = Extract<ServerRequest, { type: Type }>;

/** What is done about MCP servers. */
export function serverHandlers(pane: PaneActions): Handlers<ServerRequest> {
  const { servers } = pane;
  const { port } = servers;
  const attempt = (act: () => Promise<unknown>): Promise<void> => servers.attempt(act);
  return {
    ...loadHandlers(pane),
    list_servers: () => servers.watch(true),
    close_servers: () => servers.watch(false),
    server_action: ({ id, action }) => attempt(() => port.act(id, action)),
    approve_server: ({ id, hash }) => attempt(() => port.approve(id, hash)),
    set_server_tool: ({ id, tool, on }) => attempt(() => port.switchTool(id, tool, on)),
    accept_server_tool: ({ id, tool, hash }) => attempt(() => port.acceptTool(id, tool, hash)),
    set_server_budget: ({ id, budget }) => attempt(() => port.setBudget(id, budget)),
    import_servers: ({ keys }) => attempt(() => port.import(keys)),
    add_server: ({ to }) => attempt(() => port.add(to)),
    open_servers_problem: ({ id }) => attempt(() => port.openProblem(id)),
    answer_elicitation: (message) => answer(pane, message),
  };
}

type LoadRequest = Extract<
  ServerRequest,
  { type: 'load_server' | 'load_server_consent' | 'inspect_server' | 'load_server_message' | 'load_server_icon' | 'load_server_imports' }
>;

/** What is loaded when a page shows it. */
function loadHandlers(pane: PaneActions): Handlers<LoadRequest> {
  const { servers } = pane;
  const { port } = servers;
  return {
    load_server: ({ id }, panel) =>
      servers.attempt(async () => {
        const row = port.view(pane.current.id).servers.find((server) => server.id === id);
        const details = await port.details(id);
        if (details !== undefined && row !== undefined) panel.post({ type: 'server_details', id, revision: row.revision, details: limitedDetails(details) });
      }),
    load_server_consent: ({ id }, panel) =>
      servers.attempt(async () => {
        const consent = await port.consent(id);
        panel.post({ type: 'server_consent', id, ...present({ consent }) });
      }),
    inspect_server: ({ id }, panel) => {
      const inspection = port.inspection(id);
      if (inspection !== undefined) panel.post({ type: 'server_inspection', id, inspection });
    },
    load_server_message: ({ id, seq }, panel) => {
      const text = port.message(id, seq);
      panel.post({ type: 'server_message', id, seq, ...present({ text }) });
    },
    load_server_icon: async ({ id }, panel) => sendIcon(id, await port.icon(id), panel),
    load_server_imports: (_, panel) => servers.attempt(async () => panel.post({ type: 'server_imports', files: await port.imports() })),
  };
}

function sendIcon(id: string, icon: Awaited<ReturnType<PaneActions['servers']['port']['icon']>>, panel: Panel): void {
  // A part of a larger buffer would cross as all of it.
  if (icon !== undefined) panel.post({ type: 'server_icon', id, mimeType: icon.mimeType, data: new Uint8Array(icon.data) });
}

/** A page answers only what the chat that it shows was asked, and with what the form allows. */
function answer({ servers: { port }, current }: PaneActions, { id, action, content, always }: Ask<'answer_elicitation'>): void {
  const asked = port.elicitations(current.id).find((each) => each.id === id)?.asked;
  if (asked === undefined) return;
  if (action !== 'accept') port.answer(id, { action });
  else if (asked.mode === 'url') port.answer(id, { action });
  else if (asked.mode === 'sample') port.answer(id, always === true ? { action, always } : { action });
  else if (content !== undefined && isAnswer(asked.fields, content)) port.answer(id, { action, content });
}
