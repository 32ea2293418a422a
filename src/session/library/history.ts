import { present } from '../../domain/present.js';
import { join } from 'node:path';
import { errorMessage } from '../../domain/errors.js';
import type { FileEntry } from '../../domain/workspace/file-layer.js';
import type { Timestamp } from '../../domain/model/message.js';
import type { SessionSummary } from '../../domain/session/session-store.js';
import type { AtomicWriter } from '../atomic-write.js';
import { compareTimes, laterTime, ZERO_TIME } from '../codec/time.js';
import { readEnvelope, readJournal, readSidecar } from '../load.js';
import { type LockContext, isHeldElsewhere } from '../lock/lock-file.js';
import { recover } from '../journal/recovery.js';
import { isSafeId } from '../session-id.js';
import { patchMeta } from '../sidecar.js';
import { yieldEvery } from '../../concurrency/steps.js';
import { type EnvelopeSummary, type MetaSummary, SummaryIndex } from './summary-index.js';
import type { Trash } from './trash.js';
import { shortTitle, titleOf, untitled } from './title.js';

interface Found {
  envelope?: FileEntry;
  journal?: FileEntry;
  meta?: FileEntry;
  lock?: FileEntry;
}

/** The sessions folder with its locks, and the trash that deleted sessions move to. */
export interface HistoryOptions {
  readonly writer: AtomicWriter;
  /** Of the sessions. */
  readonly folder: string;
  readonly locks: LockContext;
  readonly trash: Trash;
}

const KINDS: readonly (readonly [suffix: string, kind: keyof Found])[] = [
  ['.meta.json', 'meta'],
  ['.journal.jsonl', 'journal'],
  ['.json', 'envelope'],
  ['.lock', 'lock'],
];

/** The list of the sessions in a folder. Reads only what changed since it was last read. */
export class History {
  private readonly index: SummaryIndex;

  private readonly writer: AtomicWriter;

  constructor(private readonly options: HistoryOptions) {
    this.writer = options.writer;
    this.index = new SummaryIndex(options.writer, options.folder);
  }

  /** Newest first. A session that cannot be read is there with its problem. */
  async list(): Promise<readonly SessionSummary[]> {
    const found = group(await this.writer.files.list(this.options.folder));
    for (const [id, { state }] of await this.options.trash.marks()) if (state !== 'restoring') found.delete(id);
    const summaries: SessionSummary[] = [];
    const pause = yieldEvery();
    for (const [id, files] of found) {
      const summary = await this.summarize(id, files);
      if (summary !== undefined) summaries.push(summary);
      await pause();
    }
    if (found.size > 0) await this.index.save(new Set(found.keys()));
    return summaries.sort((a, b) => compareTimes(b.updatedAt, a.updatedAt) || (a.id < b.id ? 1 : -1));
  }

  /** One line of it. */
  async find(id: string): Promise<SessionSummary | undefined> {
    const { files } = this.writer;
    const entries = await Promise.all(KINDS.map(([suffix]) => files.stat(join(this.options.folder, id + suffix))));
    const found = group(entries.filter((entry) => entry !== undefined)).get(id);
    return found && this.summarize(id, found);
  }

  /** Takes note of a v1 file that was just written, so that it need not be read for the list. */
  async note(id: string, summary: EnvelopeSummary): Promise<void> {
    await this.index.setEnvelope(id, summary);
  }

  /** Removes every trace of a session from the index. */
  async forget(id: string): Promise<void> {
    await this.index.forget(id);
  }

