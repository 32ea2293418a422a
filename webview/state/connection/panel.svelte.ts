import { flushSync } from 'svelte';
import { t } from '../../../src/protocol/l10n.js';
import { MAX_ERROR_LENGTH } from '../../../src/protocol/limits.js';
import type { Choice } from '../../../src/protocol/host/composer-messages.js';
import type { PanelMessage } from '../../../src/protocol/messages.js';
import type { ViewEvent } from '../../../src/protocol/view-event.js';
import type { ViewElf, ViewState } from '../../../src/protocol/view-state.js';
import { CardsInView } from '../approval/cards-in-view.svelte.js';
import { ComposerState } from '../composer/composer.svelte.js';
import { type SideMessage, Connection } from './connection.js';
import { FrameLoop } from './frame.js';
import { SessionsState } from '../history/history.svelte.js';
import { HeldItems } from '../window/held-items.js';
import { ConfigurationState, isConfigurationNews } from '../configuration/configuration.svelte.js';
import { ServersState, isServerNews } from '../servers/servers.svelte.js';
import { ReactiveStore } from '../window/held-store.svelte.js';
import { agentRows } from '../agents/agent-tree.js';
import { DismissedAgents } from '../agents/dismissed-agents.js';
import { keepEqual } from '../agents/keep-equal.js';
import { DismissedPlans } from '../dismissed-plans.js';
import type { Host } from './host.js';
import { mergeDeltas } from '../transcript/merge-deltas.js';
import { PlaceKeeper } from '../window/reading-place.js';
import { scaleImage } from '../composer/smaller-image.js';
import { TranscriptParts } from '../window/transcript-parts.svelte.js';
import { TranscriptWindow } from '../window/transcript-window.svelte.js';
import { WorkQueue } from './work-queue.js';

/** Everything that the components show, and what they do. */
export class Panel {
  /** Id of the conversation; empty until the first snapshot. */
  session = $state('');
  models = $state.raw<readonly Choice[]>([]);
  /** What can be chosen in place of a model. */
  automatic = $state.raw<readonly Choice[]>([]);
  modes = $state.raw<readonly Choice[]>([]);
  agents = $state.raw<readonly Choice[]>([]);
  /** Thinking efforts of the model; empty for one without. */
  efforts = $state.raw<readonly Choice[]>([]);
  historyOpen = $state(false);
  /** Assertive screen reader announcement. */
  announcement = $state('');
  /** Polite screen reader announcement. */
  news = $state('');
  /** Message when the page itself fails. */
  failure = $state('');
  /** The agents of {@link view}: the same objects for those in which nothing changed. */
  elves = $state.raw<readonly ViewElf[]>([]);
  /** All of them, as they are shown. */
  readonly agentRows = $derived(agentRows(this.elves, new Set()));
  readonly composer: ComposerState;
  readonly queue: WorkQueue;
  readonly connection: Connection;
  readonly post: (message: PanelMessage) => void;
  readonly transcript: TranscriptWindow;
  /** Services that the messages of the transcript share. */
  readonly parts: TranscriptParts;
  readonly sessions: SessionsState;
  readonly servers: ServersState;
  readonly configuration: ConfigurationState;
  /** Plans that the user has dismissed. */
  readonly plans: DismissedPlans;
  /** Agents that have ended and that the user has dismissed. */
  readonly agentsGone: DismissedAgents;
  /** Whether the user wants to see the agents, until these have the focus. */
  agentsWanted = $state(false);
  readonly cards = new CardsInView();
  private readonly store = new ReactiveStore();
  private readonly held = new HeldItems(this.store);
  private readonly places: PlaceKeeper;

  /** @param rest settles when what messages are shown by has come that the first paint does without. */
  constructor(
    private readonly host: Host,
    private readonly rest: Promise<void>,
  ) {
    this.post = (message) => host.post(message);
    this.composer = new ComposerState(host);
    this.plans = new DismissedPlans(host);
    this.agentsGone = new DismissedAgents(host);
    this.sessions = new SessionsState({ post: this.post, showItem: (session, item) => this.showItem(session, item) });
    this.servers = new ServersState(this.post);
    this.configuration = new ConfigurationState(this.post);
    const frames = new FrameLoop({
      apply: () => {
        this.connection.drain();
        flushSync();
      },
      render: (deadline) => this.queue.run(deadline),
    });
    this.queue = new WorkQueue(frames.request);
    this.places = new PlaceKeeper(host);
    this.transcript = this.createTranscript();
    this.parts = new TranscriptParts({
      post: this.post,
      session: () => this.session,
      transcript: this.transcript,
      whenRendered: (done) => this.queue.whenDry(done),
      report: (error) => this.report(error),
    });
    this.connection = this.createConnection(frames.request);
  }

  /** The host's conversation, with the end of its transcript; changed only by its snapshots and events. */
  get view(): ViewState {
    return this.store.view;
  }

  /** Whether a turn is running. */
  get running(): boolean {
    return this.view.activity !== 'idle';
  }

  /** Brings the page up to date with the state at once, in a step of work. */
  flush(): void {
    flushSync();
  }

  /** Opens or closes the list of sessions. */
  showHistory(open: boolean): void {
    if (open === this.historyOpen) return;
    if (open) this.leavePages();
    this.historyOpen = open;
    this.sessions.open(open);
    if (!open) this.composer.focus();
  }

  /** Opens or closes the list of MCP servers. */
  showServers(open: boolean): void {
    if (open === this.servers.shown) return;
    if (open) this.leaveLists();
    this.servers.show(open);
    if (!open) this.composer.focus();
  }

