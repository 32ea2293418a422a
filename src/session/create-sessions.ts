import type { SessionHit, SessionLibrary, TrashedSession } from '../domain/session/session-library.js';
import type { OpenOptions, OpenSession, SessionHolder, SessionStore, SessionSummary, StoredSession } from '../domain/session/session-store.js';
import { compareTimes } from './codec/time.js';
import { OtherFolders, type OtherFoldersOptions } from './other-workspaces/other-folders.js';
import { FileSessionLibrary } from './library/library.js';
import { SessionFolder, type SessionFolderOptions } from './session-folder.js';
import { FileSessionStore } from './store.js';

/** The conversations of one folder. */
export interface Sessions {
  readonly store: SessionStore;
  readonly library: SessionLibrary;
}

/** A library that also knows the sessions of other folders. One that is changed moves here first; reading and searching do not move any. */
class FoundSessionLibrary implements SessionLibrary {
  constructor(
    private readonly own: FileSessionLibrary,
    private readonly others: OtherFolders,
  ) {}

  async label(id: string, patch: Parameters<SessionLibrary['label']>[1]): Promise<void> {
    await this.others.bring(id);
    await this.own.label(id, patch);
  }

  async read(id: string): Promise<StoredSession> {
    const other = await this.others.find(id);
    return other === undefined ? this.own.read(id) : new FileSessionLibrary(other).read(id);
  }

  async trash(id: string): Promise<void> {
    await this.others.bring(id);
    await this.own.trash(id);
  }

  restore(id: string): Promise<void> {
    return this.own.restore(id);
  }

  trashed(): Promise<readonly TrashedSession[]> {
    return this.own.trashed();
  }

  emptyTrash(olderThanMs: number): Promise<void> {
    return this.own.emptyTrash(olderThanMs);
  }

  /** The own folder first, then the others. */
  async *search(query: string, signal: AbortSignal): AsyncGenerator<SessionHit, void> {
    yield* this.own.search(query, signal);
    for (const other of await this.others.folders()) {
      if (signal.aborted) return;
      for await (const hit of new FileSessionLibrary(other).search(query, signal)) if ((await this.others.find(hit.id)) === other) yield hit;
    }
  }

  import(bytes: Uint8Array, name: string): Promise<string> {
    return this.own.import(bytes, name);
  }
}

/** A store that also knows the sessions of other folders. One that is opened or deleted moves here first. */
class FoundSessionStore implements SessionStore {
  constructor(
    private readonly own: FileSessionStore,
    private readonly others: OtherFolders,
  ) {}

  create(systemPrompt: string, id?: string): Promise<OpenSession> {
    return this.own.create(systemPrompt, id);
  }

  async open(id: string, options?: OpenOptions): Promise<OpenSession> {
    await this.others.bring(id, options);
    return this.own.open(id, options);
  }

  share(id: string, holder: SessionHolder): void {
    this.own.share(id, holder);
  }

  async branch(id: string, count: number, wanted?: string): Promise<OpenSession> {
    const other = await this.others.find(id);
    return this.own.branch(id, count, wanted, other && (await other.context()).folder);
  }

  async list(): Promise<readonly SessionSummary[]> {
    const own = await this.own.list();
    const others = await this.others.list(own);
    if (others.length === 0) return own;
    return [...own, ...others].sort((a, b) => compareTimes(b.updatedAt, a.updatedAt) || (a.id < b.id ? 1 : -1));
  }

  async delete(id: string): Promise<void> {
    await this.others.bring(id);
    await this.own.delete(id);
  }
}

/** Builds the store and the library over one folder. @param others where sessions of the same workspace folders are found again. */
export function createSessions(options: SessionFolderOptions, others?: OtherFoldersOptions): Sessions {
  const folder = new SessionFolder(options);
  const [store, library] = [new FileSessionStore(folder), new FileSessionLibrary(folder)];
  if (others === undefined) return { store, library };
  const found = new OtherFolders(folder, options, others);
  return { store: new FoundSessionStore(store, found), library: new FoundSessionLibrary(library, found) };
}
