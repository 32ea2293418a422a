import { randomBytes } from 'node:crypto';
import { lstat, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partsOf } from '../node/process/git-command.js';
import { type GitPlace, runGit } from './run-git.js';

/** Patterns that choose among the files that a repository ignores. */
export interface ListedFiles {
  /** In the syntax of `.gitignore`, relative to the top of the working tree. */
  readonly patterns: readonly string[];
  /** Absolute path of a folder that takes the patterns while Git reads them. */
  readonly scratch: string;
}

/** Paths of the files in a working tree that Git ignores, does not track, and that some patterns list. */
export async function listedFiles(place: GitPlace, listed: ListedFiles, signal: AbortSignal): Promise<readonly string[]> {
  const input = await listUntracked(place, listed, signal);
  if (input.length === 0) return [];
  // What matches a pattern and is not ignored is a new file like any other.
  return partsOf((await runGit(place, ['check-ignore', '-z', '--stdin'], { input, answers: [1], signal })).output);
}

/** Paths of the files in a working tree that the index does not have, whether Git ignores them or not, and that some patterns list. */
export async function listedUntracked(place: GitPlace, listed: ListedFiles, signal: AbortSignal): Promise<readonly string[]> {
  return partsOf(await listUntracked(place, listed, signal));
}

async function listUntracked(place: GitPlace, { patterns, scratch }: ListedFiles, signal: AbortSignal): Promise<Buffer> {
  if (patterns.length === 0) return Buffer.alloc(0);
  const file = join(scratch, `patterns.${randomBytes(6).toString('hex')}`);
  await writeFile(file, `${patterns.join('\n')}\n`, { flag: 'wx' });
  try {
    return (await runGit(place, ['ls-files', '-z', '--others', '--ignored', `--exclude-from=${file}`], { signal })).output;
  } finally {
    await rm(file, { force: true });
  }
}

/** Bytes of the same files, for somebody who has no folder of their own for that. */
export async function bytesOfListed(place: GitPlace & { readonly workTree: string }, patterns: readonly string[], signal: AbortSignal): Promise<number> {
  if (patterns.length === 0) return 0;
  const scratch = await mkdtemp(join(tmpdir(), 'gnomon-listed-'));
  try {
    const paths = await listedFiles(place, { patterns, scratch }, signal);
    const sizes = await Promise.all(
      paths.map((path) =>
        lstat(join(place.workTree, path)).then(
          ({ size }) => size,
          // It has gone since.
          () => 0,
        ),
      ),
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
