import type { Dirent } from 'node:fs';
import { opendir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Entries that are looked at, at most. */
const MAX_ENTRIES = 20_000;
/** How long it may take, in milliseconds: the user waits. */
const LIMIT_MS = 500;
/** Entries that the system is asked for at once. */
const BATCH = 500;
/** Folders that are listed at once, and links that are followed at once: each waits for the disk, or for a thread. */
const FOLDERS = 16;
const LINKS = 64;

/** What lies below a folder. */
interface WalkedEntry {
  /** Names from the folder on, joined by `/`. */
  readonly path: string;
  /** For a link that leads to something: the absolute path of that, and whether it is a folder. */
  readonly leadsTo?: { readonly real: string; readonly folder: boolean };
}

/**
 * Shows everything below a folder, hidden files too, and follows no link.
 * @param visit ends it with `false`.
 * @returns whether all was seen: `false` when it was ended, when there is too much, and when something cannot be looked at.
 */
export async function walkFolder(folder: string, visit: (entry: WalkedEntry) => boolean, signal: AbortSignal): Promise<boolean> {
  const walk = new Walk(folder, signal);
  try {
    for (let open: readonly string[] = ['']; open.length > 0;) {
      const listed = await Promise.all(open.slice(0, FOLDERS).map((below) => walk.list(below)));
      const deeper: string[] = [];
      for (const { path, entry } of listed.flat()) {
        if (!visit(entry)) return false;
        if (path !== undefined) deeper.push(path);
      }
      // What was seen before it was cut is shown: one entry may be all that the caller looks for.
      if (walk.isCut) return false;
      // The deepest first, so that few are open at a time.
      open = [...deeper, ...open.slice(FOLDERS)];
    }
    return true;
  } catch {
    signal.throwIfAborted();
    // Not all was seen; that is what the caller gets.
    return false;
  }
}

/** An entry of a folder, with its names from the walked folder on where it is a folder itself. */
interface Listed {
  readonly path: string | undefined;
  readonly entry: WalkedEntry;
}

class Walk {
  private readonly end = performance.now() + LIMIT_MS;
  private left = MAX_ENTRIES;
  private isBroken = false;

  constructor(
    private readonly folder: string,
    private readonly signal: AbortSignal,
  ) {}

  /** Whether something was not seen: there is more than is looked at, in number or in time, or a folder cannot be listed, or went away. */
  get isCut(): boolean {
    return this.isBroken || this.isTooMuch();
  }

  /** What is in a folder, with where its links lead, as far as it can be seen. @throws AbortError */
  async list(below: string): Promise<readonly Listed[]> {
    const entries: Dirent[] = [];
    try {
      for await (const entry of await opendir(join(this.folder, below), { bufferSize: BATCH })) {
        this.left -= 1;
        if (this.isTooMuch()) break;
        entries.push(entry);
      }
    } catch {
      this.signal.throwIfAborted();
      this.isBroken = true;
    }
    const listed: Listed[] = [];
    for (let at = 0; at < entries.length && (at === 0 || performance.now() <= this.end); at += LINKS) {
      listed.push(...(await Promise.all(entries.slice(at, at + LINKS).map((entry) => this.listed(below, entry)))));
    }
    return listed;
  }

  private isTooMuch(): boolean {
    this.signal.throwIfAborted();
    return this.left < 0 || performance.now() > this.end;
  }

  private async listed(below: string, entry: Dirent): Promise<Listed> {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    return { path: entry.isDirectory() ? path : undefined, entry: entry.isSymbolicLink() ? await this.followed(path) : { path } };
  }

  private async followed(path: string): Promise<WalkedEntry> {
    try {
      const real = await realpath(join(this.folder, path));
      return { path, leadsTo: { real, folder: (await stat(real)).isDirectory() } };
    } catch {
      // It leads to nothing readable.
      return { path };
    }
  }
}
