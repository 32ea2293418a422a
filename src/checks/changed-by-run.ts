import { posix } from 'node:path';
import type { Binding } from '../domain/workspace/binding.js';
import { compileName, nameFits } from '../text/wildcards.js';
import { DECIDING_FILES, TEST_FILES } from './ecosystems.js';

/** A file of a change because of which the approval of a check does not hold. */
export interface TouchedFile {
  /** Relative to the folder of the project, with slashes; absolute outside. */
  readonly path: string;
  /** `runs`: what the check runs, or decides what that is. `test`: it is one, or is loaded by some. */
  readonly as: 'runs' | 'test';
}

type Pattern = ReturnType<typeof compileName>;

/** Patterns of names in either case, and those in which the case tells apart what is meant: `ATest.java` is a test, `latest.ts` is none. */
interface Patterns {
  readonly lower: readonly Pattern[];
  readonly exact: readonly Pattern[];
  readonly folders: readonly string[];
}

function patternsOf(names: readonly string[], folders: readonly string[]): Patterns {
  const isExact = (name: string): boolean => /^\*[A-Z]/.test(name);
  return {
    lower: names.filter((name) => !isExact(name)).map((name) => compileName(name.toLowerCase())),
    exact: names.filter(isExact).map(compileName),
    folders: folders.map((folder) => `/${folder.toLowerCase()}/`),
  };
}

// Programs of all kinds: a script may start any.
const DECIDING = patternsOf(
  DECIDING_FILES.flatMap(({ names }) => names),
  DECIDING_FILES.flatMap(({ folders }) => folders ?? []),
);
const TESTS = patternsOf(TEST_FILES.names, TEST_FILES.folders);

/**
 * The files of a change that belong to a check: scripts, build files, and configuration by what it is bound to and by their names anywhere in the
 * project, and tests by their names. Letters count in either case, as they do for some file systems.
 * @param paths of the change: relative to the folder of the project, or absolute
 * @param folder absolute path of the project
 */
export function changedByRun({ files, folders }: Pick<Binding, 'files' | 'folders'>, paths: readonly string[], folder: string): readonly TouchedFile[] {
  const bound = new Set(files.map(normal));
  const below = folders.map((path) => `${normal(path)}/`);
  return paths.flatMap((given): TouchedFile[] => {
    const path = within(given, folder);
    const key = normal(path);
    if (bound.has(key) || below.some((start) => key.startsWith(start)) || fits(path, DECIDING)) return [{ path, as: 'runs' }];
    return fits(path, TESTS) ? [{ path, as: 'test' }] : [];
  });
}

function fits(path: string, { lower, exact, folders }: Patterns): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const key = normal(path);
  return (
    lower.some((pattern) => nameFits(pattern, name.toLowerCase())) ||
    exact.some((pattern) => nameFits(pattern, name)) ||
    folders.some((folder) => `/${key}`.includes(folder))
  );
}

function within(path: string, folder: string): string {
  const [slashed, root] = [path.replaceAll('\\', '/'), `${folder.replaceAll('\\', '/').replace(/\/+$/, '')}/`];
  return slashed.startsWith(root) ? slashed.slice(root.length) : slashed;
}

function normal(path: string): string {
  return posix
    .normalize(path.replaceAll('\\', '/'))
    .replace(/^\.\/|\/$/g, '')
    .toLowerCase();
}
