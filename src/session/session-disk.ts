import { join } from 'node:path';
import { errorMessage } from '../domain/errors.js';
import type { FileEntry } from '../domain/workspace/file-layer.js';
import { type AtomicWriter, atomicWrite } from './atomic-write.js';
import type { EnvelopeHead } from './codec/decode.js';
import type { SessionDocument } from './document.js';
import type { StoredImages } from './file/stored-images.js';
import { JournalWriter } from './journal/journal.js';
import { encodeLine } from './journal/journal-lines.js';
import type { LockOwner, SessionLock } from './lock/held-lock.js';
import type { SessionFiles } from './session-id.js';
import { type MetaPatch, type Sidecar, encodeSidecar, patchMeta } from './sidecar.js';

/** How the files of a session are found when it is opened. */
export interface DiskStart {
  readonly writer: AtomicWriter;
  readonly folder: string;
  readonly names: SessionFiles;
  /** The envelope as it was read; `undefined` when there is none. */
  readonly envelope: FileEntry | undefined;
  /** Images that stay in the envelope. */
  readonly images: StoredImages | undefined;
  /** Messages in the envelope. */
  readonly folded: number;
  /** Good bytes in the journal. */
  readonly journalBytes: number;
  /** Whether the journal contains something that is nowhere else, so that it is renamed and not removed. */
  readonly keepJournal: boolean;
  readonly sidecar: Sidecar;
  readonly lock: SessionLock | undefined;
  /** Tries to get the lock; `undefined` when another window has it. */
  takeLock(): Promise<SessionLock | undefined>;
  /** Whether something is stored under the id of a session that began here, of which nothing is on the disk yet. */
  readonly isStored?: () => Promise<boolean>;
  /** Called with the envelope that a fold made. */
  onFold(entry: FileEntry, document: SessionDocument): Promise<void>;
}

/** The files of one open session. Not for concurrent use. */
export class SessionDisk {
  private readonly journal: JournalWriter;
  private lock: SessionLock | undefined;
  private envelope: FileEntry | undefined;
  private foldedHead: EnvelopeHead | undefined;
  private foldedCount: number;
  private keepJournal: boolean;
  private sidecar: Sidecar;
  private metaDirty = false;
  private owner: LockOwner | undefined;
  /** Whether the session is ours, is still to be made so, or began here and can never be, because another one has its id. */
  private claimed: 'no' | 'yes' | 'never' = 'no';

  constructor(private readonly start: DiskStart) {
    const { files, log } = start.writer;
    this.journal = new JournalWriter({ files, log, path: this.path('journal') }, start.journalBytes);
    this.lock = start.lock;
    this.envelope = start.envelope;
    this.foldedCount = start.folded;
    this.keepJournal = start.keepJournal;
    this.sidecar = start.sidecar;
  }

  /** Number of messages in the envelope. */
  get folded(): number {
    return this.foldedCount;
  }

  warn(message: string): void {
    this.start.writer.log.warn(message);
  }

  /** Names who answers when another window asks for the session. */
  serve(owner: LockOwner): void {
    this.owner = owner;
    this.lock?.serve(owner);
  }

  /** Makes sure that the session is ours to write. @returns false when another window has it. */
  async claim(): Promise<boolean> {
    if (this.lock !== undefined) return this.lock.isHeld();
    if (this.claimed === 'never') return false;
    await this.start.writer.files.makeFolder(this.start.folder);
    const lock = await this.start.takeLock();
    const isStored = this.claimed === 'no' ? this.start.isStored : undefined;
    if (isStored !== undefined && (lock === undefined || (await isForeign(lock, isStored)))) this.claimed = 'never';
    // What is written under the id of another session would displace it.
    if (lock === undefined || this.claimed === 'never') return false;
    this.claimed = 'yes';
    this.lock = lock;
    if (this.owner !== undefined) lock.serve(this.owner);
    return true;
  }

  async appendJournal(text: string, head: EnvelopeHead): Promise<void> {
    this.lock?.setWorking(true);
    await this.journal.append(this.journal.bytes === 0 ? this.startLine(head) + text : text);
  }

