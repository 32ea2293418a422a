import { type BigIntStats, type Dirent, lstatSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { yieldEvery } from '../../concurrency/steps.js';
import { GUARDED } from './guarded-places.js';

/** Folders that are not searched: packages, which have names of every kind, and repositories, which are guarded separately. */
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git', '.hg', '.svn', '.jj', '.bzr']);
/** A checkout of Subversion has no settings, and runs nothing: it may come into being in a folder. */
const HARMLESS: ReadonlySet<string> = new Set(['.svn']);
/** Milliseconds for which the clock of a file system may be behind. */
export const CLOCK_MS = 20;
/** Changes that are looked at one by one; after more, all folders are. */
const MAX_NOTED = 500;

const GUARDED_NAMES = GUARDED.flatMap(({ names }) => names).filter((name) => !name.includes('/') && !HARMLESS.has(name));
const NAMES: ReadonlySet<string> = new Set(GUARDED_NAMES.map((name) => name.toLowerCase()));
const FIXED: ReadonlySet<string> = new Set(
  GUARDED.flatMap(({ fixed, names }) => (fixed ? names : []))
    .filter((name) => name !== '.git')
    .map((name) => name.toLowerCase()),
);

/** When something came into being: between these, in nanoseconds. */
export interface Moments {
  readonly since: bigint;
  readonly until?: bigint;
}

/**
 * Knows where in some folders names are that programs outside of the sandbox follow, at any depth. To find what is new, each folder that is known is looked
 * at, and only one that was changed is read again: its time of change says so, which no command can set back. Source: inode(7), st_ctime
 */
export class NestedNames {
  /** The time of change of each folder when it was read; none for one that may have been changed in that very moment. */
  private readonly read = new Map<string, bigint | undefined>();
  /** What is or was there and no command made, by path, and which inode it was. */
  private readonly known = new Map<string, bigint>();
  /** What came into being while no command ran, and what no command made whenever it comes. */
  private readonly noted = new Set<string>();
  private readonly own = new Set<string>();

  /** @param folders absolute paths of the workspace folders, every link resolved */
  constructor(private readonly folders: readonly string[]) {}

  /** Whether all folders have been looked at. */
  get looked(): boolean {
    return this.read.size > 0;
  }

  /** What is there that may not be changed. */
  fixed(): readonly string[] {
    return [...this.known.keys()].filter((path) => FIXED.has(basename(path).toLowerCase()));
  }

  /** Something is new at a path, while no command runs. */
  noteChange(path: string): void {
    this.noted.add(path);
  }

  /** Something is written to a path now or in a moment, by no command. */
  noteOwn(path: string): void {
    if (NAMES.has(basename(path).toLowerCase())) this.own.add(path);
    this.noted.add(path);
  }

  /** Looks at what was noted, so that it counts as known. Call it before a command starts. */
  async catchUp(): Promise<void> {
    const noted = [...this.noted];
    this.noted.clear();
    if (!this.looked || noted.length > MAX_NOTED) {
      await this.look();
      return;
    }
    for (const path of noted) if (this.isWatched(dirname(path), basename(path))) this.know(path);
    const starts = noted.flatMap((path) => [dirname(path), path]).filter((path) => this.isInside(path));
    await this.walk(starts, undefined);
  }

  /**
   * Looks at all folders.
   * @returns paths of names that are new, outer ones only, where it is asked for what came into being within some time.
   */
  async look(moments?: Moments): Promise<readonly string[]> {
    return this.walk([...this.folders, ...this.read.keys()], moments);
  }

  private async walk(starts: readonly string[], moments: Moments | undefined): Promise<readonly string[]> {
    const pause = yieldEvery();
    // Before the first look, a folder that was moved here looks like one that was only changed.
    const knowsFolders = this.looked;
    const found: string[] = [];
    const open: { readonly path: string; readonly arrived: boolean }[] = starts.map((path) => ({ path, arrived: false }));
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      await pause();
      const { path, arrived } = next;
      for (const { entry, isNew } of this.changedIn(path)) {
        const inner = join(path, entry.name);
        if (this.isWatched(path, entry.name)) found.push(...(this.isAdded(inner, { moments, arrived }) ? [inner] : []));
        else if (entry.isDirectory() && !SKIPPED.has(entry.name) && isNew)
          open.push({ path: inner, arrived: arrived || (knowsFolders && isWithinMoments(inner, moments)) });
      }
    }
    return found;
  }

  /** What a folder has, if it was changed since it was read. */
  private changedIn(path: string): readonly { readonly entry: Dirent; readonly isNew: boolean }[] {
    const stats = statsOf(path);
    if (stats?.isDirectory() !== true) {
      this.read.delete(path);
      return [];
    }
    const before = this.read.get(path);
    if (before === stats.ctimeNs) return [];
    const isSettled = stats.ctimeMs < BigInt(Date.now() - CLOCK_MS);
    this.read.set(path, isSettled ? stats.ctimeNs : undefined);
    return entriesOf(path).map((entry) => ({ entry, isNew: !this.read.has(join(path, entry.name)) }));
  }

  /** At the top of a workspace folder, names are guarded before anything is made. */
  private isWatched(folder: string, name: string): boolean {
    return NAMES.has(name.toLowerCase()) && !this.folders.includes(folder);
  }

  /** Whether what has a name was not there before. If it was, or is older than the command, it is known from now on. */
  private isAdded(path: string, { moments, arrived }: { readonly moments: Moments | undefined; readonly arrived: boolean }): boolean {
    const stats = statsOf(path);
    if (stats === undefined || this.isKnown(path, stats)) return false;
    if (moments !== undefined && !this.own.has(path) && (arrived || within(stats, moments))) return true;
    this.known.set(path, stats.ino);
    return false;
  }

  private know(path: string): void {
    const stats = statsOf(path);
    if (stats !== undefined) this.known.set(path, stats.ino);
  }

  /**
   * Instructions come and go with branches and stashes. What is fixed stays, so another one in its place is new. What was renamed with its folder is the same.
   */
  private isKnown(path: string, { ino }: BigIntStats): boolean {
    const before = this.known.get(path);
    if (before !== undefined && (before === ino || !FIXED.has(basename(path).toLowerCase()))) return true;
    return [...this.known].some(([other, inode]) => inode === ino && basename(other) === basename(path));
  }

  private isInside(path: string): boolean {
    return this.folders.some(
      (folder) =>
        path === folder ||
        (path.startsWith(`${folder}/`) &&
          !path
            .slice(folder.length)
            .split('/')
            .some((name) => SKIPPED.has(name))),
    );
  }
}

function isWithinMoments(path: string, moments: Moments | undefined): boolean {
  const stats = statsOf(path);
  return moments !== undefined && stats !== undefined && within(stats, moments);
}

function within({ ctimeNs }: BigIntStats, { since, until }: Moments): boolean {
  return ctimeNs >= since && (until === undefined || ctimeNs <= until);
}

/** What cannot be looked at by us cannot be made by a command either. */
function statsOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
