import { join } from 'node:path';
import type { Clock } from '../domain/clock.js';
import type { FileLayer } from '../domain/workspace/file-layer.js';
import { t } from '../domain/l10n.js';
import type { Log } from '../domain/log.js';
import type { OpenSession } from '../domain/session/session-store.js';
import { SessionBusyError } from './errors.js';
import type { SessionLock } from './lock/held-lock.js';
import { type WatchFolder, watchFolder } from './lock/lock-file.js';
import { History } from './library/history.js';
import { acquireLock } from './lock/lock.js';
import { isStored, lockPath, type OpenedSession, removeOrphans, type StoreContext } from './opening.js';
import { createProcessProbe, type ProcessProbe } from './lock/process-probe.js';
import type { Recorder } from './journal/recorder.js';
import { checkId, fileNames, idKey, isSafeId, timeId } from './session-id.js';
import { Trash } from './library/trash.js';
import { errorMessage, InvalidDataError } from '../domain/errors.js';

/** Options of sessions in a folder. */
export interface SessionFolderOptions {
  /** Absolute path of the folder of the sessions; made with the first message. No other files belong there. */
  readonly folder: string;
  readonly files: FileLayer;
  readonly clock: Clock;
  readonly log: Log;
  /** Makes ids of new sessions; the default is nanoseconds since 1970, as in Pipe. */
  readonly newId?: () => string;
  /** Tells which processes run; the default asks the system. */
  readonly processes?: ProcessProbe;
  /** Milliseconds to wait for a window that may be about to release a session; 2,000 by default. */
  readonly waitMs?: number;
  /** Notifies of changes in the folder, so that an idle session needs no timer; the default is the system's watch. */
  readonly watch?: WatchFolder;
  /** Removes what is stored of a session elsewhere, such as checkpoints; called when it is deleted permanently, and again when that fails. */
  readonly forget?: (id: string) => Promise<void>;
  /** Milliseconds to wait for a window that was asked to release a session; 5,000 by default. */
  readonly askMs?: number;
}

/** How long to wait for a holder that may be going, in milliseconds. */
const WAIT_MS = 2_000;

/** What the store and the library of one folder share: the sessions that are open here, and the first look at the folder. */
export class SessionFolder {
  private readonly recorders = new Map<string, Recorder>();
  /** Ids of sessions that are being started, as they are compared. */
  private readonly reserved = new Set<string>();
  private ready: Promise<StoreContext> | undefined;

  constructor(private readonly options: SessionFolderOptions) {}

  /** The parts that work on the folder, once what earlier runs left is cleared away. */
  context(): Promise<StoreContext> {
    this.ready ??= this.prepare().catch((error: unknown) => {
      this.ready = undefined;
      throw error;
    });
    return this.ready;
  }

  /** The recorder of a session that is open here. */
  recorder(id: string): Recorder | undefined {
    return this.recorders.get(id);
  }

  /** Takes note of a session that was opened. */
  keep(id: string, opened: OpenedSession): OpenSession {
    this.recorders.set(id, opened.recorder);
    return opened.open;
  }

  /** To be called when a session was closed. @param by its recorder, where another one may have its id by now */
  closed(id: string, by = this.recorders.get(id)): void {
    if (this.recorders.get(id) === by) this.recorders.delete(id);
  }

  /** Works on the files of a session that is open nowhere. @throws SessionBusyError when it is. */
  async locked<T>(id: string, work: (context: StoreContext) => Promise<T>): Promise<T> {
    const context = await this.context();
    const lock = await this.lock(context, id);
    try {
      return await work(context);
    } finally {
      await lock.release();
    }
  }

  /**
   * Starts a session, whose id nothing else gets meanwhile.
   * @param wanted id. Default: a new one
   * @throws InvalidDataError for an id that cannot name a session, or that another one has
   */
  async start(wanted: string | undefined, begin: (id: string, onClose: () => void) => OpenedSession | Promise<OpenedSession>): Promise<OpenSession> {
    const id = wanted ?? (await this.freshId(await this.context()));
    checkId(id);
    const key = idKey(id);
    if (this.isReserved(id)) throw taken(id);
    this.reserved.add(key);
    try {
      if (wanted !== undefined && (await this.isStoredAlike(id))) throw taken(id);
      const kept: { recorder?: Recorder } = {};
      const opened = await begin(id, () => this.closed(id, kept.recorder));
      kept.recorder = opened.recorder;
      return this.keep(id, opened);
    } finally {
      this.reserved.delete(key);
    }
  }