  /** Opens or closes the page about what is configured. @param target a section or a row to lead the user to */
  showConfiguration(open: boolean, target?: string): void {
    if (open !== this.configuration.shown) {
      if (open) this.leaveLists();
      this.configuration.show(open);
    }
    if (open && target !== undefined) this.configuration.goTo(target);
    if (!open) this.composer.focus();
  }

  /** Goes back by one place of the servers, from the list to the conversation. */
  leaveServers(): void {
    if (!this.servers.back()) this.showServers(false);
  }

  /** Asks for an empty conversation; one that is empty stays. */
  newSession(): void {
    if (this.view.items.some(({ kind }) => kind === 'user')) this.composer.leave();
    this.post({ type: 'new_session' });
  }

  /** Reports a failure of the page to the log and says so on the page. */
  fail(error: unknown): void {
    this.failure = t('Part of the chat could not be displayed. The chat itself is safe.');
    this.report(error);
  }

  /** Reports a failure that the user need not know of. */
  report(error: unknown): void {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.post({ type: 'report_error', message: words.slice(0, MAX_ERROR_LENGTH) });
  }

  private createTranscript(): TranscriptWindow {
    return new TranscriptWindow({
      held: this.held,
      queue: this.queue,
      flush: () => this.flush(),
      whenDrawn: (done) => this.whenDrawn(done),
      load: (start, count) => this.post({ type: 'load_items', start, count }),
      find: (item) => this.post({ type: 'find_item', item }),
      remember: (place) => this.places.keep(this.session, place),
    });
  }

  /** Calls back once messages look as they will, none waits to be rendered, and the heights of all have been measured. */
  private whenDrawn(done: () => void): void {
    void this.rest.then(() => {
      this.flush();
      // What is rendered last is measured at the end of its frame.
      this.queue.whenDry(() => this.queue.whenDry(done));
    });
  }

  private createConnection(schedule: () => void): Connection {
    return new Connection({
      post: this.post,
      show: (state, session, start) => this.show(state, session, start),
      apply: (events) => this.apply(events),
      items: (message) => this.transcript.take(message),
      side: (message) => (message.type === 'code_colors' ? this.parts.take(message) : this.takeSide(message)),
      schedule,
    });
  }

  private apply(events: readonly ViewEvent[]): void {
    this.transcript.apply(mergeDeltas(events));
    const last = events.findLast((event) => event.type === 'meta' && event.patch.elves !== undefined);
    if (last?.type === 'meta' && last.patch.elves !== undefined) this.elves = keepEqual(this.elves, last.patch.elves, ({ id }) => id);
  }

  private show(state: ViewState, session: string, start: number): void {
    const same = session === this.session;
    const place = this.session === '' ? this.places.stored(session) : undefined;
    // The list stays: the conversation may be another one because the one before was deleted in it.
    if (!same) this.sessions.busy = undefined;
    // A page that has just been made has what was written in the one before it, whose place its first draft decides.
    if (!same && this.session !== '') this.composer.arrive(session);
    this.held.show(state, start, same);
    this.elves = state.elves;
    this.session = session;
    // An editor tab that comes back with the window says which session it showed.
    this.host.setState({ session, tab: document.body.dataset['tab'] ?? '' });
    if (same) return this.transcript.renew();
    this.parts.clear();
    this.transcript.begin();
    if (place !== undefined) this.transcript.showPlace(place.item, place.offset);
  }

  /** Shows the conversation in place of the list, and of what was said about another one. */
  private leaveLists(): void {
    this.sessions.busy = undefined;
    this.leavePages();
    if (!this.historyOpen) return;
    this.historyOpen = false;
    this.sessions.open(false);
  }

  private showAgents(): void {
    this.leaveLists();
    this.agentsGone.recall(this.session);
    this.agentsWanted = true;
  }

  private leavePages(): void {
    if (this.servers.shown) this.servers.show(false);
    if (this.configuration.shown) this.configuration.show(false);
  }

  /** Leads to an item of the conversation; one of another that was shown meanwhile is not looked for. */
  private showItem(session: string, item: string): void {
    // The snapshot of the conversation may wait for the next frame.
    this.connection.drain();
    if (session === this.session) this.transcript.showItem(item);
  }

  private setChoices({ models, automatic, modes, agents, efforts }: Extract<SideMessage, { type: 'choices' }>): void {
    this.models = models;
    this.automatic = automatic;
    this.modes = modes;
    this.agents = agents;
    this.efforts = efforts;
  }

  /** The host waits for an answer in any case. */
  private scale(message: Extract<SideMessage, { type: 'scale_image' }>): void {
    scaleImage(message, this.post).catch((error: unknown) => {
      this.report(error);
      this.post({ type: 'image_scaled', request: message.request });
    });
  }

  private takeSide(message: Exclude<SideMessage, { type: 'code_colors' }>): void {
    if (isServerNews(message)) return this.servers.take(message);
    if (isConfigurationNews(message)) return this.configuration.take(message);
    switch (message.type) {
      case 'choices':
        return this.setChoices(message);
      case 'files':
      case 'copied':
      case 'model_explained':
      case 'proposal_shown':
      case 'image':
      case 'found':
        return this.parts.take(message);
      case 'history':
      case 'session_states':
      case 'search_hits':
      case 'session_deleted':
      case 'session_problem':
      case 'session_busy':
      case 'edit_title':
      case 'go_to_item':
        return this.sessions.take(message);
      case 'show_history':
        return this.showHistory(true);
      case 'show_servers':
        return this.showServers(true);
      case 'show_configuration':
        return this.showConfiguration(true, message.target);
      case 'open_search':
        this.leaveLists();
        return this.parts.search.show();
      case 'focus_agents':
        return this.showAgents();
      case 'scale_image':
        return this.scale(message);
      case 'focus_composer':
        this.leaveLists();
        return this.composer.focus();
      default:
        return this.composer.receive(message);
    }
  }
}
