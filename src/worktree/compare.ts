import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_KEPT_BYTES } from '../domain/workspace/changes.js';
import { errorCode } from '../node/files/file-errors.js';
import { realPathOf } from '../node/files/real-path.js';
import { readRegularFile } from '../node/files/regular-file.js';
import type { ChangeSet, FileChange, Side } from './change-set.js';
import { bytesOf, placeIn } from './exact-names.js';
import type { Worktree } from './record.js';
import type { MainRepository } from './repository.js';
import { runGit } from './run-git.js';
import { viewOf } from './view.js';

/** What is at a path of the main checkout, in the terms of Git. */
export type FoundFile =
  | { readonly kind: 'absent' }
  /** A folder, a device, or something beyond a link. */
  | { readonly kind: 'other' }
  | { readonly kind: 'file'; readonly id: string; readonly mode: string; readonly size: number }
  | { readonly kind: 'link'; readonly id: string; readonly target: string };

/**
 * How a change fits into the main checkout. `clean`: the file there is what the worktree began with. `same`: it is what the worktree has made of it.
 * `conflict`: it is neither.
 */
export type Fit = 'clean' | 'same' | 'conflict';

/** A change of a worktree beside what the main checkout has. */
export interface ComparedChange {
  readonly change: FileChange;
  readonly fit: Fit;
  /** What the main checkout has at the path, read where there is a conflict. */
  readonly main: Side;
}

/** A path with what it was and what it became; ids of Git. */
interface PathChange {
  readonly path: string;
  readonly base: Side;
  readonly now: Side;
}

/** Compares each change of a worktree with the files of the main checkout as they are, whatever is staged there. */
export async function compareWithMain(
  set: ChangeSet,
  { worktree, main }: { readonly worktree: Worktree; readonly main: MainRepository },
  signal: AbortSignal,
): Promise<readonly ComparedChange[]> {
  const paths = set.files.flatMap(pathsOf);
  const found = await filesInMain(worktree, main, [...new Set(paths.map(({ path }) => path))], signal);
  return Promise.all(
    set.files.map(async (change) => {
      const fits = pathsOf(change).map((each) => fitOf(each, found.get(each.path) ?? { kind: 'absent' }));
      const fit = isOfOtherName(change) || fits.includes('conflict') ? 'conflict' : fits.every((each) => each === 'same') ? 'same' : 'clean';
      return { change, fit, main: await sideIn(main, change.path, { found: found.get(change.path), read: fit === 'conflict', signal }) };
    }),
  );
}

/** What the main checkout has at some paths, which are exact names, with the ids that its files would have in Git. Nothing beyond a link is looked at. */
export async function filesInMain(
  worktree: Worktree,
  main: MainRepository,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FoundFile>> {
  const found = new Map<string, FoundFile>();
  const files: { readonly path: string; readonly stats: Stats }[] = [];
  for (const path of paths) {
    const stats = await statOf(main.root, path);
    if (stats === undefined) found.set(path, { kind: 'absent' });
    else if (stats.isSymbolicLink()) found.set(path, await linkAt(placeIn(main.root, path), main));
    else if (stats.isFile()) files.push({ path, stats });
    else found.set(path, { kind: 'other' });
  }
  if (files.length === 0) return found;
  // Conversions of line endings are those of the main checkout, filters only those of the user’s own settings.
  const place = { ...viewOf(worktree, main), workTree: main.root };
  const input = files.map(({ path }) => `${inGitQuotes(path)}\n`).join('');
  const ids = (await runGit(place, ['hash-object', '--stdin-paths'], { input, signal })).output.toString('utf8').split('\n');
  for (const [index, { path, stats }] of files.entries()) {
    found.set(path, { kind: 'file', id: ids[index] ?? '', mode: (stats.mode & 0o100) === 0 ? '100644' : '100755', size: stats.size });
  }
  return found;
}

function pathsOf({ path, from, base, now }: FileChange): readonly PathChange[] {
  if (from === undefined) return [{ path, base, now }];
  return [
    { path: from, base, now: { kind: 'absent' } },
    { path, base: { kind: 'absent' }, now },
  ];
}

/** Whether what is at the path that is shown is another file. */
function isOfOtherName({ base, now }: FileChange): boolean {
  return [base, now].some((side) => side.kind === 'not_read' && side.why === 'name');
}

function fitOf({ base, now }: PathChange, found: FoundFile): Fit {
  if (isSame(now, found)) return 'same';
  return isSame(base, found) ? 'clean' : 'conflict';
}

function isSame(side: Side, found: FoundFile): boolean {
  if (side.kind === 'absent' || found.kind === 'absent') return side.kind === found.kind;
  if (side.kind === 'link' || found.kind === 'link') return side.kind === found.kind && side.id === found.id;
  if (side.kind === 'submodule' || found.kind === 'other') return false;
  // Where the file system knows no such modes, all files look alike.
  return side.id === found.id && (side.mode === found.mode || process.platform === 'win32');
}

async function sideIn(
  main: MainRepository,
  path: string,
  { found, read, signal }: { found: FoundFile | undefined; read: boolean; signal: AbortSignal },
): Promise<Side> {
  if (found === undefined || found.kind === 'absent' || found.kind === 'other') return { kind: 'absent' };
  if (found.kind === 'link') return found;
  const { id, mode, size } = found;
  if (!read || size > MAX_KEPT_BYTES) return { kind: 'not_read', id, mode, why: 'too_large' };
  return { kind: 'file', id, mode, bytes: (await readRegularFile(join(main.root, path), signal)).bytes };
}

/** `undefined` where nothing is, or only something beyond a link, which is no file of the repository. */
async function statOf(root: string, path: string): Promise<Stats | undefined> {
  try {
    const stats = await lstat(placeIn(root, path));
    const folder = placeIn(root, path.slice(0, Math.max(0, path.lastIndexOf('/'))));
    const isThere = typeof folder === 'string' ? (await realPathOf(folder)) === folder : folder.equals(await realpath(folder, 'buffer'));
    return isThere ? stats : undefined;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

async function linkAt(path: string | Buffer, { objectFormat }: MainRepository): Promise<FoundFile> {
  const target = await readlink(path, { encoding: 'buffer' });
  const id = createHash(objectFormat).update(`blob ${target.length}\0`).update(target).digest('hex');
  return { kind: 'link', id, target: target.toString('utf8') };
}

/** A name as Git reads it in quotes, where C has them. */
function inGitQuotes(name: string): string {
  const bytes = bytesOf(name).toString('latin1');
  return `"${bytes.replace(/[^ !#-[\]-~]/g, (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`)}"`;
}
