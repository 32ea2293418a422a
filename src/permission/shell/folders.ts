import { posix } from 'node:path';
import type { Word } from './words/word.js';

/**
 * The folders in which a command may run, as absolute paths: several where it is not certain that a change of folder
 * before it worked. `undefined` when they are known only at run time.
 */
export type Folders = readonly string[] | undefined;

/** The folders after a command: when it worked, and when it did not. */
export interface Flow {
  readonly worked: Folders;
  readonly failed: Folders;
  /** The folders of which it prints the names of files below, where that is all it prints. */
  readonly names?: readonly (Word | string)[];
}

/** More folders than these are as good as none known. */
const MAX_FOLDERS = 4;

/** A command that stays where it is. */
export function staysIn(folders: Folders): Flow {
  return { worked: folders, failed: folders };
}

/** All folders of both. */
export function either(a: Folders, b: Folders): Folders {
  if (a === undefined || b === undefined) return undefined;
  const all = [...new Set([...a, ...b])];
  return all.length > MAX_FOLDERS ? undefined : all;
}

/** The folders after a command, whether it worked or not. */
export function after(flow: Flow): Folders {
  return either(flow.worked, flow.failed);
}

/** The absolute paths that a path may mean; none when a relative one depends on a folder that is not known. */
export function absolutePaths(path: string, folders: Folders): readonly string[] {
  if (posix.isAbsolute(path)) return [tidy(path)];
  return (folders ?? []).map((folder) => tidy(posix.join(folder, path)));
}

/**
 * The folders from which a path goes up. Where one of them is a link, the path leads elsewhere than its text shows, so
 * they must be judged too.
 */
export function foldersLeft(path: string, folders: Folders): readonly string[] {
  const starts = posix.isAbsolute(path) ? ['/'] : (folders ?? []);
  return starts.flatMap((start) => foldersLeftFrom(start, path.split('/')));
}

function foldersLeftFrom(start: string, names: readonly string[]): readonly string[] {
  const left: string[] = [];
  let folder = start;
  for (const name of names) {
    if (name === '..') left.push(folder);
    folder = posix.join(folder, name);
  }
  return left.filter((path) => path !== '/').map(tidy);
}

/** Without `.`, `..` and slashes at the end. */
function tidy(path: string): string {
  const normal = posix.normalize(path);
  return normal.length > 1 ? normal.replace(/\/+$/, '') : normal;
}
