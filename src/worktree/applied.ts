import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import * as z from 'zod/mini';
import { errorCode } from '../node/files/file-errors.js';
import { type ChangedFiles, type RawChange, rawChanges } from './change-set.js';
import { filesInMain, type FoundFile } from './compare.js';
import { shownName } from './exact-names.js';
import { ownPlace, type Worktree, writeOwn } from './record.js';
import type { MainRepository } from './repository.js';
import { GitFailure, lineOf, runGit } from './run-git.js';
import { isInCheckout } from './unkept.js';
import { seeWork } from './see-work.js';
import { viewOf, withIndex } from './view.js';

const ID = z.string().check(z.regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/));
/** What stands for a file that is not there. */
const ABSENT = 'absent';

const APPLIED_FILE = z.object({
  /** Path in the working tree, with `/`. */
  path: z.string().check(z.regex(/^(?!\/|\.\.\/)(?!.*\/\.\.(?:\/|$))[^\0]+$/s)),
  /** What Git calls the content and the mode that the worktree had; absent where it had no such file. */
  version: z.optional(z.object({ id: ID, mode: z.string().check(z.regex(/^(?:100644|100755|120000)$/)) })),
  /** Id of what was in the checkout before, or `absent`: where that is there again, it was undone. Absent where nothing was written. */
  replaced: z.optional(z.union([ID, z.literal(ABSENT)])),
});
/** In the order in which they were applied: a path can be there several times. */
const APPLIED = z.object({ version: z.literal(1), files: z.array(APPLIED_FILE) });

/** A version of a file in a worktree that was applied to the checkout. */
type AppliedFile = z.infer<typeof APPLIED_FILE>;

const FILE = 'applied.json';

/** Remembers what was applied: from then on, {@link appliedStanding} has it. Not for several at the same time. */
export async function noteApplied({ unit }: Pick<Worktree, 'unit'>, files: readonly AppliedFile[]): Promise<void> {
  if (files.length === 0) return;
  await writeOwn(unit, FILE, { version: 1, files: [...(await readApplied(unit)), ...files] });
}

/** Whether something of a worktree was applied, also where that was undone since. */
export async function hasApplied({ unit }: Pick<Worktree, 'unit'>): Promise<boolean> {
  return (await readApplied(unit)).length > 0;
}

/** How the files that a worktree has changed stand to those of the main checkout. */
export interface ChangeCounts {
  readonly changed: number;
  /** Those of them that were not applied, and that the checkout does not have as they are. */
  readonly open: number;
  /** Those that were applied, and undone as a whole since. */
  readonly undone: number;
}

/** Counts the files that a worktree has changed, and those that are not applied now. No contents are read. @throws as {@link appliedStanding} does */
export async function changeCounts(worktree: Worktree, main: MainRepository, signal: AbortSignal): Promise<ChangeCounts> {
  return (await changedFilesWithCounts(worktree, main, signal)).counts;
}

/** Which files that are, as {@link changedFiles} has them, with their counts. @throws as {@link changeCounts} does */
export async function changedFilesWithCounts(
  worktree: Worktree,
  main: MainRepository,
  signal: AbortSignal,
): Promise<ChangedFiles & { readonly counts: ChangeCounts }> {
  const { base, undone } = await appliedStanding(worktree, main, signal);
  const { commit } = worktree.record.base;
  const [seen, all, since] = await withIndex(viewOf(worktree, main), signal, async (run, index) => {
    const found = await seeWork(worktree, { run, index });
    const differing = async (from: string): Promise<readonly RawChange[]> =>
      rawChanges((await run(['diff-index', '--cached', '--raw', '-z', '--find-renames', '--no-abbrev', from])).output);
    const begun = await differing(commit);
    return [found, begun, base === commit ? begun : await differing(base)];
  });
  const found = await filesInMain(worktree, main, [...new Set(since.flatMap(pathsOf))], signal);
  const missing = since.filter((change) => !isTaken(change, found));
  const takenBack = missing.filter((change) => pathsOf(change).some((path) => undone.has(path)));
  const counts = { changed: all.length, open: missing.length - takenBack.length, undone: takenBack.length };
  return { ...seen, paths: all.map(({ path }) => shownName(path)), counts };
}

