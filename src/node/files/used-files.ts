import { stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { escapeHidden } from '../../domain/hidden-characters.js';
import type { UsedFile } from '../../domain/workspace/used-file.js';
import { errorCode } from './file-errors.js';
import { realPathOf } from './real-path.js';
import { isWithin } from './within.js';
import { hashFile } from './read-bytes.js';

/** Bytes of one file, and of all files of one entry, that are hashed. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;
const MAX_TOTAL_BYTES = 128 * 1024 * 1024;

/** Where the paths of a command line lead from. */
export interface LookupPlace {
  /** Absolute paths of the open workspace folders. */
  readonly folders: readonly string[];
  /** Absolute path of the one that the entry is for; the home folder where none is open. */
  readonly folder: string;
}

/** A file and where it is. */
export interface PlacedFile {
  readonly file: UsedFile;
  /** Absolute path without links. */
  readonly real: string;
  /** The first of the paths that led to it, absolute. */
  readonly at: string;
}

/**
 * The files in the workspace among some paths, with the hashes of their contents, so that a change of a script is noticed before it is run,
 * and with where each is. What is not there, is no regular file, or lies outside is left out. Of a link that leads out of the workspace, only
 * its target is recorded. Paths with `..` are followed as the system does, links first.
 * @param paths absolute, or relative to the folder of the entry
 */
export async function usedFiles(paths: readonly string[], { folders, folder }: LookupPlace, signal: AbortSignal): Promise<readonly PlacedFile[]> {
  const roots = await rootsOf(folders);
  // Many of them are one path in two spellings.
  const whole = paths.filter((path) => !path.includes('\0')).map((path) => (isAbsolute(path) ? path : `${folder}${sep}${path}`));
  const named = [...new Set(whole.map((path) => (goesUp(path) ? path : resolve(path))))];
  const places = await Promise.all(named.map((path) => placeOf(path, roots)));
  const found = new Map<string, PlacedFile>();
  let left = MAX_TOTAL_BYTES;
  for (const [index, place] of places.entries()) {
    signal.throwIfAborted();
    if (place === undefined || found.has(place.path)) continue;
    const { content, size } = await contentOf(place, Math.min(MAX_FILE_BYTES, left), signal);
    left -= size;
    found.set(place.path, { file: { path: place.path, ...content }, real: place.real, at: named[index] ?? '' });
  }
  return [...found.values()];
}

/** A workspace folder, and where it leads. */
interface Root {
  readonly path: string;
  readonly real: string;
}

/** Where a file of the workspace is. */
interface FilePlace {
  /** Relative to its workspace folder, with slashes. */
  readonly path: string;
  readonly real: string;
  /** Where it leads when that is outside of the workspace. */
  readonly leadsTo?: string;
}

/** What is known of a file, and how many bytes were read for that. */
async function contentOf(
  { real, leadsTo }: FilePlace,
  maxBytes: number,
  signal: AbortSignal,
): Promise<{ readonly content: Omit<UsedFile, 'path'>; readonly size: number }> {
  if (leadsTo !== undefined) return { content: { leadsTo }, size: 0 };
  try {
    const hashed = await hashFile(real, maxBytes, signal);
    return 'sha256' in hashed ? { content: { sha256: hashed.sha256 }, size: hashed.size } : { content: hashed, size: 0 };
  } catch {
    signal.throwIfAborted();
    // An unreadable file cannot be run; once it can be read, it counts as changed.
    return { content: {}, size: 0 };
  }
}

async function rootsOf(folders: readonly string[]): Promise<readonly Root[]> {
  return Promise.all(folders.map(async (path) => ({ path, real: await realPathOf(path) })));
}

/** `undefined` for what is no file of the workspace. */
async function placeOf(path: string, roots: readonly Root[]): Promise<FilePlace | undefined> {
  if (!(await isFile(path))) return undefined;
  const real = await realPathOf(path);
  const absolute = goesUp(path) ? real : resolve(path);
  const named = roots.find(({ path, real: root }) => isWithin(path, absolute) || isWithin(root, absolute));
  const holding = roots.find((root) => isWithin(root.real, real));
  if (named === undefined && holding === undefined) return undefined;
  const base = named === undefined ? (holding?.real ?? '') : isWithin(named.path, absolute) ? named.path : named.real;
  const shown = escapeHidden(
    relative(base, named === undefined ? real : absolute)
      .split(sep)
      .join('/'),
  );
  return { path: shown, real, ...(holding === undefined ? { leadsTo: real } : {}) };
}

function goesUp(path: string): boolean {
  return path.split(/[\\/]/).includes('..');
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    // An argument is seldom a path: there is none, or it is too long, or leads through a loop of links, or where the user may not look.
    if (errorCode(error) !== undefined) return false;
    throw error;
  }
}
