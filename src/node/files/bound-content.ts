import { present } from '../../domain/present.js';
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { escapeHidden } from '../../domain/hidden-characters.js';
import type { Binding, Bound, NotBound, UsedFolder } from '../../domain/workspace/binding.js';
import { DATA_FILE } from '../../text/command-paths.js';
import { errorCode } from './file-errors.js';
import { hashFile } from './read-bytes.js';
import { loadedFiles } from './followed-scripts.js';
import { realPathOf } from './real-path.js';
import { type LookupPlace, usedFiles } from './used-files.js';
import { isWithin } from './within.js';

/** What is looked at of one folder at most, so that looking takes a few milliseconds: all of it is read before each run. */
const MAX_FILES = 200;
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_ENTRIES = 2_000;
/** Files that are read at the same time. */
const AT_ONCE = 16;
/** Folders whose content programs make while they run, or that are looked after by Git. What they have counts as not bound, which is said of each such line. */
const PASSED_OVER: ReadonlySet<string> = new Set(['.git', 'node_modules', '__pycache__', '.venv', '.cache']);

/**
 * What an approval is bound to, as it is now: the files and folders of the workspace that a binding names. What is too much, and what
 * lies elsewhere, is told as not bound.
 */
export async function boundContent(binding: Binding, place: LookupPlace, signal: AbortSignal): Promise<Bound> {
  const earlier = binding.earlier.paths.map((path) => resolve(place.folder, binding.earlier.cwd, path));
  const named = await usedFiles([...earlier, ...binding.files], place, signal);
  const runs = new Set(binding.scripts.map((path) => resolve(place.folder, path)));
  const used = [
    ...named,
    ...(await loadedFiles(
      named.filter(({ at }) => runs.has(at)),
      named,
      place,
      signal,
    )),
  ];
  const known = new Set(earlier);
  const folders = await Promise.all([...new Set(binding.folders)].map((path) => folderAt(path, place, signal)));
  const seen = [...new Map(folders.flat().map((folder) => [folder.path, folder])).values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const notBound: readonly NotBound[] = [
    // In another folder of the workspace, what lies outside of the one that it is for is looked at all the same.
    ...binding.notBound.filter((reason) => reason.kind !== 'outside' || !used.some(({ at }) => at === resolve(place.folder, reason.text))),
    ...used.flatMap(({ file: { path, leadsTo } }): NotBound[] => (leadsTo === undefined ? [] : [{ kind: 'outside', text: path }])),
    ...used.flatMap(({ file: { path, tooLarge } }): NotBound[] => (tooLarge === undefined ? [] : [{ kind: 'large', text: path }])),
    ...seen.flatMap(({ path, content }): NotBound[] => (content === undefined ? [{ kind: 'large', text: path }] : [])),
  ];
  return {
    files: used.map(({ file }) => file),
    added: used.flatMap(({ file, at }) => (known.has(at) ? [] : [file])),
    folders: seen.map(({ path, content }) => ({ path, ...present({ content }) })),
    notBound,
    places: { files: used.map(({ real }) => real), expected: await expected(binding.files, place), folders: seen.map(({ real }) => real) },
  };
}

/** Where files of the workspace would be: what is made there later is run as well. */
async function expected(files: Binding['files'], { folder }: LookupPlace): Promise<readonly string[]> {
  const root = await realPathOf(folder);
  return files.flatMap((path) => (isAbsolute(path) || path === '' ? [] : [resolve(root, path)]));
}

type FolderPlace = UsedFolder & { readonly real: string };

/** A folder below a workspace folder; none for what is not one. */
async function folderAt(path: string, { folders, folder }: LookupPlace, signal: AbortSignal): Promise<readonly FolderPlace[]> {
  if (path.includes('\0')) return [];
  const real = await realPathOf(isAbsolute(path) ? path : join(folder, path)).catch(() => undefined);
  const roots = await Promise.all(folders.map(realPathOf));
  // All of a workspace is more than anybody would want to be asked about.
  if (real === undefined || !roots.some((root) => root !== real && isWithin(root, real)) || roots.some((root) => isWithin(real, root))) return [];
  const content = await contentOf(real, signal);
  return content === 'none' ? [] : [{ path: escapeHidden(path), real, ...present({ content }) }];
}

/** `undefined` when it is too much. Links in it count by where they lead, and are not followed. */
async function contentOf(real: string, signal: AbortSignal): Promise<UsedFolder['content'] | 'none'> {
  const listed = await filesIn(real);
  if (listed === undefined || listed === 'none') return listed;
  const hash = createHash('sha256');
  let left = MAX_BYTES;
  for (let at = 0; at < listed.length; at += AT_ONCE) {
    signal.throwIfAborted();
    const names = listed.slice(at, at + AT_ONCE);
    const contents = await Promise.all(names.map((name) => hashOf(join(real, name), left, signal)));
    for (const [index, content] of contents.entries()) {
      if (content === undefined || content.size > left) return undefined;
      left -= content.size;
      hash.update(`${JSON.stringify([names[index], content.sha256])}\n`);
    }
  }
  return { files: listed.length, sha256: hash.digest('hex') };
}

async function hashOf(path: string, left: number, signal: AbortSignal): Promise<{ readonly sha256: string; readonly size: number } | undefined> {
  const real = await realPathOf(path).catch(() => path);
  try {
    const hashed = await hashFile(real, left, signal);
    return 'tooLarge' in hashed ? undefined : hashed;
  } catch {
    signal.throwIfAborted();
    // A pipe, a link to a folder or to nothing, or an unreadable file: once it can be read, or leads elsewhere, the folder counts as changed.
    return { sha256: real, size: 0 };
  }
}

/** Names of the files below a folder, sorted; `undefined` when there are too many. */
async function filesIn(real: string): Promise<readonly string[] | undefined | 'none'> {
  const found: string[] = [];
  let entries = 0;
  const open = [''];
  for (let below = open.pop(); below !== undefined; below = open.pop()) {
    const listed = await listedIn(resolve(real, below));
    if (listed === undefined) {
      if (below === '') return 'none';
      continue;
    }
    for (const entry of listed) {
      entries += 1;
      if (entries > MAX_ENTRIES || found.length > MAX_FILES) return undefined;
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!PASSED_OVER.has(entry.name)) open.push(path);
      } else if (!DATA_FILE.test(entry.name)) {
        found.push(path);
      }
    }
  }
  return found.sort();
}

async function listedIn(folder: string): Promise<Awaited<ReturnType<typeof readFolder>> | undefined> {
  try {
    return await readFolder(folder);
  } catch (error) {
    // No folder, or one without permission to read it.
    if (errorCode(error) !== undefined) return undefined;
    throw error;
  }
}

function readFolder(folder: string) {
  return readdir(folder, { withFileTypes: true });
}
