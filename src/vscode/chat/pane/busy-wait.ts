import { SessionBusyError } from '../../../session/errors.js';
import type { HostMessage } from '../../../protocol/messages.js';

/** Milliseconds between two attempts to open a conversation that another window has open. */
const RETRY_MS = 2_000;

/** A conversation that was to be shown and that another window has open. */
export interface BusySession {
  readonly id: string;
  readonly title: string;
}

/** Dependencies of {@link BusyWait}. */
export interface BusyWaitDeps {
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
  private readonly deps: BusyWaitDeps;
  private busy: BusySession | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(deps: BusyWaitDeps) {
    this.deps = deps;
  }

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
