import { isUtf8 } from 'node:buffer';
import { lstat, readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { errorCode } from '../node/files/file-errors.js';

/** What lies in a folder, with everything below it. */
export interface Walked {
  readonly bytes: number;
  readonly files: number;
  /** Absolute paths, as they are shown, of what is named `.git` somewhere else than at the top. */
  readonly repositories: readonly string[];
  /** The same of what is on another file system: removing the folder would remove what is there. */
  readonly mounted: readonly string[];
  /** The same of what cannot be looked into. */
  readonly unreadable: readonly string[];
}

/** Files and folders that are looked at together: each waits for the disk, or for a thread. */
const TOGETHER = 32;

/** A path, as bytes where a name in it is not in UTF-8. */
type ExactPath = string | Buffer;

/** Looks at everything in a working tree, links as what they are. @param tree absolute path; need not be there */
export async function walkTree(tree: ExactPath, signal: AbortSignal): Promise<Walked> {
  const found = { bytes: 0, files: 0, repositories: [] as string[], mounted: [] as string[], unreadable: [] as string[] };
  const top = await statOf(tree);
  if (top === undefined) return found;
  let folders = [tree];
  while (folders.length > 0) {
    const below: ExactPath[] = [];
    for (let at = 0; at < folders.length; at += TOGETHER) {
      signal.throwIfAborted();
      await Promise.all(folders.slice(at, at + TOGETHER).map((folder) => look(folder)));
    }
    folders = below;

    async function look(folder: ExactPath): Promise<void> {
      const entries = await entriesIn(folder);
      if (entries === undefined) return void found.unreadable.push(String(folder));
      for (const entry of entries) {
        const path = within(folder, entry.name);
        const stats = await statOf(path);
        if (stats === undefined) continue;
        if (entry.name === '.git' && folder !== tree) found.repositories.push(String(path));
        if (stats.dev !== top?.dev) found.mounted.push(String(path));
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

function within(folder: ExactPath, name: ExactPath): ExactPath {
  if (typeof folder === 'string' && typeof name === 'string') return join(folder, name);
  return Buffer.concat([Buffer.from(folder), Buffer.from(sep), Buffer.from(name)]);
}

/** An entry of a folder. */
interface Entry {
  readonly name: ExactPath;
  isDirectory(): boolean;
}

async function entriesIn(folder: ExactPath): Promise<readonly Entry[] | undefined> {
  try {
    return await list(folder);
  } catch (error) {
    // One that went away has nothing in it.
    if (errorCode(error) === 'ENOENT') return [];
    if (['EACCES', 'EPERM', 'EIO', 'ELOOP', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** Names are bytes only where one of the folder is not in UTF-8: Windows takes long paths only as text. */
async function list(folder: ExactPath): Promise<readonly Entry[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  if (!entries.some(({ name }) => name.includes(REPLACED))) return entries;
  const exact = await readdir(folder, { withFileTypes: true, encoding: 'buffer' });
  return exact.map((entry) => ({ name: isUtf8(entry.name) ? entry.name.toString('utf8') : entry.name, isDirectory: () => entry.isDirectory() }));
}

/** What stands for bytes that are no part of UTF-8 in the names that Node gives. */
const REPLACED = '\ufffd';

async function statOf(path: ExactPath): Promise<{ readonly dev: number; readonly size: number } | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