  private async summarize(id: string, found: Found): Promise<SessionSummary | undefined> {
    if (found.envelope === undefined && found.journal === undefined) return undefined;
    const envelope = found.envelope && (await this.envelope(id, found.envelope));
    const { problem } = envelope ?? {};
    const journal = found.journal && problem === undefined ? await this.journal(id, envelope?.messageCount ?? 0) : undefined;
    if (envelope === undefined && journal?.messageCount === 0) return undefined;
    const { title, ...meta } = found.meta === undefined ? {} : await this.meta(id, found.meta);
    const titles = [title, envelope?.title, journal?.title];
    const createdAt = envelope?.createdAt ?? journal?.createdAt;
    return {
      id,
      title: titles.find((text) => text !== undefined && text !== '') ?? untitled(),
      updatedAt: laterTime(envelope?.updatedAt ?? ZERO_TIME, journal?.updatedAt ?? ZERO_TIME),
      messageCount: Math.max(envelope?.messageCount ?? 0, journal?.messageCount ?? 0),
      ...meta,
      ...(createdAt === undefined || createdAt === ZERO_TIME ? {} : { createdAt }),
      ...(found.lock !== undefined && (await this.isElsewhere(found.lock)) ? { elsewhere: true } : {}),
      ...present({ problem }),
    };
  }

  private isElsewhere({ name }: FileEntry): Promise<boolean> {
    return isHeldElsewhere(this.options.locks, join(this.options.folder, name));
  }

  private async envelope(id: string, entry: FileEntry): Promise<EnvelopeSummary> {
    const known = await this.index.envelope(id, entry);
    if (known !== undefined) return known;
    const summary = await this.readSummary(entry);
    await this.index.setEnvelope(id, summary);
    return summary;
  }

  private async readSummary(entry: FileEntry): Promise<EnvelopeSummary> {
    const { size, mtimeMs } = entry;
    try {
      const { messages, createdAt, updatedAt } = (await readEnvelope(this.options.folder, entry)).session;
      const title = titleOf(messages.map(({ message }) => message)) ?? '';
      return { size, mtimeMs, title, createdAt, updatedAt, messageCount: messages.length };
    } catch (error) {
      const updatedAt = new Date(mtimeMs).toISOString();
      return { size, mtimeMs, title: '', updatedAt, messageCount: 0, problem: errorMessage(error) };
    }
  }

  /** What a journal adds, without reading the v1 file below it. */
  private async journal(id: string, folded: number): Promise<JournalSummary | undefined> {
    const journal = await readJournal(this.writer.files, join(this.options.folder, `${id}.journal.jsonl`));
    if (journal === undefined) return undefined;
    const { messages, head } = recover(id, undefined, journal);
    const last = journal.lines.reduce((highest, line) => (line.kind === 'start' ? highest : Math.max(highest, line.index)), -1);
    const title = titleOf(messages.map(({ message }) => message));
    return { title, createdAt: head.createdAt, updatedAt: head.updatedAt, messageCount: Math.max(folded, last + 1) };
  }

  private async meta(id: string, entry: FileEntry): Promise<MetaSummary['meta']> {
    const known = await this.index.meta(id, entry);
    if (known !== undefined) return known.meta;
    const { sidecar } = await readSidecar(this.writer.files, join(this.options.folder, entry.name));
    const { size, mtimeMs } = entry;
    const { title, model, costUsd, pinned, parent, elf, byModel } = sidecar.meta;
    // Of an agent that works for a chat, the tree of agents shows what it used.
    const ofElf = elf === undefined ? {} : { elf, byModel };
    const meta = patchMeta({}, { title: shortTitle(title ?? ''), model, costUsd, pinned, parent, ...ofElf });
    await this.index.setMeta(id, { size, mtimeMs, meta });
    return meta;
  }
}

interface JournalSummary {
  readonly title: string | undefined;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  readonly messageCount: number;
}

function group(entries: readonly FileEntry[]): Map<string, Found> {
  const found = new Map<string, Found>();
  for (const entry of entries) {
    const kind = KINDS.find(([suffix]) => entry.name.endsWith(suffix));
    if (kind === undefined) continue;
    const id = entry.name.slice(0, -kind[0].length);
    if (!isSafeId(id)) continue;
    const files = found.get(id) ?? {};
    files[kind[1]] = entry;
    found.set(id, files);
  }
  return found;
}
