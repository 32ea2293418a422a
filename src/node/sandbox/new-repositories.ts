import { lstat, readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isWithin } from '../files/within.js';
import { entriesOf, harmless, readSmall } from './settings-copies.js';

/** In a folder of Git: what can come into being though nothing can stand in for it. gitrepository-layout(5) */
const ADDED = ['info/grafts', 'objects/info/alternates', 'objects/info/http-alternates', 'remotes', 'branches'] as const;
/** What leads from the folder of a linked worktree to that of its repository. */
const COMMON = '../..';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Whether Git runs nothing for a new repository but what it would run anywhere: it was made by `git init`, `git clone`, `git worktree add`, or
 * `git submodule add`, and has settings that name no program.
 * @param path absolute path of what is named `.git` @param folder absolute path of the workspace folder
 */
export async function isHarmlessRepository(path: string, folder: string, env: Env): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats?.isDirectory() === true) return hasHarmlessParts(path, env);
  const text = stats?.isFile() === true ? await readSmall(path) : undefined;
  const [, named] = /^gitdir: (.+?)\s*$/.exec(text?.toString('utf8') ?? '') ?? [];
  if (named === undefined) return false;
  const place = resolve(dirname(path), named);
  const own = join(folder, '.git');
  if (isWithin(join(own, 'worktrees'), place)) return (await commonOf(place)) === COMMON && hasHarmlessParts(place, env);
  return isWithin(join(own, 'modules'), place) && hasHarmlessParts(place, env);
}

async function hasHarmlessParts(place: string, env: Env): Promise<boolean> {
  const common = await commonOf(place);
  const isWorktree = common === COMMON && /\/worktrees\/[^/]+$/.test(place);
  if (common !== undefined && !isWorktree) return false;
  const hooks = await readdir(join(place, 'hooks')).catch(() => []);
  if (hooks.some((name) => !name.endsWith('.sample'))) return false;
  const settings = await Promise.all(['config', 'config.worktree'].map((name) => hasHarmlessSettings(join(place, name), env)));
  return settings.every((isHarmless) => isHarmless) && (await modulesOf(place, env));
}

/** The repositories of submodules lie in that of the repository that has them. */
async function modulesOf(place: string, env: Env): Promise<boolean> {
  const names = await readdir(join(place, 'modules')).catch(() => []);
  const parts = await Promise.all(names.map((name) => hasHarmlessParts(join(place, 'modules', name), env)));
  return parts.every((isHarmless) => isHarmless);
}

/** A link leads to what is not looked at here. */
async function hasHarmlessSettings(path: string, env: Env): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) return true;
  const text = stats.isFile() ? await readSmall(path) : undefined;
  const entries = text === undefined ? undefined : await entriesOf(text, env);
  return entries?.every((entry) => harmless(entry) !== undefined) === true;
}

async function commonOf(place: string): Promise<string | undefined> {
  return readFile(join(place, 'commondir'), 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  );
}

/** What of repositories is there that could be new after a command, by path, with its time of change. */
export type PartsThere = ReadonlyMap<string, bigint>;

/** @param repositories absolute paths of folders of Git */
export async function partsThere(repositories: readonly string[]): Promise<PartsThere> {
  const named = repositories.flatMap((place) => ADDED.map((name) => join(place, name)));
  const inWorktrees = await Promise.all(
    repositories.map(async (place) => {
      const names = await readdir(join(place, 'worktrees')).catch(() => []);
      return names.flatMap((name) => ['commondir', 'config.worktree'].map((file) => join(place, 'worktrees', name, file)));
    }),
  );
  const found = await Promise.all(
    [...named, ...inWorktrees.flat()].map(async (path) => {
      const stats = await lstat(path, { bigint: true }).catch(() => undefined);
      return stats === undefined ? [] : [[path, stats.ctimeNs] as const];
    }),
  );
  return new Map(found.flat());
}

/** Paths of what came into being in repositories and leads Git elsewhere, or runs something. */
export async function addedParts(before: PartsThere, now: PartsThere, env: Env): Promise<readonly string[]> {
  const changed = [...now].filter(([path, ctime]) => before.get(path) !== ctime).map(([path]) => path);
  const added = await Promise.all(changed.map(async (path) => ((await isHarmlessPart(path, env)) ? [] : [path])));
  return added.flat();
}

async function isHarmlessPart(path: string, env: Env): Promise<boolean> {
  if (path.endsWith('/commondir')) return (await commonOf(dirname(path))) === COMMON;
  if (path.endsWith('/config.worktree')) return hasHarmlessSettings(path, env);
  // `git init` makes an empty folder.
  return readdir(path).then(
    (names) => names.length === 0,
    () => false,
  );
}
