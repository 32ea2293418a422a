import { createHash, randomBytes } from 'node:crypto';
import { type Stats, constants, existsSync, lstatSync, realpathSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../files/file-errors.js';
import { isWithin, withFoldersAbove } from '../files/within.js';

/** Bytes of a file that is copied; larger ones are mounted. */
const MAX_BYTES = 1024 * 1024;
/** Milliseconds after which copies that no window has used anew are removed. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

/** What a sandbox has of a system. */
export interface SystemParts {
  /** Absolute paths of what is mounted. */
  readonly mounted: readonly string[];
  /** Names that lead to what is mounted: the machine’s own links, and small files of which there are copies. */
  readonly links: readonly { readonly path: string; readonly real: string }[];
}

/** A path of the system where something is. */
interface There {
  readonly path: string;
  readonly stats: Stats;
}

/** How the sandbox shows a path of the system. */
interface Part {
  readonly path: string;
  readonly real: string;
  readonly kind: 'link' | 'copied' | 'mounted';
  /** Tells one state of a copied file from others. */
  readonly stamp: string;
}

/**
 * Keeps the system in few mounts. For each, bubblewrap reads the list of all mounts anew, so that dozens of small files of `/etc` took most of the time that
 * it takes to start. Their copies lie in one folder, which is mounted, and links with their names lead there. Copies are never changed: for another state of
 * any file there is another folder.
 */
export class SystemCopies {
  private known: { readonly stamp: string; readonly folder: string; readonly made: Promise<void> } | undefined;
  private cleaned: Promise<void> | undefined;

  /** @param folder absolute path of a folder for the copies */
  constructor(private readonly folder: string) {}

  /**
   * @param places absolute paths of what a command may read of the system @param others of what is in the sandbox beside it: what has one of these in it is
   * mounted, as nothing can be mounted into a link
   */
  async of(places: readonly string[], others: readonly string[]): Promise<SystemParts> {
    const around = new Set(others.flatMap(withFoldersAbove));
    const there = places.flatMap((path): readonly There[] => {
      const stats = statsOf(path);
      return stats === undefined ? [] : [{ path, stats }];
    });
    const solid = there.filter(({ stats }) => stats.isDirectory()).map(({ path }) => path);
    const parts = there.flatMap((one) => partOf(one, around.has(one.path) ? undefined : solid) ?? []);
    const copied = parts.filter(({ kind }) => kind === 'copied');
    const mounted = parts.filter(({ kind }) => kind === 'mounted').map(({ path }) => path);
    const links = parts.filter(({ kind }) => kind === 'link').map(({ path, real }) => ({ path, real }));
    if (copied.length === 0) return { mounted, links };
    const folder = await this.copiesOf(copied);
    return { mounted: [...mounted, folder], links: [...links, ...copied.map(({ path }) => ({ path, real: join(folder, nameOf(path)) }))] };
  }

  private async copiesOf(parts: readonly Part[]): Promise<string> {
    const stamp = createHash('sha256')
      .update(JSON.stringify(parts.map(({ path, stamp: state }) => [path, state])))
      .digest('hex')
      .slice(0, 32);
    // Another window may have removed what it takes for left over.
    if (this.known?.stamp !== stamp || !existsSync(this.known.folder)) {
      const folder = join(this.folder, stamp);
      const made = this.make(folder, parts);
      this.known = { stamp, folder, made };
      made.catch(() => {
        this.known = undefined;
      });
    }
    const { folder, made } = this.known;
    await made;
    return folder;
  }

  private async make(folder: string, parts: readonly Part[]): Promise<void> {
    await (this.cleaned ??= this.removeOld());
    const now = new Date();
    if (
      await utimes(folder, now, now).then(
        () => true,
        () => false,
      )
    )
      return;
    const making = `${folder}.${randomBytes(6).toString('hex')}`;
    await mkdir(making, { recursive: true });
    try {
      await Promise.all(parts.map(({ path, real }) => copyFile(real, join(making, nameOf(path)))));
      await rename(making, folder).catch((error: unknown) => {
        // Another window has made it meanwhile.
        if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error;
      });
    } finally {
      await rm(making, { recursive: true, force: true });
    }
  }

  private async removeOld(): Promise<void> {
    const old = Date.now() - KEPT_MS;
    const names = await readdir(this.folder).catch(() => []);
    await Promise.all(
      names.map(async (name) => {
        const path = join(this.folder, name);
        if (
          await stat(path).then(
            ({ mtimeMs }) => mtimeMs < old,
            () => false,
          )
        )
          await rm(path, { recursive: true, force: true });
      }),
    );
  }
}

/**
 * @param solid folders of the system that are mounted; none where the path has to be a mount itself
 * @returns `undefined` for a link that leads nowhere.
 */
function partOf({ path, stats }: There, solid: readonly string[] | undefined): Part | undefined {
  const mounted: Part = { path, real: path, kind: 'mounted', stamp: '' };
  const real = stats.isSymbolicLink() ? realOf(path) : path;
  if (real === undefined) return undefined;
  if (solid === undefined) return mounted;
  if (real !== path && solid.some((folder) => isWithin(folder, real))) return { ...mounted, real, kind: 'link' };
  const state = (real === path ? stats : statsOf(real)) ?? stats;
  // What others may not read of the machine, a command does not read by way of a copy.
  if (!state.isFile() || state.size > MAX_BYTES || (state.mode & constants.S_IROTH) === 0) return mounted;
  return { ...mounted, real, kind: 'copied', stamp: [real, state.dev, state.ino, state.size, state.mtimeMs, state.ctimeMs].join(' ') };
}

/** A few files of the machine itself, which are looked at before each command: to wait for each would take many times longer than to look. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** A name that no other path has. */
function nameOf(path: string): string {
  return path.slice(1).replaceAll('%', '%25').replaceAll('/', '%2F');
}
