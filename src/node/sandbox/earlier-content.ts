import { createHash } from 'node:crypto';
import { type BigIntStats } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { git } from '../process/git-command.js';

/** Files of one name that are compared; with more, it counts as new. */
const MAX_FILES = 200;
/** Bytes of each. */
const MAX_BYTES = 1024 * 1024;
/** How long Git may take for each step, in milliseconds. */
const TIMEOUT_MS = 5_000;

/**
 * Whether all of something was there before any command ran, so that it may come back: in another worktree, with another branch, from a stash. Then a
 * workspace folder has the same at a path that it ends with, or Git had it by then under that name. What Git had is known by the times of change of its files,
 * which no command can set back; after `git gc`, Git only has what is new, so it counts as new.
 * @param path absolute path of a file or folder in the workspace folder @param before in nanoseconds
 */
export async function wasThereBefore(path: string, folder: string, before: bigint): Promise<boolean> {
  const files = await filesAt(path);
  if (files === undefined) return false;
  const contents = await Promise.all(files.map(async (file) => ({ file, content: await contentOf(file) })));
  const others = await Promise.all(contents.map(async (one) => ((await isInFolder(one, folder)) ? [] : [one.content])));
  const left = others.flat();
  if (left.includes(undefined)) return false;
  const known = left.flatMap((content) => content ?? []);
  return known.length === 0 || gitHad(known, { path, folder, before }).catch(() => false);
}

/** What Git would keep of it: the text of a file, or where a link leads. */
async function contentOf(path: string): Promise<Buffer | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats?.isSymbolicLink() === true) return Buffer.from(await readlink(path));
  return stats?.isFile() === true && stats.size <= MAX_BYTES ? readFile(path).catch(() => undefined) : undefined;
}

/** `undefined` for more than can be compared. An empty folder says nothing to anybody. */
async function filesAt(path: string): Promise<readonly string[] | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats?.isDirectory() !== true) return [path];
  const files: string[] = [];
  const open = [path];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) (entry.isDirectory() ? open : files).push(join(folder, entry.name));
    if (files.length + open.length > MAX_FILES) return undefined;
  }
  return files;
}

/** In a worktree in the workspace, files have the paths that they have in the workspace. */
async function isInFolder({ file, content }: { readonly file: string; readonly content: Buffer | undefined }, folder: string): Promise<boolean> {
  const names = relative(folder, file).split('/');
  for (let first = 1; first < names.length; first++) {
    const other = await contentOf(join(folder, ...names.slice(first)));
    if (other !== undefined && content?.equals(other) === true) return true;
  }
  return false;
}

interface Asked {
  /** Absolute path of what is new. */
  readonly path: string;
  readonly folder: string;
  readonly before: bigint;
}

/** Whether Git had all contents by then under that name: a file that may be there does not become instructions by its name. */
async function gitHad(contents: readonly Buffer[], { path, folder, before }: Asked): Promise<boolean> {
  const name = basename(path).replace(/[*?[\]\\]/g, '\\$&');
  const places = [`:(top,glob)**/${name}`, `:(top,glob)**/${name}/**`];
  const logged = await git(folder, ['log', '--all', '--format=commit %H', '--raw', '--no-abbrev', '--no-renames', '--', ...places], TIMEOUT_MS);
  // Mostly it never had such a name: then there is nothing to compare.
  if (logged.length === 0) return false;
  const asked = await git(folder, ['rev-parse', '--git-path', 'objects', '--show-object-format'], TIMEOUT_MS);
  const [objects = '', format = 'sha1'] = asked.toString('utf8').trim().split('\n');
  const ids = new Set(contents.map((content) => createHash(format).update(`blob ${content.length}\0`).update(content).digest('hex')));
  const commits = commitsWith(ids, logged.toString('latin1'));
  const older = await olderOf(new Set([...commits.values()].flat()), { folder, store: resolve(folder, objects), before });
  return [...ids].every((id) => commits.get(id)?.some((commit) => older.has(commit)) === true);
}

/** Which commits brought each of some contents. */
function commitsWith(ids: ReadonlySet<string>, log: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  let commit = '';
  for (const line of log.split('\n')) {
    if (line.startsWith('commit ')) commit = line.slice('commit '.length);
    const [, , , id = ''] = line.startsWith(':') ? line.split(' ') : [];
    if (ids.has(id)) found.set(id, [...(found.get(id) ?? []), commit]);
  }
  return found;
}

interface Store {
  readonly folder: string;
  /** Absolute path of the folder with objects. */
  readonly store: string;
  readonly before: bigint;
}

/** Which of some commits Git had by then. The id of a commit says all that is in it. */
async function olderOf(commits: ReadonlySet<string>, store: Store): Promise<ReadonlySet<string>> {
  const checked = await Promise.all(
    [...commits].map(async (id) => ({ id, loose: await isOlder(join(store.store, id.slice(0, 2), id.slice(2)), store.before) })),
  );
  const rest = checked.filter(({ loose }) => !loose).map(({ id }) => id);
  const packed = rest.length === 0 ? [] : await inOlderPacks(rest, store);
  return new Set([...checked.filter(({ loose }) => loose).map(({ id }) => id), ...packed]);
}

/** Asks Git about a store that has the older packs only. */
async function inOlderPacks(ids: readonly string[], { folder, store, before }: Store): Promise<readonly string[]> {
  const packs = join(store, 'pack');
  const names = await readdir(packs).catch(() => []);
  const older = await Promise.all(
    names.filter((name) => /\.(?:pack|idx)$/.test(name)).map(async (name) => ((await isOlder(join(packs, name), before)) ? [name] : [])),
  );
  const view = await mkdtemp(join(tmpdir(), 'gnomon-packs-'));
  try {
    await mkdir(join(view, 'pack'));
    await Promise.all(older.flat().map((name) => symlink(join(packs, name), join(view, 'pack', name))));
    const answer = await git(folder, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], TIMEOUT_MS, {
      input: Buffer.from(`${ids.join('\n')}\n`),
      objects: view,
    });
    return answer
      .toString('latin1')
      .split('\n')
      .flatMap((line) => (line.endsWith(' commit') ? [line.slice(0, -' commit'.length)] : []));
  } finally {
    await rm(view, { recursive: true, force: true });
  }
}

async function isOlder(path: string, before: bigint): Promise<boolean> {
  const stats: BigIntStats | undefined = await lstat(path, { bigint: true }).catch(() => undefined);
  return stats?.isFile() === true && stats.ctimeNs < before;
}