  /** @throws Error when the given source of ids gives none that is free. */
  async freshId(context: StoreContext): Promise<string> {
    const newId = this.options.newId ?? (() => timeId(this.options.clock));
    for (let tries = 0; tries < 10; tries += 1) {
      const id = newId();
      checkId(id);
      if (!(await this.isTaken(context, id))) return id;
    }
    throw new Error(t('No unused ID could be found for a new chat. Try again.'));
  }

  /** Whether there is a session with an id: on the disk, in the trash, or open here without a message. */
  async isTaken(context: StoreContext, id: string): Promise<boolean> {
    return this.recorders.has(id) || this.reserved.has(idKey(id)) || isStored(context, id);
  }

  /** Whether a session that is open here, or about to be, has an id that is the same or differs only in case. */
  private isReserved(id: string): boolean {
    const key = idKey(id);
    return this.reserved.has(key) || [...this.recorders.keys()].some((open) => idKey(open) === key);
  }

  /** Whether there is a session on the disk or in the trash whose id is the same or differs only in case. */
  private async isStoredAlike(id: string): Promise<boolean> {
    const { folder, writer, trash } = await this.context();
    const { envelope, journal } = fileNames(id);
    const keys = new Set([idKey(envelope), idKey(journal)]);
    const [files, marks] = await Promise.all([writer.files.list(folder), trash.marks()]);
    return files.some(({ name }) => keys.has(idKey(name))) || [...marks.keys()].some((trashed) => idKey(trashed) === idKey(id));
  }

  private async lock(context: StoreContext, id: string): Promise<SessionLock> {
    const lock = await acquireLock(context.locks, lockPath(context, id));
    if (lock === undefined) throw new SessionBusyError(id);
    return lock;
  }

  private async prepare(): Promise<StoreContext> {
    const { folder, files, clock, log, waitMs = WAIT_MS, askMs, forget, processes = createProcessProbe(), watch = watchFolder } = this.options;
    const writer = { files, log, pid: (await processes.self()).pid };
    const locks = { files, log, processes, waitMs, askMs, watch };
    const trash = new Trash({ writer, folder, forget });
    const context = { folder, writer, clock, locks, trash, history: new History({ writer, folder, locks, trash }) };
    await clearUp(context);
    return context;
  }
}

function taken(id: string): InvalidDataError {
  return new InvalidDataError('id', t('There is a chat with the ID {0} already', JSON.stringify(id)));
}

/** Files that are worth nothing without a v1 file or a journal. */
const COMPANIONS = /^([^.]+)\.(?:meta\.json|lock|lock\.taking|lock\.wanted)$/;

/** Clears away what crashes left: temporary files, moves to and from the trash that were cut off, files without a session. A failure is only logged. */
async function clearUp(context: StoreContext): Promise<void> {
  const { writer, locks, folder, trash } = context;
  for (const place of [folder, trash.bin]) await removeOrphans(writer, locks.processes, place);
  try {
    const names = (await writer.files.list(folder)).map(({ name }) => name);
    await finishMoves(context, names);
    await removeLeftOvers(context, names);
  } catch (error) {
    writer.log.warn(`The folder of the conversations could not be cleared up: ${errorMessage(error)}`);
  }
}

async function finishMoves(context: StoreContext, names: readonly string[]): Promise<void> {
  for (const [id, { state }] of await context.trash.marks()) {
    const cutOff = state !== 'trashed' || names.some((name) => name.startsWith(`${id}.`));
    if (cutOff) await withLock(context, id, () => context.trash.finish(id));
  }
}

/** A sidecar or a lock whose session was never written. What another window is about to write is locked. */
async function removeLeftOvers(context: StoreContext, names: readonly string[]): Promise<void> {
  const { files } = context.writer;
  const found = new Set(names.flatMap((name) => COMPANIONS.exec(name)?.[1] ?? []));
  for (const id of found) {
    const { envelope, journal, meta } = fileNames(id);
    if (!isSafeId(id) || names.includes(envelope) || names.includes(journal)) continue;
    await withLock(context, id, async () => {
      const bodies = await Promise.all([envelope, journal].map((name) => files.stat(join(context.folder, name))));
      if (bodies.every((entry) => entry === undefined)) await files.remove(join(context.folder, meta));
    });
  }
}

async function withLock(context: StoreContext, id: string, work: () => Promise<void>): Promise<void> {
  const lock = await acquireLock(context.locks, lockPath(context, id));
  try {
    if (lock !== undefined) await work();
  } catch (error) {
    context.writer.log.warn(`What is left of a conversation could not be cleared away: ${errorMessage(error)}`);
  } finally {
    await lock?.release();
  }
}
