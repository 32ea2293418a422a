import { join } from 'node:path';
import { type FileVersion, type FileSnapshot, sameContent, versionOf } from '../domain/workspace/changes.js';
import { errorMessage, InvalidDataError } from '../domain/errors.js';
import { type FileLayer, fileErrorCode } from '../domain/workspace/file-layer.js';
import type { Log } from '../domain/log.js';
import { type BlobFiles, BlobFolder } from './blob-folder.js';
import type { Seen } from './ledger-entry.js';
import { type CheckpointEntry, type CheckpointIndex, decodeIndex, EMPTY_INDEX, encodeIndex } from './checkpoint-index.js';
import { KeyedQueue } from '../concurrency/queue.js';

/** Maximum size of all checkpoints of a workspace, in bytes. */
const BUDGET_BYTES = 200 * 1024 * 1024;
const INDEX = 'index.json';
const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

/** Services and options of checkpoints. */
export interface CheckpointOptions extends BlobFiles {
  /** Absolute path of their folder; one folder for each session is made in it. */
  readonly folder: string;
  /** Removes an empty folder. */
  readonly removeFolder: (path: string) => Promise<void>;
  readonly log: Log;
  readonly budgetBytes?: number;
}

/** A turn of a session. */
export interface TurnKey {
  readonly sessionId: string;
  readonly messageIndex: number;
}

/**
 * Keeps files as they were before each turn's first change: `<session>/index.json` says which, and the contents lie
 * beside it, named by their hashes. Nothing here touches the files themselves.
 */
export class Checkpoints {
  private readonly budget: BlobBudget;
  private readonly queue = new KeyedQueue();

  constructor(private readonly options: CheckpointOptions) {
    this.budget = new BlobBudget(options.folder, options, options.budgetBytes ?? BUDGET_BYTES);
  }

  /** Keeps files as they are before a call changes them. */
  async begin(key: TurnKey, files: readonly Seen[]): Promise<void> {
    if (files.length === 0) return;
    const { entries } = await this.index(key.sessionId);
    const known = new Set(entries.filter(({ turn }) => turn === key.messageIndex).map(({ path }) => path));
    const versions = new Map<string, FileVersion>();
    for (const { path, snapshot } of files) {
      // What it was before the turn is kept already.
      versions.set(path, known.has(path) ? versionOf(snapshot) : await this.keep(key.sessionId, snapshot));
    }
    // What was restored before is not brought back over newer changes.
    await this.update(key.sessionId, (index) => ({ ...EMPTY_INDEX, entries: begun(index.entries, key.messageIndex, versions) }));
  }

  /** Notes files as a call left them. */
  async settle(key: TurnKey, files: readonly Seen[]): Promise<void> {
    if (files.length === 0) return;
    const versions = new Map(files.map(({ path, snapshot }) => [path, versionOf(snapshot)]));
    await this.update(key.sessionId, (index) => ({ ...index, entries: settled(index.entries, key.messageIndex, versions) }));
  }

  /** Recorded changes of a session. */
  async index(sessionId: string): Promise<CheckpointIndex> {
    try {
      return decodeIndex(await this.options.files.readFile(join(this.folderOf(sessionId), INDEX)));
    } catch (error) {
      if (fileErrorCode(error) === 'ENOENT') return EMPTY_INDEX;
      if (!(error instanceof InvalidDataError)) throw error;
      this.options.log.warn(`The checkpoints of a session are damaged and cannot be used: ${error.message}`);
      return EMPTY_INDEX;
    }
  }

  /** Changes what is known of a session. */
  update(sessionId: string, change: (index: CheckpointIndex) => CheckpointIndex): Promise<void> {
    return this.queue.run(sessionId, async () => {
      const folder = this.folderOf(sessionId);
      await this.options.files.makeFolder(folder);
      await this.options.save(join(folder, INDEX), encodeIndex(change(await this.index(sessionId))));
    });
  }

  /** Keeps the content of a file. @returns its version; `not_kept` when there was no room for it. */
  async keep(sessionId: string, snapshot: FileSnapshot): Promise<FileVersion> {
    if (snapshot.kind !== 'file') return snapshot;
    try {
      await this.budget.add(await this.blobs(sessionId).put(snapshot.hash, snapshot.bytes));
      return versionOf(snapshot);
    } catch (error) {
      this.options.log.warn(`A file could not be kept for undo: ${errorMessage(error)}`);
      return { kind: 'skipped', reason: 'not_kept' };
    }
  }

  /** A kept content; `undefined` when it is not there any more. */
  content(sessionId: string, hash: string): Promise<Uint8Array | undefined> {
    return this.blobs(sessionId).get(hash);
  }

  /** Takes over what is kept of the turns that began before a message, for a branch of a session. @returns the files it is about. */
  async copy(from: string, to: string, count: number): Promise<ReadonlySet<string>> {
    const entries: CheckpointEntry[] = [];
    for (const entry of (await this.index(from)).entries) {
      if (entry.turn < count) entries.push({ ...entry, before: await this.copyContent(from, to, entry.before) });
    }
    if (entries.length > 0) await this.update(to, () => ({ ...EMPTY_INDEX, entries }));
    return new Set(entries.map(({ path }) => path));
  }

