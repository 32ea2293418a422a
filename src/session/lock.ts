import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '../domain/errors.js';
import type { FileHandle, FileLayer } from '../domain/file-layer.js';
import { fileErrorCode } from '../domain/file-layer.js';
import type { Log } from '../domain/log.js';
import { writeAll } from './atomic-write.js';
import type { ProcessIdentity, ProcessProbe } from './process-probe.js';

/** Milliseconds between two signs of life of a holder. */
const HEARTBEAT_MS = 5_000;

/** A holder that gave no sign of life for so many milliseconds, and gives none while we wait, is gone. */
const STALE_MS = 30_000;

/** A lock whose writer died between creating and filling it is left alone for so many milliseconds. */
const EMPTY_MS = 1_000;

const POLL_MS = 25;

/** What locks work with. */
export interface LockContext {
  readonly files: FileLayer;
  readonly log: Log;
  readonly processes: ProcessProbe;
  /** Milliseconds that {@link acquireLock} waits for a holder that may be going, such as an extension host that reloads. */
  readonly waitMs: number;
}

/** What stands in a lock file. */
interface Holder extends ProcessIdentity {
  /** Tells two locks of one process apart. */
  readonly nonce: string;
}

interface SeenLock {
  readonly holder: Holder | undefined;
  readonly mtimeMs: number;
}

interface Takeover {
  readonly seen: SeenLock;
  readonly holder: Holder;
}

/** The right to write one session, while it lasts. */
export interface SessionLock {
  /** Whether it is still ours: after a long sleep another window may have taken it. Looks at the disk only when that is possible. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * Takes the lock of a session. The lock of a process that is gone is taken over: its number is free or given to another
 * process, or (where that cannot be told) it gives no sign of life. A holder that merely sleeps keeps its lock (sess-09).
 * @returns `undefined` when another holder has it and keeps it for {@link LockContext.waitMs}.
 * @throws the error of the file layer when the lock cannot be written.
 */
export async function acquireLock(context: LockContext, path: string): Promise<SessionLock | undefined> {
  const holder: Holder = { ...(await context.processes.self()), nonce: randomBytes(12).toString('hex') };
  const end = performance.now() + context.waitMs;
  const first = await readLock(context.files, path);
  for (;;) {
    if (await create(context, path, holder)) {
      await sweepGuard(context, path).catch((error: unknown) => context.log.warn(`An old lock could not be removed: ${errorMessage(error)}`));
      return new HeldLock(context, path, holder);
    }
    const seen = await readLock(context.files, path);
    const waited = performance.now() >= end;
    const gone = seen !== undefined && (await isGone(context, seen, waited && unchanged(first, seen)));
    if (gone && (await discard(context, path, { seen, holder }))) continue;
    if (waited && seen !== undefined) return undefined;
    await delay(POLL_MS);
  }
}

async function create(context: LockContext, path: string, holder: Holder): Promise<boolean> {
  try {
    const handle = await context.files.openExclusive(path);
    await fill(context, { path, handle }, JSON.stringify(holder));
    return true;
  } catch (error) {
    if (fileErrorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** A lock that cannot be written is removed, so that it is in nobody's way. */
async function fill(context: LockContext, file: { path: string; handle: FileHandle }, text: string): Promise<void> {
  try {
    await writeAll(file.handle, Buffer.from(text));
  } catch (error) {
    await context.files.remove(file.path).catch((reason: unknown) => context.log.warn(`A lock could not be removed: ${errorMessage(reason)}`));
    throw error;
  } finally {
    await file.handle.close();
  }
}

async function readLock(files: FileLayer, path: string): Promise<SeenLock | undefined> {
  const entry = await files.stat(path);
  if (entry === undefined) return undefined;
  try {
    return { holder: parseHolder(await files.readFile(path)), mtimeMs: entry.mtimeMs };
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function parseHolder(bytes: Uint8Array): Holder | undefined {
  try {
    const value = JSON.parse(Buffer.from(bytes).toString('utf8')) as Partial<Holder> | null;
    const { pid, host, started, nonce } = value ?? {};
    const texts = [host, started, nonce].every((text) => typeof text === 'string');
    return Number.isSafeInteger(pid) && Number(pid) > 0 && texts ? (value as Holder) : undefined;
  } catch {
    // Being written, or torn by a crash; its age decides.
    return undefined;
  }
}

function unchanged(first: SeenLock | undefined, seen: SeenLock): boolean {
  return first?.mtimeMs === seen.mtimeMs && first.holder?.nonce === seen.holder?.nonce;
}

/** @param silent whether no sign of life was seen while waiting. */
async function isGone(context: LockContext, seen: SeenLock, silent: boolean): Promise<boolean> {
  // A clock that was set back makes an age negative; that is no sign of life either.
  const age = Math.abs(Date.now() - seen.mtimeMs);
  if (seen.holder === undefined) return age > EMPTY_MS;
  const running = await context.processes.isRunning(seen.holder);
  return running === 'no' || (running === 'unknown' && silent && age > STALE_MS);
}

/**
 * Removes a lock whose holder is gone. Several processes may come here with the same stale lock, so only who holds the
 * guard beside it may remove it, after another look: nobody removes the new lock of another.
 * @returns whether the lock was free to be removed.
 */
async function discard(context: LockContext, path: string, taking: Takeover): Promise<boolean> {
  const guard = guardOf(path);
  if (!(await create(context, guard, taking.holder))) return sweepGuard(context, path);
  try {
    const now = await readLock(context.files, path);
    if (now !== undefined && now.holder?.nonce === taking.seen.holder?.nonce) await context.files.remove(path);
  } finally {
    await context.files.remove(guard);
  }
  return true;
}

function guardOf(path: string): string {
  return `${path}.taking`;
}

/** Removes a guard whose holder is gone. @returns whether there was one. */
async function sweepGuard(context: LockContext, path: string): Promise<boolean> {
  const seen = await readLock(context.files, guardOf(path));
  if (seen === undefined || !(await isGone(context, seen, true))) return false;
  await context.files.remove(guardOf(path));
  return true;
}

class HeldLock implements SessionLock {
  private checkedAt = Date.now();
  private held = true;
  private released = false;
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

  async isHeld(): Promise<boolean> {
    const overdue = Math.abs(Date.now() - this.checkedAt) > STALE_MS / 2;
    return this.held && (!overdue || (await this.check()));
  }

  async release(): Promise<void> {
    clearInterval(this.timer);
    this.released = true;
    if (this.held && (await this.check())) await this.context.files.remove(this.path);
    this.held = false;
  }

  private async beat(): Promise<void> {
    if (this.held && (await this.check())) await this.context.files.touch(this.path);
  }

  /** Looks at the disk. A lock that someone removed by hand is nobody's: it is ours again when we can create it. */
  private async check(): Promise<boolean> {
    const seen = await readLock(this.context.files, this.path);
    const again = (): Promise<boolean> => create(this.context, this.path, this.holder);
    this.held = seen === undefined ? !this.released && (await again()) : seen.holder?.nonce === this.holder.nonce;
    this.checkedAt = Date.now();
    return this.held;
  }
}
