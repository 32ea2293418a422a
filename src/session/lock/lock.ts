import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '../../domain/errors.js';
import { type SessionLock, HeldLock } from './held-lock.js';
import {
  type Holder,
  type LockContext,
  type SeenLock,
  createLock,
  endHolder,
  isGone,
  newHolder,
  readLock,
  readRequest,
  requestLock,
  withdrawRequest,
} from './lock-file.js';

/** Milliseconds to wait for a holder that was asked to release a lock: its heartbeat, and the time to fold a long conversation. */
const ASK_MS = 5_000;

const POLL_MS = 25;

interface Takeover {
  readonly seen: SeenLock;
  readonly holder: Holder;
}

/**
 * Takes the lock of a session. The lock of a process that is gone is taken over: its number is free or given to another
 * process, or (where that is not known) it gives no heartbeat. A holder that merely sleeps keeps its lock.
 * @returns `undefined` when another holder has it and keeps it for {@link LockContext.waitMs}.
 * @throws the error of the file layer when the lock cannot be written.
 */
export async function acquireLock(context: LockContext, path: string): Promise<SessionLock | undefined> {
  const holder = await newHolder(context);
  let lock: SessionLock | undefined;
  try {
    lock = await tryUntil(context, path, holder);
    return lock;
  } finally {
    if (lock === undefined) endHolder(holder);
  }
}

async function tryUntil(context: LockContext, path: string, holder: Holder): Promise<SessionLock | undefined> {
  const end = performance.now() + context.waitMs;
  const first = await readLock(context.files, path);
  for (;;) {
    if (await createLock(context, path, holder)) {
      await sweep(context, path);
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

/** Removes what others left beside the lock. A failure is only logged. */
async function sweep(context: LockContext, path: string): Promise<void> {
  try {
    await sweepGuard(context, path);
    if ((await readRequest(context, path)) === 'stale') await withdrawRequest(context, path);
  } catch (error) {
    context.log.warn(`An old lock could not be removed: ${errorMessage(error)}`);
  }
}

function unchanged(first: SeenLock | undefined, seen: SeenLock): boolean {
  return first?.mtimeMs === seen.mtimeMs && first.holder?.nonce === seen.holder?.nonce;
}

/**
 * Removes a lock whose holder is gone. Several processes may do so with the same stale lock, so only the holder of the
 * guard beside it may remove it, after another check: no process removes the new lock of another.
 * @returns whether the lock was free to be removed.
 */
async function discard(context: LockContext, path: string, taking: Takeover): Promise<boolean> {
  const guard = guardOf(path);
  if (!(await createLock(context, guard, taking.holder))) return sweepGuard(context, path);
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

/** Why a lock was not given. `working`: its holder is at work. `silent`: its holder did not answer. */
export type LockRefusal = 'working' | 'silent';

/** {@link acquireLock}, asking a live holder to release it. @returns why not, when it did not. */
export async function takeOverLock(context: LockContext, path: string): Promise<SessionLock | LockRefusal> {
  const now = { ...context, waitMs: 0 };
  const free = await acquireLock(now, path);
  if (free !== undefined) return free;
  const holder = await newHolder(context);
  await requestLock(context, path, holder);
  try {
    return await awaitRelease(context, path);
  } finally {
    endHolder(holder);
  }
}

async function awaitRelease(context: LockContext, path: string): Promise<SessionLock | LockRefusal> {
  const now = { ...context, waitMs: 0 };
  const end = performance.now() + (context.askMs ?? ASK_MS);
  while (performance.now() < end) {
    const lock = await acquireLock(now, path);
    if (lock !== undefined) {
      await withdrawRequest(context, path);
      return lock;
    }
    if ((await readRequest(context, path)) === undefined) return 'working';
    await delay(POLL_MS);
  }
  await withdrawRequest(context, path);
  return 'silent';
}