  /** Removes all that is kept of a session. */
  async remove(sessionId: string): Promise<void> {
    const folder = this.folderOf(sessionId);
    const { files, removeFolder } = this.options;
    await this.queue.run(sessionId, async () => {
      if ((await files.stat(folder)) === undefined) return;
      for (const { name } of await files.list(folder)) await files.remove(join(folder, name));
      await removeFolder(folder);
    });
  }

  /** A version whose content the other session keeps too; `not_kept` when it is gone by now. */
  private async copyContent(from: string, to: string, version: FileVersion): Promise<FileVersion> {
    if (version.kind !== 'file') return version;
    const { hash, mode } = version;
    const bytes = await this.content(from, hash);
    return bytes === undefined ? { kind: 'skipped', reason: 'not_kept' } : this.keep(to, { kind: 'file', hash, mode, bytes, unsaved: false });
  }

  private blobs(sessionId: string): BlobFolder {
    return new BlobFolder(this.folderOf(sessionId), this.options);
  }

  private folderOf(sessionId: string): string {
    if (!SAFE_ID.test(sessionId)) throw new InvalidDataError('id', 'is not the id of a conversation');
    return join(this.options.folder, sessionId);
  }
}

/** The entries when a call begins to change files: how each ends is open until the call is over. */
function begun(entries: readonly CheckpointEntry[], turn: number, versions: ReadonlyMap<string, FileVersion>): readonly CheckpointEntry[] {
  const rest = new Map(versions);
  const known = entries.map((entry) => {
    const now = entry.turn === turn ? rest.get(entry.path) : undefined;
    if (now === undefined) return entry;
    rest.delete(entry.path);
    if (isTakenBack(entry, now)) return { turn, path: entry.path, before: entry.before };
    const edited = entry.edited === true || entry.after === undefined || !sameContent(entry.after, now);
    return { turn, path: entry.path, before: entry.before, ...(edited ? { edited } : {}) };
  });
  return [...known, ...[...rest].map(([path, before]) => ({ turn, path, before }))];
}

/**
 * Whether a file that a turn had changed is as it was before that again, and not by the turn itself: the user has undone all of it, so that whatever is made of
 * it next has nothing of theirs.
 */
export function isTakenBack({ before, after }: Pick<CheckpointEntry, 'before' | 'after'>, now: FileVersion): boolean {
  return after !== undefined && !sameContent(after, now) && sameContent(before, now) && modeOf(before) === modeOf(now);
}

/** The entries when a call is over; files that are as they were before the turn need none. */
function settled(entries: readonly CheckpointEntry[], turn: number, versions: ReadonlyMap<string, FileVersion>): readonly CheckpointEntry[] {
  return entries.flatMap((entry): readonly CheckpointEntry[] => {
    const after = entry.turn === turn ? versions.get(entry.path) : undefined;
    if (after === undefined) return [entry];
    const untouched = entry.edited !== true && sameContent(entry.before, after) && modeOf(entry.before) === modeOf(after);
    return untouched ? [] : [{ ...entry, after }];
  });
}

function modeOf(version: FileVersion): number | undefined {
  return version.kind === 'file' ? version.mode : undefined;
}

/** After pruning so much of the budget is in use, so that not every further file prunes again. */
const PRUNED_SHARE = 0.9;

interface StoredBlob {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** Keeps what all sessions of a workspace store within a number of bytes: the contents used longest ago go first. */
class BlobBudget {
  private used: number | undefined;

  /** @param root the folder with one folder for each session. */
  constructor(
    private readonly root: string,
    private readonly disk: BlobFiles,
    private readonly limit: number,
  ) {}

  /** Takes note of stored bytes and makes room when there are too many by now. */
  async add(bytes: number): Promise<void> {
    this.used = this.used === undefined ? sizeOf(await this.blobs()) : this.used + bytes;
    if (this.used > this.limit) await this.prune();
  }

  private async prune(): Promise<void> {
    // Looked at anew: other windows store here too.
    const blobs = [...(await this.blobs())].sort((a, b) => a.mtimeMs - b.mtimeMs);
    let used = sizeOf(blobs);
    for (const { path, size } of blobs) {
      if (used <= this.limit * PRUNED_SHARE) break;
      await this.disk.files.remove(path);
      used -= size;
    }
    this.used = used;
  }

  private async blobs(): Promise<readonly StoredBlob[]> {
    const found: StoredBlob[] = [];
    for (const folder of await foldersIn(this.disk.files, this.root)) {
      for (const { name, size, mtimeMs } of await new BlobFolder(folder, this.disk).list()) {
        found.push({ path: join(folder, name), size, mtimeMs });
      }
    }
    return found;
  }
}

async function foldersIn(files: FileLayer, root: string): Promise<readonly string[]> {
  return (await files.list(root)).filter(({ type }) => type === 'directory').map(({ name }) => join(root, name));
}

function sizeOf(blobs: readonly StoredBlob[]): number {
  return blobs.reduce((sum, { size }) => sum + size, 0);
}
