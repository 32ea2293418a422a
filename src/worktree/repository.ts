import { lstat, readFile, readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { errorMessage } from '../domain/errors.js';
import { exists } from '../node/files/exists.js';
import { findProgram } from '../node/process/find-program.js';
import { git, partsOf } from '../node/process/git-command.js';
import { lineOf, runGit } from './run-git.js';

/** A repository of the user with a working tree: what worktrees are made of. */
export interface MainRepository {
  /** Absolute path of the working tree, without links. */
  readonly root: string;
  /** Absolute path of its folder of Git, which a linked worktree has of its own. */
  readonly gitFolder: string;
  /** Absolute path of the folder of Git that all linked worktrees share. */
  readonly commonFolder: string;
  readonly objectFormat: 'sha1' | 'sha256';
}

/** Why nothing can be made of a folder. */
export interface NoRepository {
  readonly kind: 'no_git' | 'no_repository' | 'bare' | 'refused';
  /** What Git said. */
  readonly detail: string;
}

/** What is checked out: a branch, one without commits yet, or a commit. */
export type Head =
  | { readonly kind: 'branch'; readonly branch: string; readonly commit: string }
  | { readonly kind: 'unborn'; readonly branch: string }
  | { readonly kind: 'detached'; readonly commit: string };

/** Size of a checkout of the head, and of what a snapshot adds to it, in bytes: an estimate that knows no filters. */
interface AddedBytes {
  readonly checkout: number;
  readonly untracked: number;
}

/** What a worktree can be made of, and what it would take. */
export interface Inspection {
  readonly kind: 'repository';
  readonly main: MainRepository;
  readonly head: Head;
  readonly branches: readonly { readonly name: string; readonly commit: string }[];
  /** Paths of submodules at the head: a worktree has empty folders for them. */
  readonly submodules: readonly string[];
  /** Names of lock files in the folder of Git: a command is at work, or was ended and left them. They are in nobody’s way here. */
  readonly lockFiles: readonly string[];
  /** Whether objects are missing that would have to be fetched first. */
  readonly isPartial: boolean;
  readonly bytes: AddedBytes;
  readonly files: number;
}

/** An entry of a tree, as `git ls-tree -l` lists it. */
const ENTRY = /^(\d+) (\w+) [0-9a-f]+ +(\d+|-)\t/;

/** Opens the repository around a folder. Nothing of its settings is run. */
export async function openRepository(folder: string): Promise<MainRepository | NoRepository> {
  if ((await findProgram('git')) === undefined) return { kind: 'no_git', detail: '' };
  const asked = ['--is-bare-repository', '--git-dir', '--git-common-dir', '--show-object-format', '--show-toplevel'];
  try {
    const lines = (await git(folder, ['rev-parse', '--path-format=absolute', ...asked])).toString('utf8').trimEnd().split('\n');
    const [, gitFolder = '', commonFolder = '', format = '', root = ''] = lines;
    if (lines.length !== asked.length || root === '') return { kind: 'refused', detail: lines.join('\n') };
    return { root: resolve(root), gitFolder: resolve(gitFolder), commonFolder: resolve(commonFolder), objectFormat: format === 'sha256' ? 'sha256' : 'sha1' };
  } catch (error) {
    const detail = errorMessage(error);
    if (await isBare(folder)) return { kind: 'bare', detail };
    return { kind: detail.includes('not a git repository') ? 'no_repository' : 'refused', detail };
  }
}

/** A file or submodule in a tree. */
interface Entry {
  readonly path: string;
  /** `blob`, or `commit` for a submodule. */
  readonly kind: string | undefined;
  readonly bytes: number;
}

/** What {@link inspect} says of the size of a worktree, which takes a few commands less. */
export async function addedBytes(main: MainRepository, signal: AbortSignal): Promise<AddedBytes> {
  return bytesOf(main, await entriesOf(main, await commitAt(main, 'HEAD', signal), signal));
}

async function bytesOf(main: MainRepository, entries: readonly Entry[]): Promise<AddedBytes> {
  return { checkout: entries.reduce((sum, { bytes }) => sum + bytes, 0), untracked: await untrackedBytes(main) };
}

async function entriesOf(main: MainRepository, commit: string | undefined, signal: AbortSignal): Promise<readonly Entry[]> {
  if (commit === undefined) return [];
  return partsOf((await inMain(main, ['ls-tree', '-r', '-l', '-z', commit], signal)).output).map((line) => {
    const [, , kind, bytes] = ENTRY.exec(line) ?? [];
    return { path: line.slice(line.indexOf('\t') + 1), kind, bytes: Number(bytes) || 0 };
  });
}

/** What there is to make a worktree of. */
export async function inspect(main: MainRepository, signal: AbortSignal): Promise<Inspection> {
  const head = await headOf(main, signal);
  const commit = head.kind === 'unborn' ? undefined : head.commit;
  const branches = partsOf((await inMain(main, ['for-each-ref', '--format=%(refname:short)%00%(objectname)%00', 'refs/heads/'], signal)).output).map(trimLine);
  const entries = await entriesOf(main, commit, signal);
  return {
    kind: 'repository',
    main,
    head,
    branches: pairs(branches).map(([name, id]) => ({ name, commit: id })),
    submodules: entries.filter(({ kind }) => kind === 'commit').map(({ path }) => path),
    lockFiles: (await readdir(main.gitFolder)).filter((name) => name.endsWith('.lock')),
    isPartial: await isPartial(main),
    bytes: await bytesOf(main, entries),
    files: entries.length,
  };
}

/** What is checked out in the main repository. */
export async function headOf(main: MainRepository, signal: AbortSignal): Promise<Head> {
  const [symbolic, commit] = await Promise.all([inMain(main, ['symbolic-ref', '--quiet', 'HEAD'], signal, [1]), commitAt(main, 'HEAD', signal)]);
  const branch = lineOf(symbolic).replace(/^refs\/heads\//, '');
  if (commit === undefined) return { kind: 'unborn', branch };
  return branch === '' ? { kind: 'detached', commit } : { kind: 'branch', branch, commit };
}

/** The commit of a branch; `undefined` where there is none of that name. */
export async function commitOf(main: MainRepository, branch: string, signal: AbortSignal): Promise<string | undefined> {
  return commitAt(main, `refs/heads/${branch}`, signal);
}

async function commitAt(main: MainRepository, name: string, signal: AbortSignal): Promise<string | undefined> {
  const found = await inMain(main, ['rev-parse', '--quiet', '--verify', `${name}^{commit}`], signal, [1]);
  return found.code === 0 ? lineOf(found) : undefined;
}

/** Runs a command in the main repository that reads no file of the working tree. */
export function inMain(main: MainRepository, args: readonly string[], signal: AbortSignal, answers: readonly number[] = []): ReturnType<typeof runGit> {
  return runGit({ gitFolder: main.gitFolder }, args, { signal, answers });
}

/** Absolute path of the folder with the objects of a repository. */
export function objectsOf({ commonFolder }: MainRepository): string {
  return join(commonFolder, 'objects');
}

/** All commits that references of the user lead to, and what is checked out: all but those that Gnomon has made to keep commits. */
export async function tipsOf(main: MainRepository, signal: AbortSignal): Promise<readonly string[]> {
  const { output } = await inMain(main, ['for-each-ref', '--format=%(objectname) %(refname)'], signal);
  const tips = output
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.includes(` ${OWN_REFS}`))
    .map((line) => line.slice(0, line.indexOf(' ')));
  // Where it does not name a branch, which is among the references, it has the id of a commit.
  const head = (await readFile(join(main.gitFolder, 'HEAD'), 'utf8')).trim();
  return [...new Set([...tips, ...(/^[0-9a-f]{40,64}$/.test(head) ? [head] : [])])];
}

/** Where Gnomon’s references are: they keep the commits that worktrees began with, and are no place in which work is kept. */
export const OWN_REFS = 'refs/gnomon/worktrees/';

async function untrackedBytes({ root }: MainRepository): Promise<number> {
  const names = partsOf(await git(root, ['ls-files', '-z', '--others', '--exclude-standard']));
  const sizes = await Promise.all(
    names.map((name) =>
      lstat(join(root, name)).then(
        (stats) => stats.size,
        // It went away meanwhile; the sum is an estimate.
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function isBare(folder: string): Promise<boolean> {
  const place = (await exists(join(folder, '.git', 'HEAD'))) ? join(folder, '.git') : folder;
  const parts = await Promise.all(['HEAD', 'objects', 'refs'].map((name) => exists(join(place, name))));
  if (!parts.every(Boolean)) return false;
  return basename(place) !== '.git' || /^\s*bare\s*=\s*true\s*$/m.test(await readFile(join(place, 'config'), 'utf8').catch(() => ''));
}

async function isPartial(main: MainRepository): Promise<boolean> {
  const packs = await readdir(join(objectsOf(main), 'pack')).catch(() => []);
  return packs.some((name) => name.endsWith('.promisor'));
}

function trimLine(part: string): string {
  return part.replace(/^\n/, '');
}

function pairs(parts: readonly string[]): readonly (readonly [string, string])[] {
  const full = parts.filter((part) => part !== '');
  return full.flatMap((name, index) => (index % 2 === 0 ? [[name, full[index + 1] ?? ''] as const] : []));
}
