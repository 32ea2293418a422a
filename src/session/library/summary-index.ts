import { join } from 'node:path';
import { errorMessage } from '../../domain/errors.js';
import type { FileEntry, FileLayer } from '../../domain/workspace/file-layer.js';
import type { Timestamp } from '../../domain/model/message.js';
import type { SessionMeta } from '../../domain/session/session-store.js';
import { type AtomicWriter, atomicWrite } from '../atomic-write.js';
import { isTimestamp } from '../codec/time.js';
import { checkMeta } from '../sidecar.js';

/** Name of the index in the folder of the sessions. */
const INDEX_FILE = 'index.json';

/** Earlier versions kept `titles` in the place of `metas`; each reads what it knows of the index of the other. */
const VERSION = 1;

/** What the history shows of one v1 file, and of which state of the file it was taken. */
export interface EnvelopeSummary extends FileState {
  /** From the user's first text; empty when there is none. */
  readonly title: string;
  /** Absent in entries of earlier versions. */
  readonly createdAt?: Timestamp;
  readonly updatedAt: Timestamp;
  readonly messageCount: number;
  /** Why the file cannot be read. */
  readonly problem?: string;
}

/** What the history shows of one sidecar, and of which state of the sidecar it was taken. */
export interface MetaSummary extends FileState {
  readonly meta: Pick<SessionMeta, 'title' | 'model' | 'costUsd' | 'pinned' | 'parent' | 'elf' | 'byModel'>;
}

/** By which a file that was changed is known. */
interface FileState {
  readonly size: number;
  readonly mtimeMs: number;
}

interface Entries {
  readonly envelopes: Map<string, EnvelopeSummary>;
  readonly metas: Map<string, MetaSummary>;
}

/**
 * Summaries of the files, so that the history need not read them all. A convenience: an entry counts only while size
 * and time of its file are the same, and whatever is missing or wrong is read from the files again. Two windows may write
 * it at once; the last one wins and nothing is lost.
 */
export class SummaryIndex {
  private entries: Entries | undefined;
  private dirty = false;

  constructor(
    private readonly writer: AtomicWriter,
    private readonly folder: string,
  ) {}

  /** The summary of a v1 file, when it is known for this very state of it. */
  async envelope(id: string, entry: FileEntry): Promise<EnvelopeSummary | undefined> {
    return current((await this.load()).envelopes.get(id), entry);
  }

  /** The summary of a sidecar, when it is known for this very state of it. */
  async meta(id: string, entry: FileEntry): Promise<MetaSummary | undefined> {
    return current((await this.load()).metas.get(id), entry);
  }

  async setEnvelope(id: string, summary: EnvelopeSummary): Promise<void> {
    (await this.load()).envelopes.set(id, summary);
    this.dirty = true;
  }

  async setMeta(id: string, summary: MetaSummary): Promise<void> {
    (await this.load()).metas.set(id, summary);
    this.dirty = true;
  }

  /** Removes every trace of a session, and writes the index when there was one. */
  async forget(id: string): Promise<void> {
    const { envelopes, metas } = await this.load();
    await this.save(new Set([...envelopes.keys(), ...metas.keys()].filter((known) => known !== id)));
  }

  /** Forgets all but some, and writes the index when it changed. A failure is only logged. */
  async save(ids: ReadonlySet<string>): Promise<void> {
    const { envelopes, metas } = await this.load();
    for (const id of [...envelopes.keys(), ...metas.keys()]) {
      if (!ids.has(id) && [envelopes.delete(id), metas.delete(id)].includes(true)) this.dirty = true;
    }
    if (!this.dirty) return;
    this.dirty = false;
    try {
      const text = JSON.stringify({ version: VERSION, envelopes: Object.fromEntries(envelopes), metas: Object.fromEntries(metas) });
      await atomicWrite(this.writer, join(this.folder, INDEX_FILE), [Buffer.from(text)]);
    } catch (error) {
      this.dirty = true;
      this.writer.log.warn(`The index of the conversations could not be written, so the history opens slowly: ${errorMessage(error)}`);
    }
  }

  private async load(): Promise<Entries> {
    this.entries ??= await readIndex(this.writer.files, join(this.folder, INDEX_FILE));
    return this.entries;
  }
}

function current<T extends FileState>(known: T | undefined, entry: FileEntry): T | undefined {
  return known?.size === entry.size && known.mtimeMs === entry.mtimeMs ? known : undefined;
}

async function readIndex(files: FileLayer, path: string): Promise<Entries> {
  const none = { envelopes: new Map<string, EnvelopeSummary>(), metas: new Map<string, MetaSummary>() };
  try {
    if ((await files.stat(path)) === undefined) return none;
    const value: unknown = JSON.parse(Buffer.from(await files.readFile(path)).toString('utf8'));
    if (!isRecord(value) || value['version'] !== VERSION) return none;
    return { envelopes: entriesOf(value['envelopes'], (entry) => (isEnvelopeSummary(entry) ? entry : undefined)), metas: entriesOf(value['metas'], parseMeta) };
  } catch {
    // It is made anew from the files.
    return none;
  }
}

function entriesOf<T>(value: unknown, parse: (entry: unknown) => T | undefined): Map<string, T> {
  const entries = new Map<string, T>();
  for (const [id, entry] of isRecord(value) ? Object.entries(value) : []) {
    const parsed = parse(entry);
    if (parsed !== undefined) entries.set(id, parsed);
  }
  return entries;
}

function isFileState(value: unknown): value is FileState & Readonly<Record<string, unknown>> {
  return isRecord(value) && typeof value['size'] === 'number' && typeof value['mtimeMs'] === 'number';
}

function parseMeta(value: unknown): MetaSummary | undefined {
  if (!isFileState(value) || !isRecord(value['meta'])) return undefined;
  const { size, mtimeMs, meta } = value;
  return { size, mtimeMs, meta: checkMeta(meta) };
}

function isEnvelopeSummary(value: unknown): value is EnvelopeSummary {
  if (!isFileState(value)) return false;
  const { title, createdAt, updatedAt, messageCount, problem } = value as Readonly<Partial<Record<keyof EnvelopeSummary, unknown>>>;
  const isTime = (time: unknown): boolean => typeof time === 'string' && isTimestamp(time);
  const times = isTime(updatedAt) && (createdAt === undefined || isTime(createdAt));
  return times && typeof title === 'string' && typeof messageCount === 'number' && (problem === undefined || typeof problem === 'string');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
