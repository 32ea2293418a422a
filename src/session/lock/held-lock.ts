import { dirname } from 'node:path';
import { errorMessage } from '../../domain/errors.js';
import {
  createLock,
  endHolder,
  type FolderWatch,
  type Holder,
  isRequestFor,
  type LockContext,
  readLock,
  readRequest,
  STALE_MS,
  withdrawRequest,
} from './lock-file.js';

/** Milliseconds between two signs of life of a holder that works, at which it also looks whether another window asks for the lock. */
const HEARTBEAT_MS = 1_000;

/** Milliseconds between two signs of life of a holder that rests, where others cannot see that it runs: well below {@link STALE_MS}. */
const RESTING_MS = 10_000;

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
  /**
   * Says whether there is work that would be lost with the lock. An idle holder stops its heartbeat once it is sure to be
   * notified of requests, so that an idle window costs nothing.
   */
  setWorking(working: boolean): void;
  release(): Promise<void>;
}

/** A lock that was created. */
export class HeldLock implements SessionLock {
  private checkedAt = Date.now();
  private held = true;
  private released = false;
  private working = false;
  /** The look that runs; another one that is asked for meanwhile follows it. */
  private looking: Promise<void> | undefined;
  private lookAgain = false;
  private owner: LockOwner | undefined;
  private timer: NodeJS.Timeout | undefined;
  private period = 0;
  /** Begins with the first sign of life, as most locks are gone before that. */
  private watch: FolderWatch | undefined;
  /** Whether the watch has reported a change of our own: some file systems report nothing. */
  private isTold = false;

  constructor(
    private readonly context: LockContext,
    private readonly path: string,
    private readonly holder: Holder,
  ) {
    this.setPeriod();
  }

  serve(owner: LockOwner): void {
    this.owner = owner;
  }

  setWorking(working: boolean): void {
    this.working = working;
    this.setPeriod();
  }

  async isHeld(): Promise<boolean> {
    const overdue = Math.abs(Date.now() - this.checkedAt) > STALE_MS / 2;
    if (!this.held || !overdue) return this.held;
    // Who rested shows life before it writes again.
    if (await this.check()) await this.context.files.touch(this.path);
    return this.held;
  }

  async release(): Promise<void> {
    this.released = true;
    this.endWatch();
    endHolder(this.holder);
    if (this.held && (await this.check())) await this.context.files.remove(this.path);
    this.held = false;
  }

  /** Beats as often as others must see it. */
  private setPeriod(): void {
    const period = this.neededPeriod();
    if (period === this.period) return;
    this.period = period;
    clearInterval(this.timer);
    this.timer = period === 0 ? undefined : setInterval(() => this.look(true), period).unref();
  }

  private neededPeriod(): number {
    if (!this.held || this.released) return 0;
    if (this.working || !this.isTold) return HEARTBEAT_MS;
    return this.holder.started === '' ? RESTING_MS : 0;
  }

  /** Another look at a change of the lock's own time would only cause the next one. */
  private noticed(file: string | undefined, kind: 'change' | 'rename'): void {
    if (file === this.path && kind === 'change') {
      this.isTold = true;
      this.setPeriod();
    } else if (file === undefined || file === this.path || isRequestFor(this.path, file)) this.look(false);
  }

  private startWatch(): void {
    this.watch ??= this.context.watch?.(dirname(this.path), { onChange: (file, kind) => this.noticed(file, kind), onEnd: () => this.endWatch() });
  }

  private endWatch(): void {
    this.watch?.close();
    this.watch = undefined;
    this.isTold = false;
    this.setPeriod();
  }

  /** Looks whether the lock is ours and asked for. @param touch whether to give a sign of life. */
  private look(touch: boolean): void {
    if (!this.held || this.released) return;
    if (this.looking !== undefined) {
      this.lookAgain ||= !touch;
      return;
    }
    this.looking = this.lookNow(touch)
      .catch((error: unknown) => this.context.log.warn(`A lock could not be kept fresh: ${errorMessage(error)}`))
      .finally(() => {
        this.looking = undefined;
        if (!this.lookAgain) return;
        this.lookAgain = false;
        this.look(false);
      });
  }

  private async lookNow(touch: boolean): Promise<void> {
    if (!(await this.check()) || this.released) return;
    if (touch) {
      if (!this.working) this.startWatch();
      await this.context.files.touch(this.path);
    }
    await this.answer();
  }

  /** A request that is taken back by the holder is a refused one. One that is being written is looked at again when it is. */
  private async answer(): Promise<void> {
    const request = await readRequest(this.context, this.path);
    if (request === undefined || request === 'writing' || this.released) return;
    const going = request === 'waiting' && (await this.owner?.asked()) === true;
    if (!going) await withdrawRequest(this.context, this.path);
  }

  /** Checks the lock on disk. One that was removed by hand has no holder: it is ours again when we can create it. */
  private async check(): Promise<boolean> {
    const seen = await readLock(this.context.files, this.path);
    const again = (): Promise<boolean> => createLock(this.context, this.path, this.holder);
    // Its folder may be another one now, which the watch does not see.
    if (seen === undefined) this.endWatch();
    this.held = seen === undefined ? !this.released && (await again()) : seen.holder?.nonce === this.holder.nonce;
    this.checkedAt = Date.now();
    if (!this.held && !this.released) this.lose();
    return this.held;
  }

  private lose(): void {
    this.endWatch();
    this.owner?.lost();
  }
}
