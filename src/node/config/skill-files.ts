import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { ConfigOrigin } from '../../domain/config/origin.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import { errorMessage } from '../../domain/errors.js';
import { formatNumber, t } from '../../domain/l10n.js';
import { type ConfigurationFile, readConfigurationFile, readListedFile } from '../files/configuration-file.js';
import { errorCode } from '../files/file-errors.js';
import { realPathOf } from '../files/real-path.js';
import { isWithin } from '../files/within.js';

/** Bytes of a `SKILL.md`. */
const MAX_BYTES = 1024 * 1024;
/** Skills that are read, and folders that are looked into, below one of the places. */
const MAX_SKILLS = 500;
const MAX_FOLDERS = 2_000;
/** How deep below a place a skill may be: some put skills into groups. */
const MAX_DEPTH = 4;
/** Folders that have thousands of others, and no skills. */
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git']);
/** The name by the standard, and the one that its validator takes as well. */
const FILE_NAMES = ['SKILL.md', 'skill.md'] as const;

/** Folders with skills: of agentskills.io, Claude Code, VS Code and Copilot, and Gnomon; in the order of paths. */
const PROJECT: readonly (readonly string[])[] = [['.agents', 'skills'], ['.claude', 'skills'], ['.github', 'skills'], ['.gnomon', 'skills']];
const USER: readonly (readonly string[])[] = [['.agents', 'skills'], ['.claude', 'skills'], ['.gnomon', 'skills']];

/** Where skills are looked for, on this machine. */
export interface SkillPlaces {
  /** Absolute paths of the workspace folders whose skills are wanted. */
  readonly folders: readonly string[];
  /** Absolute path of the home folder; absent where the user’s own skills are not wanted. */
  readonly home?: string;
}

/** A folder with a `SKILL.md`. */
export interface SkillPlace {
  /** The `SKILL.md`. */
  readonly origin: ConfigOrigin;
  /** Absolute path of its folder, and where that leads. */
  readonly folder: string;
  readonly realFolder: string;
  /** Where the `SKILL.md` leads. */
  readonly realFile: string;
  /** Whether the `SKILL.md` was found to be a file itself, no link: where its folder leads was looked at, so that is not looked at again. */
  readonly isListed: boolean;
}

/** The skills that there are. */
export interface SkillPlacesFound {
  readonly places: readonly SkillPlace[];
  /** What was left out, and why. */
  readonly problems: readonly ConfigProblem[];
}

/** A `SKILL.md` as it was read. */
export type SkillFile = SkillPlace & ConfigurationFile;

/** One of the folders with skills. */
interface Root {
  readonly origin: Omit<ConfigOrigin, 'file' | 'display'>;
  readonly path: string;
  readonly display: string;
}

/** Finds all skills; those of the project come first. A skill that is reached by several paths counts once. Rejects only when stopped. */
export async function findSkills({ folders, home }: SkillPlaces, signal: AbortSignal): Promise<SkillPlacesFound> {
  const realFolders = await Promise.all(folders.map((folder) => realPathOf(folder)));
  const roots = [
    ...folders.flatMap((folder) => PROJECT.map((names): Root => ({ origin: { layer: 'project', folder }, path: join(folder, ...names), display: names.join('/') }))),
    ...(home === undefined ? [] : USER.map((names): Root => ({ origin: { layer: 'user' }, path: join(home, ...names), display: `~/${names.join('/')}` }))),
  ];
  const found = await Promise.all(roots.map((root) => new RootSearch(root, root.origin.layer === 'project' ? realFolders : undefined, signal).run()));
  const seen = new Set<string>();
  const places = found.flatMap((each) => each.places).filter(({ realFolder }) => !seen.has(realFolder) && seen.add(realFolder));
  return { places, problems: found.flatMap(({ problems }) => problems) };
}

/**
 * Finds the skills that workspace folders would bring along if they were trusted, by the names of their folders and files: none is read, and
 * those behind links that lead out are left out. Rejects only when stopped.
 */
export async function findWaitingSkills(folders: readonly string[], signal: AbortSignal): Promise<readonly SkillPlace[]> {
  const [{ places }, realFolders] = await Promise.all([findSkills({ folders }, signal), Promise.all(folders.map((folder) => realPathOf(folder)))]);
  return places.filter(({ realFile }) => realFolders.some((folder) => isWithin(folder, realFile)));
}

/** Reads the `SKILL.md` of a skill; `undefined` when it is gone. One of the workspace is not read through a link that leads out of it. */
export async function readSkillFile(place: SkillPlace, { folders }: Pick<SkillPlaces, 'folders'>, signal: AbortSignal): Promise<SkillFile | undefined> {
  const { origin, realFile, isListed } = place;
  const within = origin.folder === undefined ? {} : { within: folders };
  const file = await (isListed ? readListedFile({ path: realFile, maxBytes: MAX_BYTES }, signal) : readConfigurationFile({ path: origin.file, maxBytes: MAX_BYTES, ...within }, signal));
  return file && { ...place, ...file };
}

