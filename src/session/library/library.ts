import type { SessionHit, SessionLabels, SessionLibrary, TrashedSession } from '../../domain/session/session-library.js';
import type { StoredSession } from '../../domain/session/session-store.js';
import { SessionDocument } from '../document.js';
import { importSession } from './import-session.js';
import { labelFiles } from './label.js';
import { loadSteady } from '../load.js';
import { recover, withInterruption } from '../journal/recovery.js';
import { searchSessions } from './search.js';
import type { SessionFolder } from '../session-folder.js';
import { checkId } from '../session-id.js';
import { untitled } from './title.js';

type LabelPatch = { readonly [K in keyof SessionLabels]?: SessionLabels[K] | undefined };

/** Keeps order among the sessions of a folder: see {@link SessionLibrary}. */
export class FileSessionLibrary implements SessionLibrary {
  constructor(private readonly sessions: SessionFolder) {}

  async label(id: string, patch: LabelPatch): Promise<void> {
    checkId(id);
    const recorder = this.sessions.recorder(id);
    if (recorder !== undefined) return recorder.updateMeta(patch);
    await this.sessions.locked(id, (context) => labelFiles(context, id, patch));
  }

  async read(id: string): Promise<StoredSession> {
    checkId(id);
    const { writer, folder, trash } = await this.sessions.context();
    await trash.refuse(id);
    const loaded = await loadSteady(writer.files, folder, id);
    const recovered = recover(id, loaded.envelope?.session, loaded.journal);
    const meta = withInterruption(loaded.sidecar.meta, recovered);
    return { session: SessionDocument.of(id, recovered, meta).snapshot(), meta, warnings: recovered.warnings };
  }

  async trash(id: string): Promise<void> {
    checkId(id);
    await this.sessions.context();
    await this.sessions.recorder(id)?.close();
    await this.sessions.locked(id, async ({ trash, history, clock }) => {
      const title = (await history.find(id))?.title;
      if (title === undefined && (await trash.mark(id)) === undefined) return;
      await trash.put(id, title ?? untitled(), clock.timestamp());
      await history.forget(id);
    });
  }

  async restore(id: string): Promise<void> {
    checkId(id);
    await this.sessions.locked(id, ({ trash }) => trash.restore(id));
  }

  async trashed(): Promise<readonly TrashedSession[]> {
    return (await this.sessions.context()).trash.list();
  }

  async emptyTrash(olderThanMs: number): Promise<void> {
    const { trash, clock } = await this.sessions.context();
    const now = Date.parse(clock.timestamp());
    const failures: unknown[] = [];
    for (const { id, trashedAt } of await trash.list()) {
      if (now - Date.parse(trashedAt) < olderThanMs) continue;
      await this.sessions.locked(id, () => trash.empty(id)).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  async *search(query: string, signal: AbortSignal): AsyncGenerator<SessionHit, void> {
    yield* searchSessions(await this.sessions.context(), query, signal);
  }

  async import(bytes: Uint8Array, name: string): Promise<string> {
    return importSession(this.sessions, bytes, name);
  }
}
