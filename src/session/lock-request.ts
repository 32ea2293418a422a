import type { Holder, LockContext } from './lock-file.js';
import { createLock, isGone, readLock } from './lock-file.js';

/** A request is only good for so many milliseconds: who made it looks no longer. */
const GOOD_FOR_MS = 10_000;

/** The file beside a lock by which another window asks for it. */
function requestPath(lock: string): string {
  return `${lock}.wanted`;
}

/** Asks the holder of a lock to let go of it. One request at a time; who comes second waits behind the first. */
export async function requestLock(context: LockContext, lock: string, holder: Holder): Promise<void> {
  if (await createLock(context, requestPath(lock), holder)) return;
  if ((await readRequest(context, lock)) !== 'stale') return;
  await withdrawRequest(context, lock);
  await createLock(context, requestPath(lock), holder);
}

/** Whether somebody asks for a lock and waits for it; `undefined` when nobody asks. */
export async function readRequest(context: LockContext, lock: string): Promise<'waiting' | 'stale' | undefined> {
  const seen = await readLock(context.files, requestPath(lock));
  if (seen === undefined) return undefined;
  const old = Math.abs(Date.now() - seen.mtimeMs) > GOOD_FOR_MS;
  return old || (await isGone(context, seen, true)) ? 'stale' : 'waiting';
}

/** Removes a request: as its answer, because it is stale, or because it is fulfilled. */
export function withdrawRequest(context: LockContext, lock: string): Promise<void> {
  return context.files.remove(requestPath(lock));
}
