import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorMessage } from '../domain/errors.js';
import { errorCode } from '../node/files/file-errors.js';
import { namesIn } from '../node/files/names-in.js';
import { rawChanges } from './change-set.js';
import { agentRepository, ownPlace, type Worktree } from './record.js';
import { inMain, type MainRepository, objectsOf, tipsOf } from './repository.js';
import { GitFailure, type GitPlace, lineOf, runGit } from './run-git.js';
import { seeWork } from './see-work.js';
import { copyIndex, viewOf, withIndex, writeTree } from './view.js';

/** A commit to make of a worktree. */
export interface WantedCommit {
  readonly worktree: Worktree;
  readonly main: MainRepository;
  readonly message: string;
  /** Name of a branch that is not there yet. */
  readonly branch: string;
  /** Whether a branch is wanted of what it began with where nothing was changed since, and that is a snapshot of files of the user. */
  readonly begun?: boolean;
  readonly signal: AbortSignal;
}

/** A branch of the main repository with what a worktree has, or why there is none. */
export type CommitOutcome =
  | { readonly kind: 'committed'; readonly commit: string; readonly branch: string }
  /** Nothing differs from what the worktree began with, and that is not wanted. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'failed'; readonly why: 'bad_branch' | 'branch_exists' | 'no_identity' | 'left_out' | 'git'; readonly detail: string };

/**
 * Commits all that is in a worktree on a new branch of the main repository, on top of the commits that an agent has made there. Gnomon does it, in the name
 * of the user and without hooks or signature: no command of an agent writes into the main repository.
 */
export async function commitOnBranch(wanted: WantedCommit): Promise<CommitOutcome> {
  const { worktree, main, branch, signal } = wanted;
  try {
    const checked = await inMain(main, ['check-ref-format', '--branch', branch], signal, [1, 128]);
    if (checked.code !== 0 || lineOf(checked) !== branch) return { kind: 'failed', why: 'bad_branch', detail: branch };
    const there = await inMain(main, ['show-ref', '--verify', '--quiet', `refs/heads/${branch}`], signal, [1]);
    if (there.code === 0) return { kind: 'failed', why: 'branch_exists', detail: branch };
    const made = await makeCommit(wanted);
    if (typeof made !== 'string') return made;
    await bringOver(viewOf(worktree, main), made, main, signal);
    await copyLargeFiles([ownPlace(worktree.unit, 'view'), agentRepository(worktree)], main);
    // An all-zero id: the branch must not be there by now.
    await inMain(main, ['update-ref', '-m', 'gnomon: commit of a worktree', `refs/heads/${branch}`, made, '0'.repeat(made.length)], signal);
    await moveHead(worktree, main, made, signal);
    return { kind: 'committed', commit: made, branch };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof GitFailure)) throw error;
    return { kind: 'failed', why: 'git', detail: errorMessage(error) };
  }
}

async function makeCommit({ worktree, main, message, begun, signal }: WantedCommit): Promise<string | CommitOutcome> {
  const view = viewOf(worktree, main);
  const base = worktree.record.base.commit;
  const { tree, left } = await withIndex(view, signal, async (run, index) => {
    const { nested, refused } = await seeWork(worktree, { run, index });
    return { tree: await writeTree(run), left: [...nested, ...refused] };
  });
  // A commit that looks complete and is not would let the worktree be removed.
  if (left.length > 0) return { kind: 'failed', why: 'left_out', detail: left.join('\n') };
  const parent = await parentOf(worktree, main, signal);
  const parentTree = lineOf(await runGit(view, ['rev-parse', '--verify', `${parent}^{tree}`], { signal }));
  const isWanted = begun === true && worktree.record.base.kind === 'snapshot';
  if (parentTree === tree) return parent === base && !isWanted ? { kind: 'nothing' } : parent;
  const variables = await identityOf(main, signal);
  if (variables === undefined) return { kind: 'failed', why: 'no_identity', detail: '' };
  return lineOf(await runGit(view, ['commit-tree', '-p', parent, '-F', '-', tree], { input: message, variables, signal }));
}