  /** Replaces all lines of the journal. */
  async replaceJournal(text: string, head: EnvelopeHead): Promise<void> {
    const bytes = Buffer.from(this.startLine(head) + text);
    if (this.keepJournal) await this.dropJournal();
    this.lock?.setWorking(true);
    await this.journal.replace(() => atomicWrite(this.start.writer, this.path('journal'), [bytes]), bytes.length);
  }

  /** Removes the journal, whose lines are in the envelope. When that fails, reading it again adds nothing twice. */
  async dropJournal(): Promise<void> {
    this.lock?.setWorking(false);
    try {
      if (this.keepJournal) await this.journal.moveTo(join(this.start.folder, `${this.start.names.journal}.${Date.now()}.kept`));
      else await this.journal.remove();
      this.keepJournal = false;
    } catch (error) {
      this.warn(`A journal could not be removed, which does no harm: ${errorMessage(error)}`);
    }
  }

  patchMeta(patch: MetaPatch): void {
    const meta = patchMeta(this.sidecar.meta, patch);
    const [before, after] = [this.sidecar.meta, meta].map((each) => new Map<string, unknown>(Object.entries(each)));
    // Only what it changes is compared: the rest of a long session is large.
    if (Object.keys(patch).every((key) => JSON.stringify(before?.get(key)) === JSON.stringify(after?.get(key)))) return;
    this.sidecar = { ...this.sidecar, meta };
    this.metaDirty = true;
  }

  /** Writes the sidecar when something in it changed. */
  async saveMeta(): Promise<void> {
    if (!this.metaDirty) return;
    this.metaDirty = false;
    try {
      await atomicWrite(this.start.writer, this.path('meta'), [encodeSidecar(this.sidecar)]);
    } catch (error) {
      this.metaDirty = true;
      throw error;
    }
  }

  /** Writes the envelope, unless it equals the document already. @returns its number of messages. */
  async fold(document: SessionDocument): Promise<number> {
    await this.keepForeign();
    const content = document.envelope();
    const { length, head } = content;
    if (this.envelope !== undefined && this.foldedCount === length && (this.foldedHead ?? head) === head) return length;
    const { parts, offsets } = this.start.images?.watch(content.parts()) ?? { parts: content.parts(), offsets: [] };
    try {
      await atomicWrite(this.start.writer, this.path('envelope'), parts);
      this.start.images?.follow(offsets);
      this.foldedCount = length;
      this.foldedHead = head;
    } finally {
      // Ours even after an error, when only the flush of the folder failed.
      this.envelope = await this.start.writer.files.stat(this.path('envelope'));
    }
    if (this.envelope !== undefined) await this.start.onFold(this.envelope, document);
    return length;
  }

  async release(): Promise<void> {
    await this.journal.close();
    try {
      await this.lock?.release();
    } catch (error) {
      this.warn(`A lock could not be removed; it counts for nothing once this program ends: ${errorMessage(error)}`);
    }
    this.lock = undefined;
  }

  /** An envelope that another program wrote since we read it is copied aside before ours replaces it. */
  private async keepForeign(): Promise<void> {
    const { files } = this.start.writer;
    const found = await files.stat(this.path('envelope'));
    if (found === undefined || (found.size === this.envelope?.size && found.mtimeMs === this.envelope.mtimeMs)) return;
    const copy = join(this.start.folder, `${this.start.names.envelope}.${Date.now()}.kept`);
    await atomicWrite(this.start.writer, copy, [await files.readFile(this.path('envelope'))]);
    this.warn(`Another program changed ${this.start.names.envelope}; its version is kept as ${copy}.`);
  }

  private startLine(head: EnvelopeHead): string {
    const start = { kind: 'start', base: this.foldedCount } as const;
    return encodeLine(this.envelope === undefined ? { ...start, session: head } : start);
  }

  private path(file: keyof SessionFiles): string {
    return join(this.start.folder, this.start.names[file]);
  }
}

/** Whether there is another session behind the lock that was taken. Then, and where that cannot be told, the lock is given back. */
async function isForeign(lock: SessionLock, isStored: () => Promise<boolean>): Promise<boolean> {
  let ours = false;
  try {
    ours = !(await isStored());
    return !ours;
  } finally {
    if (!ours) await lock.release();
  }
}
