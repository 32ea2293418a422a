import { randomBytes } from 'node:crypto';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '../../domain/errors.js';
import { fileErrorCode, type FileHandle, type FileLayer } from '../../domain/workspace/file-layer.js';
import type { Log } from '../../domain/log.js';
import { writeAll } from '../atomic-write.js';
import type { ProcessIdentity, ProcessProbe } from './process-probe.js';

/** Milliseconds without a heartbeat after which a holder that gives none while we wait either is gone. */
export const STALE_MS = 30_000;

/** Milliseconds before an empty lock counts as stale, whose writer died between creating and filling it. */
const EMPTY_MS = 1_000;

/** Services that session locks use: files, the list of running processes, and time limits. */
export interface LockContext {
  readonly files: FileLayer;
  readonly log: Log;
  readonly processes: ProcessProbe;
  /** Milliseconds to wait for a holder that may be going, such as an extension host that reloads. */
  readonly waitMs: number;
  /** Milliseconds to wait for a holder that was asked to release it; 5,000 by default. */
  readonly askMs?: number | undefined;
  /** Notifies of changes in a folder; without it holders poll once a second. */
  readonly watch?: WatchFolder | undefined;
}

/** The content of a lock file. */
export interface Holder extends ProcessIdentity {
  /** Tells two locks of one process apart. */
  readonly nonce: string;
}

/** A lock file as it was read. */
export interface SeenLock {
  /** `undefined` while it is being written, or when a crash tore it. */
  readonly holder: Holder | undefined;
  readonly mtimeMs: number;
}

/** The locks that this process has or is taking. One in its name that is not among them was left when it could not be removed. */
const OWN = new Set<string>();

/** Makes who is about to take a lock for this process. */
export async function newHolder(context: LockContext): Promise<Holder> {
  const holder = { ...(await context.processes.self()), nonce: randomBytes(12).toString('hex') };
  OWN.add(holder.nonce);
  return holder;
}

/** To be called when a holder of this process has no lock any more, even when its file could not be removed. */
export function endHolder({ nonce }: Holder): void {
  OWN.delete(nonce);
}

/** Creates a lock file. @returns false when there is one. */
export async function createLock(context: LockContext, path: string, holder: Holder): Promise<boolean> {
  try {
    const handle = await context.files.openExclusive(path);
    await fill(context, { path, handle }, JSON.stringify(holder));
    return true;
  } catch (error) {
    if (fileErrorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Reads a lock file; `undefined` when there is none. */
export async function readLock(files: FileLayer, path: string): Promise<SeenLock | undefined> {
  const entry = await files.stat(path);
  if (entry === undefined) return undefined;
  try {
    return { holder: parseHolder(await files.readFile(path)), mtimeMs: entry.mtimeMs };
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether the holder of a lock is gone. @param silent whether no sign of life was seen while waiting. */
export async function isGone(context: LockContext, seen: SeenLock, silent: boolean): Promise<boolean> {
  // A clock that was set back makes an age negative; that is no sign of life either.
  const age = Math.abs(Date.now() - seen.mtimeMs);
  if (seen.holder === undefined) return age > EMPTY_MS;
  if (isOf(seen.holder, await context.processes.self())) return !OWN.has(seen.holder.nonce);
  const running = await context.processes.isRunning(seen.holder);
  return running === 'no' || (running === 'unknown' && silent && age > STALE_MS);
}

/** Whether another process has a lock. */
export async function isHeldElsewhere(context: LockContext, path: string): Promise<boolean> {
  const seen = await readLock(context.files, path);
  if (seen?.holder === undefined) return false;
  return !isOf(seen.holder, await context.processes.self()) && !(await isGone(context, seen, true));
}

function isOf({ pid, host, started }: Holder, process: ProcessIdentity): boolean {
  return pid === process.pid && host === process.host && started === process.started;
}

/** Writes a lock; one that cannot be written is removed, so that it blocks no process. */
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

/** A watch on the files of a folder. */
export interface FolderWatch {
  close(): void;
}

/** Who is notified of changes in a folder. */
interface FolderWatcher {
  /**
   * @param file absolute path; `undefined` where the system does not say which file it was.
   * @param kind `rename` also for a file that came or went; some systems say so of any change.
   */
  onChange(file: string | undefined, kind: 'change' | 'rename'): void;
  /** The watch failed, as when the folder was removed; it is to be closed. */
  onEnd(): void;
}

/** Watches a folder, without the folders in it, and keeps no process alive. @returns `undefined` where it cannot be watched. */
export type WatchFolder = (folder: string, watcher: FolderWatcher) => FolderWatch | undefined;

/** {@link WatchFolder} by the operating system. It may report nothing for a folder on a network. */
export const watchFolder: WatchFolder = (folder, watcher) => {
  try {
    const watching = watch(folder, { persistent: false }, (kind, name) => watcher.onChange(name === null ? undefined : join(folder, name), kind));
    watching.on('error', () => watcher.onEnd());
    return watching;
  } catch {
    // Too many watches, or a file system without them: the caller looks on its own.
    return undefined;
  }
};
