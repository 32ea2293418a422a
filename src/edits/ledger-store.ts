import { type ChangedFiles, type FileVersion, parseVersion } from '../domain/workspace/changes.js';
import type { ChangeAuthor } from '../domain/workspace/change-author.js';
import { join } from 'node:path';
import { InvalidDataError } from '../domain/errors.js';
import { fileErrorCode } from '../domain/workspace/file-layer.js';
import type { Log } from '../domain/log.js';
import { type BlobFiles, BlobFolder, hashOf } from './blob-folder.js';
import { parsePassages, storedPassages, type StoredPassages } from './authored-lines.js';
import { linesOf } from './differing-lines.js';
import { type LedgerEntry, type TextCodec, type TextEntry, type WholeEntry, LEDGER_PLACE } from './ledger-entry.js';

/** Services that read and change the files under review. */
export interface EntryDeps {
  readonly store: LedgerStore;
  readonly files: ChangedFiles;
  readonly codec: TextCodec;
}

const VERSION = 1;

/** Keeps the pending changes over a reload: `ledger.json`, and the texts beside it, named by their hashes. */
export class LedgerStore {
  private readonly blobs: BlobFolder;
  /** Stored form of entries, cached: entries never change, as a changed file gets a new one. */
  private readonly stored = new WeakMap<TextEntry, StoredText>();
  private written = '';
  /** What a newer version has stored beside what is known here: of the list, and of files by path. It is written again. */
  private readonly unknown: { list: Unknown; readonly files: Map<string, Unknown> } = { list: {}, files: new Map() };
  /** Stored files that cannot be read. They are written again, so that nothing of them is lost. */
  private damaged: readonly unknown[] = [];

  constructor(
    folder: string,
    private readonly disk: BlobFiles,
    private readonly log: Log,
  ) {
    this.blobs = new BlobFolder(folder, disk);
  }

  /** The pending changes of the last time. What is damaged is left out. */
  async load(): Promise<readonly LedgerEntry[]> {
    try {
      const stored: unknown = JSON.parse(Buffer.from(await this.disk.files.readFile(join(this.blobs.folder, LEDGER_PLACE.index))).toString('utf8'));
      const { version, files, ...list } = objectOf(stored);
      if (version !== VERSION || !Array.isArray(files)) throw new InvalidDataError('ledger', 'is of another version');
      this.unknown.list = list;
      return await this.entriesOf(files);
    } catch (error) {
      if (fileErrorCode(error) === 'ENOENT') return [];
      if (!(error instanceof InvalidDataError) && !(error instanceof SyntaxError)) throw error;
      this.log.warn(`The list of changes to review is damaged and begins anew: ${error.message}`);
      return [];
    }
  }

  private async entriesOf(files: readonly unknown[]): Promise<readonly LedgerEntry[]> {
    const entries: LedgerEntry[] = [];
    const damaged: unknown[] = [];
    for (const file of files) {
      try {
        entries.push(...(await this.entryOf(objectOf(file))));
      } catch (error) {
        if (!(error instanceof InvalidDataError)) throw error;
        this.log.warn(`A file of the list of changes to review is damaged and is left out: ${error.message}`);
        damaged.push(file);
      }
    }
    this.damaged = damaged;
    return entries;
  }

  /** Writes the pending changes; first what is new, last what is not needed any more goes. */
  async save(entries: readonly LedgerEntry[]): Promise<void> {
    const used = new Set<string>();
    const files: unknown[] = [];
    for (const entry of entries) {
      const stored = entry.kind === 'text' ? (this.stored.get(entry) ?? (await this.storedText(entry))) : entry;
      files.push({ ...this.unknown.files.get(entry.path), ...stored });
      for (const hash of hashesOf(stored)) used.add(hash);
    }
    for (const file of this.damaged) for (const hash of hashesIn(file)) used.add(hash);
    files.push(...this.damaged);
    const paths = new Set(entries.map(({ path }) => path));
    for (const path of this.unknown.files.keys()) if (!paths.has(path)) this.unknown.files.delete(path);
    const text = JSON.stringify({ ...this.unknown.list, version: VERSION, files });
    if (text === this.written) return;
    await this.disk.files.makeFolder(this.blobs.folder);
    await this.disk.save(join(this.blobs.folder, LEDGER_PLACE.index), Buffer.from(text));
    this.written = text;
    await this.blobs.keepOnly(used);
  }

  /** Keeps a content that an entry names. */
  async keep(hash: string, bytes: Uint8Array): Promise<void> {
    await this.blobs.put(hash, bytes);
  }

  /** A content that an entry names; `undefined` when it is gone. */
  content(hash: string): Promise<Uint8Array | undefined> {
    return this.blobs.get(hash);
  }