/** What tells whether the files of skills are others than when this had another value: which there are, and their change times. Reads none. */
export async function skillStamp({ places, problems }: SkillPlacesFound): Promise<string> {
  const lines = await Promise.all(places.map(({ origin: { file } }) => stampOf(file)));
  return [...lines, ...problems.map(({ message }) => message)].join('\n');
}

/** What is to be watched for changes of skills: the folders in which they are, with the pattern of their files. */
export function skillPatterns({ folders, home }: SkillPlaces): readonly { readonly folder: string; readonly pattern: string }[] {
  const roots = [...folders.flatMap((folder) => PROJECT.map((names) => join(folder, ...names))), ...(home === undefined ? [] : USER.map((names) => join(home, ...names)))];
  return [...new Set(roots)].map((folder) => ({ folder, pattern: `**/{${FILE_NAMES.join(',')}}` }));
}

async function stampOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return `${path} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch (error) {
    return `${path} ${errorCode(error) ?? 'unknown'}`;
  }
}

/** Looks below one folder for skills, and never through a link that leads out of the workspace. */
class RootSearch {
  private readonly places: SkillPlace[] = [];
  private readonly problems: ConfigProblem[] = [];
  private folders = 0;

  /** @param within real paths of the workspace folders; absent for the user’s own skills, which may be links */
  constructor(
    private readonly root: Root,
    private readonly within: readonly string[] | undefined,
    private readonly signal: AbortSignal,
  ) {}

  async run(): Promise<SkillPlacesFound> {
    const real = await this.realOf(this.root.path);
    if (real !== undefined) await this.search(this.root.path, real, 0);
    return { places: this.places, problems: this.problems };
  }

  /** @param real where the folder leads */
  private async search(folder: string, real: string, depth: number): Promise<void> {
    this.signal.throwIfAborted();
    this.folders += 1;
    if (this.folders > MAX_FOLDERS || this.places.length >= MAX_SKILLS) {
      this.tooMuch();
      return;
    }
    const entries = await this.entriesOf(folder);
    const file = FILE_NAMES.flatMap((name) => entries.find((entry) => entry.name === name) ?? [])[0];
    if (file !== undefined && depth > 0) return this.add(folder, real, file);
    if (depth === MAX_DEPTH) return;
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (SKIPPED.has(entry.name) || !(await isFolder(entry, path))) continue;
      const leads = entry.isSymbolicLink() ? await this.realOf(path) : join(real, entry.name);
      if (leads !== undefined) await this.search(path, leads, depth + 1);
    }
  }

  /** What is in a folder; nothing where it is not there, or cannot be looked into. */
  private async entriesOf(folder: string): Promise<Dirent[]> {
    try {
      return await readdir(folder, { withFileTypes: true });
    } catch (error) {
      if (!['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) this.problem(folder, errorMessage(error));
      return [];
    }
  }

  private async add(folder: string, realFolder: string, entry: Dirent): Promise<void> {
    const { origin, path, display } = this.root;
    const file = join(folder, entry.name);
    const isListed = entry.isFile();
    const realFile = isListed ? join(realFolder, entry.name) : await this.leadsTo(file);
    if (realFile !== undefined) this.places.push({ origin: { ...origin, file, display: [display, ...relative(path, file).split(sep)].join('/') }, folder, realFolder, realFile, isListed });
  }

  /** Where a folder leads; `undefined` where that must not be looked into. */
  private async realOf(path: string): Promise<string | undefined> {
    const real = await this.leadsTo(path);
    if (real === undefined || (this.within?.some((folder) => isWithin(folder, real)) ?? true)) return real;
    this.problem(path, t('It is a link that leads out of the workspace, so its skills are not used.'));
    return undefined;
  }

  /** Where a path leads; `undefined` where that cannot be found out, as for a link to itself: the other skills are there nevertheless. */
  private async leadsTo(path: string): Promise<string | undefined> {
    try {
      return await realPathOf(path);
    } catch (error) {
      this.problem(path, errorMessage(error));
      return undefined;
    }
  }

  private tooMuch(): void {
    const message = t('There are more than {0} skills or {1} folders in it. Those after them are not used.', formatNumber(MAX_SKILLS), formatNumber(MAX_FOLDERS));
    if (!this.problems.some((problem) => problem.message === message)) this.problem(this.root.path, message);
  }

  private problem(file: string, message: string): void {
    this.problems.push({ file, key: '', message });
  }
}

/** A link to something missing is no folder. */
async function isFolder(entry: Dirent, path: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return stat(path).then((found) => found.isDirectory(), () => false);
}
