import { errorMessage } from '../domain/errors.js';
import type { Holder, LockContext } from './lock-file.js';
import { createLock, endHolder, readLock, STALE_MS } from './lock-file.js';
import { readRequest, withdrawRequest } from './lock-request.js';

/** Milliseconds between two signs of life of a holder, at which it also looks whether another window asks for the lock. */
const HEARTBEAT_MS = 1_000;

/** Who works under a lock. */
export interface LockOwner {
  /** Another window asks for the lock. @returns whether it was released. */
  asked(): Promise<boolean>;
  /** Another window has taken the lock, as after a long sleep. */
  lost(): void;
}

/** The right to write one session, while it lasts. */
export interface SessionLock {
  /** Names who answers when another window asks for it; until then it is kept. */
  serve(owner: LockOwner): void;
  /** Whether it is still ours: after a long sleep another window may have taken it. Looks at the disk only when that is possible. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/** A lock that was created. */
export class HeldLock implements SessionLock {
  private checkedAt = Date.now();
  private held = true;
  private released = false;
  private beating = false;
  private owner: LockOwner | undefined;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly context: LockContext,
    private readonly path: string,
    private readonly holder: Holder,
  ) {
    this.timer = setInterval(() => {
      this.beat().catch((error: unknown) => this.context.log.warn(`A lock could not be kept fresh: ${errorMessage(error)}`));
    }, HEARTBEAT_MS);
    this.timer.unref();
  }

  serve(owner: LockOwner): void {
    this.owner = owner;
  }

  async isHeld(): Promise<boolean> {
    const overdue = Math.abs(Date.now() - this.checkedAt) > STALE_MS / 2;
    return this.held && (!overdue || (await this.check()));
  }

  async release(): Promise<void> {
    clearInterval(this.timer);
    this.released = true;
    endHolder(this.holder);
    if (this.held && (await this.check())) await this.context.files.remove(this.path);
    this.held = false;
  }

  private async beat(): Promise<void> {
    if (!this.held || this.beating) return;
    this.beating = true;
    try {
      if (!(await this.check())) return;
      await this.context.files.touch(this.path);
      await this.answer();
    } finally {
      this.beating = false;
    }
  }

  /** A request that is taken back by the holder is a refused one. */
  private async answer(): Promise<void> {
    const request = await readRequest(this.context, this.path);
    if (request === undefined || this.released) return;
    const going = request === 'waiting' && (await this.owner?.asked()) === true;
    if (!going) await withdrawRequest(this.context, this.path);
  }

  /** Looks at the disk. A lock that someone removed by hand is nobody's: it is ours again when we can create it. */
  private async check(): Promise<boolean> {
    const seen = await readLock(this.context.files, this.path);
    const again = (): Promise<boolean> => createLock(this.context, this.path, this.holder);
    this.held = seen === undefined ? !this.released && (await again()) : seen.holder?.nonce === this.holder.nonce;
    this.checkedAt = Date.now();
    if (!this.held && !this.released) this.lose();
    return this.held;
  }

  private lose(): void {
    clearInterval(this.timer);
    this.owner?.lost();
  }
}
