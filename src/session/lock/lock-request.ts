import type { Holder, LockContext } from './lock-file.js';
import { createLock, isGone, readLock } from './lock-file.js';

/** A request is only good for so many milliseconds: who made it looks no longer. */
const GOOD_FOR_MS = 10_000;

/** The file beside a lock by which another window asks for it. */
function requestPath(lock: string): string {
  return `${lock}.wanted`;
}

/** Whether a file is the request for a lock. */
export function isRequestFor(lock: string, file: string): boolean {
  return file === requestPath(lock);
}

/** Asks the holder of a lock to let go of it. One request at a time; who comes second waits behind the first. */
export async function requestLock(context: LockContext, lock: string, holder: Holder): Promise<void> {
  if (await createLock(context, requestPath(lock), holder)) return;
  if ((await readRequest(context, lock)) !== 'stale') return;
  await withdrawRequest(context, lock);
  await createLock(context, requestPath(lock), holder);
}

/** Whether somebody asks for a lock and waits for it (`writing`: who it is does not stand there yet); `undefined` when nobody asks. */
export async function readRequest(context: LockContext, lock: string): Promise<'waiting' | 'writing' | 'stale' | undefined> {
  const seen = await readLock(context.files, requestPath(lock));
  if (seen === undefined) return undefined;
  const old = Math.abs(Date.now() - seen.mtimeMs) > GOOD_FOR_MS;
  if (old || (await isGone(context, seen, true))) return 'stale';
  return seen.holder === undefined ? 'writing' : 'waiting';
}

/** Removes a request: as its answer, because it is stale, or because it is fulfilled. */
export function withdrawRequest(context: LockContext, lock: string): Promise<void> {
  return context.files.remove(requestPath(lock));
}
