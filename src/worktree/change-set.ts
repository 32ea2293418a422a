import { MAX_KEPT_BYTES } from '../domain/workspace/changes.js';
import type { MainRepository } from './repository.js';
import type { Worktree } from './record.js';
import { type Contents, contentsOf, LINK, type Sized, type TreeEntry } from './contents.js';
import { exactParts, isPlain, shownName } from './exact-names.js';
import type { GitPlace } from './run-git.js';
import { seeWork } from './see-work.js';
import { type SeenTree, type ViewRun, viewOf, withIndex, writeTree } from './view.js';

/** The most of all contents of a change set, in bytes. */
const MAX_ALL_BYTES = 128 * 1024 * 1024;
/** The most files of a change set of which the contents are read. */
const MAX_FILES = 5_000;

/** A file at one side of a comparison. Modes are those of Git: `100644`, `100755`. */
export type Side =
  | { readonly kind: 'absent' }
  /** `bytes` as they are on the disk, with line endings as there. */
  | { readonly kind: 'file'; readonly id: string; readonly mode: string; readonly bytes: Uint8Array }
  | { readonly kind: 'link'; readonly id: string; readonly target: string }
  | { readonly kind: 'submodule'; readonly id: string }
  /** `name`: the path is not in UTF-8, so that the one that is shown leads nowhere. */
  | { readonly kind: 'not_read'; readonly id: string; readonly mode: string; readonly why: Exclude<Sized, Buffer> | 'too_many' | 'name' };

/** What happened to a file. `mode`: only whether it can be run has changed. */
export type ChangeKind = 'added' | 'modified' | 'deleted' | 'renamed' | 'mode';

/** How a worktree changed a file. */
export interface FileChange {
  /** Path in the working tree, with `/`. */
  readonly path: string;
  /** The former path of a file that was renamed. */
  readonly from?: string;
  readonly kind: ChangeKind;
  /** Whether one of the sides is no text. */
  readonly binary: boolean;
  readonly base: Side;
  readonly now: Side;
}

/** All that a worktree has changed since it was made: in commits and outside of them, in files that Git tracks and in new ones. */
export interface ChangeSet extends SeenTree {
  /** The commit or tree that it is compared with, and the tree that it has become. */
  readonly base: string;
  readonly tree: string;
  readonly files: readonly FileChange[];
}

/** A line of `git diff-tree --raw`. Its paths are exact names. */
export interface RawChange {
  readonly path: string;
  readonly from?: string;
  readonly status: string;
  readonly modes: readonly [old: string, now: string];
  readonly ids: readonly [old: string, now: string];
}

/**
 * What a worktree has changed. Its files are read as they are; what an agent has staged or set in its repository does not count.
 * @param base commit or tree that it is compared with: as it began, unless another is given
 * @throws GitFailure when something in it cannot be read
 */
export async function changeSetOf(worktree: Worktree, main: MainRepository, signal: AbortSignal, base = worktree.record.base.commit): Promise<ChangeSet> {
  const view = viewOf(worktree, main);
  return withIndex(view, signal, async (run, index) => {
    const seen = await seeWork(worktree, { run, index });
    const tree = await writeTree(run);
    const changes = rawChanges((await run(['diff-tree', '-r', '-z', '--raw', '--find-renames', '--no-abbrev', base, tree])).output);
    return { ...seen, base, tree, files: await withContents(run, changes) };
  });
}

/** Which files a worktree has changed since it was made, without what is in them. */
export interface ChangedFiles extends SeenTree {
  /** As they are shown. */
  readonly paths: readonly string[];
}

/**
 * Finds the files that a worktree has changed.
 * @throws GitFailure when that cannot be found out
 */
export async function changedFiles(worktree: Worktree, main: MainRepository, signal: AbortSignal): Promise<ChangedFiles> {
  return withIndex(viewOf(worktree, main), signal, async (run, index) => {
    const seen = await seeWork(worktree, { run, index });
    const { output } = await run(['diff-index', '--cached', '--raw', '-z', '--find-renames', '--no-abbrev', worktree.record.base.commit]);
    return { ...seen, paths: rawChanges(output).map(({ path }) => shownName(path)) };
  });
}

