import type { Message } from '../../domain/model/message.js';
import { wordsOf } from '../../domain/session/attached.js';
import type { SessionHit, SessionLabels, SessionLibrary, TrashedSession } from '../../domain/session/session-library.js';
import type { SessionSummary, StoredSession } from '../../domain/session/session-store.js';
import { SessionDocument } from '../document.js';
import { inSlices, yieldEvery } from '../../concurrency/steps.js';
import { loadSteady, named, readSidecar } from '../load.js';
import { recover, withInterruption } from '../journal/recovery.js';
import type { SessionFolder } from '../session-folder.js';
import { checkId, fileNames, isSafeId } from '../session-id.js';
import { untitled } from './title.js';
import { join } from 'node:path';
import { errorMessage, InvalidDataError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { atomicWrite } from '../atomic-write.js';
import { setSidecarAside, type StoreContext } from '../opening.js';
import { encodeSidecar, type MetaPatch, patchMeta } from '../sidecar.js';
import { decodeSteps } from '../codec/decode.js';
import { SessionBusyError } from '../errors.js';
import { quote, wellFormed } from '../codec/strings.js';
import { JsonScanner } from '../../text/json-scanner.js';
import { bytesOf } from '../../text/pieced-text.js';

type LabelPatch = { readonly [K in keyof SessionLabels]?: SessionLabels[K] | undefined };

/** Characters of an excerpt before and after what was found. */
const AROUND = 60;

/** Looks for a text in the sessions of a folder, one session in memory at a time: see `SessionLibrary.search`. */
async function* searchSessions(context: StoreContext, query: string, signal: AbortSignal): AsyncGenerator<SessionHit, void> {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return;
  for (const summary of await context.history.list()) {
    if (signal.aborted) return;
    const hit = summary.problem === undefined ? await searchOne(context, { summary, wanted, signal }) : undefined;
    if (hit !== undefined && !isAborted(signal)) yield hit;
  }
}

interface Search {
  readonly summary: SessionSummary;
  /** In lower case. */
  readonly wanted: string;
  readonly signal: AbortSignal;
}

async function searchOne(context: StoreContext, { summary, wanted, signal }: Search): Promise<SessionHit | undefined> {
  const { id, title, updatedAt } = summary;
  const pause = yieldEvery();
  for (const [index, message] of (await messagesOf(context, id)).entries()) {
    for (const text of textsOf(message)) {
      const excerpt = excerptOf(text, wanted);
      if (excerpt !== undefined) return { id, title, updatedAt, index, excerpt };
      await pause();
      if (signal.aborted) return undefined;
    }
  }
  const excerpt = excerptOf(title, wanted);
  return excerpt === undefined ? undefined : { id, title, updatedAt, excerpt };
}

async function messagesOf({ writer, folder }: StoreContext, id: string): Promise<readonly Message[]> {
  try {
    const { envelope, journal } = await loadSteady(writer.files, folder, id);
    return recover(id, envelope?.session, journal).messages.map(({ message }) => message);
  } catch (error) {
    writer.log.warn(`A conversation could not be searched: ${errorMessage(error)}`);
    return [];
  }
}

/** What people read: what was said. Not what was thought, nor what calls were made with and gave back. */
function textsOf(message: Message): readonly string[] {
  if (message.role === 'tool_result') return [];
  return message.role === 'user' ? [wordsOf(message)] : message.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
}

/** The text around the first occurrence of another text; `undefined` when there is none. */
function excerptOf(text: string, wanted: string): string | undefined {
  const lower = text.toLowerCase();
  const at = lower.indexOf(wanted);
  if (at < 0) return undefined;
  // A few letters have another length in lower case; then the excerpt is taken from the text in lower case.
  const source = lower.length === text.length ? text : lower;
  const [from, to] = [Math.max(0, at - AROUND), Math.min(source.length, at + wanted.length + AROUND)];
  const words = wellFormed(source.slice(from, to))
    .replace(/\ufffd/g, '')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return `${from > 0 ? '…' : ''}${words}${to < source.length ? '…' : ''}`;
}

/** The signal may have been aborted while something was awaited, which the compiler does not see. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

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
