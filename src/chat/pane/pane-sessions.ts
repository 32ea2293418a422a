import { present } from '../../domain/present.js';
import { errorMessage } from '../../domain/errors.js';
import { formatCost } from '../../domain/l10n.js';
import { SessionBusyError } from '../../session/errors.js';
import type { StoredSessions } from '../sessions/stored-sessions.js';
import { SessionSearch } from '../sessions/session-search.js';
import type { SessionSummary } from '../../domain/session/session-store.js';
import type { HistoryEntry } from '../../protocol/host/session-messages.js';
import type { HostMessage } from '../../protocol/messages.js';

/** Services of the session list of one pane: stored sessions, display names of models, and what opens a session again. */
export interface PaneSessionsDeps extends BusyWaitDeps {
  readonly desk: StoredSessions;
  readonly modelName: (key: string) => string;
  /** The page went to the list, or left it. */
  readonly moved: () => void;
}

/** Keeps the pages of one place informed about the stored conversations. */
export class PaneSessions {
  /** Looks for texts in all conversations. */
  readonly search: SessionSearch;
  private readonly stops: readonly (() => void)[];
  private watched = false;
  /** A conversation that was to be shown and that another window has open. */
  readonly busy: BusyWait;

  constructor(private readonly deps: PaneSessionsDeps) {
    const { desk, post } = deps;
    this.search = new SessionSearch(desk.library, post);
    this.busy = new BusyWait(deps);
    this.stops = [desk.onDidChange(() => this.refresh()), desk.activity.onDidChange(() => this.postStates())];
  }

  /** Whether the page shows the list. */
  get listed(): boolean {
    return this.watched;
  }

  /** The page shows the list, or does not any more. */
  async watch(watched: boolean): Promise<void> {
    this.watched = watched;
    this.deps.moved();
    if (watched) await this.postHistory();
    else this.search.stop();
  }

  /** Tells a page that has just come what it cannot know. */
  greet(): void {
    // It begins with the conversation, also where the one before it showed the list.
    if (this.watched) void this.watch(false);
    this.postStates();
    this.busy.tell();
  }

  /** Runs an action of the user in the list; a failure is shown there. Does not reject. */
  async attempt(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.deps.post({ type: 'session_problem', text: errorMessage(error) });
    }
  }

  /** Opens a conversation by a function; one that another window has open is notified of with the ways out. */
  async open(id: string, open: () => Promise<void>): Promise<void> {
    try {
      await open();
    } catch (error) {
      if (!(error instanceof SessionBusyError)) throw error;
      this.busy.set({ id, title: await this.deps.desk.titleOf(id) });
    }
  }

  /** Ends all work. */
  dispose(): void {
    this.search.stop();
    this.busy.set(undefined);
    for (const stop of this.stops) stop();
  }

  private refresh(): void {
    if (this.watched) this.postHistory().catch((error: unknown) => this.deps.report(error));
  }

  private async postHistory(): Promise<void> {
    const { desk, post, modelName } = this.deps;
    const [sessions, trashed] = await Promise.all([desk.list(), desk.trashed()]);
    const trash = trashed.map(({ id, title, goneAt }) => ({ id, title, goneAt }));
    post({ type: 'history', sessions: historyEntries(sessions, { modelName }), trash });
    this.postStates();
  }

  private postStates(): void {
    this.deps.post({ type: 'session_states', states: this.deps.desk.activity.states() });
  }
}

/** Facts for {@link historyEntries} beside the summaries. */
interface EntryFacts {
  /** Display name of a model. */
  readonly modelName: (key: string) => string;
}

/** The lines of the history. */
export function historyEntries(sessions: readonly SessionSummary[], { modelName }: EntryFacts): readonly HistoryEntry[] {
  const titles = new Map(sessions.map(({ id, title }) => [id, title]));
  return sessions.map(({ id, title, updatedAt, messageCount, model, costUsd, pinned, parent, elsewhere, problem }) => ({
    ...{ id, title, updatedAt, messageCount },
    ...(model === undefined ? {} : { model: modelName(model) }),
    ...(costUsd === undefined || costUsd === 0 ? {} : { cost: formatCost(costUsd) }),
    ...(pinned === true ? { pinned } : {}),
    ...(parent === undefined ? {} : { parent: titles.get(parent.id) ?? '' }),
    ...(elsewhere === true ? { elsewhere } : {}),
    ...present({ problem }),
  }));
}

/** Milliseconds between two attempts to open a conversation that another window has open. */
const RETRY_MS = 2_000;

/** A conversation that was to be shown and that another window has open. */
interface BusySession {
  readonly id: string;
  readonly title: string;
}

/** Services for a session that another window has locked: reports it, and opens it once the lock is free. */
interface BusyWaitDeps {
  readonly post: (message: HostMessage) => void;
  readonly report: (error: unknown) => void;
  /** Opens a conversation, and shows it if that is still wanted by then. */
  readonly reopen: (id: string, wanted: () => boolean) => Promise<void>;
}

/**
 * Reports a conversation that another window has open, and opens it automatically once that window releases it: that may
 * just be the window that this one replaces.
 */
export class BusyWait {
  private busy: BusySession | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly deps: BusyWaitDeps) {}

  /** Begins with a conversation, or ends: another one is shown, or the user went back. */
  set(busy: BusySession | undefined): void {
    clearTimeout(this.timer);
    this.busy = busy;
    this.tell();
    if (busy !== undefined) this.schedule(busy);
  }

  /** Tells a page that has just come. */
  tell(): void {
    if (this.busy !== undefined) this.deps.post({ type: 'session_busy', ...this.busy });
  }

  private schedule(busy: BusySession): void {
    this.timer = setTimeout(() => {
      this.attempt(busy).catch((error: unknown) => this.deps.report(error));
    }, RETRY_MS);
  }

  private async attempt(busy: BusySession): Promise<void> {
    const wanted = (): boolean => this.busy === busy;
    try {
      await this.deps.reopen(busy.id, wanted);
    } catch (error) {
      if (!(error instanceof SessionBusyError)) throw error;
      if (wanted()) this.schedule(busy);
    }
  }
}