/** The changes of a worktree as a patch that `git apply` takes, binary files and modes included. */
export async function asPatch(view: GitPlace, { base, tree }: Pick<ChangeSet, 'base' | 'tree'>, signal: AbortSignal): Promise<Uint8Array> {
  const plain = ['--no-ext-diff', '--no-textconv', '--no-color', '--src-prefix=a/', '--dst-prefix=b/'];
  return withIndex(
    view,
    signal,
    async (run) => (await run(['diff-tree', '-r', '-p', '--binary', '--full-index', '--find-renames', ...plain, base, tree])).output,
  );
}

/** Reads the answer of `git diff-tree -r -z --raw` and `git diff-index -z --raw`. */
export function rawChanges(output: Buffer): readonly RawChange[] {
  const parts = exactParts(output);
  const changes: RawChange[] = [];
  for (let at = 0; at < parts.length;) {
    const [oldMode = '', mode = '', oldId = '', id = '', status = ''] = (parts[at] ?? '').replace(/^:/, '').split(' ');
    const two = status.startsWith('R') || status.startsWith('C');
    const [first = '', second = first] = parts.slice(at + 1, at + (two ? 3 : 2));
    changes.push({ path: second, ...(two ? { from: first } : {}), status: status.charAt(0), modes: [oldMode, mode], ids: [oldId, id] });
    at += two ? 3 : 2;
  }
  return changes;
}

async function withContents(run: ViewRun, changes: readonly RawChange[]): Promise<readonly FileChange[]> {
  const blobs = changes.slice(0, MAX_FILES).flatMap(({ path, from = path, modes, ids }) => [
    { path: from, mode: modes[0], id: ids[0] },
    { path, mode: modes[1], id: ids[1] },
  ]);
  const contents = await contentsOf(
    run,
    blobs.filter((blob) => isBlob(blob) && isPlain(blob.path)),
    { each: MAX_KEPT_BYTES, all: MAX_ALL_BYTES },
  );
  return changes.map((change) => {
    const { path, from = path, modes, ids } = change;
    const base = sideOf({ path: from, mode: modes[0], id: ids[0] }, contents);
    const now = sideOf({ path, mode: modes[1], id: ids[1] }, contents);
    const paths = { path: shownName(path), ...(change.from === undefined ? {} : { from: shownName(from) }) };
    return { ...paths, kind: kindOf(change), binary: isBinary(base) || isBinary(now), base, now };
  });
}

/** A file, link, or submodule with its content, where that was read. */
function sideOf(entry: TreeEntry, contents: Contents): Side {
  const { mode, id } = entry;
  if (/^0*$/.test(mode)) return { kind: 'absent' };
  if (!isPlain(entry.path)) return { kind: 'not_read', id, mode, why: 'name' };
  if (mode === SUBMODULE) return { kind: 'submodule', id };
  const content = contents.get(entry);
  if (!Buffer.isBuffer(content)) return { kind: 'not_read', id, mode, why: content ?? 'too_many' };
  return mode === LINK ? { kind: 'link', id, target: content.toString('utf8') } : { kind: 'file', id, mode, bytes: content };
}

/** Mode of a submodule in a tree. */
export const SUBMODULE = '160000';

function isBlob({ mode }: TreeEntry): boolean {
  return !/^0*$/.test(mode) && mode !== SUBMODULE;
}

function kindOf({ status, modes, ids }: RawChange): ChangeKind {
  if (status === 'A') return 'added';
  if (status === 'D') return 'deleted';
  if (status === 'R') return 'renamed';
  return ids[0] === ids[1] && modes[0] !== modes[1] ? 'mode' : 'modified';
}

/** As Git decides it: by a NUL in the beginning. */
function isBinary(side: Side): boolean {
  return side.kind === 'file' && side.bytes.subarray(0, 8_000).includes(0);
}
