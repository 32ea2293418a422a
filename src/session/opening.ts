import { join } from 'node:path';
import type { Clock } from '../domain/clock.js';
import { errorMessage } from '../domain/errors.js';
import { type FileEntry, fileErrorCode } from '../domain/workspace/file-layer.js';
import { t } from '../domain/l10n.js';
import type { OpenOptions, OpenSession } from '../domain/session/session-store.js';
import { type AtomicWriter, temporaryOwner } from './atomic-write.js';
import { SessionDocument } from './document.js';
import { reason, SessionBusyError } from './errors.js';
import type { SessionLock } from './lock/held-lock.js';
import type { History } from './library/history.js';
import { EMPTY_JOURNAL } from './journal/journal.js';
import { type LoadedFiles, loadFiles } from './load.js';
import { acquireLock, takeOverLock } from './lock/lock.js';
import type { LockContext } from './lock/lock-file.js';
import { Recorder } from './journal/recorder.js';
import { recover, type RecoveredSession, withInterruption } from './journal/recovery.js';
import type { ProcessProbe } from './lock/process-probe.js';
import { SessionDisk } from './session-disk.js';
import { fileNames } from './session-id.js';
import { EMPTY_SIDECAR } from './sidecar.js';
import { titleOf } from './library/title.js';
import type { Trash } from './library/trash.js';

/** What sessions of one folder share. */
export interface StoreContext {
  readonly folder: string;
  readonly writer: AtomicWriter;
  readonly clock: Clock;
  readonly locks: LockContext;
  readonly history: History;
  readonly trash: Trash;
}

/** An open session, and the recorder with more than its contract. */
export interface OpenedSession {
  readonly open: OpenSession;
  readonly recorder: Recorder;
}

/** Start state of {@link record}. */
export interface Opening {
  readonly id: string;
  readonly document: SessionDocument;
  readonly loaded: LoadedFiles;
  readonly recovered: RecoveredSession | undefined;
  readonly lock: SessionLock | undefined;
}

/** A session of which nothing is on the disk. */
export const NOTHING: LoadedFiles = { envelope: undefined, hasJournal: false, journal: EMPTY_JOURNAL, sidecar: EMPTY_SIDECAR, sidecarProblem: undefined };

/** A folder that cannot be written: the conversation can be read and continues in memory. */
const UNWRITABLE: ReadonlySet<string | undefined> = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT', 'EIO', 'ENOTSUP']);

/** Which session is opened, and how. */
export interface OpenRequest extends OpenOptions {
  readonly id: string;
  readonly onClose: () => void;
}

/** Starts a session in memory; the first message takes it to the disk. */
export function startSession(context: StoreContext, document: SessionDocument, onClose: () => void): OpenedSession {
  const opening = { id: document.id, document, loaded: NOTHING, recovered: undefined, lock: undefined };
  const { recorder } = record(context, opening, onClose);
  return { recorder, open: { session: document.snapshot(), meta: {}, warnings: [], recorder } };
}

/**
 * Opens a session from its files and folds a journal that is left.
 * @throws SessionBusyError when another window has it, InvalidDataError when its file cannot be read.
 */
export async function openSession(context: StoreContext, request: OpenRequest): Promise<OpenedSession> {
  const { id, onClose } = request;
  const warnings: string[] = [];
  const lock = await lockFor(context, request, warnings);
  try {
    await context.trash.refuse(id);
    const loaded = await loadFiles(context.writer.files, context.folder, id);
    if (lock !== undefined) await tidy(context, id, loaded, warnings);
    const recovered = recover(id, loaded.envelope?.session, loaded.journal);
    warnings.push(...recovered.warnings);
    const meta = withInterruption(loaded.sidecar.meta, recovered);
    const document = SessionDocument.of(id, recovered, meta);
    const { recorder, disk } = record(context, { id, document, loaded, recovered, lock }, onClose);
    disk.patchMeta({ interruptedAt: recovered.interruptedAt });
    if (loaded.hasJournal && lock !== undefined) await foldLeftOver(recorder, warnings);
    return { recorder, open: { session: document.snapshot(), meta, warnings, recorder } };
  } catch (error) {
    await lock?.release();
    throw error;
  }
}

/** Whether anything is stored under an id, also in the trash. */
export async function isStored({ folder, trash, writer }: StoreContext, id: string): Promise<boolean> {
  const { envelope, journal } = fileNames(id);
  const paths = [join(folder, envelope), join(folder, journal), trash.markPath(id)];
  const found = await Promise.all(paths.map((path) => writer.files.stat(path)));
  return found.some((entry) => entry !== undefined);
}

/** The path of the lock of a session. */
export function lockPath(context: StoreContext, id: string): string {
  return join(context.folder, fileNames(id).lock);
}

