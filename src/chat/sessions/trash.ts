import { Signal } from '../../concurrency/signal.js';
import type { Log } from '../../domain/log.js';
import type { SessionLibrary, TrashedSession } from '../../domain/session/session-library.js';

/** Milliseconds for which a conversation can be taken back out of the trash. */
const UNDO_MS = 600_000;
/** Milliseconds after that time in which it is removed. */
const LATENESS_MS = 1_000;

/** The library that stores trashed sessions, and the cleanup of their other files, such as checkpoints. */
export interface TrashDeps {
  readonly library: Pick<SessionLibrary, 'trash' | 'restore' | 'trashed' | 'emptyTrash'>;
  /** Removes one conversation of the trash for good, with what is kept of it elsewhere. */
  readonly purge: (id: string) => Promise<void>;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The trash of conversations: what is in it can be taken back for a while, then nothing of it is left. */
export class Trash {
  private readonly changed = new Signal();
  /** Calls back after each change. Returns how to stop that. */
  readonly onDidChange = this.changed.subscribe;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly deps: TrashDeps) {}

  /** Sessions in the trash, newest first, with the time when they are deleted permanently, in milliseconds since 1970. */
  async list(): Promise<readonly (TrashedSession & { readonly goneAt: number })[]> {
    const sessions = await this.deps.library.trashed();
    return sessions.map((session) => ({ ...session, goneAt: Math.max(0, Date.parse(session.trashedAt) || 0) + UNDO_MS }));
  }

  /** Moves a conversation into it. */
  async put(id: string): Promise<void> {
    await this.deps.library.trash(id);
    this.changed.emit();
    await this.schedule();
  }

  /** Takes a conversation back out. */
  async restore(id: string): Promise<void> {
    await this.deps.library.restore(id);
    this.changed.emit();
  }

  /** Removes one conversation for good. */
  async remove(id: string): Promise<void> {
    await this.deps.purge(id);
    this.changed.emit();
  }

  /** Removes all for good. */
  empty(): Promise<void> {
    return this.removeOlder(0);
  }

  /** Removes what has been in it for too long, now and from now on. Does not reject. */
  async watch(): Promise<void> {
    try {
      await this.removeOlder(UNDO_MS);
      await this.schedule();
    } catch (error) {
      this.deps.log.error('The trash could not be emptied', error);
    }
  }

  /** Ends {@link watch}. */
  dispose(): void {
    clearTimeout(this.timer);
  }

  private async removeOlder(ms: number): Promise<void> {
    await this.deps.library.emptyTrash(ms);
    this.changed.emit();
  }

  private async schedule(): Promise<void> {
    clearTimeout(this.timer);
    const next = (await this.list()).reduce((first, { goneAt }) => Math.min(first, goneAt), Infinity);
    if (next === Infinity) return;
    const wait = Math.min(UNDO_MS, Math.max(0, next - this.deps.now())) + LATENESS_MS;
    this.timer = setTimeout(() => void this.watch(), wait);
    // It is no reason to continue for what would end otherwise; the next start removes it.
    this.timer.unref();
  }
}
