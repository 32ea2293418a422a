import { errorMessage } from '../../domain/errors.js';
import type { HostMessage } from '../../protocol/messages.js';
import type { ServerDetails, ServersView } from '../../protocol/servers.js';
import type { ServersPort } from '../servers/servers-port.js';

/** Dependencies of {@link PaneServers}. */
export interface PaneServersDeps {
  readonly port: ServersPort;
  readonly post: (message: HostMessage) => void;
  /** The chat that is shown. */
  readonly session: () => string;
  /** The page went to the servers, or left them. */
  readonly moved: () => void;
}

/** Servers and problems that a page lists. */
const MAX_SERVERS = 300;
const MAX_PROBLEMS = 100;
/** Tools, prompts and resources that a page lists, each. */
const MAX_ITEMS = 1_000;
/** Characters of all descriptions and differences that are sent to a page at once. */
const MAX_CHARACTERS = 4_000_000;

/** The part of a view that a page can list; it says how much it leaves out. */
function limitedView({ trusted, servers, problems, left }: ServersView): ServersView {
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

/** Keeps the pages of one place informed about the MCP servers, and about what these ask the user for. */
export class PaneServers {
  readonly port: ServersPort;
  /** Ends following the servers. */
  readonly stop: () => void;
  private watched = false;
  /** Whether the pages show anything that a server asked for. */
  private asked = false;

  constructor(private readonly deps: PaneServersDeps) {
    this.port = deps.port;
    this.stop = deps.port.onDidChange(() => this.refresh());
  }

  /** Whether the page shows the servers. */
  get listed(): boolean {
    return this.watched;
  }

  /** The page shows the servers, or does not any more. */
  watch(watched: boolean): void {
    this.watched = watched;
    this.deps.moved();
    this.refresh();
  }

  /** Tells a page that has just come what it cannot know. It begins with the chat, also where the one before it showed the servers. */
  greet(): void {
    this.asked = false;
    if (this.watched) this.watch(false);
    else this.refresh();
  }

  /** Brings the pages up to date: something changed, or another chat is shown. */
  refresh(): void {
    const { port, post, session } = this.deps;
    if (this.watched) post({ type: 'servers', view: limitedView(port.view(session())) });
    const elicitations = port.elicitations(session());
    if (elicitations.length > 0 || this.asked) post({ type: 'elicitations', elicitations });
    this.asked = elicitations.length > 0;
  }

  /** Does what the user wants and tells them what came of it, if that is a text; a failure, too. Does not reject. */
  async attempt(act: () => Promise<unknown>): Promise<void> {
    try {
      const text = await act();
      if (typeof text === 'string') this.deps.post({ type: 'servers_told', level: 'info', text });
    } catch (error) {
      this.deps.post({ type: 'servers_told', level: 'error', text: errorMessage(error) });
    }
  }
}
