import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { cp, lstat, mkdir, open, readdir, readFile, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { Queue } from '../../concurrency/queue.js';
import type { TakenAway } from '../../domain/workspace/processes.js';
import { errorCode } from '../files/file-errors.js';
import { isWithin } from '../files/within.js';
import { wasThereBefore } from './earlier-content.js';
import { CLOCK_MS, type Moments, NestedNames } from './nested-names.js';
import { entriesOf, harmless, readSmall } from './settings-copies.js';

const NS_PER_MS = 1_000_000n;

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
async function isHarmlessRepository(path: string, folder: string, env: Env): Promise<boolean> {
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
type PartsThere = ReadonlyMap<string, bigint>;

/** @param repositories absolute paths of folders of Git */
async function partsThere(repositories: readonly string[]): Promise<PartsThere> {
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
async function addedParts(before: PartsThere, now: PartsThere, env: Env): Promise<readonly string[]> {
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

/** A command that may change the workspace, while it runs. */
export interface Work {
  readonly since: bigint;
  /** Absolute path of a file that says so. What ends the command without us writes into it. */
  readonly note: string;
  /** Absolute paths of folders of Git, and what there was in them. */
  readonly repositories: readonly string[];
  readonly parts: PartsThere;
  /** What an earlier one had left, when all was killed. */
  readonly left: readonly TakenAway[];
}

/**
 * What programs outside of the sandbox follow cannot be kept from coming into being below the top of a workspace folder: no system can refuse a name at
 * every depth. So after each command that may change the workspace, what is new of it is taken away, unless it was there before in some way. It is moved,
 * not deleted: it could be the user's own work in a terminal at the same time.
 */
export class WorkWatch {
  private readonly names: NestedNames;
  private readonly running = new Set<Work>();
  /** What was made while others run, and may stay as it is. They are not kept from changing it, so it is looked at again. */
  private readonly stayed = new Set<string>();
  private readonly queue = new Queue();
  /** When the first command ran: what Git had by then is trusted. */
  private first: bigint | undefined;

  /** @param folders absolute paths of the workspace folders, every link resolved @param storage absolute path of a folder of ours */
  constructor(
    readonly folders: readonly string[],
    private readonly storage: string,
    private readonly env: Readonly<Record<string, string | undefined>>,
  ) {
    this.names = new NestedNames(folders);
  }

  /** What is below the top of the folders and may not be changed. */
  fixed(): readonly string[] {
    return this.names.fixed();
  }

  /** Something is new at a path. While no command runs, no command made it. */
  noteChange(path: string): void {
    if (this.running.size === 0) this.names.noteChange(path);
  }

  /** Something was written by the user, or by a tool that the user allowed to. */
  noteOwn(path: string): void {
    this.names.noteOwn(path);
  }

  /** @param repositories absolute paths of folders of Git */
  begin(repositories: readonly string[]): Promise<Work> {
    return this.queue.run(async () => {
      const left = this.names.looked ? [] : await this.afterKill();
      if (this.running.size === 0) await this.names.catchUp();
      const parts = await partsThere(repositories);
      const since = BigInt(Date.now() - CLOCK_MS) * NS_PER_MS;
      this.first ??= since;
      const note = join(this.storage, 'running', `${since}-${randomBytes(6).toString('hex')}`);
      await writeFile(note, '').catch(async (error: unknown) => {
        if (errorCode(error) !== 'ENOENT') throw error;
        await mkdir(dirname(note), { recursive: true });
        await writeFile(note, '');
      });
      const work = { since, note, repositories, parts, left };
      this.running.add(work);
      return work;
    });
  }

  /** @returns what was taken away after it. */
  end(work: Work): Promise<readonly TakenAway[]> {
    return this.queue.run(async () => {
      if (!this.running.has(work)) return [];
      const since = [...this.running].reduce((earliest, one) => (one.since < earliest ? one.since : earliest), work.since);
      this.running.delete(work);
      const parts = await addedParts(work.parts, await partsThere(work.repositories), this.env);
      const taken = await this.take([...parts, ...(await this.added({ since }))]);
      await rm(work.note, { force: true });
      return [...work.left, ...taken];
    });
  }

  /** What commands had made when this program was killed: what watches over it wrote when they ended. */
  private async afterKill(): Promise<readonly TakenAway[]> {
    const folder = join(this.storage, 'running');
    const notes = await readdir(folder).catch(() => []);
    const moments = await Promise.all(
      notes.map(async (name): Promise<readonly Moments[]> => {
        const stats = await stat(join(folder, name), { bigint: true }).catch(() => undefined);
        const [since = ''] = name.split('-');
        return stats === undefined || stats.size === 0n || !/^\d+$/.test(since) ? [] : [{ since: BigInt(since), until: stats.ctimeNs }];
      }),
    );
    const taken: TakenAway[] = [];
    for (const one of moments.flat()) {
      this.first = this.first === undefined || one.since < this.first ? one.since : this.first;
      taken.push(...(await this.take(await this.added(one))));
    }
    await Promise.all(notes.map((name) => rm(join(folder, name), { force: true })));
    return taken;
  }

  private async added(moments: Moments): Promise<readonly string[]> {
    const found = new Set([...(await this.names.look(moments)), ...this.stayed]);
    this.stayed.clear();
    const added = await Promise.all([...found].map(async (path) => ((await this.mayStay(path, moments)) ? [] : [path])));
    return added.flat();
  }

  private async mayStay(path: string, { since }: Moments): Promise<boolean> {
    const folder = this.folders.find((one) => isWithin(one, path));
    if (folder === undefined) return true;
    const stays = basename(path) === '.git' ? await isHarmlessRepository(path, folder, this.env) : await wasThereBefore(path, folder, this.first ?? since);
    if (stays) this.names.noteChange(path);
    if (stays && this.running.size > 0) this.stayed.add(path);
    return stays;
  }

  private async take(paths: readonly string[]): Promise<readonly TakenAway[]> {
    const taken: TakenAway[] = [];
    for (const path of new Set(paths)) {
      const folder = this.folders.find((one) => isWithin(one, path)) ?? dirname(path);
      const kept = join(this.storage, 'taken-away', randomBytes(6).toString('hex'), relative(folder, path));
      taken.push({ path, kept: (await moved(path, kept)) ? kept : undefined });
    }
    return taken;
  }
}

/** Moves something, and only if its folder is where its path says: a command that still runs could lead the path elsewhere. @returns whether it is moved */
async function moved(path: string, to: string): Promise<boolean> {
  const folder = dirname(path);
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW).catch(() => undefined);
  if (handle === undefined) return false;
  try {
    const held = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : folder;
    const real = process.platform === 'linux' ? await readlink(held) : await realpath(folder);
    if (real !== folder) return false;
    const from = join(held, basename(path));
    await mkdir(dirname(to), { recursive: true });
    await rename(from, to).catch(async (error: unknown) => {
      if (errorCode(error) !== 'EXDEV') throw error;
      await cp(from, to, { recursive: true, verbatimSymlinks: true });
      await rm(from, { recursive: true });
    });
    return true;
  } catch {
    // It is reported as being there still.
    return false;
  } finally {
    await handle.close();
  }
}
