import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { errorMessage } from '../domain/errors.js';
import type { FileEntry } from '../domain/file-layer.js';
import type { Timestamp } from '../domain/message.js';
import type { SessionSummary } from '../domain/session-store.js';
import type { AtomicWriter } from './atomic-write.js';
import { compareTimes, laterTime, ZERO_TIME } from './codec/time.js';
import { readEnvelope, readJournal, readSidecar } from './load.js';
import { recover } from './recovery.js';
import { isSafeId } from './session-id.js';
import type { EnvelopeSummary } from './summary-index.js';
import { SummaryIndex } from './summary-index.js';
import { shortTitle, titleOf, UNTITLED } from './title.js';

/** Milliseconds after which other work of the process gets a turn. */
const SLICE_MS = 8;

interface Found {
  envelope?: FileEntry;
  journal?: FileEntry;
  meta?: FileEntry;
}

const KINDS: readonly (readonly [suffix: string, kind: keyof Found])[] = [
  ['.meta.json', 'meta'],
  ['.journal.jsonl', 'journal'],
  ['.json', 'envelope'],
];

/** The list of the sessions in a folder. Reads only what changed since it was last read. */
export class History {
  private readonly index: SummaryIndex;

  constructor(
    private readonly writer: AtomicWriter,
    private readonly folder: string,
  ) {
    this.index = new SummaryIndex(writer, folder);
  }

  /** Newest first. A session that cannot be read is there with its problem. */
  async list(): Promise<readonly SessionSummary[]> {
    const found = group(await this.writer.files.list(this.folder));
    const summaries: SessionSummary[] = [];
    let slice = performance.now();
    for (const [id, files] of found) {
      const summary = await this.summarise(id, files);
      if (summary !== undefined) summaries.push(summary);
      if (performance.now() - slice < SLICE_MS) continue;
      await setImmediate();
      slice = performance.now();
    }
    if (found.size > 0) await this.index.save(new Set(found.keys()));
    return summaries.sort((a, b) => compareTimes(b.updatedAt, a.updatedAt) || (a.id < b.id ? 1 : -1));
  }

  /** Takes note of a v1 file that was just written, so that it need not be read for the list. */
  async note(id: string, summary: EnvelopeSummary): Promise<void> {
    await this.index.setEnvelope(id, summary);
  }

  /** Removes every trace of a session from the index. */
  async forget(id: string): Promise<void> {
    await this.index.forget(id);
  }

  private async summarise(id: string, found: Found): Promise<SessionSummary | undefined> {
    if (found.envelope === undefined && found.journal === undefined) return undefined;
    const envelope = found.envelope && (await this.envelope(id, found.envelope));
    const { problem } = envelope ?? {};
    const journal = found.journal && problem === undefined ? await this.journal(id, envelope?.messageCount ?? 0) : undefined;
    if (envelope === undefined && journal?.messageCount === 0) return undefined;
    const named = found.meta && (await this.metaTitle(id, found.meta));
    const titles = [named, envelope?.title, journal?.title];
    return {
      id,
      title: titles.find((title) => title !== undefined && title !== '') ?? UNTITLED,
      updatedAt: laterTime(envelope?.updatedAt ?? ZERO_TIME, journal?.updatedAt ?? ZERO_TIME),
      messageCount: Math.max(envelope?.messageCount ?? 0, journal?.messageCount ?? 0),
      ...(problem === undefined ? {} : { problem }),
    };
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
      const { messages, updatedAt } = await readEnvelope(this.writer.files, this.folder, entry);
      const title = titleOf(messages.map(({ message }) => message)) ?? '';
      return { size, mtimeMs, title, updatedAt, messageCount: messages.length };
    } catch (error) {
      const updatedAt = new Date(mtimeMs).toISOString();
      return { size, mtimeMs, title: '', updatedAt, messageCount: 0, problem: errorMessage(error) };
    }
  }

  /** What a journal adds, without reading the v1 file below it. */
  private async journal(id: string, folded: number): Promise<{ title: string | undefined; updatedAt: Timestamp; messageCount: number } | undefined> {
    const journal = await readJournal(this.writer.files, join(this.folder, `${id}.journal.jsonl`));
    if (journal === undefined) return undefined;
    const { messages, head } = recover(id, undefined, journal);
    const last = journal.lines.reduce((highest, line) => (line.kind === 'start' ? highest : Math.max(highest, line.index)), -1);
    const title = titleOf(messages.map(({ message }) => message));
    return { title, updatedAt: head.updatedAt, messageCount: Math.max(folded, last + 1) };
  }

  private async metaTitle(id: string, entry: FileEntry): Promise<string> {
    const known = await this.index.title(id, entry);
    if (known !== undefined) return known.title;
    const { sidecar } = await readSidecar(this.writer.files, join(this.folder, entry.name));
    const title = shortTitle(sidecar.meta.title ?? '') ?? '';
    await this.index.setTitle(id, { size: entry.size, mtimeMs: entry.mtimeMs, title });
    return title;
  }
}

function group(entries: readonly FileEntry[]): ReadonlyMap<string, Found> {
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
