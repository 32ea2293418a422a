import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { errorMessage } from '../../domain/errors.js';
import type { MovedFolder } from '../../domain/session/session.js';
import { type AtomicWriter, atomicWrite } from '../atomic-write.js';
import { type FolderIdentity, isFolderIdentity, isSameFolder } from './folder-identity.js';

/** Options of {@link StorageIndex}. */
export interface StorageIndexOptions {
  readonly writer: AtomicWriter;
  /** Absolute path of its folder, the same for all workspaces of this machine. */
  readonly folder: string;
  /** Tells which folder a path leads to; `undefined` when it leads to none. */
  readonly identify: (path: string) => Promise<FolderIdentity | undefined>;
}

/** A storage folder that was used with a workspace folder of this window. */
export interface OtherStorage {
  /** Its absolute path. */
  readonly path: string;
  /** The workspace folders that had another path then. */
  readonly moved: readonly MovedFolder[];
}

/** The most folders that are remembered of one storage. */
const MAX_FOLDERS = 50;

/** Which workspace folders a storage folder was used with. */
interface StorageRecord {
  readonly storage: string;
  readonly folders: readonly FolderIdentity[];
}

/**
 * Knows which storage folder belongs to which workspace folders. VS Code gives a workspace another storage folder when its
 * folder is renamed, opened by another path, or made a part of a workspace of several folders; by this index what was stored
 * before is found again. A folder that was copied, or moved to another disk, is not known again.
 *
 * Each storage has a file of its own, so that windows never write the same one. A convenience: what cannot be read is
 * left out.
 */
export class StorageIndex {
  constructor(private readonly options: StorageIndexOptions) {}

  /** Takes note of the workspace folders that a storage is used with. A failure is only logged. */
  async note(storage: string, folders: readonly string[]): Promise<void> {
    const { writer, folder } = this.options;
    const path = join(folder, `${createHash('sha256').update(storage).digest('hex').slice(0, 32)}.json`);
    try {
      const found = await this.identify(folders);
      const known = (await this.read(path))?.folders ?? [];
      const all = [...found, ...known.filter((old) => !found.some((now) => now.path === old.path))].slice(0, MAX_FOLDERS);
      if (all.length === 0 || JSON.stringify(all) === JSON.stringify(known)) return;
      await writer.files.makeFolder(folder);
      await atomicWrite(writer, path, [Buffer.from(JSON.stringify({ version: 1, storage, folders: all }))]);
    } catch (error) {
      writer.log.warn(`Where the conversations of this workspace are kept could not be noted: ${errorMessage(error)}`);
    }
  }

  /** The other storage folders that were used with some of these workspace folders. */
  async otherStorages(storage: string, folders: readonly string[]): Promise<readonly OtherStorage[]> {
    const { writer, folder } = this.options;
    const present = await this.identify(folders);
    const others = new Map<string, OtherStorage>();
    for (const { name } of await writer.files.list(folder)) {
      const record = name.endsWith('.json') ? await this.read(join(folder, name)) : undefined;
      if (record === undefined || record.storage === storage) continue;
      const same = record.folders.flatMap((old) => present.flatMap((now) => (isSameFolder(old, now) ? [{ old, now }] : [])));
      if (same.length > 0) others.set(record.storage, { path: record.storage, moved: same.flatMap(({ old, now }) => moves(old, now)) });
    }
    return [...others.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  private async identify(folders: readonly string[]): Promise<readonly FolderIdentity[]> {
    return (await Promise.all(folders.map((path) => this.options.identify(path)))).filter((found) => found !== undefined);
  }

  private async read(path: string): Promise<StorageRecord | undefined> {
    const { files } = this.options.writer;
    try {
      if ((await files.stat(path)) === undefined) return undefined;
      const value = JSON.parse(Buffer.from(await files.readFile(path)).toString('utf8')) as Partial<Record<keyof StorageRecord, unknown>> | null;
      const { storage, folders } = value ?? {};
      if (typeof storage !== 'string' || !Array.isArray(folders)) return undefined;
      return { storage, folders: folders.filter(isFolderIdentity) };
    } catch {
      // It is made anew when its workspace is opened the next time.
      return undefined;
    }
  }
}

/** What leads elsewhere now, of the paths by which a folder was known. */
function moves(old: FolderIdentity, { path, realPath }: FolderIdentity): readonly MovedFolder[] {
  return [...new Set([old.path, old.realPath])].flatMap((from) => (from === path || from === realPath ? [] : [{ from, to: path }]));
}
