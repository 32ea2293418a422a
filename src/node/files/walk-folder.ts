import type { Dirent } from 'node:fs';
import { opendir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Entries that are looked at, at most. */
const MAX_ENTRIES = 20_000;
/** How long it may take, in milliseconds: the user waits. */
const LIMIT_MS = 500;
/** Entries that the system is asked for at once. */
const BATCH = 500;

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
  const end = performance.now() + LIMIT_MS;
  let left = MAX_ENTRIES;
  const open = [''];
  try {
    for (let below = open.pop(); below !== undefined; below = open.pop()) {
      for await (const entry of await opendir(join(folder, below), { bufferSize: BATCH })) {
        signal.throwIfAborted();
        left -= 1;
        if (left < 0 || performance.now() > end) return false;
        const path = below === '' ? entry.name : `${below}/${entry.name}`;
        if (!visit(await walked(folder, path, entry))) return false;
        if (entry.isDirectory()) open.push(path);
      }
    }
    return true;
  } catch {
    signal.throwIfAborted();
    // A folder that cannot be listed, or that went away, was not seen; that is what the caller gets.
    return false;
  }
}

async function walked(folder: string, path: string, entry: Dirent): Promise<WalkedEntry> {
  if (!entry.isSymbolicLink()) return { path };
  try {
    const real = await realpath(join(folder, path));
    return { path, leadsTo: { real, folder: (await stat(real)).isDirectory() } };
  } catch {
    // It leads to nothing readable.
    return { path };
  }
}
