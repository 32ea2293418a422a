import type { ServerDetails, ServersView } from '../../protocol/servers.js';

/** Servers and problems that a page lists. */
const MAX_SERVERS = 300;
const MAX_PROBLEMS = 100;
/** Tools, prompts and resources that a page lists, each. */
const MAX_ITEMS = 1_000;
/** Characters of all descriptions and differences that are sent to a page at once. */
const MAX_CHARACTERS = 4_000_000;

/** The part of a view that a page can list; it says how much it leaves out. */
export function limitedView({ trusted, servers, problems, left }: ServersView): ServersView {
  return {
    trusted,
    servers: servers.slice(0, MAX_SERVERS),
    problems: problems.slice(0, MAX_PROBLEMS),
    left: { servers: left.servers + Math.max(0, servers.length - MAX_SERVERS), problems: left.problems + Math.max(0, problems.length - MAX_PROBLEMS) },
  };
}

/** The part of what is known of a server that a page can list; texts are whole or not there. */
export function limitedDetails(details: ServerDetails): ServerDetails {
  const { tools, prompts, resources, left } = details;
  let room = MAX_CHARACTERS;
  const within = <Item extends object>(items: readonly Item[]): readonly Item[] => {
    const fitting: Item[] = [];
    for (const item of items.slice(0, MAX_ITEMS)) {
      room -= JSON.stringify(item).length;
      if (room < 0) break;
      fitting.push(item);
    }
    return fitting;
  };
  const kept = { tools: within(tools), prompts: within(prompts), resources: within(resources) };
  const count = tools.length + prompts.length + resources.length - kept.tools.length - kept.prompts.length - kept.resources.length;
  return { ...details, ...kept, left: left + count };
}
