import type { McpResource, McpResourceTemplate } from '../../domain/mcp/feature.js';
import { type ConnectedServers, connectedOf } from '../connected-servers.js';

/** Resources that are looked through with each letter that is typed; more would be felt. */
const MAX_LOOKED_AT = 20_000;

/** A resource that was found, or a template of some. */
export type FoundResource =
  | { readonly type: 'resource'; readonly server: string; readonly item: McpResource }
  | { readonly type: 'template'; readonly server: string; readonly item: McpResourceTemplate };

/**
 * The resources and templates of connected servers that a query is found in: in the name, the title, the address, or `server:address`.
 * Best first; of those that are as good, resources come before templates.
 * @param query what was typed; empty for the first ones there are
 */
export function findResources(servers: Pick<ConnectedServers, 'states'>, query: string, max: number): readonly FoundResource[] {
  const wanted = query.toLowerCase();
  const found: { readonly rank: number; readonly each: FoundResource }[] = [];
  for (const each of all(servers)) {
    const rank = rankOf(each, wanted);
    if (rank !== undefined) found.push({ rank, each });
  }
  return found
    .sort((a, b) => a.rank - b.rank)
    .slice(0, max)
    .map(({ each }) => each);
}

function all(servers: Pick<ConnectedServers, 'states'>): readonly FoundResource[] {
  const connected = connectedOf(servers);
  const resources = connected.flatMap(({ id, resources: items }) => items.map((item): FoundResource => ({ type: 'resource', server: id, item })));
  const templates = connected.flatMap(({ id, templates: items }) => items.map((item): FoundResource => ({ type: 'template', server: id, item })));
  return [...resources.slice(0, MAX_LOOKED_AT), ...templates.slice(0, MAX_LOOKED_AT)];
}

/** Rank of a match, 0 best; `undefined` for no match. */
function rankOf(found: FoundResource, wanted: string): number | undefined {
  const { name, title = '' } = found.item;
  const names = [name.toLowerCase(), title.toLowerCase()];
  if (names.some((each) => each.startsWith(wanted))) return 0;
  const address = `${found.server}:${found.type === 'resource' ? found.item.uri : found.item.uriTemplate}`.toLowerCase();
  if (address.startsWith(wanted)) return 1;
  if (names.some((each) => each.includes(wanted))) return 2;
  return address.includes(wanted) ? 3 : undefined;
}
