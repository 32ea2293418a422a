import { Signal } from '../../concurrency/signal.js';
import type { McpServerState } from '../../domain/mcp/server.js';
import { budgetOf } from '../../mcp/tools/budget.js';
import type { ServerRow, ServersView } from '../../protocol/servers.js';
import type { ServerParts } from '../ports.js';
import { ServerActions } from './server-actions.js';
import { problemView, rowOf } from './server-views.js';

/** Milliseconds between two change events. */
const TELL_MS = 100;
/** Servers and problems that a page lists. */
const MAX_SERVERS = 300;
const MAX_PROBLEMS = 100;

/** The MCP servers of this window as its pages list them. */
export class WindowServers {
  readonly actions: ServerActions;
  private readonly changed = new Signal();
  /** Calls back at most every 100 ms while anything of a view or of what servers ask changes. Returns how to stop that. */
  readonly onDidChange = this.changed.subscribe;
  private telling: NodeJS.Timeout | undefined;
  /** Numbers that change with what is known of a server. */
  private readonly revisions = new Map<string, number>();

  constructor(readonly parts: ServerParts) {
    this.actions = new ServerActions(parts);
    parts.all.subscribe((event) => {
      if (event.type === 'log' || event.type === 'resource') return;
      this.touch(event.type === 'state' ? event.state.id : event.id);
      if (event.type === 'state' && event.state.status === 'connected') this.lookForSignIn(event.state);
    });
    parts.configurations.onDidChange(() => this.tell());
    parts.asking.onDidChange(() => this.tell());
  }

  /** Number of servers. */
  get count(): number {
    return this.parts.all.states.length;
  }

  /** Rows for the MCP servers page, and the number left out. @param session the chat whose results are counted */
  view(session: string): ServersView {
    const { parts } = this;
    const { states } = parts.all;
    const { problems } = parts.configurations.current;
    const chat = parts.sessions.find(session);
    const budgets = budgetOf(parts.offered.toolsetFor(chat?.agent).servers, chat?.messages);
    const rowFor = (state: McpServerState): ServerRow => {
      const { id } = state;
      const budget = budgets.find((each) => each.id === id);
      return rowOf(state, parts, { budget, signedIn: this.actions.signedIn.has(id), revision: this.revisionOf(id) });
    };
    return {
      trusted: parts.ports.trust.trusted(),
      servers: states.slice(0, MAX_SERVERS).map(rowFor),
      problems: problems.slice(0, MAX_PROBLEMS).map((problem) => problemView(problem, parts.configurations)),
      left: { servers: Math.max(0, states.length - MAX_SERVERS), problems: Math.max(0, problems.length - MAX_PROBLEMS) },
    };
  }

  /** A number that changes with what is known of a server. */
  revisionOf(id: string): number {
    return this.revisions.get(id) ?? 0;
  }

  /** Does something about a server, and tells of it; one that is gone is passed over, since a page may be a moment behind. */
  async change(id: string, act: (state: McpServerState) => unknown): Promise<unknown> {
    const state = this.parts.all.state(id);
    if (state === undefined) return undefined;
    try {
      return await act(state);
    } finally {
      this.touch(id);
    }
  }

  private lookForSignIn(state: McpServerState): void {
    const { type } = state.entry.config;
    if (type !== 'http' && type !== 'sse') return;
    this.actions.lookForSignIn(state).then(
      (isNews) => (isNews ? this.tell() : undefined),
      (error: unknown) => this.parts.log.error('It could not be found out whether there are tokens for an MCP server', error),
    );
  }

  private touch(id: string): void {
    this.revisions.set(id, this.revisionOf(id) + 1);
    this.tell();
  }

  /** Batches changes that come at about the same time, well within 200 ms, so that a status still seems to change at once. */
  private tell(): void {
    if (this.telling !== undefined) return;
    this.telling = setTimeout(() => {
      this.telling = undefined;
      this.changed.emit();
    }, TELL_MS);
  }
}
