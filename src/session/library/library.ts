import type { SessionHit, SessionLabels, SessionLibrary, TrashedSession } from '../../domain/session/session-library.js';
import type { StoredSession } from '../../domain/session/session-store.js';
import { SessionDocument } from '../document.js';
import { inSlices } from '../../concurrency/steps.js';
import { loadSteady, readSidecar, named } from '../load.js';
import { recover, withInterruption } from '../journal/recovery.js';
import { searchSessions } from './search.js';
import type { SessionFolder } from '../session-folder.js';
import { checkId, fileNames, isSafeId } from '../session-id.js';
import { untitled } from './title.js';
import { join } from 'node:path';
import { InvalidDataError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { atomicWrite } from '../atomic-write.js';
import { type StoreContext, setSidecarAside } from '../opening.js';
import { type MetaPatch, encodeSidecar, patchMeta } from '../sidecar.js';
import { decodeSteps } from '../codec/decode.js';
import { SessionBusyError } from '../errors.js';
import { quote } from '../codec/strings.js';
import { JsonScanner } from '../../text/json-scanner.js';
import { bytesOf } from '../../text/pieced-text.js';

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

/**
 * Changes the sidecar of a session that is open nowhere; for the holder of its lock.
 * @throws InvalidDataError when there is no such session.
 */
async function labelFiles(context: StoreContext, id: string, patch: MetaPatch): Promise<void> {
  const { files } = context.writer;
  const names = fileNames(id);
  const [meta, ...bodies] = [names.meta, names.envelope, names.journal].map((name) => join(context.folder, name));
  const found = await Promise.all(bodies.map((path) => files.stat(path)));
  await context.trash.refuse(id);
  if (meta === undefined || found.every((entry) => entry === undefined)) {
    throw new InvalidDataError(names.envelope, t('this chat does not exist; it may have been deleted'));
  }
  const { sidecar, sidecarProblem } = await readSidecar(files, meta);
  if (sidecarProblem !== undefined) await setSidecarAside(context, id);
  await atomicWrite(context.writer, meta, [encodeSidecar({ ...sidecar, meta: patchMeta(sidecar.meta, patch) })]);
}

/**
 * Takes a v1 file in. Its bytes stay as they are; only its id is another one when its own is taken or names no file.
 * @returns the id of the session.
 * @throws InvalidDataError naming file and place.
 */
async function importSession(sessions: SessionFolder, bytes: Uint8Array, name: string): Promise<string> {
  const { id } = await named(name, () => inSlices(decodeSteps(bytes)));
  const context = await sessions.context();
  await context.writer.files.makeFolder(context.folder);
  if (isSafeId(id) && (await tryImport(sessions, id, bytes))) return id;
  const fresh = await sessions.freshId(context);
  if (!(await tryImport(sessions, fresh, replaceId(bytes, fresh)))) throw new SessionBusyError(fresh);
  return fresh;
}

/** @returns false when there is such a session already. */
async function tryImport(sessions: SessionFolder, id: string, bytes: Uint8Array): Promise<boolean> {
  if (await sessions.isTaken(await sessions.context(), id)) return false;
  const write = async (context: StoreContext): Promise<boolean> => {
    // Another window may have imported the same file in between.
    if (await sessions.isTaken(context, id)) return false;
    await atomicWrite(context.writer, join(context.folder, fileNames(id).envelope), [bytes]);
    return true;
  };
  try {
    return await sessions.locked(id, write);
  } catch (error) {
    if (error instanceof SessionBusyError) return false;
    throw error;
  }
}

/**
 * A v1 file with another id and otherwise the same bytes. A file without id stays as it is.
 * @param bytes a file that was read without error.
 */
function replaceId(bytes: Uint8Array, id: string): Uint8Array {
  const scanner = new JsonScanner(bytesOf(bytes));
  const parts: Uint8Array[] = [];
  let kept = 0;
  for (const key of scanner.keys()) {
    const { offset, length } = scanner.skip();
    if (key !== 'id') continue;
    parts.push(bytes.subarray(kept, offset), Buffer.from(quote(id)));
    kept = offset + length;
  }
  return Buffer.concat([...parts, bytes.subarray(kept)]);
}