  private async storedText(entry: TextEntry): Promise<StoredText> {
    const { passages, ...rest } = entry;
    const texts = { baseline: await this.keepText(entry.baseline), agent: await this.keepText(entry.agent) };
    const stored = { ...rest, ...texts, ...(passages === undefined ? {} : { lines: storedPassages(passages) }) };
    this.stored.set(entry, stored);
    return stored;
  }

  private async keepText(text: string): Promise<string> {
    const bytes = Buffer.from(text, 'utf8');
    const hash = hashOf(bytes);
    await this.blobs.put(hash, bytes);
    return hash;
  }

  private async entryOf(stored: Unknown): Promise<readonly LedgerEntry[]> {
    const { kind, path, sessions, movedFrom, cells } = stored;
    if (typeof path !== 'string' || !Array.isArray(sessions)) throw new InvalidDataError('ledger.files[]', 'names no file');
    this.unknown.files.set(path, Object.fromEntries(Object.entries(stored).filter(([key]) => !KEYS.has(key))));
    const moved = typeof movedFrom === 'string' ? { movedFrom } : {};
    const authors = authorsOf(stored['authors']).filter((author) => author !== undefined);
    const common = { path, sessions: sessions.filter((id): id is string => typeof id === 'string'), ...moved };
    if (kind !== 'whole') return this.textEntryOf(stored, common, authors);
    const versions = { before: parseVersion(stored['before'], 'ledger.before'), after: parseVersion(stored['after'], 'ledger.after') };
    const more = { ...(authors.length === 0 ? {} : { authors }), ...(typeof cells === 'string' ? { cells } : {}) };
    return [{ kind, ...common, ...more, ...versions }];
  }

  private async textEntryOf(
    stored: Unknown,
    common: Pick<TextEntry, 'path' | 'sessions' | 'movedFrom'>,
    authors: readonly ChangeAuthor[],
  ): Promise<readonly TextEntry[]> {
    const { existed, encoding, mode, lines } = stored;
    const [baseline, agent] = [await this.text(stored['baseline']), await this.text(stored['agent'])];
    if (baseline === undefined || agent === undefined) return [];
    if (typeof existed !== 'boolean' || typeof encoding !== 'string' || typeof mode !== 'number') throw new InvalidDataError('ledger.files[]', 'is no text');
    const entry: TextEntry = { kind: 'text', ...common, existed, encoding, mode, baseline, agent };
    const texts = { before: linesOf(baseline), agent: linesOf(agent) };
    const known = isObject(lines) ? lines : {};
    const passages = authors.length === 0 ? undefined : parsePassages({ authors: authorsOf(known['authors']), passages: known['passages'] }, texts);
    // Without them it is not known whose the changes are: they can be kept or undone all the same.
    return [passages === undefined ? entry : { ...entry, authors, passages }];
  }

  private async text(hash: unknown): Promise<string | undefined> {
    const bytes = typeof hash === 'string' ? await this.blobs.get(hash) : undefined;
    return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8');
  }
}

/** A text entry with hashes in the place of its texts. */
interface StoredText extends Omit<TextEntry, 'passages'> {
  readonly lines?: StoredPassages;
}

type Unknown = Readonly<Record<string, unknown>>;

/** The keys of stored files that this version knows. */
const KEYS: ReadonlySet<string> = new Set<keyof StoredText | keyof WholeEntry>([
  ...(['kind', 'path', 'sessions', 'authors', 'movedFrom'] as const),
  ...(['existed', 'encoding', 'mode', 'baseline', 'agent', 'lines'] as const),
  ...(['before', 'after', 'cells'] as const),
]);

/** Authors at the places where they are stored; none where one is damaged. */
function authorsOf(stored: unknown): readonly (ChangeAuthor | undefined)[] {
  return (Array.isArray(stored) ? (stored as readonly unknown[]) : []).map((each) => {
    const { id, name } = isObject(each) ? each : {};
    return typeof id === 'string' && typeof name === 'string' ? { id, name } : undefined;
  });
}

function hashesOf(stored: StoredText | WholeEntry): readonly string[] {
  if (stored.kind === 'text') return [stored.baseline, stored.agent];
  const hash = (version: FileVersion): readonly string[] => (version.kind === 'file' ? [version.hash] : []);
  return hash(stored.before);
}

/** The contents that a stored file may name which cannot be read. */
function hashesIn(stored: unknown): readonly string[] {
  const { baseline, agent, before } = isObject(stored) ? stored : {};
  return [baseline, agent, isObject(before) ? before['hash'] : undefined].filter((hash) => typeof hash === 'string');
}

function objectOf(value: unknown): Unknown {
  if (isObject(value)) return value;
  throw new InvalidDataError('ledger', 'is not an object');
}

function isObject(value: unknown): value is Unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
