import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { copyIndex, seeFiles, type SeenTree, withIndex, writeTree } from './view.js';
import { GitFailure, type GitPlace, lineOf } from './run-git.js';
import type { Head, MainRepository } from './repository.js';

/** Who a snapshot is by: it is no commit of the user’s. */
export const GNOMON: Readonly<Record<string, string>> = {
  GIT_AUTHOR_NAME: 'Gnomon',
  GIT_AUTHOR_EMAIL: 'gnomon@localhost',
  GIT_COMMITTER_NAME: 'Gnomon',
  GIT_COMMITTER_EMAIL: 'gnomon@localhost',
};

/** A commit of a working tree as it was. */
interface Snapshot extends Pick<SeenTree, 'nested'> {
  readonly commit: string;
}

/**
 * Makes a commit of the head of a repository with all changes in its working tree, also of files that Git does not track yet, but not of ignored ones.
 * Nothing of the repository is touched: neither its index, of which a copy says what need not be read, nor its objects or references.
 * @param view a repository that takes the objects and can read those of the main one
 */
export async function takeSnapshot(
  view: GitPlace,
  { main, head }: { readonly main: MainRepository; readonly head: Head },
  signal: AbortSignal,
): Promise<Snapshot> {
  const commit = head.kind === 'unborn' ? undefined : head.commit;
  const index = join(view.gitFolder, 'index');
  const place = { ...view, workTree: main.root };
  const take = async (fill: boolean): Promise<Snapshot> =>
    withIndex(place, signal, async (run) => {
      if (fill && commit !== undefined) await run(['read-tree', commit]);
      const { nested } = await seeFiles(run);
      const tree = await writeTree(run);
      const args = ['commit-tree', ...(commit === undefined ? [] : ['-p', commit]), '-m', 'Working tree as it was when the worktree was created', tree];
      return { commit: lineOf(await run(args, { variables: GNOMON })), nested };
    });
  await copyIndex(join(main.gitFolder, 'index'), index);
  try {
    return await take(false).catch(async (error: unknown) => {
      // An index of several parts, or in a format that depends on settings, is made anew from the commit, which only takes longer.
      if (!(error instanceof GitFailure)) throw error;
      await rm(index, { force: true });
      return take(true);
    });
  } finally {
    await rm(index, { force: true });
  }
}

/** Copies the objects of a snapshot to where an agent’s commands can read them; they cannot change those that Gnomon compares with. */
export async function copyObjects(from: string, to: string): Promise<void> {
  await cp(join(from, 'objects'), join(to, 'objects'), { recursive: true, force: true, filter: (path) => !path.endsWith('/info') });
}
