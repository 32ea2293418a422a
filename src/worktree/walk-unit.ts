import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../node/files/file-errors.js';

/** What lies in a folder, with everything below it. */
export interface Walked {
  readonly bytes: number;
  readonly files: number;
  /** Absolute paths of what is named `.git` somewhere else than at the top. */
  readonly repositories: readonly string[];
  /** Absolute paths on another file system: removing the folder would remove what is there. */
  readonly mounted: readonly string[];
  /** Absolute paths that cannot be looked into. */
  readonly unreadable: readonly string[];
}

/** Files and folders that are looked at together: each waits for the disk, or for a thread. */
const TOGETHER = 32;

/** Looks at everything in a working tree, links as what they are. @param tree absolute path; need not be there */
export async function walkTree(tree: string, signal: AbortSignal): Promise<Walked> {
  const found = { bytes: 0, files: 0, repositories: [] as string[], mounted: [] as string[], unreadable: [] as string[] };
  const top = await statOf(tree);
  if (top === undefined) return found;
  let folders = [tree];
  while (folders.length > 0) {
    const below: string[] = [];
    for (let at = 0; at < folders.length; at += TOGETHER) {
      signal.throwIfAborted();
      await Promise.all(folders.slice(at, at + TOGETHER).map((folder) => look(folder)));
    }
    folders = below;

    async function look(folder: string): Promise<void> {
      const entries = await entriesIn(folder);
      if (entries === undefined) return void found.unreadable.push(folder);
      for (const entry of entries) {
        const path = join(folder, entry.name);
        const stats = await statOf(path);
        if (stats === undefined) continue;
        if (entry.name === '.git' && folder !== tree) found.repositories.push(path);
        if (stats.dev !== top?.dev) found.mounted.push(path);
        else if (entry.isDirectory()) below.push(path);
        else {
          found.files += 1;
          found.bytes += stats.size;
        }
      }
    }
  }
  return found;
}

async function entriesIn(folder: string): ReturnType<typeof list> {
  try {
    return await list(folder);
  } catch (error) {
    // One that went away has nothing in it.
    if (errorCode(error) === 'ENOENT') return [];
    if (['EACCES', 'EPERM', 'EIO', 'ELOOP', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

async function list(folder: string): Promise<readonly { readonly name: string; isDirectory(): boolean }[] | undefined> {
  return readdir(folder, { withFileTypes: true });
}

async function statOf(path: string): Promise<{ readonly dev: number; readonly size: number } | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
