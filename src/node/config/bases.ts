import { once } from '../../concurrency/once.js';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type ConfigOrigin, type FileLayer, isRead } from '../../domain/config/origin.js';
import type { LinkGuard, LinkReach } from '../files/link-reach.js';
import { realPathOf } from '../files/real-path.js';
import { type Place, placesOf } from './place-table.js';

/** What the links of configuration files may lead to, by absolute paths without links. */
export interface LinkGuards {
  /** Of files of a repository: what may be read without a question. */
  readonly ofRepository: LinkGuard;
  /** Of files of the user: what does not commonly contain passwords or keys. Collections are downloaded into these folders with the links in them. */
  readonly ofUser: LinkGuard;
}

/** Folders whose agents, commands, and skills belong to a workspace folder, beside its own; absolute paths. */
export interface Surroundings {
  /** Those that it is in, up to its repository’s, the nearest first. */
  readonly above: readonly string[];
  /** Those in it that have folders of programs. */
  readonly below: readonly string[];
  /** What was left out of these, a sentence for the user. */
  readonly cut?: string;
}

/** Where agents, commands, skills, and output styles are looked for, on this machine. */
export interface BasePlaces {
  /** Absolute paths of the open workspace folders. */
  readonly folders: readonly string[];
  /** Absolute path of the home folder; absent where the user’s own are not wanted. */
  readonly home?: string;
  /** By workspace folder, as far as it is known. */
  readonly surroundings?: ReadonlyMap<string, Surroundings>;
  /** The layers whose files are read; absent: all. What a folder is does not change with them: an open home folder stays one of the workspace. */
  readonly layers?: readonly FileLayer[];
}

/** What is to be watched for changes: files and folders by their absolute paths, folders with a pattern for the names in them. */
export interface WatchedPlaces {
  readonly files: readonly string[];
  readonly folders: readonly { readonly folder: string; readonly pattern: string }[];
}

/** A folder in which the folders of programs are looked for, such as `.claude/agents`. */
export interface Base {
  /** Absolute path. */
  readonly path: string;
  /** What stands before the names in what users are shown, such as `~/` or `packages/web/`. */
  readonly prefix: string;
  readonly origin: Pick<ConfigOrigin, 'layer' | 'folder' | 'distance'>;
}

/** A base with what links in it may lead to. */
export interface ReachedBase extends Base {
  readonly reach: LinkReach;
}

/**
 * The home folder, and each workspace folder with what belongs to it. With the home folder open, it counts as one of the workspace: others could
 * have put files there.
 */
export function basesOf({ folders, home, surroundings, layers }: BasePlaces): readonly Base[] {
  const ofFolders = folders.flatMap((folder) => {
    const { above = [], below = [] } = surroundings?.get(folder) ?? {};
    return [folder, ...below, ...above].map((path): Base => {
      const names = relative(folder, path)
        .split(sep)
        .filter((name) => name !== '');
      const distance = names.length === 0 ? {} : { distance: names.length };
      return { path, prefix: names.map((name) => `${name}/`).join(''), origin: { layer: 'project', folder, ...distance } };
    });
  });
  // A folder that is open itself is that, whatever else it belongs to.
  const opened = new Set(folders);
  const known = new Set<string>();
  const fresh = ofFolders.filter(({ path, origin }) => (path === origin.folder || !opened.has(path)) && !known.has(path) && known.add(path));
  const all: readonly Base[] = home === undefined || known.has(home) ? fresh : [{ path: home, prefix: '~/', origin: { layer: 'user' } }, ...fresh];
  return all.filter(({ origin }) => isRead(origin.layer, layers));
}

/** The same with what links may lead to: in a repository, to all of it and to the workspace. */
export function reachedBases(places: BasePlaces, guards: LinkGuards): readonly ReachedBase[] {
  const outermost = places.folders.flatMap((folder) => [folder, ...(places.surroundings?.get(folder)?.above.slice(-1) ?? [])]);
  const within = once(() => Promise.all(outermost.map((path) => realPathOf(path))));
  const reachOf = ({ origin }: Base): LinkReach => (origin.layer === 'user' ? { mayShow: guards.ofUser } : { within, mayShow: guards.ofRepository });
  return basesOf(places).map((base) => ({ ...base, reach: reachOf(base) }));
}

