import { join } from 'node:path';
import type { Clock } from '../domain/clock.js';
import type { FileLayer } from '../domain/file-layer.js';
import type { Log } from '../domain/log.js';
import type { OpenSession, SessionStore, SessionSummary } from '../domain/session-store.js';
import { trimFraction } from './codec/time.js';
import { SessionDocument } from './document.js';
import { SessionBusyError } from './errors.js';
import { History } from './history.js';
import { acquireLock } from './lock.js';
import type { OpenedSession, StoreContext } from './opening.js';
import { lockPath, openSession, startSession } from './opening.js';
import { removeOrphans } from './orphans.js';
import type { ProcessProbe } from './process-probe.js';
import { createProcessProbe } from './process-probe.js';
import type { Recorder } from './recorder.js';
import { checkId, fileNames, timeId } from './session-id.js';

/** What a store works with. */
export interface SessionStoreOptions {
  /** Absolute path of the folder of the sessions; made with the first message. No other files belong there. */
  readonly folder: string;
  readonly files: FileLayer;
  readonly clock: Clock;
  readonly log: Log;
  /** Makes ids of new sessions; the default is nanoseconds since 1970, as in Pipe. */
  readonly newId?: () => string;
  /** Tells which processes run; the default asks the system. */
  readonly processes?: ProcessProbe;
  /** Milliseconds to wait for a window that may be about to let go of a session; 2,000 by default. */
  readonly waitMs?: number;
}

/**
 * Keeps sessions as files in one folder: `<id>.json` (the v1 envelope), `<id>.journal.jsonl`, `<id>.meta.json`, `<id>.lock`
 * while open, and `index.json`. Several stores, in several processes, may use one folder.
 *
 * Beyond the contract of {@link SessionStore}, `open` and `delete` throw {@link SessionBusyError} when another window has
 * the session open; the recorder throws {@link SessionWriteError} for what could not be written, and keeps it.
 */
export function createSessionStore(options: SessionStoreOptions): SessionStore {
  return new FileSessionStore(options);
}

/** How long to wait for a holder that may be going, in milliseconds. */
const WAIT_MS = 2_000;

class FileSessionStore implements SessionStore {
  private readonly recorders = new Map<string, Recorder>();
  private ready: Promise<StoreContext> | undefined;

  constructor(private readonly options: SessionStoreOptions) {}

  async create(systemPrompt: string): Promise<OpenSession> {
    const context = await this.context();
    const now = trimFraction(this.options.clock.timestamp());
    const id = await this.freshId(context);
    const document = new SessionDocument(id, { id, systemPrompt, createdAt: now, updatedAt: now });
    return this.keep(id, startSession(context, document, () => this.recorders.delete(id)));
  }

  async open(id: string): Promise<OpenSession> {
    checkId(id);
    const context = await this.context();
    return this.keep(id, await openSession(context, id, () => this.recorders.delete(id)));
  }

  async list(): Promise<readonly SessionSummary[]> {
    return (await this.context()).history.list();
  }

  async delete(id: string): Promise<void> {
    checkId(id);
    const context = await this.context();
    await this.recorders.get(id)?.abort();
    if ((await filesOf(context, id)).length === 0) return;
    const lock = await acquireLock(context.locks, lockPath(context, id));
    if (lock === undefined) throw new SessionBusyError(id);
    try {
      await removeFiles(context, id);
      await context.history.forget(id);
    } finally {
      await lock.release();
    }
    await context.writer.files.syncFolder(context.folder);
  }

  private keep(id: string, opened: OpenedSession): OpenSession {
    this.recorders.set(id, opened.recorder);
    return opened.open;
  }

  private context(): Promise<StoreContext> {
    this.ready ??= this.prepare().catch((error: unknown) => {
      this.ready = undefined;
      throw error;
    });
    return this.ready;
  }

  private async prepare(): Promise<StoreContext> {
    const { folder, files, clock, log, waitMs = WAIT_MS, processes = createProcessProbe() } = this.options;
    const writer = { files, log, pid: (await processes.self()).pid };
    await removeOrphans(writer, processes, folder);
    const locks = { files, log, processes, waitMs };
    return { folder, writer, clock, locks, history: new History(writer, folder) };
  }

  /** @throws Error when the given source of ids gives none that is free. */
  private async freshId(context: StoreContext): Promise<string> {
    const newId = this.options.newId ?? (() => timeId(this.options.clock));
    for (let tries = 0; tries < 10; tries += 1) {
      const id = newId();
      checkId(id);
      if (!this.recorders.has(id) && !(await isTaken(context, id))) return id;
    }
    throw new Error('No free id for a new conversation was found. Try again.');
  }
}

async function isTaken(context: StoreContext, id: string): Promise<boolean> {
  const { envelope, journal } = fileNames(id);
  const found = await Promise.all([envelope, journal].map((name) => context.writer.files.stat(join(context.folder, name))));
  return found.some((entry) => entry !== undefined);
}

async function filesOf(context: StoreContext, id: string): Promise<readonly string[]> {
  const entries = await context.writer.files.list(context.folder);
  return entries.map(({ name }) => name).filter((name) => name.startsWith(`${id}.`));
}

/** The envelope goes last, so that a deletion that was cut off leaves a session that can be deleted again. */
async function removeFiles(context: StoreContext, id: string): Promise<void> {
  const { envelope, lock } = fileNames(id);
  const names = (await filesOf(context, id)).filter((name) => name !== envelope && name !== lock);
  for (const name of [...names, envelope]) await context.writer.files.remove(join(context.folder, name));
}
