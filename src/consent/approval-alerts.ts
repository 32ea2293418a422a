import { escapeHidden } from '../domain/hidden-characters.js';
import { t } from '../domain/l10n.js';
import type { Log } from '../domain/log.js';
import type { ApprovalQueue, WaitingSession } from './approval-queue.js';
import type { Dialogs } from '../domain/host/dialogs.js';
import type { WaitingCall } from './waiting-calls.js';

/** Characters of a title that a notification shows. */
const MAX_TITLE = 60;

/** Visibility of conversations on the screen. */
export interface ApprovalScreen {
  /** The conversation of the pane that the user worked in last. */
  current(): string;
  /** Whether a conversation is on the screen, in any place. */
  isVisible(id: string): boolean;
  /** Shows a conversation in the chat. */
  open(id: string): Promise<void>;
  /** Shows how many calls wait. */
  count(waiting: number): void;
}

/** Services for notifications about pending approvals: the queue, what is visible, and the user's setting. */
export interface AlertDeps {
  readonly queue: ApprovalQueue;
  readonly screen: ApprovalScreen;
  readonly dialogs: Dialogs;
  readonly log: Log;
  /** Whether the user wants notifications; without them the count still shows what waits. */
  readonly wanted: () => boolean;
}

/** Tells the user of prompts that are not on the screen, each once, and leads to them. */
export class ApprovalAlerts {
  /** Calls that the user saw or was notified of, by conversation. */
  private readonly known = new Map<string, ReadonlySet<string>>();

  constructor(private readonly deps: AlertDeps) {
    deps.queue.onDidChange(() => this.look());
    this.look();
  }

  /** Shows the conversation that waits next. */
  async showNext(): Promise<void> {
    const { queue, screen, dialogs } = this.deps;
    const next = queue.next(screen.current());
    if (next !== undefined) await screen.open(next.id);
    else await dialogs.notify('info', t('There are no pending permission requests.'));
  }

  private look(): void {
    const { queue, screen } = this.deps;
    screen.count(queue.size);
    const sessions = queue.sessions();
    for (const session of sessions) this.lookAt(session);
    for (const id of this.known.keys()) if (!sessions.some((session) => session.id === id)) this.known.delete(id);
  }

  private lookAt(session: WaitingSession): void {
    const { screen, log } = this.deps;
    const known = this.known.get(session.id);
    const fresh = session.calls.filter(({ id }) => known?.has(id) !== true);
    this.known.set(session.id, new Set(session.calls.map(({ id }) => id)));
    const [first] = fresh;
    if (first === undefined || !this.deps.wanted() || screen.isVisible(session.id)) return;
    this.tell(session, first).catch((error: unknown) => log.error('A conversation that waits could not be shown', error));
  }

  private async tell({ id, title }: WaitingSession, { kind }: WaitingCall): Promise<void> {
    const name = escapeHidden(title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE)}…` : title);
    const words = alertWords(kind, name);
    const show = t('Show');
    if ((await this.deps.dialogs.notify('info', words, show)) === show) await this.deps.screen.open(id);
  }
}

function alertWords(kind: WaitingCall['kind'], name: string): string {
  switch (kind) {
    case 'permission':
      return t('Gnomon needs your permission in “{0}”.', name);
    case 'question':
      return t('Gnomon has a question for you in “{0}”.', name);
    case 'server':
      return t('An MCP server asks you for something in “{0}”.', name);
  }
}
