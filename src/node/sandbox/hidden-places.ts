import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Queue } from '../../concurrency/queue.js';
import { isWithin } from '../files/within.js';
import type { HiddenPlace } from './sandbox-view.js';

/** Whether what is at an absolute path may be read. */
export type MayRead = (path: string) => boolean;

/** What is not searched for secrets: others' files, and a store where all have names of hashes. */
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git', '.hg', '.svn']);

/** Places that a command can be kept from reading; with more, starting it would take too long. */
export const MAX_HIDDEN = 2_000;

/** Changes that are looked at one by one; after more, all is searched again. */
const MAX_CHANGES = 200;

/**
 * Knows what in some folders may not be read. The first search looks at every name, so it takes a while in a large folder; later ones only
 * look at what is said to be new.
 */
export class HiddenPlaces {
  /** By the path that was found, which for a link is not the one that is hidden. */
  private readonly found = new Map<string, HiddenPlace>();
  private readonly changed = new Set<string>();
  private searched = false;
  private readonly queue = new Queue();

  /**
   * @param folders absolute paths with every link resolved.
   * @param mayRead asked about paths with every link resolved.
   */
  constructor(
    private readonly folders: readonly string[],
    private readonly mayRead: MayRead,
  ) {}

  /**
   * Something is new at a path, or was renamed to it.
   * @param path links in its folder may be unresolved.
   */
  noteChange(path: string): void {
    if (this.changed.size < MAX_CHANGES) this.changed.add(path);
    else this.searched = false;
  }

  /**
   * What may not be read now, outer folders only.
   * @throws Error when there is more than a command can be kept from.
   */
  list(): Promise<readonly HiddenPlace[]> {
    return this.queue.run(() => this.update());
  }

  private async update(): Promise<readonly HiddenPlace[]> {
    const changes = [...this.changed];
    // What was found is looked at again: it may be gone, or something else by now.
    const starts = this.searched ? [...(await Promise.all(changes.map(placed))), ...this.found.keys()] : this.folders;
    this.searched = true;
    this.found.clear();
    try {
      await Promise.all(starts.map((start) => this.searchFrom(start)));
    } catch (error) {
      this.searched = false;
      throw error;
    }
    for (const path of changes) this.changed.delete(path);
    return outermost([...this.found.values()]);
  }

  private async searchFrom(start: string): Promise<void> {
    const root = this.folders.find((folder) => isWithin(folder, start));
    if (root === undefined || start.slice(root.length).split('/').some((name) => SKIPPED.has(name))) return;
    const stats = await lstat(start).catch(() => undefined);
    if (stats === undefined) return;
    const open: string[] = [];
    const note = (path: string, kind: Pick<Dirent, 'isDirectory' | 'isSymbolicLink'>): Promise<void> | undefined => {
      const folder = kind.isDirectory();
      if (this.mayRead(path)) {
        if (folder) open.push(path);
        return undefined;
      }
      if (kind.isSymbolicLink()) return this.noteLink(path);
      this.hide(path, { path, folder });
      return undefined;
    };
    if (start === root) open.push(start);
    else await note(start, stats);
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      // What cannot be listed by us cannot be by the command either.
      for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
        if (!SKIPPED.has(entry.name)) await note(`${folder}/${entry.name}`, entry);
      }
    }
  }

  /** A link with the name of a secret hides what it leads to: `.env` may be one to `config/local`. */
  private async noteLink(path: string): Promise<void> {
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined || !this.folders.some((folder) => isWithin(folder, real) && real !== folder)) return;
    const stats = await stat(real).catch(() => undefined);
    if (stats !== undefined) this.hide(path, { path: real, folder: stats.isDirectory() });
  }

  private hide(as: string, place: HiddenPlace): void {
    this.found.set(as, place);
    if (this.found.size > MAX_HIDDEN) throw new Error(`There are more than ${MAX_HIDDEN} files that may not be read.`);
  }
}

/** A path with the links of its folder resolved; itself it may be one. */
async function placed(path: string): Promise<string> {
  // What is gone by now needs not be found.
  return realpath(dirname(path)).then((folder) => join(folder, basename(path)), () => path);
}

/** Without what lies below another one, and each once. */
function outermost(places: readonly HiddenPlace[]): readonly HiddenPlace[] {
  const folders = new Set(places.filter(({ folder }) => folder).map(({ path }) => path));
  const outer = places.filter(({ path }) => !liesBelow(path, folders));
  return [...new Map(outer.map((place) => [place.path, place])).values()];
}

function liesBelow(path: string, folders: ReadonlySet<string>): boolean {
  for (let above = dirname(path); above !== dirname(above); above = dirname(above)) if (folders.has(above)) return true;
  return false;
}