/** The commit that an agent has checked out, if it goes on from what the worktree began with; that otherwise. */
async function parentOf(worktree: Worktree, main: MainRepository, signal: AbortSignal): Promise<string> {
  const base = worktree.record.base.commit;
  if (!(await hasRepository(worktree))) return base;
  const head = await runGit({ gitFolder: agentRepository(worktree) }, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { answers: [1, 128], signal });
  if (head.code !== 0) return base;
  const goesOn = await runGit(viewOf(worktree, main), ['merge-base', '--is-ancestor', base, lineOf(head)], { answers: [1, 128], signal });
  return goesOn.code === 0 ? lineOf(head) : base;
}

/** Whether the repository of the agent is there: it may have deleted that. */
async function hasRepository(worktree: Worktree): Promise<boolean> {
  return (await namesIn(agentRepository(worktree))).length > 0;
}

/** Who the user is, by the settings of Git and nothing that it would guess. */
async function identityOf(main: MainRepository, signal: AbortSignal): Promise<Readonly<Record<string, string>> | undefined> {
  const asked = await inMain(main, ['-c', 'user.useConfigOnly=true', 'var', 'GIT_AUTHOR_IDENT'], signal, [128]);
  const [, name, email] = /^(.*) <(.*)> \d+ [+-]\d+$/.exec(lineOf(asked)) ?? [];
  if (asked.code !== 0 || name === undefined || email === undefined) return undefined;
  return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
}

/** Brings a commit and all that it needs into the main repository: as a checked pack, since a transport would start programs in the agent’s repository. */
async function bringOver(view: GitPlace, commit: string, main: MainRepository, signal: AbortSignal): Promise<void> {
  const tips = await tipsOf(main, signal);
  const pack = join(view.gitFolder, `pack.${randomBytes(6).toString('hex')}`);
  try {
    const input = `${[commit, ...tips.map((id) => `^${id}`)].join('\n')}\n`;
    const hash = lineOf(await runGit(view, ['pack-objects', '--quiet', '--revs', pack], { input, signal }));
    const handle = await open(`${pack}-${hash}.pack`, constants.O_RDONLY);
    try {
      await runGit({ gitFolder: main.gitFolder }, ['unpack-objects', '-q', '--strict'], { input: await handle.readFile(), signal });
    } finally {
      await handle.close();
    }
  } finally {
    await removeAll(dirname(pack), `pack.`);
  }
}

/** Files of Git LFS, of which a commit has only the names. */
async function copyLargeFiles(from: readonly string[], main: MainRepository): Promise<void> {
  for (const repository of from) {
    const folder = join(repository, 'lfs', 'objects');
    for (const path of await filesBelow(folder)) {
      const to = join(main.commonFolder, 'lfs', 'objects', path);
      await mkdir(dirname(to), { recursive: true });
      await copyFile(join(folder, path), to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE).catch((error: unknown) => {
        if (errorCode(error) !== 'EEXIST') throw error;
      });
    }
  }
}

/** Has the repository in the worktree be at the commit, unless its index has something that would be lost with that. */
async function moveHead(worktree: Worktree, main: MainRepository, commit: string, signal: AbortSignal): Promise<void> {
  if (!(await hasRepository(worktree))) return;
  const repository = agentRepository(worktree);
  const place = { gitFolder: repository, objects: [objectsOf(main), ownPlace(worktree.unit, 'view', 'objects')] };
  const against = async (id: string): Promise<ReadonlySet<string>> => {
    const { output } = await runGit(place, ['diff-index', '--cached', '--raw', '-z', '--no-abbrev', id], { signal });
    return new Set(rawChanges(output).map(({ path }) => path));
  };
  const [fromHead, fromCommit] = [await against('HEAD'), await against(commit)];
  if ([...fromHead].some((path) => fromCommit.has(path))) return;
  await runGit(place, ['update-ref', '-m', 'gnomon: commit of the worktree', 'HEAD', commit], { signal });
  const index = `${join(repository, 'index')}.gnomon`;
  await copyIndex(ownPlace(worktree.unit, 'view', 'index'), index);
  await rename(index, join(repository, 'index'));
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

async function removeAll(folder: string, start: string): Promise<void> {
  for (const name of await readdir(folder)) if (name.startsWith(start)) await rm(join(folder, name), { force: true });
}
