import { McpError, type McpCallOptions } from '../../domain/mcp/connection.js';
import type { McpCallResult, McpResource, McpToolInfo } from '../../domain/mcp/feature.js';
import type { McpServerState } from '../../domain/mcp/server.js';
import { showName, headOf } from '../../text/show.js';
import type { ConnectedServers } from '../connected-servers.js';
import type { ToolServer } from '../tools/server-tools.js';

/** Name of the tool behind the prefix of its server, so that rules such as `mcp__server` cover it. */
const READ_RESOURCE = 'read_resource';
/** Resources in one list. */
const MAX_LISTED = 100;
/** Characters of a name or an address in a list. */
const MAX_NAME = 300;

/** One tool lists and reads, since every definition takes tokens of every request. */
const INFO: McpToolInfo = {
  name: READ_RESOURCE,
  description: 'Reads a resource of this server by its URI, such as one that a result links to. Without uri: lists the resources, or those that match query.',
  inputSchema: { type: 'object', properties: { uri: { type: 'string' }, query: { type: 'string' } } },
  annotations: { readOnly: true },
};

/** Services that a server's resource tool uses. */
export interface ResourceSource {
  readonly servers: Pick<ConnectedServers, 'state' | 'use'>;
}

/**
 * A server whose tools are those that it lists and, where it has resources, one that reads them. It is a tool like the others from then
 * on: permission, rules, deferral, the budget, and what is shown of results know no difference. A server that has a tool of that name
 * itself keeps its own.
 */
export function withResourceTool<Server extends ToolServer>(server: Server, { servers }: ResourceSource): Server {
  const state = servers.state(server.id);
  const has = state?.status === 'connected' && (state.resources.length > 0 || state.templates.length > 0);
  if (!has || server.tools.some(({ name }) => name === READ_RESOURCE)) return server;
  return {
    ...server,
    tools: [...server.tools, INFO],
    call: (tool, args, options) => (tool === INFO ? callTool(server.id, servers, { args, options }) : server.call(tool, args, options)),
    current: (name) => (name === READ_RESOURCE && servers.state(server.id)?.status === 'connected' ? INFO : server.current(name)),
  };
}

interface Call {
  readonly args: Readonly<Record<string, unknown>>;
  readonly options: McpCallOptions;
}

async function callTool(id: string, servers: ResourceSource['servers'], { args, options }: Call): Promise<McpCallResult> {
  const { uri, query } = args;
  if (typeof uri === 'string' && uri !== '') {
    const contents = await servers.use(id, (connection) => connection.readResource(uri, options), options.signal);
    if (contents.length === 0) return { content: [{ type: 'text', text: 'The resource has no content.' }], isError: false };
    return { content: contents.map((each) => ({ type: 'resource', contents: each })), isError: false };
  }
  const state = servers.state(id);
  if (state === undefined) throw new McpError('closed', 'The server is gone.');
  return { content: [{ type: 'text', text: listOf(state, typeof query === 'string' ? query : '') }], isError: false };
}

function listOf({ resources, templates }: McpServerState, query: string): string {
  const wanted = query.toLowerCase();
  const lines = [
    ...resources.map((resource) => line(resource.uri, resource)),
    ...templates.map((template) => line(template.uriTemplate, template, ' (a template: fill in what is in braces)')),
  ].filter((each) => each.toLowerCase().includes(wanted));
  if (lines.length === 0) return query === '' ? 'The server lists no resources.' : 'No resource matches the query.';
  const rest = lines.length - MAX_LISTED;
  return [...lines.slice(0, MAX_LISTED), ...(rest > 0 ? [`[and ${rest} more; narrow them down with query]`] : [])].join('\n');
}

function line(address: string, { name, title, mimeType }: Pick<McpResource, 'name' | 'title' | 'mimeType'>, more = ''): string {
  const called = title === undefined || title === name ? name : `${name} – ${title}`;
  return `${brief(address)}  ${brief(called)}${mimeType === undefined ? '' : ` (${brief(mimeType)})`}${more}`;
}

/** On one line, not too long, with nothing hidden in it. */
function brief(text: string): string {
  return showName(headOf(text, MAX_NAME));
}
