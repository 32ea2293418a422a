import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runGit } from './run-git.js';

/** Three versions of a text. */
export interface ThreeVersions {
  readonly base: Uint8Array;
  readonly main: Uint8Array;
  readonly worktree: Uint8Array;
}

/** What a merge has made of them. */
export type MergedFile =
  /** With as many places that both have changed, each between the marks of Git. */
  | { readonly kind: 'merged'; readonly bytes: Uint8Array; readonly conflicts: number }
  /** One of them is no text. */
  | { readonly kind: 'binary' };

/** How `git merge-file` ends when it failed; lower numbers are those of conflicts (git-merge-file(1)). */
const FAILED = 255;
const CONFLICTS = Array.from({ length: 127 }, (_, index) => index + 1);

/**
 * Merges what the main checkout and a worktree have made of a file, hunk by hunk, and writes nothing into either, nor into an index.
 * @param names what the versions are called in marks of conflicts: of the main checkout, the base, and the worktree; `worktree` for no marks, and its lines
 */
export async function mergeVersions(
  { base, main, worktree }: ThreeVersions,
  names: readonly [string, string, string] | 'worktree',
  signal: AbortSignal,
): Promise<MergedFile> {
  const folder = await mkdtemp(join(tmpdir(), 'gnomon-merge-'));
  try {
    await Promise.all([
      writeFile(join(folder, 'main'), main, { mode: 0o600 }),
      writeFile(join(folder, 'base'), base, { mode: 0o600 }),
      writeFile(join(folder, 'worktree'), worktree, { mode: 0o600 }),
    ]);
    const marks = names === 'worktree' ? ['--theirs'] : ['--diff3', ...names.flatMap((name) => ['-L', name])];
    // The folder is no repository, so that no settings of one count.
    const args = ['merge-file', '-p', ...marks, join(folder, 'main'), join(folder, 'base'), join(folder, 'worktree')];
    const { code, output } = await runGit({ gitFolder: folder }, args, { answers: [...CONFLICTS, FAILED], signal });
    return code === FAILED ? { kind: 'binary' } : { kind: 'merged', bytes: output, conflicts: code };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
