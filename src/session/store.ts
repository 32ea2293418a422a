import type { OpenOptions, OpenSession, SessionHolder, SessionStore, SessionSummary } from '../domain/session/session-store.js';
import { branchSession } from './branch.js';
import { trimFraction } from './codec/time.js';
import { SessionDocument } from './document.js';
import { openSession, startSession } from './opening.js';
import type { SessionFolder } from './session-folder.js';
import { checkId } from './session-id.js';

/**
 * Keeps sessions as files in one folder: `<id>.json` (the v1 envelope), `<id>.journal.jsonl`, `<id>.meta.json`, `<id>.lock`
 * while open, and `index.json`. Several stores, in several processes, may use one folder.
 *
 * Beyond the contract of {@link SessionStore}, `delete` throws {@link SessionBusyError} when another window has the session
 * open; the recorder throws {@link SessionWriteError} for what could not be written, and keeps it.
 */
export class FileSessionStore implements SessionStore {
  constructor(private readonly sessions: SessionFolder) {}

  async create(systemPrompt: string, wanted?: string): Promise<OpenSession> {
    const context = await this.sessions.context();
    const now = trimFraction(context.clock.timestamp());
    return this.sessions.start(wanted, (id, onClose) =>
      startSession(context, new SessionDocument(id, { id, systemPrompt, createdAt: now, updatedAt: now }), onClose),
    );
  }

  async open(id: string, options: OpenOptions = {}): Promise<OpenSession> {
    checkId(id);
    const context = await this.sessions.context();
    return this.sessions.keep(id, await openSession(context, { ...options, id, onClose: () => this.sessions.closed(id) }));
  }

  share(id: string, holder: SessionHolder): void {
    this.sessions.recorder(id)?.share(holder);
  }

  /** @param folder of the other session, when it is not this one. */
  async branch(from: string, count: number, wanted?: string, folder?: string): Promise<OpenSession> {
    checkId(from);
    const context = await this.sessions.context();
    return this.sessions.start(wanted, (id, onClose) => branchSession(context, { folder: folder ?? context.folder, from, count, id }, onClose));
  }

  async list(): Promise<readonly SessionSummary[]> {
    return (await this.sessions.context()).history.list();
  }

  async delete(id: string): Promise<void> {
    checkId(id);
    const { writer, folder, trash } = await this.sessions.context();
    await this.sessions.recorder(id)?.abort();
    const there = (await writer.files.list(folder)).some(({ name }) => name.startsWith(`${id}.`));
    if (!there && (await trash.mark(id)) === undefined) return;
    await this.sessions.locked(id, async ({ history }) => {
      await trash.empty(id);
      await history.forget(id);
    });
    await writer.files.syncFolder(folder);
  }
}