function pathsOf({ path, from }: RawChange): readonly string[] {
  return from === undefined ? [path] : [from, path];
}

/** Whether the main checkout has what a change has made. */
function isTaken({ path, from, status, modes, ids }: RawChange, found: ReadonlyMap<string, FoundFile>): boolean {
  if (from !== undefined && found.get(from)?.kind !== 'absent') return false;
  return isInCheckout({ status, modes, ids }, found.get(path) ?? { kind: 'absent' }, 'same');
}

/** What of a worktree is applied now. */
export interface AppliedStanding {
  /** Commit or tree that its changes are compared with, see {@link appliedStanding}. */
  readonly base: string;
  /** Paths of which the latest version, or one before it, was undone as a whole. */
  readonly undone: ReadonlySet<string>;
}

/**
 * What the changes of a worktree are compared with to be applied: the commit that it began with, or, where something of it was applied, a tree of that commit
 * with the latest versions. So what was applied is not applied twice, and what changes after it is merged with it. Of a file that the checkout has as it was
 * before one of them, that version and all later ones were undone.
 * @throws GitFailure when something cannot be read
 */
export async function appliedStanding(worktree: Worktree, main: MainRepository, signal: AbortSignal): Promise<AppliedStanding> {
  const { commit } = worktree.record.base;
  const files = await readApplied(worktree.unit);
  const byPath = new Map<string, AppliedFile[]>();
  for (const file of files) {
    const ofPath = byPath.get(file.path);
    if (ofPath === undefined) byPath.set(file.path, [file]);
    else ofPath.push(file);
  }
  const found = await filesInMain(worktree, main, [...byPath.keys()], signal);
  const undone = new Set<string>();
  const standing = [...byPath].flatMap(([path, ofPath]) => {
    const at = ofPath.findIndex(({ replaced }) => replaced === idOf(found.get(path)));
    if (at >= 0) undone.add(path);
    return (at < 0 ? ofPath : ofPath.slice(0, at)).slice(-1);
  });
  if (standing.length === 0) return { base: commit, undone };
  try {
    return { base: await treeWith(standing, { worktree, main }, signal), undone };
  } catch (error) {
    signal.throwIfAborted();
    // Something in the file that says what was applied is not in the repository.
    if (error instanceof GitFailure) return { base: commit, undone };
    throw error;
  }
}

function idOf(found: FoundFile | undefined): string {
  return found !== undefined && 'id' in found ? found.id : ABSENT;
}

async function treeWith(
  files: readonly AppliedFile[],
  { worktree, main }: { readonly worktree: Worktree; readonly main: MainRepository },
  signal: AbortSignal,
): Promise<string> {
  const index = ownPlace(worktree.unit, 'view', `applied.${randomBytes(6).toString('hex')}`);
  const place = { ...viewOf(worktree, main), index };
  const none = '0'.repeat(main.objectFormat === 'sha256' ? 64 : 40);
  // What makes room for something else goes first.
  const lines = files
    .toSorted((one, other) => Number(one.version !== undefined) - Number(other.version !== undefined))
    .map(({ path, version = { mode: '0', id: none } }) => `${version.mode} ${version.id}\t${path}\0`);
  try {
    await runGit(place, ['read-tree', worktree.record.base.commit], { signal });
    await runGit(place, ['update-index', '--replace', '-z', '--index-info'], { input: lines.join(''), signal });
    return lineOf(await runGit(place, ['write-tree'], { signal }));
  } finally {
    await rm(index, { force: true });
    await rm(`${index}.lock`, { force: true });
  }
}

/** A file that cannot be read is as none: everything is compared with the beginning then. */
async function readApplied(unit: string): Promise<readonly AppliedFile[]> {
  try {
    return APPLIED.parse(JSON.parse(await readFile(ownPlace(unit, FILE), 'utf8'))).files;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.core.$ZodError || ['ENOENT', 'EISDIR'].includes(errorCode(error) ?? '')) return [];
    throw error;
  }
}
