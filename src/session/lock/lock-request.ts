import type { Holder, LockContext } from './lock-file.js';
import { createLock, isGone, readLock } from './lock-file.js';

/** Milliseconds for which a request is valid: the requester waits no longer. */
const GOOD_FOR_MS = 10_000;

/** The file beside a lock by which another window asks for it. */
function requestPath(lock: string): string {
  return `${lock}.wanted`;
}

/** Whether a file is the request for a lock. */
export function isRequestFor(lock: string, file: string): boolean {
  return file === requestPath(lock);
}

/** Asks the holder of a lock to release it. One request at a time; a second requester waits for the first. */
export async function requestLock(context: LockContext, lock: string, holder: Holder): Promise<void> {
  if (await createLock(context, requestPath(lock), holder)) return;
  if ((await readRequest(context, lock)) !== 'stale') return;
  await withdrawRequest(context, lock);
  await createLock(context, requestPath(lock), holder);
}

/** Whether a lock is requested (`writing`: the requester is not in the file yet); `undefined` when it is not. */
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
