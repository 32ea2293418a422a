import { randomBytes } from 'node:crypto';
import { copyFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../node/files/file-errors.js';
import { bytesOf, exactParts, shownName } from './exact-names.js';
import { objectsOf, type MainRepository } from './repository.js';
import { agentRepository, ownPlace, type Worktree } from './record.js';
import { type GitInput, type GitPlace, lineOf, runGit } from './run-git.js';

/** Commands of Git that look at a worktree, with the files of one working tree and an index of their own. */
export type ViewRun = (args: readonly string[], given?: Omit<GitInput, 'signal'>) => ReturnType<typeof runGit>;

/** What a view has found in a working tree. */
export interface SeenTree {
  /** Paths of repositories within, as they are shown, which Git would not look into. */
  readonly nested: readonly string[];
  /** Paths that Git does not take, as they are shown, and that therefore count as work that is not kept anywhere. */
  readonly refused: readonly string[];
}

/**
 * The place from which Gnomon looks at a worktree: a repository of its own, where no command of an agent can write. What an agent does to the index, the
 * settings, or the hooks of its repository does not count here, and runs nothing.
 */
export function viewOf(worktree: Worktree, main: MainRepository): GitPlace {
  return { gitFolder: ownPlace(worktree.unit, 'view'), workTree: worktree.tree, objects: [objectsOf(main), join(agentRepository(worktree), 'objects')] };
}

/**
 * Works with a copy of the index of a view, which takes its place when all went well: so several can look at once, and a command that was ended leaves no
 * lock behind.
 */
export async function withIndex<T>(view: GitPlace, signal: AbortSignal, work: (run: ViewRun, index: string) => Promise<T>): Promise<T> {
  const kept = join(view.gitFolder, 'index');
  const index = `${kept}.${randomBytes(6).toString('hex')}`;
  await copyIndex(kept, index);
  try {
    const result = await work((args, given = {}) => runGit({ ...view, index }, args, { ...given, signal }), index);
    await renameIfThere(index, kept);
    return result;
  } finally {
    await rm(index, { force: true });
    await rm(`${index}.lock`, { force: true });
  }
}

/** Copies an index, if there is one. Files that were changed since it was written must not count as unchanged because the copy is younger. */
export async function copyIndex(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to);
    const written = Math.floor((await stat(from)).mtimeMs / 1_000);
    await utimes(to, written, written);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/**
 * Brings the index up to date with the files of the working tree: changed, new, and missing ones. Ignored files are left out.
 * @param others exact names of files that are taken although they are ignored
 */
export async function seeFiles(run: ViewRun, others: readonly string[] = []): Promise<SeenTree> {
  const names = inOrder([...(await differing(run)), ...others]);
  const nested = names.filter((name) => name.endsWith('/')).map(shownName);
  const files = names.filter((name) => !name.endsWith('/'));
  if (files.length === 0) return { nested, refused: [] };
  const folders = new Set(files.flatMap(foldersAbove));
  let said = await update(run, files, (name) => !folders.has(name));
  // A file that has become a folder has gone with that; one that a folder has become is only taken now that nothing is left in the folder.
  if (files.some((name) => folders.has(name)))
    said += await update(run, inOrder([...(await differing(run)), ...others.filter((name) => folders.has(name))]), (name) => !name.endsWith('/'));
  // Git leaves out what it does not take as a name, and succeeds.
  const refused = said.includes('Ignoring path') ? await notTaken(run, others) : [];
  return { nested, refused: refused.map(shownName) };
}

/** The tree of the files in an index, as an object. */
export async function writeTree(run: ViewRun): Promise<string> {
  return lineOf(await run(['write-tree']));
}

async function update(run: ViewRun, names: readonly string[], wanted: (name: string) => boolean): Promise<string> {
  const files = names.filter(wanted);
  if (files.length === 0) return '';
  return (await run(['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], { input: bytesOf(`${files.join('\0')}\0`) })).said;
}

function foldersAbove(name: string): readonly string[] {
  return [...name.matchAll(/\//g)].map(({ index }) => name.slice(0, index));
}

async function differing(run: ViewRun): Promise<readonly string[]> {
  return exactParts((await run(['ls-files', '-z', '--modified', '--deleted', '--others', '--exclude-standard'])).output);
}

/** A file before what lies below its name: where a folder has taken its place, Git has to take it out first. */
function inOrder(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted();
}

async function notTaken(run: ViewRun, others: readonly string[]): Promise<readonly string[]> {
  const taken = new Set(exactParts((await run(['ls-files', '-z'])).output));
  const left = [...(await differing(run)), ...others.filter((name) => !taken.has(name))];
  return inOrder(left.filter((name) => !name.endsWith('/')));
}

async function renameIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