/** The recorder of a session, on its files. */
export function record(context: StoreContext, opening: Opening, onClose: () => void): { recorder: Recorder; disk: SessionDisk } {
  const { id, document, loaded, recovered, lock } = opening;
  const disk = new SessionDisk({
    writer: context.writer,
    folder: context.folder,
    names: fileNames(id),
    envelope: loaded.envelope?.entry,
    images: loaded.envelope?.images,
    folded: recovered?.folded ?? 0,
    journalBytes: loaded.journal.goodBytes,
    keepJournal: recovered?.keepJournal ?? false,
    sidecar: loaded.sidecar,
    lock,
    takeLock: () => acquireLock(context.locks, lockPath(context, id)),
    ...(recovered === undefined ? { isStored: () => isStored(context, id) } : {}),
    onFold: (entry, folded) => context.history.note(id, summaryOf(entry, folded)),
  });
  const recorder = new Recorder({ document, disk, clock: context.clock, saved: recovered === undefined ? 0 : document.length, onClose });
  disk.serve(recorder);
  return { disk, recorder };
}

function summaryOf(entry: FileEntry, document: SessionDocument): Parameters<History['note']>[1] {
  const { messages, createdAt, updatedAt } = document.snapshot();
  const { size, mtimeMs } = entry;
  return { size, mtimeMs, title: titleOf(messages) ?? '', createdAt, updatedAt, messageCount: messages.length };
}

async function lockFor(context: StoreContext, { id, takeOver = false }: OpenRequest, warnings: string[]): Promise<SessionLock | undefined> {
  const path = lockPath(context, id);
  try {
    const lock = takeOver ? await takeOverLock(context.locks, path) : ((await acquireLock(context.locks, path)) ?? 'open');
    if (typeof lock === 'string') throw new SessionBusyError(id, lock);
    return lock;
  } catch (error) {
    if (!UNWRITABLE.has(fileErrorCode(error))) throw error;
    warnings.push(t('This chat cannot be saved right now: {0} You can continue it; new messages are kept in memory until saving works again.', reason(error)));
    return undefined;
  }
}

/** As the owner: sets a broken sidecar aside and removes temporary files that an earlier owner left. */
async function tidy(context: StoreContext, id: string, loaded: LoadedFiles, warnings: string[]): Promise<void> {
  const { files } = context.writer;
  for (const { name } of await files.list(context.folder)) {
    if (name.startsWith(`${id}.`) && temporaryOwner(name) !== undefined) await tryRemove(context.writer, join(context.folder, name));
  }
  if (loaded.sidecarProblem === undefined) return;
  warnings.push(t('The details of this chat (title, model, mode) could not be read and were set aside. All of its messages are intact.'));
  await setSidecarAside(context, id);
}

/** Keeps a broken sidecar under another name, so that a new one does not replace it. A failure is only logged. */
export async function setSidecarAside({ writer, folder }: StoreContext, id: string): Promise<void> {
  const path = join(folder, fileNames(id).meta);
  try {
    await writer.files.rename(path, `${path}.${Date.now()}.kept`);
  } catch (error) {
    writer.log.warn(`A broken sidecar could not be set aside: ${errorMessage(error)}`);
  }
}

async function foldLeftOver(recorder: Recorder, warnings: string[]): Promise<void> {
  try {
    await recorder.fold();
  } catch (error) {
    warnings.push(errorMessage(error));
  }
}

/** Age in milliseconds from which a temporary file is orphaned, even when its process id was reused. */
const MAX_AGE_MS = 60 * 60 * 1000;

/** Removes temporary files that processes left which are gone. A failure is only logged. */
export async function removeOrphans(writer: AtomicWriter, processes: ProcessProbe, folder: string): Promise<void> {
  try {
    await removeFrom(writer, processes, folder);
  } catch (error) {
    writer.log.warn(`The folder of the conversations could not be looked through: ${errorMessage(error)}`);
  }
}

async function removeFrom(writer: AtomicWriter, processes: ProcessProbe, folder: string): Promise<void> {
  const self = await processes.self();
  for (const entry of await writer.files.list(folder)) {
    const pid = temporaryOwner(entry.name);
    if (pid === undefined) continue;
    // When another process started, its file does not say.
    const running = pid === self.pid || (await processes.isRunning({ ...self, pid, started: '' })) !== 'no';
    if (!running || isOld(entry)) await tryRemove(writer, join(folder, entry.name));
  }
}

/** Removes a file; a failure is only logged. */
async function tryRemove(writer: AtomicWriter, path: string): Promise<void> {
  try {
    await writer.files.remove(path);
  } catch (error) {
    writer.log.warn(`A file left over from an earlier run could not be removed: ${errorMessage(error)}`);
  }
}

function isOld(entry: FileEntry): boolean {
  return Date.now() - entry.mtimeMs > MAX_AGE_MS;
}
