import type { SessionHit, SessionLibrary, TrashedSession } from '../../domain/session/session-library.js';
import type { StoredSession } from '../../domain/session/session-store.js';
import { FileSessionLibrary } from '../library/library.js';
import type { OtherFolders } from './other-folders.js';

/** A library that also knows the sessions of other folders. One that is changed moves here first; reading and searching do not move any. */
export class FoundSessionLibrary implements SessionLibrary {
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
