import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LatestState } from '../../concurrency/latest-state.js';

/** Folders that are watched at once: systems have few watches to give. */
const MAX_FOLDERS = 200;

/** A folder that is watched when it is there. */
export interface WatchedPlace {
  /** Absolute path. */
  readonly folder: string;
  /** How many folders below each other are watched, too; 0 for none. */
  readonly depth: number;
  /** Names of the files in it that matter; absent: all. Other programs may change theirs all the time. */
  readonly names?: ReadonlySet<string>;
}

/**
 * Watches single folders through the operating system: each one that is there, and those in it. VS Code watches whole workspaces, and
 * misses what is in folders that are made one in the other, as by a checkout. What a folder is made in has to be watched by others.
 */
export class FolderWatches {
  private readonly watchers = new Map<string, { readonly watcher: FSWatcher; readonly identity: string }>();
  private readonly refreshing: LatestState;
  private disposed = false;

  /** @param changed called whenever something in the folders may have changed */
  constructor(
    private readonly places: readonly WatchedPlace[],
    private readonly changed: () => void,
  ) {
    this.refreshing = new LatestState(() => this.watchAll(), changed);
    void this.refreshing.now();
  }

  /** Looks again which folders there are: one of them, or one above them, may have been made. */
  refresh(): void {
    this.refreshing.soon();
  }

  dispose(): void {
    this.disposed = true;
    this.refreshing.dispose();
    for (const { watcher } of this.watchers.values()) watcher.close();
    this.watchers.clear();
  }

  private async watchAll(): Promise<void> {
    const there = new Map((await Promise.all(this.places.map(({ folder, depth }) => foldersIn(folder, depth)))).flat().slice(0, MAX_FOLDERS));
    if (this.disposed) return;
    for (const folder of [...this.watchers.keys()].filter((each) => there.get(each) !== this.watchers.get(each)?.identity)) this.forget(folder);
    const named = new Map(this.places.map(({ folder, names }) => [folder, names]));
    const fresh = [...there].filter(([folder]) => !this.watchers.has(folder));
    for (const [folder, identity] of fresh) this.watch(folder, { identity, names: named.get(folder) });
    // One that cannot be watched now is tried again with the next change, not over and over.
    if (!fresh.some(([folder]) => this.watchers.has(folder))) return;
    // What came into them before they were watched, folders as well.
    this.changed();
    this.refresh();
  }

  private watch(folder: string, { identity, names }: { readonly identity: string; readonly names: ReadonlySet<string> | undefined }): void {
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        // Systems do not always say which file it is.
        if (names !== undefined && name !== null && !names.has(name)) return;
        this.changed();
        this.refresh();
      });
      watcher.on('error', () => this.forget(folder));
      this.watchers.set(folder, { watcher, identity });
    } catch {
      // It is gone, or the system has no watch left: VS Code watches it still.
    }
  }

  private forget(folder: string): void {
    this.watchers.get(folder)?.watcher.close();
    this.watchers.delete(folder);
  }
}

/**
 * A folder and those below it that are there, with their identity, which changes when another folder takes their place; of a link, only the folder that it
 * leads to.
 */
async function foldersIn(folder: string, depth: number): Promise<readonly (readonly [folder: string, identity: string])[]> {
  try {
    const found = await stat(folder, { bigint: true });
    if (!found.isDirectory()) return [];
    // Folders above others are many, and such as that of all temporary files are large: what is in one is looked at only where that is watched, too.
    const named = depth === 0 ? [] : (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory() || entry.isSymbolicLink());
    // What a link leads to may be anything, and large.
    const below = named.map((entry) => foldersIn(join(folder, entry.name), entry.isDirectory() ? depth - 1 : 0));
    return [[folder, `${found.ino} ${found.birthtimeNs}`], ...(await Promise.all(below)).flat()];
  } catch {
    // It is not there, or cannot be looked into: then nothing is read from it either.
    return [];
  }
}
