import { errorMessage } from '../../domain/errors.js';
import type { HostMessage } from '../../protocol/messages.js';
import { elicitationsOf } from '../servers/server-views.js';
import type { WindowServers } from '../servers/window-servers.js';

/** Services of the MCP page of one pane: the servers of the window, and the chat that their requests belong to. */
export interface PaneServersDeps {
  readonly servers: WindowServers;
  readonly post: (message: HostMessage) => void;
  /** The chat that is shown. */
  readonly session: () => string;
  /** The page went to the servers, or left them. */
  readonly moved: () => void;
}

/** Keeps the pages of one place informed about the MCP servers, and about what these ask the user for. */
export class PaneServers {
  /** Ends following the servers. */
  readonly stop: () => void;
  private watched = false;
  /** Whether the pages show anything that a server asked for. */
  private asked = false;

  constructor(private readonly deps: PaneServersDeps) {
    this.stop = deps.servers.onDidChange(() => this.refresh());
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
    const { servers, post, session } = this.deps;
    if (this.watched) post({ type: 'servers', view: servers.view(session()) });
    const elicitations = elicitationsOf(servers.parts.asking, session());
    if (elicitations.length > 0 || this.asked) post({ type: 'elicitations', elicitations });
    this.asked = elicitations.length > 0;
  }

  /** Runs an action of the user, and shows its result if that is a text, or its error. Does not reject. */
  async attempt(act: () => Promise<unknown>): Promise<void> {
    try {
      const text = await act();
      if (typeof text === 'string') this.deps.post({ type: 'servers_told', level: 'info', text });
    } catch (error) {
      this.deps.post({ type: 'servers_told', level: 'error', text: errorMessage(error) });
    }
  }
}