/** Those of the workspace before those of the user. */
export function projectFirst<B extends { readonly origin: Pick<ConfigOrigin, 'layer'> }>(all: readonly B[]): readonly B[] {
  const isOfUser = ({ origin }: B): boolean => origin.layer === 'user';
  return [...all.filter((each) => !isOfUser(each)), ...all.filter(isOfUser)];
}

/** What was left out of the folders below workspace folders, by these. */
export function cutBelow({ surroundings }: BasePlaces): readonly { readonly folder: string; readonly message: string }[] {
  return [...(surroundings ?? [])].flatMap(([folder, { cut }]) => (cut === undefined ? [] : [{ folder, message: cut }]));
}

/** A folder of a program in a base, such as `.claude/agents`. */
export type BaseFolder<B extends Base = ReachedBase> = B & {
  /** The absolute path of the folder is {@link Base.path} then; this is that of what it was looked for in. */
  readonly base: string;
  /** How users know it. */
  readonly display: string;
};

/** A folder in a base. @param at from the base on, with slashes */
export function folderIn<B extends Base>(base: B, at: string): BaseFolder<B> {
  return { ...base, base: base.path, path: join(base.path, at), display: `${base.prefix}${at}` };
}

/** The folders that there may be in bases, by these, each with its place. */
export function foldersOf<B extends Base, P extends Place>(
  bases: readonly B[],
  all: readonly P[],
): readonly { readonly folder: BaseFolder<B>; readonly place: P }[] {
  return bases.flatMap((base) => placesOf(all, base.origin.layer).map((place) => ({ folder: folderIn(base, place.at), place })));
}

/** A file that there may be. */
export interface FileAt<P extends Place> {
  readonly origin: ConfigOrigin;
  readonly place: P;
}

/** Where files may be, right in the home folder and the workspace folders; those of the user come first. */
export function filesAt<P extends Place>({ layers, ...places }: Pick<BasePlaces, 'folders' | 'home' | 'layers'>, all: readonly P[]): readonly FileAt<P>[] {
  return allFilesAt(places, all).filter(({ origin }) => isRead(origin.layer, layers));
}

function allFilesAt<P extends Place>({ folders, home }: Pick<BasePlaces, 'folders' | 'home'>, all: readonly P[]): readonly FileAt<P>[] {
  const ofFolders = folders.flatMap((folder) =>
    (['project', 'local'] as const).flatMap((layer) =>
      placesOf(all, layer).map((place): FileAt<P> => ({ origin: { layer, file: join(folder, place.at), display: place.at, folder }, place })),
    ),
  );
  if (home === undefined) return ofFolders;
  const paths = new Set(ofFolders.map(({ origin }) => origin.file));
  const ofUser = placesOf(all, 'user').map((place): FileAt<P> => ({ origin: { layer: 'user', file: join(home, place.at), display: `~/${place.at}` }, place }));
  // With the home folder open, a file that is in it is one of the workspace: others could have put it there.
  return [...ofUser.filter(({ origin }) => !paths.has(origin.file)), ...ofFolders];
}

/** What is to be watched for changes in folders. @param pattern for the names in them */
export function watchedFolders(places: BasePlaces, all: readonly Place[], pattern: string): WatchedPlaces['folders'] {
  return foldersOf(basesOf(places), all).map(({ folder: { path } }) => ({ folder: path, pattern }));
}

/** The modes of Roo Code for which there are folders in a base; see `MODE_FOLDERS`. */
export async function modesOfRoo(base: string, kind: 'rules' | 'skills'): Promise<readonly string[]> {
  const start = `${kind}-`;
  // Where the folder is not there, or cannot be looked into, there is nothing to be read.
  const names = await readdir(join(base, '.roo')).catch(() => []);
  return names
    .filter((name) => name.startsWith(start) && name !== start)
    .map((name) => name.slice(start.length))
    .sort();
}

/** Where a file in a folder of a base is. @param parts names from the folder on; none for the folder itself */
export function originIn({ path, display, origin }: BaseFolder<Base>, parts: readonly string[]): ConfigOrigin {
  return { ...origin, file: join(path, ...parts), display: [display, ...parts].join('/') };
}
