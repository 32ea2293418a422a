import type { StoredElf } from '../domain/session/elf.js';
import type { AgentSession } from '../engine/agent-session.js';
import type { ElfType } from './elf-types.js';

/** The session of an elf that is open, and where what is known of the elf beside it is stored. */
export interface OpenElf {
  readonly session: AgentSession;
  /** Stores what is known of it. Does not reject. */
  readonly save: (elf: StoredElf) => void;
  /** Is called when the session is closed. */
  readonly closed: () => void;
  /** Gets its worktree ready before a run, where it is not yet. @throws Error with a sentence for the user and for models where that failed */
  readonly prepare?: (signal: AbortSignal, tell: (line: string) => void) => Promise<void>;
  /** Ends what belongs to it beside its session, when that is closed. Does not reject. */
  readonly released?: () => Promise<void>;
  /** Has it do no more from now on than its type, who it works for, and {@link Elf.tellers} may. */
  readonly limit: (type: ElfType) => void;
}

/** Takes the session of an elf when it is opened, and when it is closed. */
interface SessionOwner {
  readonly opened: (session: AgentSession) => void;
  readonly closed: (session: AgentSession) => void;
}

/** The session of an elf, which is open as long as somebody holds it. */
export class HeldSession {
  private open: OpenElf | undefined;
  private opening: Promise<OpenElf> | undefined;
  private closing: Promise<void> = Promise.resolve();
  private holders = 0;

  constructor(private readonly owner: SessionOwner) {}

  /** What is open; it can be about to be closed. */
  get current(): OpenElf | undefined {
    return this.open;
  }

  /**
   * Opens it, or uses it where it is open, until `release` is called. When nobody holds it any longer, it is closed.
   * @throws what opening throws
   */
  async hold(open: () => Promise<OpenElf>): Promise<{ readonly session: AgentSession; readonly release: () => Promise<void> }> {
    this.holders += 1;
    try {
      // That it failed was said where it was closed.
      await Promise.allSettled([this.closing]);
      const { session } = this.open?.session.closed === false ? this.open : await this.opened(open);
      let held = true;
      const release = async (): Promise<void> => {
        const wasHeld = held;
        held = false;
        if (wasHeld) await this.release();
      };
      return { session, release };
    } catch (error) {
      this.holders -= 1;
      throw error;
    }
  }

  /** Several may want it opened at once. */
  private opened(open: () => Promise<OpenElf>): Promise<OpenElf> {
    this.opening ??= this.take(open).finally(() => (this.opening = undefined));
    return this.opening;
  }

  private async take(open: () => Promise<OpenElf>): Promise<OpenElf> {
    const opened = await open();
    this.open = opened;
    this.owner.opened(opened.session);
    return opened;
  }

  private async release(): Promise<void> {
    this.holders -= 1;
    const { open } = this;
    if (this.holders > 0 || open === undefined) return;
    this.closing = this.close(open);
    await this.closing;
  }

  private async close(open: OpenElf): Promise<void> {
    try {
      await open.session.close().finally(() => this.left(open));
    } finally {
      await open.released?.();
    }
  }

  private left(open: OpenElf): void {
    if (this.open === open) this.open = undefined;
    open.closed();
    this.owner.closed(open.session);
  }
}
