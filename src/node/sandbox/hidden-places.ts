import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Queue } from '../../concurrency/queue.js';
import { isWithin } from '../files/within.js';
import type { HiddenPlace } from './sandbox-view.js';

/** Whether what is at an absolute path may be read. */
export type MayRead = (path: string) => boolean;

/** What is not searched for secrets: others' files, and a store where all have names of hashes. */
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git', '.hg', '.svn', '.jj', '.bzr']);
/** Of these, the folders of repositories, which have a search of their own. */
const REPOSITORIES: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', '.jj', '.bzr']);
/** What a folder of Git has, whatever its name: setup.c, `is_git_directory`. One of the others beside the first is enough here. */
const GIT_FOLDER = ['HEAD', 'objects', 'refs', 'commondir'] as const;

/** Places that a command can be kept from reading; with more, starting it would take too long. */
export const MAX_HIDDEN = 2_000;

/** Changes that are looked at one by one; after more, all is searched again. */
const MAX_CHANGES = 200;

/** What is found in some folders. */
export interface FoundPlaces {
  /** What may not be read, outer folders only. */
  readonly hidden: readonly HiddenPlace[];
  /** Folders of repositories: `.git`, `.hg`, `.svn`, `.jj`, `.bzr`, and bare repositories of Git. Some may be gone by now. */
  readonly repositories: readonly string[];
}

/**
 * Knows what in some folders may not be read. The first search looks at every name, so it takes a while in a large folder; later ones only
 * look at what is said to be new.
 */
export class HiddenPlaces {
  /** By the path that was found, which for a link is not the one that is hidden. */
  private readonly found = new Map<string, HiddenPlace>();
  private readonly repositories = new Set<string>();
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
   * What may not be read now, and the repositories.
   * @throws Error when there is more than a command can be kept from.
   */
  list(): Promise<FoundPlaces> {
    return this.queue.run(() => this.update());
  }

  private async update(): Promise<FoundPlaces> {
    const changes = [...this.changed];
    // What has come may have made a repository of its folder.
    const marks = changes.filter((path) => GIT_FOLDER.some((name) => name === basename(path))).map(dirname);
    if (!this.searched) this.repositories.clear();
    // What was found is looked at again: it may be gone, or something else by now.
    const starts = this.searched ? [...(await Promise.all([...changes, ...marks].map(placed))), ...this.found.keys()] : this.folders;
    this.searched = true;
    this.found.clear();
    try {
      await Promise.all(starts.map((start) => this.searchFrom(start)));
    } catch (error) {
      this.searched = false;
      throw error;
    }
    for (const path of changes) this.changed.delete(path);
    return { hidden: outermost([...this.found.values()]), repositories: [...this.repositories] };
  }

  private async searchFrom(start: string): Promise<void> {
    const root = this.folders.find((folder) => isWithin(folder, start));
    if (root === undefined) return;
    const names = start.slice(root.length).split('/');
    const skipped = names.findIndex((name) => SKIPPED.has(name));
    if (skipped >= 0) {
      this.noteRepository(root + names.slice(0, skipped).join('/'), names[skipped] ?? '');
      return;
    }
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
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      if (isGitFolder(entries)) this.repositories.add(folder);
      for (const entry of entries) {
        if (SKIPPED.has(entry.name)) this.noteRepository(folder, entry.name);
        else await note(`${folder}/${entry.name}`, entry);
      }
    }
  }

  private noteRepository(folder: string, name: string): void {
    if (REPOSITORIES.has(name)) this.repositories.add(`${folder}/${name}`);
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

function isGitFolder(entries: readonly Dirent[]): boolean {
  const [head, ...others] = GIT_FOLDER;
  return entries.some(({ name }) => name === head) && entries.some(({ name }) => others.some((other) => other === name));
}

/** A path with the links of its folder resolved; itself it may be one. */
async function placed(path: string): Promise<string> {
  // What is gone by now needs not be found.
  return realpath(dirname(path)).then(
    (folder) => join(folder, basename(path)),
    () => path,
  );
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
