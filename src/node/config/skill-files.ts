import { present } from '../../domain/present.js';
import { basename, join } from 'node:path';
import type { ConfigOrigin } from '../../domain/config/origin.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import { changeStamp } from '../files/change-stamp.js';
import type { ConfigurationFile } from '../files/configuration-file.js';
import {
  type BaseFolder,
  type BasePlaces,
  cutBelow,
  folderIn,
  foldersOf,
  modesOfRoo,
  originIn,
  projectFirst,
  type ReachedBase,
  reachedBases,
  watchedFolders,
  type WatchedPlaces,
} from './bases.js';
import type { MarkdownPlaces } from './markdown-files.js';
import { MODE_FOLDERS, SKILL_FOLDERS } from './place-table.js';
import { readWalked, type WalkedFile, walkFiles, type Wanted } from './walk-files.js';

/** Bytes of a `SKILL.md`. */
const MAX_BYTES = 1024 * 1024;
/** The name by the standard, and the one that its validator takes as well. */
const FILE_NAMES: readonly string[] = ['SKILL.md', 'skill.md'];
const WANTED: Wanted = { name: (name) => FILE_NAMES.includes(name), whole: true };
/** A folder with a `SKILL.md`. */
export interface SkillPlace extends Pick<WalkedFile, 'refusal'> {
  /** The `SKILL.md`. */
  readonly origin: ConfigOrigin;
  /** Absolute path of its folder, and where that leads. */
  readonly folder: string;
  readonly realFolder: string;
  /** Where the `SKILL.md` leads: it is opened there, so that what has been put in its place since is not read. */
  readonly realFile: string;
  /** The mode of Roo Code that it is for. */
  readonly mode?: string;
}

/** The skills that there are. */
export interface SkillPlacesFound {
  readonly places: readonly SkillPlace[];
  /** What was left out, and why. */
  readonly problems: readonly ConfigProblem[];
}

/** A `SKILL.md` as it was read. */
export type SkillFile = SkillPlace & ConfigurationFile;

/** Finds all skills; those of the project come first. A skill that is reached by several paths counts once. Rejects only when stopped. */
export async function findSkills(places: MarkdownPlaces, signal: AbortSignal): Promise<SkillPlacesFound> {
  const bases = projectFirst(reachedBases(places, places.guards));
  const folders = (await Promise.all(bases.map(foldersWithSkills))).flat();
  const found = await Promise.all(folders.map(async ({ folder, ofMode }) => ({ folder, ofMode, ...(await walkFiles(folder, WANTED, signal)) })));
  const all = found.flatMap(({ folder, ofMode, files }) =>
    files.map(({ parts, real, realFolder, refusal }): SkillPlace => ({
      ...ofMode,
      origin: originIn(folder, parts),
      folder: join(folder.path, ...parts.slice(0, -1)),
      realFolder,
      realFile: real,
      ...present({ refusal }),
    })),
  );
  const cut = cutBelow(places).map(({ folder, message }) => ({ file: folder, key: '', message }));
  const problems = found.flatMap(({ folder, problems: each }) => each.map(({ parts, message }) => ({ file: join(folder.path, ...parts), key: '', message })));
  return { places: onceEach(all), problems: [...problems, ...cut] };
}

async function foldersWithSkills(base: ReachedBase): Promise<readonly { readonly folder: BaseFolder; readonly ofMode: Pick<SkillPlace, 'mode'> }[]> {
  const modes = await modesOfRoo(base.path, 'skills');
  return [
    ...foldersOf([base], SKILL_FOLDERS).map(({ folder }) => ({ folder, ofMode: {} })),
    ...modes.map((mode) => ({ folder: folderIn(base, `.roo/skills-${mode}`), ofMode: { mode } })),
  ];
}

/** Each skill once. A link under another name does not take the place of the skill that it leads to: names of skills are those of their folders. */
function onceEach(places: readonly SkillPlace[]): readonly SkillPlace[] {
  const hasOwnName = ({ folder, realFolder }: SkillPlace): boolean => basename(folder) === basename(realFolder);
  const named = new Set(places.filter(hasOwnName).map(({ realFolder }) => realFolder));
  const seen = new Set<string>();
  return places.filter((place) => (hasOwnName(place) || !named.has(place.realFolder)) && !seen.has(place.realFolder) && seen.add(place.realFolder));
}

/**
 * Finds the skills that workspace folders would bring along if they were trusted, by the names of their folders and files: none is read, and
 * those behind links that must not be followed are left out. Rejects only when stopped.
 */
export async function findWaitingSkills(places: Omit<MarkdownPlaces, 'home'>, signal: AbortSignal): Promise<readonly SkillPlace[]> {
  return (await findSkills(places, signal)).places.filter(({ refusal }) => refusal === undefined);
}

/** Reads the `SKILL.md` of a skill; `undefined` when it is gone. */
export async function readSkillFile(place: SkillPlace, signal: AbortSignal): Promise<SkillFile | undefined> {
  const file = await readWalked({ ...place, real: place.realFile }, MAX_BYTES, signal);
  return file && { ...place, ...file };
}

/** Stamp of all skill files, which changes when they do: their paths and change times. Reads no file. */
export async function skillStamp({ places, problems }: SkillPlacesFound): Promise<string> {
  const lines = await Promise.all(places.map(async ({ origin: { file }, refusal = '' }) => `${(await changeStamp(file)).text} ${refusal}`));
  return [...lines, ...problems.map(({ message }) => message)].join('\n');
}

/** What is to be watched for changes of skills: the folders in which they are, with the pattern of their files. */
export function skillPaths(places: BasePlaces): WatchedPlaces {
  const files = `**/{${FILE_NAMES.join(',')}}`;
  return { files: [], folders: [...watchedFolders(places, SKILL_FOLDERS, files), ...watchedFolders(places, MODE_FOLDERS, `skills-*/${files}`)] };
}
