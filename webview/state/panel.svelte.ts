import { flushSync } from 'svelte';
import { assertNever } from '../../src/protocol/assert-never.js';
import { MAX_ERROR_LENGTH } from '../../src/protocol/limits.js';
import type { Choice, HistoryEntry, PanelMessage } from '../../src/protocol/messages.js';
import { applyViewEvent } from '../../src/protocol/view-event.js';
import type { ViewEvent } from '../../src/protocol/view-event.js';
import type { ViewState } from '../../src/protocol/view-state.js';
import { emptyViewState } from '../../src/protocol/view-state.js';
import { ComposerState } from './composer.svelte.js';
import type { SideMessage } from './connection.js';
import { Connection } from './connection.js';
import { FrameLoop } from './frame.js';
import type { Host } from './host.js';
import { mergeDeltas } from './merge-deltas.js';
import { WorkQueue } from './work-queue.js';

/** Everything that the components show, and what they do. */
export class Panel {
  /** The host's conversation, changed only by its snapshots and events. */
  view = $state<ViewState>(emptyViewState('', ''));
  /** Id of the conversation; empty until the first snapshot. */
  session = $state('');
  models = $state.raw<readonly Choice[]>([]);
  modes = $state.raw<readonly Choice[]>([]);
  /** How much the model can be told to think; empty for one that cannot. */
  efforts = $state.raw<readonly Choice[]>([]);
  history = $state.raw<readonly HistoryEntry[] | undefined>();
  historyOpen = $state(false);
  /** What a screen reader is told at once. */
  announcement = $state('');
  /** What a screen reader is told when it has nothing else to say. */
  news = $state('');
  /** What the person is told when the page itself fails. */
  failure = $state('');
  readonly composer: ComposerState;
  readonly queue: WorkQueue;
  readonly connection: Connection;
  readonly post: (message: PanelMessage) => void;

  constructor(host: Host) {
    this.post = (message) => host.post(message);
    this.composer = new ComposerState(host);
    const frames = new FrameLoop({
      apply: () => {
        this.connection.drain();
        flushSync();
      },
      render: (deadline) => this.queue.run(deadline),
    });
    this.queue = new WorkQueue(frames.request);
    this.connection = new Connection({
      post: this.post,
      show: (state, session) => this.show(state, session),
      apply: (events) => this.apply(events),
      side: (message) => this.takeSide(message),
      schedule: frames.request,
    });
  }

  /** Whether a turn is going on. */
  get running(): boolean {
    return this.view.activity !== 'idle';
  }

  /** Brings the page up to date with the state at once, in a step of work. */
  flush(): void {
    flushSync();
  }

  /** Opens or closes the list of sessions. */
  showHistory(open: boolean): void {
    this.historyOpen = open;
    if (open) this.post({ type: 'list_history' });
    else this.composer.focus();
  }

  /** Reports a failure of the page to the log and says so on the page. */
  fail(error: unknown): void {
    this.failure = 'A part of the chat could not be shown. The conversation itself is safe.';
    this.report(error);
  }

  /** Reports a failure that the person need not know of. */
  report(error: unknown): void {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.post({ type: 'report_error', message: words.slice(0, MAX_ERROR_LENGTH) });
  }

  private show(state: ViewState, session: string): void {
    if (session !== this.session) this.historyOpen = false;
    this.view = state;
    this.session = session;
  }

  private apply(events: readonly ViewEvent[]): void {
    for (const event of mergeDeltas(events)) applyViewEvent(this.view, event);
  }

  private takeSide(message: SideMessage): void {
    switch (message.type) {
      case 'choices':
        this.models = message.models;
        this.modes = message.modes;
        this.efforts = message.efforts;
        return;
      case 'history':
        this.history = message.sessions;
        return;
      case 'attachments':
        this.composer.attachments = message.attachments;
        return;
      case 'accepted':
        return this.composer.accepted(message.sendId);
      case 'rejected':
        return this.composer.rejected(message.sendId, message.reason);
      case 'focus_composer':
        this.historyOpen = false;
        return this.composer.focus();
      default:
        assertNever(message);
    }
  }
}
